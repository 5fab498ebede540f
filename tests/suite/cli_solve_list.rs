//! `evodoku solve LIST`: many puzzles in one call.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{Folder, SOLUTION_6X6, evodoku, export, solve, stdout};
use assert_cmd::cargo::cargo_bin;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

/// Puzzles that presolve does not finish, one a line.
fn list(count: usize) -> String {
    let mut command = evodoku();
    command.args(["generate", "--box=2x3", "--givens=10", "--seed=3"]);
    stdout(
        {
            command.arg(format!("--count={count}"));
            command
        },
        0,
    )
}

const RUN: [&str; 4] = ["--population=50", "--seed=4", "--presolve=none", "--format=line"];

/// Columns of rows that are looked at; the others are settings, or of the machine.
const COLUMNS: [&str; 6] = ["puzzle", "solved", "generations", "evaluations", "moves", "solution"];

/// stdout, and in the order of the list, which runs need not end in, rows of these columns and records
/// without what they say about the machine.
fn witness(list: &str, more: &[&str]) -> (String, Vec<Vec<String>>, Vec<Value>) {
    let folder = Folder::new();
    let (csv, json) = (folder.argument("rows.csv"), folder.argument("runs.json"));
    let file = folder.file("list.sdm", list);
    let mut command = solve(&[&[file.as_str()], &RUN[..], more].concat());
    command.args(["--quiet", "--export-csv", &csv, "--export-json", &json]);
    let text = stdout(command, 0);
    let mut rows = rows(&csv);
    let header = rows[0].clone();
    let place = |name: &str| header.iter().position(|column| column == name).unwrap();
    for row in &mut rows {
        *row = COLUMNS.iter().map(|name| row[place(name)].clone()).collect();
    }
    let place = |puzzle: &str| list.lines().position(|line| line == puzzle);
    rows.sort_by_key(|row| place(&row[0]));
    let mut runs = export(&folder.path("runs.json"))["runs"].as_array().unwrap().clone();
    for run in &mut runs {
        let run = run.as_object_mut().unwrap();
        for name in ["seconds", "children_per_second", "threads"] {
            run.remove(name).unwrap();
        }
    }
    runs.sort_by_key(|run| place(run["puzzle"].as_str().unwrap()));
    (text, rows, runs)
}

fn rows(path: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(path).unwrap();
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

#[test]
fn results_are_in_order_and_the_same_on_any_number_of_threads() {
    let list = list(60);
    let one = witness(&list, &["--threads=1"]);
    let (solutions, rows, runs) = &one;
    assert_eq!((solutions.lines().count(), rows.len(), runs.len()), (60, 61, 60));
    assert_eq!(rows[0], COLUMNS);
    let found = solutions.lines().zip(&rows[1..]).zip(runs);
    for (puzzle, ((solution, row), run)) in list.lines().zip(found) {
        assert_eq!((row[0].as_str(), row[1].as_str(), row[5].as_str()), (puzzle, "true", solution));
        let agrees = |(given, value): (char, char)| given == '.' || given == value;
        assert!(puzzle.chars().zip(solution.chars()).all(agrees), "{puzzle} {solution}");
        for (column, name) in [(2, "generations"), (3, "evaluations"), (4, "moves")] {
            assert_eq!(row[column], run[name].to_string());
        }
        assert_eq!(run["solution"], solution);
    }
    for threads in ["--threads=2", "--threads=5"] {
        assert_eq!(witness(&list, &[threads]), one, "{threads}");
    }
    // A single puzzle, which has all threads, has the same run.
    let last = list.lines().last().unwrap();
    let alone = witness(last, &["--threads=2"]);
    assert_eq!(alone.1[1], rows[60]);
}

#[test]
fn a_bad_line_leaves_the_others_and_is_told() {
    let folder = Folder::new();
    let mut lines: Vec<String> = list(5).lines().map(str::to_owned).collect();
    lines[1].pop();
    // Two equal givens in a row contradict each other.
    lines[3] = format!("11{}", ".".repeat(34));
    let file = folder.file("list.sdm", lines.join("\n"));
    let csv = folder.argument("rows.csv");
    solve(&[&[file.as_str()], &RUN[..]].concat())
        .args(["--export-csv", &csv])
        .assert()
        .code(2)
        .stdout(predicate::function(|text: &str| text.lines().count() == 3))
        .stderr(contains("puzzle 2, line 2 column 1: 35 cells"))
        .stderr(contains("list:4 has no solution"))
        .stderr(contains("solved 3 of 3, and 2 could not be run"));
    let rows = rows(&csv);
    let mut solved: Vec<(&str, &str)> =
        rows[1..].iter().map(|row| (row[0].as_str(), row[7].as_str())).collect();
    solved.sort_unstable();
    let expected = [(0, "true"), (2, "true"), (3, "false"), (4, "true")];
    let mut expected = expected.map(|(line, solved)| (lines[line].as_str(), solved));
    expected.sort_unstable();
    assert_eq!(solved, expected);
}

#[test]
fn the_highest_exit_code_counts_and_the_summary_tells_why() {
    let budget = ["--max-generations=1", "--population=2", "--format=line", "--seed=1"];
    let hard =
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..\n";
    let text = hard.repeat(3);
    solve(&[&["-"], &budget[..]].concat())
        .write_stdin(text.clone())
        .assert()
        .code(1)
        .stderr(contains("stdin:3: not solved: stopped at max_generations with "))
        .stderr(contains("solved 0 of 3: presolve alone 0, evolution 0 of 3"))
        .stderr(contains("  work: median unsolved"));
    let with_bad = format!("{text}11{}\n", ".".repeat(79));
    solve(&[&["-"], &budget[..]].concat()).write_stdin(with_bad).assert().code(2);
}

#[test]
fn presolved_puzzles_are_no_success_of_evolution() {
    solve(&["003-puzzle4", "003-puzzle1", "003-6x6", "--presolve=probing", "--format=line"])
        .assert()
        .success()
        .stderr(contains(
            "solved 3 of 3: presolve alone 3 (use --presolve none to evolve them), evolution 0 of 0",
        ));
}

#[test]
fn several_runs_have_a_row_each() {
    let folder = Folder::new();
    let csv = folder.argument("rows.csv");
    let file = folder.file("list.sdm", list(4));
    solve(&[&[file.as_str()], &RUN[..]].concat())
        .args(["--runs=3", "--export-csv", &csv])
        .assert()
        .success()
        .stdout(contains("# solved 3 of 3 runs").count(4));
    assert_eq!(rows(&csv).len(), 13);
}

#[test]
fn a_trace_of_a_list_names_its_puzzles_in_order() {
    let folder = Folder::new();
    let file = folder.file("list.sdm", list(4));
    let trace = folder.argument("trace.csv");
    solve(&[&[file.as_str()], &RUN[..]].concat())
        .args(["--threads=3", "--trace", &trace])
        .assert()
        .success();
    let mut names: Vec<String> = crate::support::trace(&folder.path("trace.csv"))
        .into_iter()
        .skip(1)
        .map(|row| row[0].clone())
        .collect();
    names.dedup();
    assert_eq!(names, ["list:1", "list:2", "list:3", "list:4"]);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_wait_for_input() {
    let mut command = std::process::Command::new(cargo_bin!("evodoku"));
    command.args(["solve", "-", "--on=cpu", "--format=line", "--seed=1", "--presolve=none"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    // Held open: no end of the input comes.
    let mut input = child.stdin.take().unwrap();
    input.write_all(list(6).as_bytes()).unwrap();
    let mut solutions = BufReader::new(child.stdout.take().unwrap());
    solutions.read_line(&mut String::new()).unwrap();
    let start = Instant::now();
    let kill = ["-s", "INT", &child.id().to_string()].map(str::to_owned);
    assert!(std::process::Command::new("kill").args(kill).status().unwrap().success());
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(120), "it was not ended");
        sleep(Duration::from_millis(20));
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[cfg(unix)]
#[test]
fn an_interrupt_writes_what_there_is() {
    let folder = Folder::new();
    // Nothing is blank in the first, and the others never end.
    let endless = format!("{}\n", ".".repeat(36)).repeat(50);
    let file = folder.file("list.sdm", format!("{SOLUTION_6X6}\n{endless}"));
    let (csv, json) = (folder.argument("rows.csv"), folder.argument("runs.json"));
    let mut command = std::process::Command::new(cargo_bin!("evodoku"));
    command.args(["solve", &file, "--on=cpu", "--threads=2", "--presolve=none", "--seed=1"]);
    command.args(["--preset=cells", "--population=10", "--set=mutation-rate=0"]);
    command.args(["--set=restart-after=0", "--set=max-generations=0", "--format=line"]);
    command.args(["--export-csv", &csv, "--export-json", &json]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    // The row of the first tells that signals are listened to.
    let start = Instant::now();
    while !fs::read_to_string(&csv).is_ok_and(|text| text.lines().count() > 1) {
        assert!(start.elapsed() < Duration::from_secs(120), "the list did not get going");
        sleep(Duration::from_millis(20));
    }
    let kill = ["-s", "INT", &child.id().to_string()].map(str::to_owned);
    assert!(std::process::Command::new("kill").args(kill).status().unwrap().success());
    let code = child.wait().unwrap().code();
    assert_eq!(code, Some(130));
    let runs = export(&folder.path("runs.json"))["runs"].as_array().unwrap().clone();
    assert!((1..=4).contains(&runs.len()), "{}", runs.len());
    assert_eq!(rows(&csv).len(), runs.len() + 1);
    assert!(fs::read_to_string(&csv).unwrap().ends_with('\n'));
}
