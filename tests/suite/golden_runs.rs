//! The golden runs on the CPU engine, and that there is one of every preset on every size.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use evodoku::ga::Preset;
use rayon::prelude::*;

use crate::golden::{Golden, blessing, files};
use crate::support::Folder;

/// Sizes that every preset has a golden run on.
const SIZES: [&str; 5] = ["4x4", "6x6", "9x9", "16x16", "25x25"];

#[test]
fn every_golden_run_is_as_it_was() {
    let check = |file: &PathBuf| {
        let golden = Golden::read(file);
        let found = golden.find("--on cpu");
        golden.check(file, found, blessing()).err()
    };
    let changed: Vec<String> = files().par_iter().filter_map(check).collect();
    assert!(changed.is_empty(), "{} golden runs changed:\n{}", changed.len(), changed.join("\n"));
}

#[test]
fn every_preset_has_golden_runs_of_every_size() {
    let names: BTreeSet<String> = files()
        .iter()
        .map(|file| file.file_stem().unwrap_or_default().to_string_lossy().into_owned())
        .collect();
    for preset in Preset::ALL {
        for size in SIZES {
            let name = format!("{preset}-{size}");
            assert!(names.contains(&name), "there is no tests/golden/{name}.toml");
        }
    }
}

#[test]
fn a_run_that_changed_is_blessed_under_a_higher_results_version_alone() {
    let folder = Folder::new();
    let command = "evodoku solve 003-6x6 --preset boxes --max-generations 3 --seed 1 --on cpu";
    folder.file("run.toml", format!("command = '{command}'\ntwin = true\n"));
    let file = &folder.path("run.toml");
    let found = Golden::read(file).find("--on cpu");
    Golden::read(file).check(file, found, true).unwrap();
    let before = fs::read(file).unwrap();

    let mut other = Golden::read(file);
    other.command = command.replace("--seed 1", "--seed 2");
    let found = other.find("--on cpu");
    let refused = Golden::read(file).check(file, found, true).unwrap_err();
    assert!(refused.contains("RESULTS_VERSION did not rise"), "{refused}");
    assert_eq!(fs::read(file).unwrap(), before);
}
