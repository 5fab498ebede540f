//! `scripts/measure-gpu`, small enough for a software driver.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use evodoku::gpu_engine::Adapter;
use libtest_mimic::Trial;
use predicates::str::contains;

use crate::adapter::{Outcome, trial};
use crate::support::{Folder, binary, root};

/// What is measured.
const PARTS: [&str; 15] = [
    "devices", "scoring", "chunks", "scoring-2000", "generation-200", "equality", "memetic-cpu",
    "memetic-gpu", "list-cpu", "list-gpu", "large-cpu", "large-gpu", "forms", "tests", "compare-1",
];

/// The tests of this file: a script of bash, as Windows need not have.
pub fn trials(adapter: &Result<Adapter, String>) -> Vec<Trial> {
    if cfg!(windows) {
        return Vec::new();
    }
    vec![
        trial("a_machine_is_measured_part_by_part", adapter, every_part),
        Trial::test("measuring_refuses_what_it_does_not_know", refusals),
    ]
}

/// The script with these GPU tests.
fn measure(tests: &Path) -> Command {
    let mut command = Command::new(root().join("scripts/measure-gpu"));
    command.env("EVODOKU", binary()).env("EVODOKU_TESTS", tests);
    command
}

fn every_part(adapter: &Adapter) -> Outcome {
    let folder = Folder::new();
    let out = folder.argument("measured");
    let arguments = [&out, "--small", "--gpu", &adapter.info.index.to_string()];
    let here = std::env::current_exe()?;
    measure(&here).args(arguments).assert().code(0);

    let file = |name: &str| folder.path("measured").join(name);
    for part in PARTS {
        assert!(file(&format!("{part}.txt")).exists(), "{part}");
    }
    assert!(folder.path("measured.tar.gz").exists());
    for table in ["summary.md", "summary.txt"] {
        let text = fs::read_to_string(file(table))?;
        let (name, driver) = (&adapter.info.name, &adapter.info.driver);
        for wanted in [
            name,
            driver,
            "scores, kernel alone",
            "cellular, 200, GPU engine",
            "moves/s",
            "boxes, as it is",
        ] {
            assert!(text.contains(wanted), "{wanted} is not in {text}");
        }
        assert!(!text.contains("FAILED"), "{text}");
    }
    let table = fs::read_to_string(file("summary.md"))?;
    assert_eq!(table.matches("| runs of both engines | equal |").count(), 3, "{table}");
    assert!(table.contains("| scores that differ, of 2000 | 0 |"), "{table}");
    for part in ["memetic", "list", "large"] {
        for side in ["CPU", "GPU"] {
            let row = format!("| {part} | {side} engine");
            let rate =
                table.lines().find(|line| line.starts_with(&row) && line.contains("moves/s"));
            // A run that presolve had done all of would make no moves.
            let rate = rate.and_then(|line| line.split('|').nth(3)).map(str::trim);
            assert!(rate.is_some_and(|rate| rate != "0.00"), "{row}: {table}");
        }
    }

    // What is complete is kept, and what fails ends nothing else.
    fs::write(file("scoring.txt"), "kept")?;
    fs::remove_file(file("tests.txt"))?;
    measure(&binary()).args(arguments).assert().code(1).stdout(contains("FAILED"));
    assert_eq!(fs::read_to_string(file("scoring.txt"))?, "kept");
    assert!(file("tests.failed").exists());
    Ok(())
}

fn refusals() -> Outcome {
    let here = std::env::current_exe()?;
    for arguments in [&[][..], &["one", "two"], &["out", "--gpu"], &["out", "--large"]] {
        measure(&here).args(arguments).assert().code(2).stderr(contains("usage: "));
    }
    let missing = Path::new("no-such-tests");
    measure(missing).arg("out").assert().code(2).stderr(contains("cargo test"));
    Ok(())
}
