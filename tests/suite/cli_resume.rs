//! What `evodoku experiment` does about the results of an earlier run: kept, resumed, locked, and
//! refused where they are not as they were written.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

use crate::support::{Folder, export};

/// Runs that take no time, with a name that is more than ASCII.
const SPEC: &str = "puzzles = ['grün.sdm']\nmethods = ['boxes', 'backtracking']\nseeds = 4\n\
                    [parameters]\npopulation = 20\nmax_generations = 20\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("spec.toml", SPEC);
    folder.file("grün.sdm", "....2.4334.2....\n");
    folder
}

fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin!("evodoku"));
    command.current_dir(folder.path("")).args(["experiment", "--on", "cpu", "spec.toml"]);
    command.args(["--export-json", "r.json", "--jobs", "1"]).args(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn done(folder: &Folder, arguments: &[&str]) -> String {
    let output = command(folder, arguments).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    said
}

fn refused(folder: &Folder, arguments: &[&str]) -> String {
    let output = command(folder, arguments).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    said
}

/// The runs without what depends on the machine.
fn runs(folder: &Folder) -> Vec<Value> {
    let mut export = export(&folder.path("r.json"));
    let runs = export["runs"].as_array_mut().unwrap();
    for run in runs.iter_mut() {
        let run = run.as_object_mut().unwrap();
        run.retain(|key, _| !["seconds", "children_per_second", "crc32"].contains(&key.as_str()));
    }
    std::mem::take(runs)
}

/// A line with the checksum that its text has after a change.
pub fn sealed(line: &str) -> String {
    let object = match line.split_once(",\"crc32\"") {
        Some((object, _)) => object.to_owned() + "}",
        None => line.to_owned(),
    };
    let checksum = crc32fast::hash(object.as_bytes());
    format!("{},\"crc32\":\"{checksum:08x}\"}}", &object[..object.len() - 1])
}

/// The lines of the journal that a crash would have left, its head first, made of the export.
fn journal(folder: &Folder) -> Vec<String> {
    journal_of(&fs::read_to_string(folder.path("r.json")).unwrap())
}

/// The same, made of an export's text.
pub fn journal_of(text: &str) -> Vec<String> {
    let head = format!(
        "{{\"kind\":\"journal\",\"record\":3,\"version\":\"0.1.0\",\"results_version\":{}}}",
        evodoku::RESULTS_VERSION
    );
    let runs = text.lines().skip_while(|line| *line != "\"runs\": [").skip(1);
    let runs = runs.map(|line| line.trim_end_matches(',')).take_while(|line| *line != "]");
    std::iter::once(sealed(&head)).chain(runs.map(str::to_owned)).collect()
}

#[test]
fn earlier_results_are_resumed_or_overwritten_but_never_lost() {
    let folder = folder();
    done(&folder, &[]);
    let before = fs::read(folder.path("r.json")).unwrap();
    let said = refused(&folder, &[]);
    assert_eq!(
        said,
        "evodoku: r.json holds earlier results: use --resume to complete them, or --overwrite to \
         replace them\n"
    );
    assert_eq!(fs::read(folder.path("r.json")).unwrap(), before);
    assert!(!folder.path("r.json.journal").exists());
    assert!(done(&folder, &["--resume"]).contains("(5 finished)"));
    // What is no export of an experiment is never replaced.
    folder.file("r.json", "[spec]\n");
    for flags in [&[][..], &["--overwrite"]] {
        let said = "evodoku: r.json holds no results of an experiment and would be overwritten: name another file\n";
        assert_eq!(refused(&folder, flags), said);
    }
    fs::write(folder.path("r.json"), &before[..100]).unwrap();
    assert!(!done(&folder, &["--overwrite"]).contains("finished)"));
}

#[test]
fn a_journal_that_a_crash_left_is_not_lost_either() {
    let folder = folder();
    done(&folder, &[]);
    let all = runs(&folder);
    let lines = journal(&folder);
    fs::write(folder.path("r.json.journal"), lines.join("\n") + "\n").unwrap();
    // A file that was renamed before it was written.
    for emptied in [&b""[..], b"\0\0\0\0"] {
        fs::write(folder.path("r.json"), emptied).unwrap();
        assert!(refused(&folder, &[]).contains("--overwrite"));
        assert_eq!(fs::read_to_string(folder.path("r.json.journal")).unwrap().lines().count(), 6);
    }
    assert!(done(&folder, &["--resume"]).contains("(5 finished)"));
    assert_eq!(runs(&folder), all);
}

#[test]
fn a_journal_may_end_anywhere() {
    let folder = folder();
    done(&folder, &[]);
    let all = runs(&folder);
    let whole = (journal(&folder).join("\n") + "\n").into_bytes();
    let name = whole.windows(2).position(|pair| pair == "ü".as_bytes()).unwrap();
    let last = whole.len() - 2;
    for cut in [0, 1, 40, name, name + 1, name + 2, 700, last - 5, last, last + 1] {
        fs::remove_file(folder.path("r.json")).unwrap();
        fs::write(folder.path("r.json.journal"), &whole[..cut]).unwrap();
        done(&folder, &["--resume"]);
        assert_eq!(runs(&folder), all, "cut at {cut}");
    }
    // A last line that was written in part only is a torn end too.
    let mut torn = whole.clone();
    torn[last - 30] = 0;
    fs::remove_file(folder.path("r.json")).unwrap();
    fs::write(folder.path("r.json.journal"), torn).unwrap();
    assert!(done(&folder, &["--resume"]).contains("(4 finished)"));
}

#[test]
fn damage_in_the_middle_is_refused_with_its_line() {
    let folder = folder();
    done(&folder, &[]);
    let lines = journal(&folder);
    fs::remove_file(folder.path("r.json")).unwrap();
    let changed = |number: usize, change: &dyn Fn(&str) -> String| {
        let mut lines = lines.clone();
        let line = change(&lines[number]);
        assert_ne!(line, lines[number]);
        lines[number] = line;
        fs::write(folder.path("r.json.journal"), lines.join("\n") + "\n").unwrap();
        let said = refused(&folder, &["--resume"]);
        assert!(folder.path("r.json.journal").exists() && !folder.path("r.json").exists());
        said
    };
    let said = changed(2, &|line| line.replace("\"seed\":", "\"seed\":1"));
    assert_eq!(
        said,
        "evodoku: r.json.journal, line 3: its checksum does not match; nothing in the file was \
         used\n"
    );
    let said = changed(1, &|line| line[..90].to_owned());
    assert!(said.contains("r.json.journal, line 2: it does not end with a checksum"), "{said}");

    // Written so by a program that knows the checksum, but not this form.
    let resealed = |from: &'static str, to: &'static str| {
        changed(1, &move |line| sealed(&line.replacen(from, to, 1)))
    };
    for (from, to, sentence) in [
        ("\"generations\":", "\"generation\":", "missing field `generations`"),
        ("\"steps\":", "\"_\":0,\"steps\":", "unknown field `_`"),
        ("\"fault\":null,", "", "missing field `fault`"),
        ("\"fitness\":0,", "", "missing field `fitness`"),
        ("\"record\":3", "\"record\":2", "its format is version 2, not 3"),
        ("\"kind\":\"evolved\"", "\"kind\":\"journal\"", "unknown variant `journal`"),
        (
            "\"puzzle\":\"....2",
            "\"puzzle\":\"...12",
            "runs that are not part of the experiment (1, ",
        ),
        ("\"seed\":1,", "\"seed\":5,", "(1, the first: grün, boxes, seed 5)"),
        ("\"tries\":60", "\"tries\":61", "runs that are not part of the experiment (1, "),
        ("\"solution\":\"4321", "\"solution\":\"3421", "its solution is "),
        ("\"stop_reason\":\"solved\"", "\"stop_reason\":\"work\"", "but it ended as 'work'"),
        ("\"stop_reason\":\"solved\"", "\"stop_reason\":\"sold\"", "'sold' is not one of "),
    ] {
        let said = resealed(from, to);
        let placed = said.contains("r.json.journal, line 2: ")
            || said.contains(" not part of the experiment ");
        assert!(placed && said.contains(sentence), "{said}");
    }
    let said =
        changed(0, &|head| sealed(&head.replace("results_version\":", "results_version\":7")));
    assert!(said.contains(" with results version 7"), "{said}");
}

#[test]
fn a_changed_export_is_refused_with_its_run() {
    let folder = folder();
    done(&folder, &[]);
    let text = fs::read_to_string(folder.path("r.json")).unwrap();
    let (head, runs) = text.split_once("\"runs\"").unwrap();
    fs::write(
        folder.path("r.json"),
        format!("{head}\"runs\"{}", runs.replacen("\"work\":", "\"work\":1", 1)),
    )
    .unwrap();
    let said = refused(&folder, &["--resume"]);
    assert!(said.contains("r.json, run 1: its checksum does not match"), "{said}");
    fs::write(folder.path("r.json"), text.replace("\"fingerprint\"", "\"finger\"")).unwrap();
    let said = refused(&folder, &["--resume"]);
    assert!(said.contains("r.json is not a results file of an experiment"), "{said}");
}

#[test]
fn a_second_experiment_on_the_same_results_is_refused() {
    let folder = folder();
    folder.file(
        "spec.toml",
        "puzzles = ['ai-escargot']\nmethods = ['boxes']\nseeds = 100000\n\
         [parameters]\npopulation = 500\nmax_generations = 50\n",
    );
    let mut first = command(&folder, &[]).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(120);
    while fs::metadata(folder.path("r.json.journal")).map_or(0, |data| data.len()) == 0 {
        assert!(Instant::now() < deadline && first.try_wait().unwrap().is_none());
        sleep(Duration::from_millis(5));
    }
    for arguments in [&[][..], &["--resume"], &["--overwrite"]] {
        let said = refused(&folder, arguments);
        let sentence = "another evodoku process is writing r.json.journal";
        assert_eq!(said, format!("evodoku: {sentence}\n"));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    // The lock went with it, and its results did not.
    assert!(refused(&folder, &[]).contains("--overwrite to replace"));
}

/// Counts as a machine that runs for centuries would have, and counts that no run has.
#[test]
fn counts_beyond_64_bits_are_summed_up_or_refused() {
    let folder = folder();
    done(&folder, &[]);
    let most = u64::MAX / 2 + 1;
    let with = |work: u64| -> Vec<String> {
        let change = |line: &String| {
            let mut run: Value = serde_json::from_str(line).unwrap();
            if run["kind"] != "evolved" {
                return line.clone();
            }
            let members = ["evaluations", "work"].map(|name| (name, run[name].take().to_string()));
            let moves = run["moves"].as_u64().unwrap();
            let mut line = line.clone();
            for ((name, old), new) in members.iter().zip([most, work.wrapping_add(moves)]) {
                line = line.replace(&format!("\"{name}\":{old},"), &format!("\"{name}\":{new},"));
            }
            sealed(&line)
        };
        journal(&folder).iter().map(change).collect()
    };
    let (long, wrong) = (with(most), with(7));
    fs::remove_file(folder.path("r.json")).unwrap();
    fs::write(folder.path("r.json.journal"), wrong.join("\n") + "\n").unwrap();
    let said = refused(&folder, &["--resume"]);
    assert!(said.contains("its work is 7, not 9223372036854775808 + 0"), "{said}");
    fs::write(folder.path("r.json.journal"), long.join("\n") + "\n").unwrap();
    done(&folder, &["--resume"]);
    assert_eq!(export(&folder.path("r.json"))["cells"][0]["work_total"], u64::MAX);
}
