//! `evodoku bench`: what it measures, writes and refuses. No time is asserted.

use std::fs;

use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::Value;

use crate::support::{Folder, evodoku, export, stdout};

/// Columns of every line, in the order in which exports have them.
const COLUMNS: [&str; 23] = [
    "what", "evaluator", "engine", "simd", "threads", "shape", "preset", "population",
    "boards_per_second", "bytes_per_second", "limit_bytes_per_second", "breed_seconds",
    "upload_seconds", "kernel_seconds", "readback_seconds", "kernel_alone_seconds",
    "children_per_second", "samples", "seconds", "seconds_best", "seconds_lower_quartile",
    "seconds_upper_quartile", "seconds_worst",
];

/// A bench of the CPU, as short as can be.
fn bench(arguments: &[&str]) -> Command {
    let mut command = evodoku();
    command.args(["bench", "--on=cpu", "--time-budget=0"]).args(arguments);
    command
}

fn lines(export: &Value) -> &Vec<Value> {
    export["results"].as_array().unwrap()
}

/// Lines of which these columns have these values.
fn count(export: &Value, wanted: &[(&str, Value)]) -> usize {
    let fits = |line: &&Value| wanted.iter().all(|(name, value)| line[name] == *value);
    lines(export).iter().filter(fits).count()
}

#[test]
fn every_line_has_every_column_and_the_machine_is_told() {
    let folder = Folder::new();
    let file = folder.argument("bench.json");
    bench(&["--populations=300, 100", "--threads=1,2", "--seed=7", "--export-json", &file])
        .assert()
        .success();
    let export = export(&folder.path("bench.json"));
    for name in ["version", "cpu", "cache_bytes", "adapter", "adapter_type", "driver", "seed"] {
        assert!(export.get(name).is_some(), "{name}");
    }
    assert_eq!(export["seed"], 7);
    assert_eq!(export["adapter"], Value::Null);
    assert_eq!(export["complete"], true);
    for line in lines(&export) {
        for name in COLUMNS {
            assert!(line.get(name).is_some(), "{name}: {line}");
        }
        assert_eq!(line.as_object().unwrap().len(), COLUMNS.len());
        assert!(line["boards_per_second"].as_u64().unwrap() > 0, "{line}");
        assert!(line["samples"].as_u64().unwrap() >= 1, "{line}");
    }
    for (population, preset) in [(100, "boxes"), (300, "cellular")] {
        let [population, preset] = [population.into(), preset.into()];
        let of = |what: &str, more: &[(&str, Value)]| {
            let mut wanted = vec![("what", what.into()), ("population", Value::clone(&population))];
            wanted.extend_from_slice(more);
            count(&export, &wanted)
        };
        assert_eq!(of("score", &[("simd", "scalar".into()), ("threads", 1.into())]), 1);
        assert_eq!(of("score", &[("simd", "scalar".into()), ("threads", 2.into())]), 1);
        assert_eq!(of("generation", &[("preset", preset), ("engine", "cpu".into())]), 2);
        assert_eq!(of("upload", &[]), 0, "there is no adapter");
    }
    for line in lines(&export) {
        let scores = line["what"] == "score";
        assert_eq!(line["limit_bytes_per_second"].is_u64(), scores, "{line}");
        assert_eq!(line["children_per_second"].is_u64(), !scores, "{line}");
        assert_eq!(line["breed_seconds"].is_f64(), !scores, "{line}");
        assert!(line["kernel_seconds"].is_f64(), "{line}");
        assert!(line["upload_seconds"].is_null(), "{line}");
    }
}

#[test]
fn tables_and_plots_hold_what_the_export_holds() {
    let folder = Folder::new();
    let [csv, markdown, plot] = ["b.csv", "b.md", "b.svg"].map(|name| folder.argument(name));
    let mut command = bench(&["--populations=100, 200", "--threads=1", "--box=2x3"]);
    command.args(["--export-csv", &csv, "--export-markdown", &markdown, "--plot", &plot]);
    let printed = stdout(command, 0);

    let mut reader = csv::Reader::from_path(folder.path("b.csv")).unwrap();
    assert_eq!(reader.headers().unwrap(), &COLUMNS[..]);
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert!(rows.iter().all(|row| &row[5] == "2x3" && &row[4] == "1"));
    let scored = rows.iter().filter(|row| &row[0] == "score").count();
    assert!(scored >= 4, "two levels or more of each population");

    let text = fs::read_to_string(folder.path("b.md")).unwrap();
    for part in ["cpu scalar, 1 thread", "boxes", "cellular", "breeding"] {
        assert!(text.contains(part), "{part}: {text}");
        assert!(printed.contains(part), "{part}: {printed}");
    }
    let table_rows = text.lines().filter(|line| line.starts_with("| 100 |")).count();
    assert_eq!(2 * table_rows, rows.len());

    let svg = fs::read_to_string(folder.path("b.svg")).unwrap();
    assert!(svg.starts_with("<svg"), "{svg}");
    assert!(svg.trim_end().ends_with("</svg>"), "{svg}");
    assert!(svg.contains("children/s"), "{svg}");
}

#[test]
fn what_is_left_out_is_not_measured() {
    let folder = Folder::new();
    let file = folder.argument("bench.json");
    // What is named twice is measured once.
    bench(&["--populations=100", "--what=generation", "--preset=cells,rows-pmx,cells"])
        .args(["--threads=1,1", "--simd=scalar", "--export-json", &file])
        .assert()
        .success()
        .stderr("");
    let export = export(&folder.path("bench.json"));
    let presets: Vec<&Value> = lines(&export).iter().map(|line| &line["preset"]).collect();
    assert_eq!(presets, ["rows-pmx", "cells"]);
    assert_eq!(count(&export, &[("simd", "scalar".into())]), 2);
}

#[test]
fn what_cannot_be_measured_is_refused_in_a_sentence() {
    for (arguments, sentence) in [
        (&["--populations=0"][..], "it takes a whole number from 1 to 4294967294"),
        (&["--populations=many"], "it takes a whole number from 1 to 4294967294"),
        (&["--preset=memetik"], "a similar value exists: 'memetic'"),
        (&["--simd=sse9"], "invalid value 'sse9'"),
        (&["--what=everything"], "[possible values: score, generation, upload]"),
        (&["--box=1x9"], "1x9"),
        (&["--what=upload"], "no adapter to measure uploads on"),
        (&["--populations=4000000000", "--box=8x8"], "a population of 4,000,000,000 needs"),
        (&["--populations=2", "--preset=rows-tournament"], "tournament"),
        (&["--export-json=/no/such/folder/b.json"], "cannot write /no/such/folder/b.json"),
    ] {
        let assert = bench(arguments).assert().code(2).stdout("");
        let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(said.contains(sentence), "{arguments:?}: {said}");
        assert!(!said.contains("panicked"), "{said}");
    }
    for budget in ["--time-budget=-1", "--time-budget=soon"] {
        let assert = evodoku().args(["bench", "--on=cpu", budget]).assert().code(2).stdout("");
        assert.stderr(predicate::str::contains(
            "it takes a time from 0 to 1000000000 s, as in 60, 60s or 2min",
        ));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_was_measured() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    let folder = Folder::new();
    let file = folder.argument("bench.json");
    // Far more lines than can be measured before the signal arrives: each takes a tenth of a second at least.
    let populations: Vec<String> = (500..1_000).map(|boards| boards.to_string()).collect();
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("evodoku"))
        .args(["bench", "--on=cpu", "--what=score", "--threads=1", "--populations"])
        .args([&populations.join(", "), "--time-budget=1000s", "--export-json", &file])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let measured = |wanted: usize| {
        fs::read(folder.path("bench.json")).is_ok_and(|bytes| {
            let export: Value = serde_json::from_slice(&bytes).unwrap();
            lines(&export).len() >= wanted
        })
    };
    while !measured(1) {
        if start.elapsed() > Duration::from_secs(120) {
            child.kill().unwrap();
            panic!("nothing was measured");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let signal = ["-s", "INT", &child.id().to_string()].map(str::to_owned);
    assert!(std::process::Command::new("kill").args(signal).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(contains_all(&printed, &["cpu scalar, 1 thread", "Not everything was measured."]));
    let export = export(&folder.path("bench.json"));
    assert_eq!(export["complete"], false);
    assert!(measured(1));
}

#[cfg(unix)]
fn contains_all(text: &str, parts: &[&str]) -> bool {
    parts.iter().all(|part| text.contains(part))
}
