//! The first lines of a text, from which its format is detected.
//!
//! Properties that all formats use are computed here once: whether the lines are a list of puzzles (at
//! least two, at least half of them with all cells of a board), or blocks of as many rows as
//! columns, each a puzzle. Sixteen lines of sixteen numbers are a 16x16 board and not sixteen 4x4
//! ones; `--box 2x2` overrides this.

use super::line_reader::TextLine;
use super::line_stats::LineStats;
use super::{DIGIT_SIDE, Options};
use crate::board::Geometry;

/// The first lines of a text.
pub(super) struct DetectionHead<'a> {
    lines: &'a [TextLine],
    complete: bool,
    rows: Vec<LineStats>,
    puzzle_lines: bool,
    /// Whether the rows stand in blocks of as many rows as columns.
    square: bool,
    /// Whether each of these blocks is a puzzle of its own.
    blocks: bool,
}

impl<'a> DetectionHead<'a> {
    /// These lines; `complete` if they are the whole text.
    pub fn new(lines: &'a [TextLine], complete: bool, options: &Options) -> Self {
        let blocks = blocks(lines);
        let rows: Vec<LineStats> = blocks.concat();
        // The last block of a text that continues may be incomplete.
        let whole = if complete { &blocks[..] } else { &blocks[..blocks.len().saturating_sub(1)] };
        let squares = whole.iter().filter(|block| is_square(block, options)).count();
        let square = squares > 0 && squares * 2 >= whole.len();
        let puzzles = rows.iter().filter(|row| row.is_puzzle(options)).count();
        let puzzle_lines = rows.len() > 1 && puzzles > 0 && puzzles * 2 >= rows.len();
        let blocks = square && !(whole.len() == 1 && complete);
        Self { lines, complete, rows, puzzle_lines, square, blocks }
    }

    /// The lines, without their ends.
    pub fn lines(&self) -> impl Iterator<Item = &'a str> {
        self.lines.iter().map(|line| line.text.as_str())
    }

    /// The lines that hold cells.
    pub fn rows(&self) -> &[LineStats] {
        &self.rows
    }

    /// Whether these lines are the whole text.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Whether at least half of the lines, and at least two, could be puzzles.
    pub fn has_puzzle_lines(&self) -> bool {
        self.puzzle_lines
    }

    /// Whether each line is a puzzle.
    pub fn is_list(&self) -> bool {
        self.puzzle_lines && !self.square
    }

    /// Whether each line of cells is one word.
    pub fn has_single_words(&self) -> bool {
        self.rows.iter().all(|row| row.words == 1)
    }

    /// Whether the blocks between empty lines are puzzles.
    pub fn is_of_blocks(&self) -> bool {
        self.blocks
    }
}

/// The rows between empty lines.
fn blocks(lines: &[TextLine]) -> Vec<Vec<LineStats>> {
    let mut blocks = vec![Vec::new()];
    for line in lines {
        if line.text.trim().is_empty() {
            blocks.push(Vec::new());
        } else if let (Some(block), Some(row)) = (blocks.last_mut(), LineStats::of(&line.text)) {
            block.push(row);
        }
    }
    blocks.retain(|block| !block.is_empty());
    blocks
}

/// As many rows as columns.
fn is_square(block: &[LineStats], options: &Options) -> bool {
    let side = block.len();
    let alphabet = options.alphabet.as_ref().is_some_and(|alphabet| alphabet.side() == side);
    let characters = side <= DIGIT_SIDE || alphabet || block.iter().any(|row| row.letters);
    let list = options.shape.is_some_and(|shape| shape.cells() == side);
    Geometry::squarest(side).is_some()
        && !list
        && (block.iter().all(|row| row.words == side)
            || characters && block.iter().all(|row| row.characters == side))
}
