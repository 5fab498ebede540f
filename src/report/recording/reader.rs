//! Reads recordings: whole, or up to where they were torn off.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{FORM, Frame, FrameLine, Line, RecordingEnd, RunHeader};
use crate::board::Puzzle;
use crate::format;
use crate::store::parse_line;
use crate::util::sanitize;

/// Bytes of a recording that are read at most; what follows them is left out.
const MOST_BYTES: u64 = 256 << 20;
/// Bytes of a line at most: the boards of the largest shape take 40 kB.
const LONGEST_LINE: u64 = 1 << 20;

/// A file that cannot be played.
#[derive(Debug, Error)]
pub enum RecordingError {
    /// It cannot be read.
    #[error("cannot read {}: {_1}", .0.display())]
    Unreadable(PathBuf, io::Error),
    /// It does not begin as recordings do.
    #[error("{} is not a recording of solve --record", .0.display())]
    Foreign(PathBuf),
    /// A later program wrote it.
    #[error(
        "{} is a recording in format {form}, written by evodoku {version}, but this evodoku reads formats up \
         to {FORM}",
        .path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its form.
        form: u32,
        /// The program that wrote it.
        version: String,
    },
    /// No generation was recorded.
    #[error("{} has no generations", .0.display())]
    Empty(PathBuf),
}

/// A recording.
#[derive(Debug, Default)]
pub struct RecordingFile {
    /// Its runs, each with a frame at least.
    pub runs: Vec<RecordedRun>,
    /// The line, from 1, from which on it cannot be read.
    pub torn: Option<usize>,
}

/// A run of a recording.
#[derive(Debug)]
pub struct RecordedRun {
    /// Its puzzle, preset and seed.
    pub facts: RunHeader,
    /// Its puzzle.
    pub puzzle: Puzzle,
    /// Its generations.
    pub frames: Vec<RecordedFrame>,
    /// How it ended, unless the recording ended before.
    pub end: Option<RecordingEnd>,
}

/// A generation of a recorded run.
#[derive(Debug)]
pub struct RecordedFrame {
    /// Its figures.
    pub frame: Frame,
    /// Cells in which its best board differs from the one before, and their values.
    put: Box<[(u16, u8)]>,
}

impl RecordedFrame {
    /// Makes its best board of the one before; of the givens at first.
    pub fn apply(&self, board: &mut [u8]) {
        for (cell, value) in &self.put {
            if let Some(held) = board.get_mut(usize::from(*cell)) {
                *held = *value;
            }
        }
    }
}

/// Reads a recording up to the first line that is torn or changed.
///
/// # Errors
/// `RecordingError` when the file is no recording, has a later form, or has no generation.
pub fn read_recording(path: &Path) -> Result<RecordingFile, RecordingError> {
    let unreadable = |error| RecordingError::Unreadable(path.to_owned(), error);
    let file = File::open(path).map_err(unreadable)?;
    let mut reader = BufReader::new(file.take(MOST_BYTES));
    let first = next_line(&mut reader).map_err(unreadable)?;
    let Some(Line::Recording { form, version, .. }) = first.as_deref().and_then(parsed) else {
        return Err(RecordingError::Foreign(path.to_owned()));
    };
    if form > FORM {
        let (path, version) = (path.to_owned(), sanitize::line(&version, 32));
        return Err(RecordingError::Newer { path, form, version });
    }
    let mut recorded = RecordingFile::default();
    let mut number = 1;
    while let Some(text) = next_line(&mut reader).map_err(unreadable)? {
        number += 1;
        if parsed(&text).and_then(|line| recorded.take(line)).is_none() {
            recorded.torn = Some(number);
            break;
        }
    }
    recorded.runs.retain(|run| !run.frames.is_empty());
    if recorded.runs.is_empty() {
        return Err(RecordingError::Empty(path.to_owned()));
    }
    Ok(recorded)
}

/// The next line without its end; nothing at the end of the file.
fn next_line(reader: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    reader.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    Ok(if line.is_empty() { None } else { Some(line) })
}

/// The content of a line, if it is whole.
fn parsed(line: &[u8]) -> Option<Line> {
    let text = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
    parse_line(text).ok()
}

impl RecordingFile {
    /// Takes a line in; nothing if it does not follow from those before it.
    fn take(&mut self, line: Line) -> Option<()> {
        match line {
            Line::Recording { .. } => return None,
            Line::Run(facts) => {
                let shape = facts.shape.parse().ok()?;
                let puzzle = format::read(&facts.givens, &facts.name, Some(shape)).ok()?.puzzle;
                self.runs.push(RecordedRun { facts, puzzle, frames: Vec::new(), end: None });
            }
            Line::Frame(FrameLine { at: mut frame, mut islands, put }) => {
                let run = self.runs.last_mut().filter(|run| run.end.is_none())?;
                let before = run.frames.last().map(|last| last.frame.generation);
                let is_next = before.is_none_or(|it| it.wrapping_add(1) == frame.generation);
                let geometry = run.puzzle.geometry;
                let put = put.chunks(2).map(|pair| {
                    let [cell, value] = <[u16; 2]>::try_from(pair).ok()?;
                    let known = usize::from(cell) < geometry.cells();
                    let known = known && usize::from(value) <= geometry.side();
                    known.then_some((cell, value as u8))
                });
                let put = put.collect::<Option<_>>().filter(|_| is_next)?;
                if islands.is_empty() {
                    islands.push(frame.best);
                }
                frame.islands = islands;
                run.frames.push(RecordedFrame { frame, put });
            }
            Line::End(end) => {
                let run = self.runs.last_mut().filter(|run| run.end.is_none())?;
                run.end = Some(end);
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::ControlFlow;

    use super::*;
    use crate::ga::{GenerationReport, Observer, Outcome};
    use crate::report::{OutputFile, RecordingWriter};
    use crate::{Preset, Solver, format};

    /// A recording, and the frames that it was given.
    struct Both(RecordingWriter, Vec<(Frame, Vec<u8>)>);

    impl Observer for Both {
        fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
            self.1.push((Frame::from(report), report.board.to_vec()));
            self.0.on_generation(report)
        }

        fn wants_distinct(&self) -> bool {
            true
        }
    }

    /// Records a run of two islands with restarts; gives its frames and its outcome.
    fn record(path: &Path) -> (Vec<(Frame, Vec<u8>)>, Outcome) {
        let puzzle = format::load("003-6x6", None).unwrap().puzzle;
        let set = "presolve=none islands=2 max_generations=40 restart_after=5 mutation_rate=0";
        let mut solver = Solver::new(Preset::Boxes).population(12).seed(7);
        for set in set.split(' ') {
            solver = solver.set(set.parse().unwrap());
        }
        let (space, config) = solver.prepare(&puzzle).unwrap();
        let mut both =
            Both(RecordingWriter::new(OutputFile::new(path).unwrap(), None).unwrap(), Vec::new());
        both.0.begin(&space, &config, 7);
        let outcome = solver.solve_with(&puzzle, &mut both).unwrap().outcome;
        both.0.ended(&outcome);
        both.0.file.flush();
        assert!(both.0.file.is_whole());
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
        let end = RecordingEnd { stop_reason: outcome.stop_reason, fitness: outcome.fitness };
        assert_eq!(runs[0].end, Some(end));
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
        // A generation is missing.
        fs::write(&path, [&whole[..three], &whole[lines[5] + 1..]].concat()).unwrap();
        let RecordingFile { runs, torn } = read_recording(&path).unwrap();
        assert_eq!((runs[0].frames.len(), torn), (3, Some(6)));
    }

    #[test]
    fn what_is_no_recording_is_refused_in_a_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.rec");
        let refused = |content: &[u8]| {
            fs::write(&path, content).unwrap();
            read_recording(&path).unwrap_err().to_string().replace(path.to_str().unwrap(), "FILE")
        };
        let foreign = "FILE is not a recording of solve --record";
        for content in
            [&b""[..], b"123434..21434321\n", b"{\"recording\":{}}\n", &[0xff; 3_000_000]]
        {
            assert_eq!(refused(content), foreign);
        }
        let sealed = |text: &str| crate::store::append_checksum(text.to_owned()) + "\n";
        let later =
            sealed(r#"{"recording":{"form":9,"version":"3.0.0","results_version":12,"more":[]}}"#);
        let expected = "FILE is a recording in format 9, written by evodoku 3.0.0, but this evodoku reads formats up to 1";
        assert_eq!(refused(later.as_bytes()), expected);
        let head = sealed(r#"{"recording":{"form":1,"version":"0.1.0","results_version":4}}"#);
        assert_eq!(refused(head.as_bytes()), "FILE has no generations");
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
            assert_eq!(refused(text.as_bytes()), "FILE has no generations");
        }
        fs::write(&path, head + &run + &frame("0,4")).unwrap();
        let recorded = read_recording(&path).unwrap();
        assert_eq!(boards(&recorded.runs[0])[0].1[..2], [4, 0]);
    }
}
