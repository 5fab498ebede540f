//! The formats of puzzles, one a file.
//!
//! A new one is a file with a type that implements [`PuzzleFormat`], and a line in [`Format`], which
//! declares the file, the name and the type:
//!
//! ```text
//! /// A collection: one puzzle a line, one character a cell, 0 for a blank.
//! Sdm = "sdm" => sdm::Sdm,
//! ```

use super::detect::{Detection, DetectionHead};
use super::puzzle_format::PuzzleFormat;
use super::records::RecordSplitter;
use crate::util::named_enum::named;

/// Declares the formats: their names, their files and their types.
macro_rules! formats {
    (
        $(#[$attribute:meta])*
        pub enum $formats:ident {
            $( $(#[doc = $doc:literal])* $variant:ident = $name:literal => $file:ident :: $type:ident, )*
        }
    ) => {
        $( mod $file; )*

        named! {
            $(#[$attribute])*
            pub enum $formats { $( $(#[doc = $doc])* $variant = $name, )* }
        }

        impl $formats {
            /// How puzzles of this format are recognised, read and written.
            pub(in crate::format) fn rules(self) -> &'static dyn PuzzleFormat {
                match self { $( Self::$variant => &$file::$type, )* }
            }
        }
    };
}

formats! {
    /// The formats of puzzles.
    pub enum Format {
        /// One puzzle a line: characters with . for a blank up to side 9, above it numbers.
        Line = "line" => line::PlainLine,
        /// A collection: one puzzle a line, one character a cell, 0 for a blank.
        Sdm = "sdm" => sdm::Sdm,
        /// Puzzles with their solutions, after a line `quizzes,solutions`; solutions are not read.
        Pairs = "pairs" => quizzes_csv::QuizzesCsv,
        /// SadMan Sudoku and SudoCue: rows under `[Puzzle]`, after remarks that open with #.
        Sdk = "sdk" => sdk::Sdk,
        /// Simple Sudoku: rows in frames.
        SimpleSudoku = "ss" => simple_sudoku::SimpleSudoku,
        /// Rows with the boxes framed, . for a blank.
        Grid = "grid" => grid::Grid,
        /// Rows of numbers separated by blanks, 0 for a blank.
        Spaced = "spaced" => numeric_rows::NumericRows,
        /// Lloyd and Amos: the order, a number, and the cells as numbers, -1 for a blank.
        LloydAmos = "lloyd-amos" => lloyd_amos::LloydAmos,
        /// OpenSudoku: XML with 81 digits a game, 0 for a blank.
        OpenSudoku = "opensudoku" => opensudoku::OpenSudoku,
    }
}

impl Format {
    /// The format of a text with this start, and its splitter. A text that no other format recognises is
    /// grid text.
    pub(super) fn of(head: &DetectionHead) -> (Self, Box<dyn RecordSplitter>) {
        let found = Self::ALL.iter().filter_map(|one| Some((*one, one.rules().recognise(head)?)));
        let best = found
            .reduce(|best, next| if next.1.has_marks && !best.1.has_marks { next } else { best });
        let (format, found) = best.unwrap_or_else(|| (Self::Grid, Detection::rows(head)));
        (format, found.splitter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Options;
    use crate::format::records::TextRecord;
    use crate::format::text::TextLine;

    fn seen(text: &str, options: &Options) -> (Format, bool) {
        let lines: Vec<TextLine> = text
            .lines()
            .enumerate()
            .map(|(index, text)| TextLine { number: index + 1, text: text.to_owned() })
            .collect();
        let (format, mut splitter) = Format::of(&DetectionHead::new(&lines, true, options));
        let lines = lines.into_iter().map(Some).chain([None]);
        let records: Vec<TextRecord> = lines.filter_map(|line| splitter.next(line)).collect();
        (format, records.iter().any(|record| record.listed))
    }

    #[test]
    fn formats_are_detected_by_their_text() {
        let line = ".".repeat(81);
        let rows = "5 3 0 0 7 0 0 0 0\n".repeat(9);
        for (text, format, list) in [
            (line.clone(), Format::Line, false),
            (format!("# a list\n{line}\n{line}x\n{line}\n"), Format::Sdm, true),
            (format!("{0}\n{0}\n", "0 ".repeat(256)), Format::Line, true),
            (format!("quizzes,solutions\n{line},{line}\n"), Format::Pairs, true),
            (format!("#ARuud\n{line}\n"), Format::Sdk, false),
            (format!("#Clue lists\n{line}\n{line}\n"), Format::Sdm, true),
            (format!("[Puzzle]\n{line}\n"), Format::Sdk, false),
            ("*---*\n|1|\n*---*\n".to_owned(), Format::SimpleSudoku, false),
            ("1.|.4\n-----\n..|..\n".to_owned(), Format::SimpleSudoku, false),
            ("1.|.4\n--+--\n..|..\n".to_owned(), Format::Grid, false),
            (rows.clone(), Format::Spaced, false),
            ("2\n1\n1 2 3 4\n".to_owned(), Format::LloydAmos, false),
            (format!("2 1 {}", "-1 ".repeat(16)), Format::LloydAmos, false),
            ("53..7....\n".repeat(9), Format::Grid, false),
            (String::new(), Format::Grid, false),
        ] {
            assert_eq!(seen(&text, &Options::default()), (format, list), "{text}");
        }
    }

    #[test]
    fn sixteen_lines_of_sixteen_numbers_are_one_board() {
        let text = "0 1 2 3 ".repeat(4) + "\n";
        let boxes = |shape: &str| Options { shape: shape.parse().ok(), ..Options::default() };
        assert_eq!(seen(&text.repeat(16), &Options::default()), (Format::Spaced, false));
        assert_eq!(seen(&text.repeat(16), &boxes("4x4")), (Format::Spaced, false));
        assert_eq!(seen(&text.repeat(16), &boxes("2x2")), (Format::Line, true));
        assert_eq!(seen(&text.repeat(15), &Options::default()), (Format::Line, true));
        let compact = "0123".repeat(4) + "\n";
        assert_eq!(seen(&compact.repeat(16), &Options::default()), (Format::Sdm, true));
    }

    #[test]
    fn an_alphabet_tells_rows_from_boards() {
        let hex = Options { alphabet: "0123456789ABCDEF".parse().ok(), ..Options::default() };
        let row = "0123".repeat(4) + "\n";
        assert_eq!(seen(&row.repeat(16), &hex), (Format::Grid, false));
        let line = "0123".repeat(64) + "\n";
        assert_eq!(seen(&line.repeat(2), &hex), (Format::Sdm, true));
    }
}
