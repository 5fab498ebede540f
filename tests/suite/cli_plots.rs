//! `--plot`, and what goes to stdout.

use std::fs;

use serde_json::Value;

use crate::support::{Folder, TINY, evodoku, solve, stdout};

/// Two small puzzles by two presets.
const SMALL: [&str; 12] = [
    "experiment", "--on=cpu", "--puzzle", "003-4x4", "003-6x6", "--preset", "boxes", "cellular",
    "--set", "population=20", "presolve=none", "max_generations=40",
];

fn said(arguments: &[&str], code: i32) -> String {
    let output = evodoku().args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(code));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn an_experiment_draws_each_puzzle_and_method_and_only_those_that_are_asked_for() {
    let folder = Folder::new();
    let [svg, json, part] = ["p.svg", "p.json", "q.svg"].map(|name| folder.argument(name));
    let exports = ["--seeds=2", "--plot", &svg, "--export-json", &json, "--quiet"];
    evodoku().args(SMALL).args(exports).assert().success();
    let plot = fs::read_to_string(&svg).unwrap();
    for text in ["003-4x4", "003-6x6", "boxes", "cellular", "Best fitness by generation"] {
        assert!(plot.contains(&format!("\n{text}\n")), "{text}");
    }
    let mut merge = evodoku();
    merge.args(["experiment", "merge", &json, "--plot", &part]);
    merge.args(["--only=puzzle=003-6x6", "--only=method=boxes"]).assert().success();
    let plot = fs::read_to_string(&part).unwrap();
    assert!(plot.contains("\n003-6x6\n") && plot.contains("\nboxes\n"));
    assert!(!plot.contains("003-4x4") && !plot.contains("cellular"));

    let alone = folder.argument("r.json");
    let only = ["--only=method=boxes", "--only=puzzle=003-4x4", "--only=puzzle=003-6x6"];
    evodoku().args(SMALL).args(only).args(["--export-json", &alone]).assert().success();
    let export: Value = serde_json::from_str(&fs::read_to_string(&alone).unwrap()).unwrap();
    let runs = export["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 2);
    assert!(runs.iter().all(|run| run["preset"] == "boxes"));
}

#[test]
fn what_cannot_be_drawn_is_refused_before_anything_runs() {
    let folder = Folder::new();
    let [svg, json] = ["p.svg", "p.json"].map(|name| folder.argument(name));
    let many = "tries=1,2,3,4,5,6,7,8,9,10,11,12,13";
    let arguments = [
        "experiment", "--puzzle=003-4x4", "--preset=cellular", "--plot", &svg, "--export-json",
        &json, "--set",
    ];
    let refused = said(&[&arguments[..], &[many]].concat(), 2);
    assert!(
        refused.contains("at most 12 methods") && refused.contains("--only tries=1"),
        "{refused}"
    );
    assert!(!folder.path("p.json").exists() && !folder.path("p.svg").exists());
    let refused = said(&["experiment", "--puzzle=003-4x4", "--only=puzzle=no"], 2);
    assert_eq!(refused, "evodoku: --only puzzle=no: no cell of experiment matches\n");
}

#[test]
fn a_run_shows_how_it_went() {
    let folder = Folder::new();
    let svg = folder.argument("s.svg");
    let mut command = solve(&["003-6x6", "--preset=boxes", "--presolve=none", "--population=20"]);
    command.args(["--seed=1", "--set=restart-after=5", "--max-generations=60", "--plot", &svg]);
    assert!(command.output().unwrap().status.code().is_some_and(|code| code < 2));
    let plot = fs::read_to_string(&svg).unwrap();
    for text in ["best so far", "best of the generation", "mean", "worst", "distinct boards"] {
        assert!(plot.contains(&format!("\n{text}\n")), "{text}");
    }
    // Rings of restarts are black on white, and large enough for a phone.
    let is_ring =
        |circle: &&str| circle.contains("r=\"5\"") && circle.contains("stroke=\"#000000\"");
    assert!(plot.lines().filter(is_ring).count() > 0, "{plot}");
}

#[test]
fn a_dash_is_stdout_which_then_has_nothing_else() {
    let printed = |arguments: &[&str]| {
        let mut command = evodoku();
        command.args(arguments).arg("--quiet");
        stdout(command, 0)
    };
    for command in [&["solve", TINY][..], &["experiment", "--puzzle", TINY]] {
        let json = printed(&[command, &["--export-json", "-"]].concat());
        let export: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(export["runs"].as_array().map(Vec::len), Some(1));
        assert!(printed(&[command, &["--export-csv", "-"]].concat()).lines().count() == 2);
        assert!(printed(&[command, &["--export-markdown", "-"]].concat()).starts_with("# "));
        assert!(printed(&[command, &["--plot", "-"]].concat()).starts_with("<svg "));
    }
    assert!(printed(&["solve", TINY, "--trace", "-"]).starts_with("puzzle,seed,"));
    let refused = said(&["solve", TINY, "--export-json", "-", "--export-csv", "-"], 2);
    assert!(refused.contains("are the same file: name another one"), "{refused}");
}
