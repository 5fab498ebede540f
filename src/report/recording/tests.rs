//! A recording is a function of its run, and is read up to where it was torn off.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use super::schema::RecordingEnd;
use super::*;
use crate::ga::{GenerationReport, Observer, Outcome};
use crate::report::OutputFile;
use crate::{Preset, Solver, format};

/// A recording, and what it was told.
struct Both(RecordingWriter, Vec<(Frame, Vec<u8>)>);

impl Observer for Both {
    fn generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        self.1.push((Frame::from(report), report.board.to_vec()));
        self.0.generation(report)
    }

    fn wants_distinct(&self) -> bool {
        true
    }
}

/// Records a run of two islands with restarts; gives what was told and how it ended.
fn record(path: &Path) -> (Vec<(Frame, Vec<u8>)>, Outcome) {
    let puzzle = format::load("003-6x6", None).unwrap().puzzle;
    let set = "presolve=none islands=2 max_generations=40 restart_after=5 mutation_rate=0";
    let mut solver = Solver::new(Preset::Boxes).population(12).seed(7);
    for set in set.split(' ') {
        solver = solver.set(set.parse().unwrap());
    }
    let (space, config) = solver.prepare(&puzzle).unwrap();
    let mut both = Both(RecordingWriter::new(OutputFile::new(path).unwrap()), Vec::new());
    both.0.begin(&space, &config, 7);
    let outcome = solver.solve_with(&puzzle, &mut both).unwrap().outcome;
    both.0.ended(&outcome);
    both.0.file().flush();
    assert!(both.0.file().is_whole());
    (both.1, outcome)
}

/// Frames with their whole boards.
fn boards(run: &RecordedRun) -> Vec<(Frame, Vec<u8>)> {
    let mut board = run.puzzle.givens.clone();
    let whole = run.frames.iter().map(|recorded| {
        recorded.apply(&mut board);
        (recorded.frame.clone(), board.clone())
    });
    whole.collect()
}

#[test]
fn what_was_told_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a.rec", "b.rec"].map(|name| folder.path().join(name));
    let (told, outcome) = record(&paths[0]);
    record(&paths[1]);
    assert_eq!(fs::read(&paths[0]).unwrap(), fs::read(&paths[1]).unwrap());

    let RecordingFile { runs, torn } = read_recording(&paths[0]).unwrap();
    assert_eq!((runs.len(), torn), (1, None));
    assert_eq!(boards(&runs[0]), told);
    assert!(told.iter().any(|(frame, _)| frame.restart > 1 && frame.distinct.is_some()));
    assert!(told.iter().all(|(frame, _)| frame.islands.len() == 2));
    assert_eq!(runs[0].end, Some(RecordingEnd::of(&outcome)));
    assert_eq!(runs[0].facts.name, "003-6x6");
}

#[test]
fn a_torn_or_changed_recording_is_read_up_to_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.rec");
    let (told, _) = record(&path);
    let whole = fs::read(&path).unwrap();
    let lines: Vec<usize> = (0..whole.len()).filter(|at| whole[*at] == b'\n').collect();
    // The head, the run, and three generations.
    let three = lines[4] + 1;
    for cut in three + 1..lines[5] + 1 {
        fs::write(&path, &whole[..cut]).unwrap();
        let RecordingFile { runs, torn } = read_recording(&path).unwrap();
        assert_eq!((boards(&runs[0]), torn), (told[..3].to_vec(), Some(6)), "{cut}");
    }
    for at in three..lines[5] {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        fs::write(&path, changed).unwrap();
        let RecordingFile { runs, torn } = read_recording(&path).unwrap();
        assert_eq!((runs[0].frames.len(), torn), (3, Some(6)), "{at}");
    }
}

#[test]
fn what_is_no_recording_is_refused_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.rec");
    let refused = |content: &[u8]| {
        fs::write(&path, content).unwrap();
        read_recording(&path).unwrap_err().to_string().replace(path.to_str().unwrap(), "FILE")
    };
    let foreign = "FILE is no recording, which solve --record writes";
    for content in [&b""[..], b"123434..21434321\n", b"{\"recording\":{}}\n", &[0xff; 3_000_000]] {
        assert_eq!(refused(content), foreign);
    }
    let sealed = |text: &str| crate::store::append_checksum(text.to_owned()) + "\n";
    let later =
        sealed(r#"{"recording":{"form":9,"version":"3.0.0","results_version":12,"more":[]}}"#);
    let expected =
        "FILE is a recording of form 9, which evodoku 3.0.0 wrote; this one reads forms up to 1";
    assert_eq!(refused(later.as_bytes()), expected);
    let head = sealed(r#"{"recording":{"form":1,"version":"0.1.0","results_version":4}}"#);
    assert_eq!(refused(head.as_bytes()), "FILE holds no generation");
    // Cells that the board does not have, and a frame of no run.
    let run = sealed(
        r#"{"run":{"name":"x","shape":"2x2","givens":"................","preset":"boxes","population":2,"seed":1}}"#,
    );
    let frame = |put: &str| {
        sealed(&format!(r#"{{"frame":{{"at":[0,0,1,1,1,2,null,2,0],"put":[{put}]}}}}"#))
    };
    for text in [
        head.clone() + &frame("0,1"),
        head.clone() + &run + &frame("16,1"),
        head.clone() + &run + &frame("0,5"),
        head.clone() + &run + &frame("0"),
    ] {
        assert_eq!(refused(text.as_bytes()), "FILE holds no generation");
    }
    fs::write(&path, head + &run + &frame("0,4")).unwrap();
    let recorded = read_recording(&path).unwrap();
    assert_eq!(boards(&recorded.runs[0])[0].1[..2], [4, 0]);
}
