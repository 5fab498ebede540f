//! `evodoku puzzles` and `evodoku presets`: what there is to choose from.

use std::fs;
use std::path::Path;

use crate::support::{evodoku, stdout};
use evodoku::ga::Preset;
use predicates::str::contains;

#[test]
fn every_shipped_puzzle_is_listed() {
    let mut command = evodoku();
    command.arg("puzzles");
    let table = stdout(command, 0);
    let mut shipped = 0;
    for group in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles")).unwrap() {
        let Ok(files) = fs::read_dir(group.unwrap().path()) else { continue };
        let files = files.map(|file| file.unwrap().path());
        for file in files.filter(|file| file.extension().is_some_and(|ending| ending == "txt")) {
            let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
            assert!(table.contains(&format!("\n{name} ")), "{name}");
            shipped += 1;
        }
    }
    assert_eq!(table.lines().count(), shipped + 2);
    let row = |name: &str| {
        let row = table.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
        row.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("003-puzzle4")[..6], ["003-puzzle4", "3x3", "70", "11", "0", "0"]);
    assert_eq!(row("easter-monster")[..6], ["easter-monster", "3x3", "21", "60", "60", "60"]);
}

#[test]
fn every_preset_is_listed_and_explained() {
    let mut command = evodoku();
    command.arg("presets");
    let table = stdout(command, 0);
    for preset in Preset::ALL {
        assert!(table.contains(&format!("\n{preset} ")), "{preset}");
        let mut command = evodoku();
        command.args(["presets", preset.name()]);
        let explained = stdout(command, 0);
        assert!(explained.starts_with(&format!("{preset}: ")), "{explained}");
        assert!(explained.contains("\npopulation = "), "{explained}");
    }
    evodoku().args(["presets", "boxs"]).assert().code(2).stderr(contains("did you mean 'boxes'?"));
}
