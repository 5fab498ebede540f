//! A piece of a text that holds one puzzle, and the plain ways to split a text into pieces.
//!
//! A list has a piece a line, several grids a piece a block between empty lines, and a text that
//! other is one piece. Formats with marks of their own have their splitters in their own files.

use super::line_reader::TextLine;
use super::tokenizer::{FRAMES, is_frame};
use super::{ParseError, TextPosition};

/// The text of one puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextRecord {
    /// The text, or the error instead of it.
    pub text: Result<String, ParseError>,
    /// Where the text starts.
    pub at: TextPosition,
    /// The puzzle's remarks.
    pub tags: Vec<Tag>,
    /// Whether it is one line of a list.
    pub listed: bool,
}

/// A remark on a puzzle, as `.sdk` files carry it: `#ARuud` is an author's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// `A` author, `D` description, `C` comment, `B` date, `S` source, `L` level, `U` address.
    pub key: char,
    /// Its text.
    pub text: String,
}

/// Splits lines into pieces.
pub(super) trait RecordSplitter: Send {
    /// Takes the next line; returns the piece that this line ends.
    fn line(&mut self, line: TextLine) -> Option<TextRecord>;

    /// The piece that the end of the text ends.
    fn end(&mut self) -> Option<TextRecord>;
}

/// Lines that follow each other, on the way to a piece.
#[derive(Debug, Default)]
pub(super) struct RecordBuilder {
    text: String,
    first: usize,
    cells: bool,
}

impl RecordBuilder {
    /// Adds the next line.
    pub fn push(&mut self, line: &TextLine) {
        if self.text.is_empty() {
            self.first = line.number;
        }
        self.text.push_str(&line.text);
        self.text.push('\n');
        self.cells |= has_cells(&line.text);
    }

    /// Whether any line so far holds a cell.
    pub fn has_cells(&self) -> bool {
        self.cells
    }

    /// The piece, if it has any cell; the draft is empty afterwards.
    pub fn take(&mut self, tags: Vec<Tag>) -> Option<TextRecord> {
        let draft = std::mem::take(self);
        let at = TextPosition { line: draft.first, column: 1 };
        draft.cells.then_some(TextRecord { text: Ok(draft.text), at, tags, listed: false })
    }
}

/// Whether a line holds more than comments and frames.
pub(super) fn has_cells(line: &str) -> bool {
    !is_frame(line) && content(line).chars().any(|c| !c.is_whitespace() && !FRAMES.contains(c))
}

/// A line without its comment.
pub(super) fn content(line: &str) -> &str {
    line.split_once('#').map_or(line, |(before, _comment)| before)
}

/// One piece a line.
pub(super) struct PerLine;

impl RecordSplitter for PerLine {
    fn line(&mut self, line: TextLine) -> Option<TextRecord> {
        let mut draft = RecordBuilder::default();
        draft.push(&line);
        draft.take(Vec::new()).map(|piece| TextRecord { listed: true, ..piece })
    }

    fn end(&mut self) -> Option<TextRecord> {
        None
    }
}

/// One piece a block between empty lines, or all in one.
pub(super) struct PerBlock {
    draft: RecordBuilder,
    whole: bool,
}

impl PerBlock {
    /// If `whole`, empty lines do not split.
    pub fn new(whole: bool) -> Self {
        Self { draft: RecordBuilder::default(), whole }
    }
}

impl RecordSplitter for PerBlock {
    fn line(&mut self, line: TextLine) -> Option<TextRecord> {
        if !self.whole && line.text.trim().is_empty() {
            return self.draft.take(Vec::new());
        }
        self.draft.push(&line);
        None
    }

    fn end(&mut self) -> Option<TextRecord> {
        self.draft.take(Vec::new())
    }
}

#[cfg(test)]
pub(super) fn pieces(mut cut: impl RecordSplitter, text: &str) -> Vec<(usize, String)> {
    let mut pieces = Vec::new();
    for (index, text) in text.lines().enumerate() {
        pieces.extend(cut.line(TextLine { number: index + 1, text: text.to_owned() }));
    }
    pieces.extend(cut.end());
    pieces.into_iter().map(|piece| (piece.at.line, piece.text.unwrap())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_know_their_first_line() {
        let text = "# two\n12\n\n\n34\n--\n56\n# end\n";
        let of = |whole| pieces(PerBlock::new(whole), text);
        let piece = |line, text: &str| (line, text.to_owned());
        assert_eq!(of(false), [piece(1, "# two\n12\n"), piece(5, "34\n--\n56\n# end\n")]);
        assert_eq!(of(true), [piece(1, text)]);
        let lines = pieces(PerLine, text);
        assert_eq!(lines, [piece(2, "12\n"), piece(5, "34\n"), piece(7, "56\n")]);
    }
}
