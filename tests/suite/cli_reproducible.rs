//! The same seed gives the same run, however the work is split.

use crate::support::{Folder, Witness, export, solve};

/// Runs that take some generations.
const RUNS: [&[&str]; 7] = [
    &["001-easy-03", "003-6x6", "easter-monster", "--set=tabu-steps=300"],
    &["001-easy-03", "003-6x6", "--preset=cellular", "--population=1000"],
    // Enough for a restart, which draws the population anew.
    &["easter-monster", "--preset=cellular", "--population=300", "--set=restart-after=1"],
    &["001-easy-03", "--preset=boxes", "--set=crossover=one-point", "--set=pairing=couples"],
    &["001-easy-03", "--preset=boxes", "--set=crossover=one-point", "--set=pairing=random"],
    &["001-easy-03", "--preset=boxes", "--set=crossover=subset", "--set=pairing=couples"],
    &["001-easy-03", "--preset=boxes", "--set=crossover=subset", "--set=pairing=random"],
];
const BUDGET: [&str; 4] = ["--on=cpu", "--presolve=none", "--max-generations=8", "--seed=20260101"];

fn same_with(variants: &[&[&str]]) {
    for run in RUNS {
        let run = [run, &BUDGET].concat();
        let first = Witness::of(&[&run[..], &["--threads=1"]].concat());
        for variant in variants {
            let other = Witness::of(&[&run, *variant].concat());
            assert_eq!(first, other, "{run:?} with {variant:?}");
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_run() {
    same_with(&[&["--threads=2"], &["--threads=7"], &[]]);
}

#[test]
fn any_chunk_gives_the_same_run() {
    same_with(&[&["--threads=2", "--chunk=777"], &["--threads=2", "--chunk=1000000"]]);
}

#[test]
fn chunks_of_one_board_give_the_same_run() {
    same_with(&[&["--threads=2", "--chunk=1"]]);
}

#[test]
fn the_scalar_truth_gives_the_same_run() {
    same_with(&[&["--threads=2", "--simd=scalar"]]);
}

#[test]
fn another_seed_gives_another_run() {
    let run = [RUNS[1], &["--max-generations=3", "--presolve=none"]].concat();
    let of = |seed: &str| Witness::of(&[&run[..], &["--seed", seed]].concat());
    assert_eq!(of("5"), of("5"));
    assert_ne!(of("5").trace, of("6").trace);
}

#[test]
fn islands_are_said_and_exported_also_where_nobody_asked_for_them() {
    let folder = Folder::new();
    // 798,916 boards of 9x9 take 64 MiB and a board.
    for (arguments, islands, sentence) in [
        (&["--preset=tabu", "--set=islands=3"][..], 3, "3 islands of up to 1 individuals, with "),
        (
            &["--preset=boxes", "--population=798916", "--max-generations=1"],
            2,
            "2 islands of up to 399,458 individuals (at most 64 MiB of boards each), with migration every 10 generations",
        ),
        (&["--preset=boxes", "--population=90"], 1, ""),
    ] {
        let file = folder.argument("runs.json");
        let mut command = solve(&["001-easy-03", "--presolve=none", "--seed=1", "--time-limit=20"]);
        let assert = command.args(arguments).args(["--export-json", &file]).assert();
        let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert_eq!(export(&folder.path("runs.json"))["runs"][0]["islands"], islands, "{said}");
        assert_eq!(said.contains(" islands of up to "), islands > 1, "{said}");
        assert!(said.contains(sentence), "{said}");
    }
}
