//! Exports: what is written is what `docs/reference/exports.md` and the schemas say.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::schema::faults;
use crate::support::{Folder, evodoku, export, root, solve, stdout};

/// Columns of an export by its section of the page: name and type.
fn documented(section: &str) -> Vec<(String, String)> {
    let page = fs::read_to_string(root().join("docs/reference/exports.md")).unwrap();
    let begin = page.find(&format!("\n## {section}\n")).unwrap_or_else(|| panic!("{section}"));
    let text = page[begin + 1..].split("\n## ").next().unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    let cell = |row: &str, at: usize| row.split('|').nth(at).unwrap().trim().to_owned();
    rows.map(|row| (cell(row, 1).replace('`', ""), cell(row, 2))).collect()
}

/// Whether a field of a CSV file is of the type that the page tells.
fn is_of(kind: &str, field: &str) -> bool {
    if field.is_empty() {
        // Text may be nothing at all.
        return kind.ends_with("may be empty") || kind == "text";
    }
    match kind.split(',').next().unwrap() {
        "whole number" => field.parse::<u64>().is_ok(),
        "number" => field.parse::<f64>().is_ok(),
        "true or false" => ["true", "false"].contains(&field),
        "text" | "word" => true,
        other => panic!("{other} is no type"),
    }
}

/// Checks a CSV file against its section; `parameters` are columns that the spec has named.
fn check_csv(path: &Path, section: &str, parameters: &[&str]) {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let mut columns = documented(section);
    // They stand after what tells a cell, and none comes twice.
    columns.retain(|(name, _)| !parameters.contains(&name.as_str()));
    let at = columns.iter().position(|(name, _)| name == "method").map_or(0, |at| at + 1);
    let named = parameters.iter().map(|name| ((*name).to_owned(), "text".to_owned()));
    columns.splice(at..at, named);
    let header: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    assert_eq!(
        header,
        columns.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(),
        "{section}"
    );
    let mut rows = 0;
    for row in reader.records() {
        rows += 1;
        for (field, (name, kind)) in row.unwrap().iter().zip(&columns) {
            assert!(is_of(kind, field), "{section}: {name} is '{field}', no {kind}");
        }
    }
    assert!(rows > 0, "{section}");
}

/// Checks a JSON file against the schema of its kind, and that the schema refuses it when a record has a
/// member more or less; `parameters` may be left out.
fn check_json(path: &Path, kind: &str, list: &str, parameters: &[&str]) {
    let schema = export(&root().join(format!("docs/schema/{kind}.schema.json")));
    let is_valid = |document: &Value| faults(&schema, document).is_empty();
    let whole = export(path);
    assert_eq!(faults(&schema, &whole), [""; 0], "{kind}");
    assert!(!whole[list].as_array().unwrap().is_empty());
    let members: Vec<String> = whole[list][0].as_object().unwrap().keys().cloned().collect();
    for member in members.into_iter().filter(|name| !parameters.contains(&name.as_str())) {
        let mut less = whole.clone();
        less[list][0].as_object_mut().unwrap().remove(&member);
        assert!(!is_valid(&less), "{kind} without {member}");
        let mut wrong = whole.clone();
        wrong[list][0][&member] = json!([]);
        assert!(!is_valid(&wrong), "{kind} with {member} as a list");
    }
    let mut more = whole;
    more[list][0]["unheard_of"] = json!([1]);
    assert!(!is_valid(&more), "{kind} with a member more");
}

#[test]
fn exports_of_solve_are_as_documented() {
    let folder = Folder::new();
    // One is solved, one is not, and one has no solution.
    let list = "123434..2143432.\n................\n11..............\n";
    let list = folder.file("list.sdm", list);
    let mut command = solve(&[&list, "--quiet", "--runs=2", "--presolve=none", "--seed=1"]);
    command.args(["--preset=boxes", "--population=20", "--max-generations=3"]);
    for (flag, name) in
        [("--export-csv", "r.csv"), ("--export-json", "r.json"), ("--trace", "t.csv")]
    {
        command.args([flag, &folder.argument(name)]);
    }
    command.assert().code(2);
    check_csv(&folder.path("r.csv"), "solve --export-csv", &[]);
    check_csv(&folder.path("t.csv"), "solve --trace", &[]);
    check_json(&folder.path("r.json"), "solve", "runs", &[]);
}

#[test]
fn the_estimate_of_distinct_boards_never_exceeds_the_population() {
    let folder = Folder::new();
    let trace = folder.argument("t.csv");
    // All boards are different here, and the estimate of 120 is 122.
    solve(&["large-16-40", "--preset=boxes", "--population=120", "--set=distinct-every=1"])
        .args(["--presolve=none", "--max-generations=6", "--seed=1", "--quiet", "--trace", &trace])
        .assert()
        .code(1);
    let mut reader = csv::Reader::from_path(folder.path("t.csv")).unwrap();
    let at = reader.headers().unwrap().iter().position(|name| name == "distinct").unwrap();
    let estimates: Vec<u32> =
        reader.records().map(|row| row.unwrap()[at].parse().unwrap()).collect();
    assert_eq!((estimates.len(), estimates.iter().max()), (7, Some(&120)));
}

#[test]
fn exports_of_experiments_are_as_documented() {
    let folder = Folder::new();
    let mut command = evodoku();
    command.args(["experiment", "--on=cpu", "--quiet", "--seeds=3"]);
    command
        .args(["--puzzle", "003-4x4", "003-6x6", "--preset", "boxes", "backtracking", "cellular"]);
    command.args(["--set", "population=20,40", "max_generations=500", "presolve=none"]);
    command.arg("--compare=method");
    for (flag, name) in [
        ("--export-csv", "cells.csv"),
        ("--export-runs", "runs.csv"),
        ("--export-generations", "generations.csv"),
        ("--export-comparisons", "comparisons.csv"),
        ("--export-json", "all.json"),
    ] {
        command.args([flag, &folder.argument(name)]);
    }
    stdout(command, 0);
    let parameters = ["population", "max_generations", "presolve"];
    for (name, section) in [
        ("cells.csv", "experiment --export-csv"),
        ("runs.csv", "experiment --export-runs"),
        ("generations.csv", "experiment --export-generations"),
        ("comparisons.csv", "experiment --export-comparisons"),
    ] {
        check_csv(&folder.path(name), section, &parameters);
    }
    let whole = export(&folder.path("all.json"));
    let runs = csv::Reader::from_path(folder.path("runs.csv")).unwrap().into_records().count();
    // Three seeds of four cells of two presets, and a run of two of backtracking.
    assert_eq!((runs, whole["runs"].as_array().unwrap().len()), (26, 26));
    check_json(&folder.path("all.json"), "experiment", "runs", &[]);
    check_json(&folder.path("all.json"), "experiment", "cells", &parameters);
    check_json(&folder.path("all.json"), "experiment", "comparisons", &parameters);
    // One for each population.
    assert_eq!(whole["rankings"].as_array().unwrap().len(), 2);
}

#[test]
fn exports_of_the_bench_are_as_documented() {
    let folder = Folder::new();
    let mut command = evodoku();
    command.args(["bench", "--on=cpu", "--populations=100", "--time-budget=0", "--quiet"]);
    command.args(["--what=score,generation", "--threads=1"]);
    command.args(["--export-csv", &folder.argument("b.csv")]);
    command.args(["--export-json", &folder.argument("b.json")]);
    stdout(command, 0);
    check_csv(&folder.path("b.csv"), "bench --export-csv", &[]);
    check_json(&folder.path("b.json"), "bench", "results", &[]);
}
