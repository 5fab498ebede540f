//! A disk that is full while a file is written: every kind of file fails by itself, what was written
//! before stays whole, and what a run came to is printed.
//!
//! A bound on the size of files (`ulimit -f`) stands for the disk: the system refuses what goes beyond
//! it, in the middle of a file. /dev/full refuses all from the start (`cli_files.rs`).
#![cfg(unix)]

use std::fs;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::support::{Folder, binary, runs_of};

/// A run that is not solved, and writes some.
const RUN: [&str; 9] = [
    "solve", "easter-monster", "--on=cpu", "--preset=boxes", "--population=200", "--presolve=none",
    "--max-generations=60", "--seed=1", "--format=line",
];

/// The command in a folder in which no file takes more than so many kilobytes.
fn bounded(folder: &Folder, kilobytes: u32, arguments: &[&str]) -> Output {
    // Blocks of 512 bytes.
    let shell = format!("ulimit -f {}; exec \"$@\"", 2 * kilobytes);
    let mut command = Command::new("sh");
    command.current_dir(folder.path("")).args(["-c", &shell, "sh"]);
    command.arg(binary()).args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn unbounded(folder: &Folder, arguments: &[&str]) -> Output {
    Command::new(binary()).current_dir(folder.path("")).args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What is said where a file cannot be written, with nothing of the file beside it.
fn refusal(name: &str) -> String {
    format!("cannot write {name}: File too large (os error 27)\n")
}

#[test]
fn each_export_fails_by_itself() {
    let folder = Folder::new();
    let expected = unbounded(&folder, &RUN).stdout;
    for (flag, name) in [
        ("--trace", "t.csv"),
        ("--record", "r.rec"),
        ("--export-json", "r.json"),
        ("--export-markdown", "r.md"),
        ("--plot", "r.svg"),
        ("--report", "r.html"),
    ] {
        let folder = Folder::new();
        let output = bounded(&folder, 0, &[&RUN[..], &[flag, name]].concat());
        let text = said(&output);
        assert_eq!((output.status.code(), &output.stdout), (Some(2), &expected), "{flag}: {text}");
        assert!(text.contains(&refusal(name)), "{flag}: {text}");
        // Nothing is left beside, and no half of what is replaced as a whole.
        let names: Vec<_> = fs::read_dir(folder.path("")).unwrap().collect();
        let bytes: u64 =
            names.iter().map(|entry| entry.as_ref().unwrap().metadata().unwrap().len()).sum();
        assert!(names.len() <= 1 && bytes == 0, "{flag}: {names:?}");
    }
}

#[test]
fn rows_that_were_written_before_stay() {
    let folder = Folder::new();
    let files = ["--runs=30", "--trace=t.csv", "--export-csv=r.csv"];
    let output = bounded(&folder, 2, &[&RUN[..], &files].concat());
    let text = said(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    for name in ["t.csv", "r.csv"] {
        assert_eq!(text.matches(&refusal(name)).count(), 1, "{text}");
        let written = fs::read_to_string(folder.path(name)).unwrap();
        assert!(written.lines().count() > 3 && written.len() <= 2048, "{name}");
    }
}

#[test]
fn a_checkpoint_that_does_not_fit_costs_itself_alone() {
    let folder = Folder::new();
    let run = [&RUN[..], &["--population=20000", "--max-generations=8"]].concat();
    let run: Vec<&str> = run.into_iter().filter(|flag| *flag != "--population=200").collect();
    let run: Vec<&str> = run.into_iter().filter(|flag| *flag != "--max-generations=60").collect();
    let expected = unbounded(&folder, &run).stdout;
    let kept = ["--checkpoint=run.keep", "--checkpoint-every=1g"];
    let output = bounded(&folder, 100, &[&run[..], &kept].concat());
    let text = said(&output);
    assert_eq!((output.status.code(), &output.stdout), (Some(1), &expected), "{text}");
    assert_eq!(text.matches("cannot write run.keep: File too large").count(), 1, "{text}");
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 0);
}

/// An experiment whose runs leave more than 20 kB, and checkpoints of 300 kB.
const SPEC: &str = "puzzles = ['easter-monster']
methods = ['boxes']
seeds = 8
[parameters]
presolve = 'none'
population = 10_000
max_generations = 12
";

fn experiment<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let all = ["experiment", "spec.toml", "--on=cpu", "--jobs=1", "--export-json=r.json"];
    [&all, more].concat()
}

fn whole() -> Vec<Value> {
    let folder = Folder::new();
    folder.file("spec.toml", SPEC);
    let output = unbounded(&folder, &experiment(&[]));
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    runs_of(&folder.path("r.json"))
}

#[test]
fn a_journal_that_is_cut_off_is_gone_on_with() {
    let folder = Folder::new();
    folder.file("spec.toml", SPEC);
    let output = bounded(&folder, 10, &experiment(&[]));
    let text = said(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains(&refusal("r.json.journal")), "{text}");
    let output = unbounded(&folder, &experiment(&["--resume"]));
    let text = said(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains(" finished)"), "{text}");
    assert_eq!(runs_of(&folder.path("r.json")), whole());
}

#[test]
fn runs_go_on_that_cannot_be_kept() {
    let folder = Folder::new();
    folder.file("spec.toml", SPEC);
    let output = bounded(&folder, 200, &experiment(&["--checkpoint-every=2g"]));
    let text = said(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert_eq!(text.matches("cannot write to r.json.runs: File too large").count(), 1, "{text}");
    assert_eq!(runs_of(&folder.path("r.json")), whole());
    assert!(!folder.path("r.json.runs").exists());
}

#[test]
fn a_journal_of_a_tuning_that_is_cut_off_is_gone_on_with() {
    let folder = Folder::new();
    folder.file(
        "spec.toml",
        "method = 'boxes'\ntraining = ['003-4x4', '003-6x6']\nvalidation = ['003-puzzle4']\n\
         budget = 120\nvalidation_seeds = 2\n[parameters]\npresolve = 'none'\nmax_work = 2_000\n\
         population = { from = 4, to = 100 }\n",
    );
    let tune = ["tune", "spec.toml", "--on=cpu", "--jobs=1", "--journal=j"];
    let output = bounded(&folder, 8, &tune);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains(&refusal("j")), "{text}");
    let config = ["--export-config", "best.toml"];
    let output = unbounded(&folder, &[&tune[..], &["--resume"], &config].concat());
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let again = Folder::new();
    fs::copy(folder.path("spec.toml"), again.path("spec.toml")).unwrap();
    let output = unbounded(&again, &[&tune[..], &config].concat());
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let [found, expected] =
        [&folder, &again].map(|folder| fs::read_to_string(folder.path("best.toml")).unwrap());
    assert_eq!(found, expected);
}
