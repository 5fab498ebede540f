//! `.sdk`: one puzzle of SadMan Sudoku or SudoCue, with remarks.
//!
//! ```text
//! #ARuud
//! #DA puzzle with a name
//! [Puzzle]
//! 2..1.5..3
//! ... eight more rows ...
//! [State]
//! 2..1.5..3
//! ... what the player has filled in ...
//! ```
//!
//! The lines that open with `#` and one of the letters `ADCBSLU` are remarks, each optional. The
//! section names are optional too; sections other than `[Puzzle]` are skipped. Several such texts
//! may follow each other: a puzzle's remarks come before it.
//!
//! Source: the file formats of SudoCue, <http://sudocue.net/fileformats.php>.

use crate::board::Puzzle;
use crate::format::board_text::rows;
use crate::format::detect::{Detection, DetectionHead};
use crate::format::puzzle_format::PuzzleFormat;
use crate::format::records::{RecordBuilder, RecordSplitter, TextRecord};
use crate::format::text::TextLine;
use crate::format::{ParseError, TextPosition};

/// Rows with remarks.
pub(super) struct Sdk;

impl PuzzleFormat for Sdk {
    fn recognise(&self, head: &DetectionHead) -> Option<Detection> {
        let first = head.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        // A list may open with a comment that looks like a remark.
        let found = head.lines().any(|line| section(line).is_some())
            || tag(first).is_some() && !head.has_puzzle_lines;
        found.then(|| Detection::by_marks(Sections::default()))
    }

    fn write(&self, puzzle: &Puzzle, tags: &[String]) -> String {
        let tags: String = tags.iter().map(|tag| format!("#{tag}\n")).collect();
        tags + "[Puzzle]\n" + &rows(puzzle.geometry, &puzzle.givens)
    }
}

/// Whether a letter begins a remark: of the author, description, comment, date, source, level, address.
fn is_key(letter: char) -> bool {
    "ADCBSLU".contains(letter)
}

/// The remark in a line, with its letter.
fn tag(line: &str) -> Option<&str> {
    // `#C x` is a remark in this format and a comment in all others; `# C` is no remark.
    line.trim_end().strip_prefix('#').filter(|tag| tag.len() > 1 && tag.starts_with(is_key))
}

/// The section that a line opens: `puzzle` in `[Puzzle]`.
fn section(line: &str) -> Option<String> {
    let name = line.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
    // Numbers between brackets are an array.
    name.starts_with(char::is_alphabetic).then(|| name.to_lowercase())
}

/// Splits at remarks and section names.
#[derive(Default)]
struct Sections {
    tags: Vec<String>,
    builder: RecordBuilder,
    /// Inside a section that holds no puzzle.
    skips: bool,
    /// The number of a `[Puzzle]` line that no cell has followed yet.
    open: Option<usize>,
}

impl Sections {
    fn close(&mut self) -> Option<TextRecord> {
        let open = self.open.take();
        if self.builder.has_cells {
            return self.builder.take(std::mem::take(&mut self.tags));
        }
        self.builder = RecordBuilder::default();
        open.map(|line| TextRecord {
            text: Err(ParseError::empty()),
            at: TextPosition { line, column: 1 },
            tags: std::mem::take(&mut self.tags),
            listed: false,
        })
    }
}

impl RecordSplitter for Sections {
    fn next(&mut self, line: Option<TextLine>) -> Option<TextRecord> {
        let Some(line) = line else {
            return self.close();
        };
        if let Some(name) = section(&line.text) {
            let record = self.close();
            self.skips = name != "puzzle";
            self.open = (!self.skips).then_some(line.number);
            return record;
        }
        if let Some(tag) = tag(&line.text) {
            let record = self.builder.has_cells.then(|| self.close()).flatten();
            self.tags.push(tag.to_owned());
            return record;
        }
        if !self.skips {
            self.builder.push(&line);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::records::records;

    #[test]
    fn remarks_are_not_comments() {
        assert_eq!(tag("#ARuud"), Some("ARuud"));
        for comment in ["# Ruud", "#", "#A", "#x", "A"] {
            assert_eq!(tag(comment), None, "{comment}");
        }
    }

    #[test]
    fn sections_have_names() {
        assert_eq!(section(" [Puzzle ] ").as_deref(), Some("puzzle"));
        assert_eq!([section("[1,2]"), section("[]"), section("Puzzle")], [None, None, None]);
    }

    #[test]
    fn sections_without_a_puzzle_are_skipped() {
        let text = "#AI\n[Puzzle]\n12\n34\n[State]\n56\n#BII\n[puzzle]\n78\n";
        let record = |line, text: &str| (line, text.to_owned());
        assert_eq!(records(Sections::default(), text), [record(3, "12\n34\n"), record(9, "78\n")]);
        assert_eq!(
            records(Sections::default(), "#AI\n12\n\n#AII\n34\n"),
            [record(2, "12\n\n"), record(5, "34\n")]
        );
    }

    #[test]
    fn a_puzzle_without_rows_is_empty() {
        let mut splitter = Sections::default();
        let line = |number, text: &str| Some(TextLine { number, text: text.to_owned() });
        assert_eq!(splitter.next(line(1, "[Puzzle]")), None);
        let record = splitter.next(line(2, "[State]")).unwrap();
        assert_eq!((record.text, record.at.line), (Err(ParseError::empty()), 1));
    }
}
