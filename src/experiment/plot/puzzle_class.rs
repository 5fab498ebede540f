//! Classes: puzzles that are run together. Those of a block are one, and blocks with the same puzzles have the
//! same. An experiment with many puzzles of a few classes has figures with a panel for each class.
//!
//! ```text
//! block "easy"                    9x9-easy:3, 9x9-easy:4    the class 9x9-easy
//! block "easy without crossover"  9x9-easy:3, 9x9-easy:4    the class 9x9-easy
//! block "hard"                    9x9-hard:3                the class 9x9-hard:3
//! ```

use std::sync::Arc;

use super::super::cell_filter::all_hold;
use super::super::{CellFilter, Plan};
use crate::board::Puzzle;

/// Panels of classes that can be read at a glance.
const CLASSES: usize = 6;

/// Puzzles that are run together.
pub(super) struct PuzzleClass<'p> {
    /// The blocks that have them.
    blocks: Vec<&'p str>,
    /// The puzzles, each once.
    puzzles: Vec<Arc<Puzzle>>,
}

impl PuzzleClass<'_> {
    /// Whether a block's puzzles are this class.
    pub fn has(&self, block: &str) -> bool {
        self.blocks.contains(&block)
    }

    /// What the names of its puzzles begin with, as far as they are alike.
    pub fn name(&self) -> String {
        let names = || self.puzzles.iter().map(|puzzle| puzzle.name.as_str());
        let first = names().next().unwrap_or_default();
        if self.puzzles.len() == 1 {
            return first.to_owned();
        }
        let alike = names().map(|name| common(first, name)).min().unwrap_or(0);
        // Numbers and words are alike as a whole or not at all.
        let cut = names().any(|name| name[alike..].starts_with(char::is_alphanumeric));
        let shared = match cut {
            true => first[..alike].trim_end_matches(char::is_alphanumeric),
            false => &first[..alike],
        };
        let shared = shared.trim_end_matches(|c: char| !c.is_alphanumeric());
        let count = format!("{} puzzles", self.puzzles.len());
        if shared.is_empty() { count } else { format!("{shared}, {count}") }
    }
}

/// Bytes of the characters that two texts both begin with.
fn common(one: &str, other: &str) -> usize {
    let alike = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    alike.map(|(c, _)| c.len_utf8()).sum()
}

/// The classes of the cells that are shown, in the order of the plan; none where no class has several puzzles, or
/// where there are more than can be read.
pub(super) fn classes<'p>(plan: &'p Plan, only: &[CellFilter]) -> Vec<PuzzleClass<'p>> {
    let mut blocks: Vec<PuzzleClass<'p>> = Vec::new();
    for cell in plan.cells.iter().filter(|cell| all_hold(only, cell)) {
        let of_block = |class: &&mut PuzzleClass<'p>| class.has(&cell.block);
        let (block, puzzle) = (cell.block.as_str(), &cell.puzzle);
        match blocks.iter_mut().find(of_block) {
            None => blocks.push(PuzzleClass { blocks: vec![block], puzzles: vec![puzzle.clone()] }),
            Some(class) if class.puzzles.contains(puzzle) => {}
            Some(class) => class.puzzles.push(puzzle.clone()),
        }
    }
    let mut classes: Vec<PuzzleClass<'p>> = Vec::new();
    for block in blocks {
        match classes.iter_mut().find(|class| class.puzzles == block.puzzles) {
            Some(class) => class.blocks.extend(block.blocks),
            None => classes.push(block),
        }
    }
    let several = classes.iter().any(|class| class.puzzles.len() > 1);
    if several && classes.len() <= CLASSES { classes } else { Vec::new() }
}
