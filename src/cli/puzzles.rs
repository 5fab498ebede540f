//! `evodoku puzzles`: the shipped puzzles, and the blanks that each level of presolve leaves.

use anyhow::Result;
use clap::Args;

use super::Exit;
use super::output::print;
use super::table::TextTable;
use crate::board::{Presolve, presolve};
use crate::format::{read, shipped};

/// List the shipped puzzles, and the number of blanks that each level of presolve leaves
#[derive(Debug, Args)]
pub struct ShippedPuzzles {}

impl ShippedPuzzles {
    pub fn run(self) -> Result<Exit> {
        let levels = Presolve::ALL.iter().copied().filter(|level| *level != Presolve::None);
        let mut header = vec!["name", "boxes", "givens", "blanks"];
        header.extend(levels.clone().map(Presolve::name));
        header.push("origin");
        let spare = &["naked", "fish", "subsets", "singles", "givens", "boxes"];
        let mut rows = TextTable::new(&header, &["origin"], spare);
        for entry in shipped() {
            let puzzle = read(entry.text, entry.name, None)?.puzzle;
            let blanks = |level| match presolve(&puzzle, level) {
                Ok(space) => space.free.len().to_string(),
                Err(_) => "no solution".to_owned(),
            };
            let mut row = vec![
                entry.name.to_owned(),
                puzzle.geometry.to_string(),
                puzzle.given_count().to_string(),
                blanks(Presolve::None),
            ];
            row.extend(levels.clone().map(blanks));
            row.push(entry.origin().unwrap_or_default().to_owned());
            rows.row(row);
        }
        print(&format!("{rows}\n"))?;
        Ok(Exit::Done)
    }
}
