//! `experiment --compare`: of runs that are made, resumed and merged.

use std::fs;

use serde_json::Value;

use crate::cli_experiment::Folder;
use crate::support::evodoku;

const SPEC: &str = "puzzles = ['003-4x4', '003-6x6', '003-puzzle4']
methods = ['boxes', 'cellular', 'backtracking']
seeds = 5
[parameters]
presolve = 'none'
population = [10, 30]
max_generations = 8
";

fn merged(folder: &Folder, parts: &[&str], arguments: &[&str]) -> (i32, String, String) {
    let mut command = evodoku();
    command.current_dir(folder.path("")).args(["experiment", "merge"]).args(parts);
    let output = command.args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn what_is_resumed_or_merged_is_compared_as_what_was_run() {
    let folder = Folder::new(SPEC);
    let exports = ["--compare=method", "--export-comparisons", "c.csv", "--report", "r.html"];
    folder.done(&exports);
    let whole = folder.files();
    let (pairs, page) = (folder.read("c.csv"), folder.read("r.html"));
    // Two presets of two populations on three puzzles.
    assert_eq!(csv::Reader::from_reader(pairs.as_bytes()).records().count(), 6);
    for text in ["Comparison of methods", "Ranks over puzzles", "critical difference"] {
        assert!(page.contains(text), "{text}");
    }
    // Ranks of two say nothing that a sentence does not.
    assert!(!folder.read("r.svg").contains("critical difference"));
    let json: Value = serde_json::from_str(&folder.read("r.json")).unwrap();
    assert_eq!(json["comparisons"].as_array().unwrap().len(), 6);
    // One for each population.
    assert_eq!(json["rankings"].as_array().unwrap().len(), 2);

    // Without a comparison at first, and with one of what is there.
    let other = Folder::new(SPEC);
    other.done(&[]);
    assert!(other.read("r.json").contains("\"comparisons\": []"));
    let said =
        String::from_utf8(other.done(&[&exports[..], &["--resume"]].concat()).stderr).unwrap();
    assert!(said.contains("(63 finished)"), "{said}");
    assert_eq!(other.files(), whole);
    assert_eq!(other.read("c.csv"), pairs);

    fs::remove_file(folder.path("c.csv")).unwrap();
    let (code, printed, said) = merged(&folder, &["r.json"], &exports[..3]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(folder.read("c.csv"), pairs);
    assert!(printed.contains("runs for A12") && printed.contains("mean rank"), "{printed}");
    // Of the values of a parameter, and of one puzzle alone, which has no ranks over puzzles.
    let only = ["--compare=population", "--only=puzzle=003-6x6"];
    let (code, printed, said) = merged(&folder, &["r.json"], &only);
    assert_eq!(code, 0, "{said}");
    assert!(printed.contains("runs for A12") && !printed.contains("mean rank"), "{printed}");
}

#[test]
fn what_cannot_be_compared_is_refused_before_anything_runs() {
    let folder = Folder::new(SPEC);
    for (arguments, sentence) in [
        (&["--compare=tries"][..], "differ only in tries"),
        (&["--compare=trise"], "there is no parameter 'trise' (did you mean 'tries'?)"),
        (&["--export-comparisons", "c.csv"], "--export-comparisons needs --compare"),
    ] {
        let output = folder.command(&["spec.toml"]).args(arguments).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(sentence), "{said}");
        assert!(!folder.path("c.csv").exists());
    }
}
