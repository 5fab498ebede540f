//! `quizzes,solutions`: puzzles with their solutions, a pair a line.
//!
//! ```text
//! quizzes,solutions
//! 1200340021434320,1234341221434321
//! ```
//!
//! The first line names the columns; `puzzle,solution` is accepted too, and so are further columns. The
//! text after the first comma of a line is ignored: the solution is to be found.
//!
//! Source: the set of a million puzzles of K. Park, 2016, on Kaggle ("1 million Sudoku games").

use crate::board::Puzzle;
use crate::format::board_text::rows;
use crate::format::detect::{Detection, DetectionHead};
use crate::format::puzzle_format::PuzzleFormat;
use crate::format::records::{PerLine, RecordSplitter, TextRecord};
use crate::format::text::TextLine;

/// Puzzles with their solutions.
pub(super) struct QuizzesCsv;

/// Names that the first column may have.
const NAMES: [&str; 4] = ["quizzes", "quiz", "puzzles", "puzzle"];

impl PuzzleFormat for QuizzesCsv {
    fn recognise(&self, head: &DetectionHead) -> Option<Detection> {
        let first = head.lines().find(|line| !line.trim().is_empty())?;
        names_columns(first).then(|| Detection::by_marks(FirstColumn { is_headed: false }))
    }

    /// The solution is not known, so that its column stays empty.
    fn write(&self, puzzle: &Puzzle, _tags: &[String]) -> String {
        rows(puzzle.geometry, &puzzle.givens).replace('\n', "").replace('.', "0") + ",\n"
    }

    fn around(&self) -> [&'static str; 3] {
        ["quizzes,solutions\n", "", ""]
    }
}

/// Whether a line names columns, of which the first holds puzzles.
fn names_columns(line: &str) -> bool {
    line.split_once(',').is_some_and(|(name, _)| {
        let name = name.trim_start_matches('\u{feff}').trim().trim_matches('"');
        NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
    })
}

/// The first column of each line after the first.
struct FirstColumn {
    is_headed: bool,
}

impl RecordSplitter for FirstColumn {
    fn next(&mut self, line: Option<TextLine>) -> Option<TextRecord> {
        let line = line?;
        if !self.is_headed {
            self.is_headed = !line.text.trim().is_empty();
            return None;
        }
        let text = line.text.split(',').next().unwrap_or_default().trim().trim_matches('"');
        PerLine.next(Some(TextLine { text: text.to_owned(), ..line }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::records::records;

    #[test]
    fn the_first_column_holds_the_puzzles() {
        assert!(names_columns("quizzes,solutions"));
        assert!(names_columns("\u{feff}Puzzle, Solution,clues"));
        assert!(!names_columns("quizzes"));
        assert!(!names_columns("1200340021434320,1234341221434321"));
        let text = "quizzes,solutions\n12..,1234\n\n\"34..\",3412\n";
        let found = records(FirstColumn { is_headed: false }, text);
        assert_eq!(found, [(2, "12..\n".to_owned()), (4, "34..\n".to_owned())]);
    }
}
