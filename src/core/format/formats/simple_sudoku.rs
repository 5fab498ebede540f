//! `.ss`: the boards of Simple Sudoku, drawn with frames.
//!
//! ```text
//! *-----------*
//! |.3.|4..|...|
//! |9.2|8.6|3.1|
//! |...|...|.2.|
//! |---+---+---|
//! ... two more bands ...
//! *-----------*
//! ```
//!
//! Files contain only the rows and lines of `-`; text copied from the program has the frame above
//! and its name below. Both are read, the framed form is written. Between frames of stars every
//! board is a puzzle, and the words around them are skipped.
//!
//! Source: Sudopedia, "Sudoku Clipboard and File Formats".

use crate::board::Puzzle;
use crate::format::board_text::rows;
use crate::format::detect::{Detection, DetectionHead};
use crate::format::puzzle_format::PuzzleFormat;
use crate::format::records::{RecordBuilder, RecordSplitter, TextRecord};
use crate::format::text::TextLine;

/// Rows in frames.
pub(super) struct SimpleSudoku;

impl PuzzleFormat for SimpleSudoku {
    fn recognise(&self, head: &DetectionHead) -> Option<Detection> {
        if head.lines().any(is_frame) {
            return Some(Detection::by_marks(Frames::default()));
        }
        let barred = head.rows.iter().any(|row| row.barred);
        (barred && head.lines().any(is_dashes)).then(|| Detection::rows(head))
    }

    fn write(&self, puzzle: &Puzzle, _tags: &[String]) -> String {
        let geometry = puzzle.geometry;
        let (side, width) = (geometry.side(), geometry.box_cols());
        let edge = format!("*{}*\n", "-".repeat(side + geometry.stacks() - 1));
        let between = format!("|{}|\n", vec!["-".repeat(width); geometry.stacks()].join("+"));
        let mut text = edge.clone();
        for (row, cells) in rows(geometry, &puzzle.givens).lines().enumerate() {
            if row > 0 && row % geometry.box_rows() == 0 {
                text += &between;
            }
            // All of a row is ASCII.
            (0..side)
                .step_by(width)
                .for_each(|start| text += &format!("|{}", &cells[start..][..width]));
            text += "|\n";
        }
        text + &edge
    }
}

/// Whether a line is the upper or lower frame.
fn is_frame(line: &str) -> bool {
    let inner = line.trim().strip_prefix('*').and_then(|line| line.strip_suffix('*'));
    inner.is_some_and(|inner| inner.len() > 1 && inner.chars().all(|c| c == '-' || c == '+'))
}

/// Whether a line is nothing but `-`.
fn is_dashes(line: &str) -> bool {
    let line = line.trim();
    line.len() > 2 && line.chars().all(|c| c == '-')
}

/// Splits between frames.
#[derive(Default)]
struct Frames {
    builder: RecordBuilder,
    inside: bool,
}

impl RecordSplitter for Frames {
    fn next(&mut self, line: Option<TextLine>) -> Option<TextRecord> {
        let Some(line) = line else {
            return self.builder.take(Vec::new());
        };
        if is_frame(&line.text) {
            self.inside = !self.inside;
            return self.builder.take(Vec::new());
        }
        if self.inside {
            self.builder.push(&line);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Geometry;
    use crate::format::records::records;

    #[test]
    fn boards_are_framed() {
        let geometry = Geometry::new(2, 3).unwrap();
        let mut puzzle = Puzzle::blank(geometry);
        puzzle.givens[..3].copy_from_slice(&[1, 0, 6]);
        let text = SimpleSudoku.write(&puzzle, &[]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..4], ["*-------*", "|1.6|...|", "|...|...|", "|---+---|"]);
        assert_eq!((lines.len(), lines[9]), (10, "*-------*"));
    }

    #[test]
    fn text_outside_the_frames_is_skipped() {
        let text = "*--*\n|1|\n*--*\nSimple Sudoku\n *--*\n|2|\n|3|\n *--*\n";
        assert_eq!(
            records(Frames::default(), text),
            [(2, "|1|\n".to_owned()), (6, "|2|\n|3|\n".to_owned())]
        );
        assert_eq!(records(Frames::default(), "*--*\n|1|\n").len(), 1);
    }
}
