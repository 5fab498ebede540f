//! The formats in which puzzles are written. All of them are read, and many other layouts.
//!
//! A new one is a line in [`Format`], and a case in each of its three functions.

use super::DIGIT_SIDE;
use super::board_text::{cell_rows, grid, line, rows, shape_comment};
use super::shape::is_board;
use crate::board::{BLANK, Geometry, Puzzle};
use crate::util::named_enum::named;

named! {
    /// The formats in which puzzles are written.
    pub enum Format {
        /// One puzzle a line: characters with . for a blank up to side 9, above it numbers.
        Line = "line",
        /// A collection: one puzzle a line, one character per cell, 0 for a blank.
        Sdm = "sdm",
        /// A table of puzzles and solutions, after a line `quizzes,solutions`; solutions are not written.
        Pairs = "pairs",
        /// SadMan Sudoku and SudoCue: rows under `[Puzzle]`, after remarks that open with #.
        Sdk = "sdk",
        /// Simple Sudoku: rows in frames.
        SimpleSudoku = "ss",
        /// Rows with the boxes framed, . for a blank.
        Grid = "grid",
        /// Rows of numbers separated by blanks, 0 for a blank.
        Spaced = "spaced",
        /// Lloyd and Amos: the order, a number, and the cells as numbers, -1 for a blank.
        LloydAmos = "lloyd-amos",
        /// OpenSudoku: XML with 81 digits a game, 0 for a blank.
        OpenSudoku = "opensudoku",
    }
}

impl Format {
    /// The boards that it supports, in words, unless it supports this one.
    pub(super) fn refuses(self, shape: Geometry) -> Option<&'static str> {
        let is_square = shape.box_rows() == shape.box_cols();
        match self {
            Self::Line | Self::Grid | Self::Spaced => None,
            // Values above 9 take more than a character.
            Self::Sdm | Self::Pairs | Self::Sdk | Self::SimpleSudoku => {
                (shape.side() > DIGIT_SIDE).then_some("boards up to side 9")
            }
            Self::LloydAmos => (!is_square).then_some("boards with square boxes"),
            Self::OpenSudoku => {
                (!is_square || shape.side() != 9).then_some("9x9 boards with boxes of 3x3")
            }
        }
    }

    /// The text of one puzzle of a supported shape; it ends in a line feed.
    pub(super) fn write(self, puzzle: &Puzzle, tags: &[String]) -> String {
        let (geometry, givens) = (puzzle.geometry, &puzzle.givens[..]);
        let digits = || rows(geometry, givens).replace('\n', "").replace('.', "0");
        let shape = shape_comment(geometry);
        let comment = shape.as_ref().map(|shape| format!("  {shape}")).unwrap_or_default();
        match self {
            Self::Line => line(geometry, givens) + &comment + "\n",
            Self::Sdm => digits() + &comment + "\n",
            Self::Pairs => digits() + "," + &comment + "\n",
            Self::Sdk => {
                let tags: String = tags.iter().map(|tag| format!("#{tag}\n")).collect();
                let shape = shape.map(|shape| shape + "\n").unwrap_or_default();
                tags + "[Puzzle]\n" + &shape + &rows(geometry, givens)
            }
            Self::SimpleSudoku => framed(geometry, givens),
            Self::Grid => grid(geometry, givens),
            Self::Spaced => {
                // Sixteen rows of sixteen may be sixteen boards of 4x4.
                let shape = shape.or_else(|| {
                    is_board(geometry.side()).then(|| format!("# boxes of {geometry}"))
                });
                let digits = geometry.side().to_string().len();
                let rows = cell_rows(geometry, givens, |value| format!("{value:>digits$}"), " ");
                shape.map(|shape| shape + "\n").unwrap_or_default() + &rows
            }
            Self::LloydAmos => {
                let cell = |value: u8| if value == BLANK { "-1".into() } else { value.to_string() };
                format!("{}\n1\n{}", geometry.box_rows(), cell_rows(geometry, givens, cell, "\t"))
            }
            Self::OpenSudoku => format!("  <game data=\"{}\" />\n", digits()),
        }
    }

    /// The text before the first puzzle, between two, and after the last.
    pub(super) fn around(self) -> [&'static str; 3] {
        match self {
            Self::Line | Self::Sdm | Self::LloydAmos => [""; 3],
            Self::Sdk | Self::SimpleSudoku | Self::Grid | Self::Spaced => ["", "\n", ""],
            Self::Pairs => ["quizzes,solutions\n", "", ""],
            Self::OpenSudoku => [
                "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<opensudoku>\n",
                "",
                "</opensudoku>\n",
            ],
        }
    }
}

/// Rows as Simple Sudoku frames them: `|.3.|4..|...|` between lines of dashes.
fn framed(geometry: Geometry, givens: &[u8]) -> String {
    let (side, width) = (geometry.side(), geometry.box_cols());
    let edge = format!("*{}*\n", "-".repeat(side + geometry.stacks() - 1));
    let between = format!("|{}|\n", vec!["-".repeat(width); geometry.stacks()].join("+"));
    let mut text = edge.clone();
    for (row, cells) in rows(geometry, givens).lines().enumerate() {
        if row > 0 && row % geometry.box_rows() == 0 {
            text += &between;
        }
        // All of a row is ASCII.
        let boxes = (0..side).step_by(width).map(|start| &cells[start..][..width]);
        text += &format!("|{}|\n", boxes.collect::<Vec<_>>().join("|"));
    }
    text + &edge
}
