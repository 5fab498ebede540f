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
//! may follow each other: a puzzle's remarks stand before it.
//!
//! Source: the file formats of SudoCue, <http://sudocue.net/fileformats.php>.

use super::lines::Line;
use super::piece::{Cut, Draft, Piece, Tag};
use super::{Fault, Spot};
use crate::board::Puzzle;

/// Letters of the remarks.
const KEYS: &str = "ADCBSLU";

/// The remark that a line is.
pub(super) fn tag(line: &str) -> Option<Tag> {
    let mut characters = line.trim_end().strip_prefix('#')?.chars();
    let key = characters.next().filter(|key| KEYS.contains(*key))?;
    let text = characters.as_str();
    // `#C x` is a remark to `C`'s reader and a comment to everyone else; `# C` is no remark.
    (!text.is_empty()).then(|| Tag { key, text: text.to_owned() })
}

/// The section that a line opens: `puzzle` in `[Puzzle]`.
pub(super) fn section(line: &str) -> Option<String> {
    let name = line.trim().strip_prefix('[')?.strip_suffix(']')?;
    Some(name.trim().to_lowercase())
}

/// Cuts at remarks and section names.
#[derive(Default)]
pub(super) struct Sections {
    tags: Vec<Tag>,
    draft: Draft,
    /// Inside a section that holds no puzzle.
    skips: bool,
    /// The line of a `[Puzzle]` that no cell followed yet.
    open: Option<usize>,
}

impl Sections {
    fn close(&mut self) -> Option<Piece> {
        let open = self.open.take();
        if self.draft.has_cells() {
            return self.draft.take(std::mem::take(&mut self.tags));
        }
        self.draft = Draft::default();
        open.map(|line| Piece {
            text: Err(Fault::Empty),
            at: Spot { line, column: 1 },
            tags: std::mem::take(&mut self.tags),
        })
    }
}

impl Cut for Sections {
    fn line(&mut self, line: Line) -> Option<Piece> {
        if let Some(name) = section(&line.text) {
            let piece = self.close();
            self.skips = name != "puzzle";
            self.open = (!self.skips).then_some(line.number);
            return piece;
        }
        if let Some(tag) = tag(&line.text) {
            let piece = self.draft.has_cells().then(|| self.close()).flatten();
            self.tags.push(tag);
            return piece;
        }
        if !self.skips {
            self.draft.push(&line);
        }
        None
    }

    fn end(&mut self) -> Option<Piece> {
        self.close()
    }
}

/// The text of one puzzle.
pub(super) fn write(puzzle: &Puzzle, tags: &[Tag]) -> String {
    let mut text = String::new();
    for Tag { key, text: remark } in tags {
        text.push_str(&format!("#{key}{remark}\n"));
    }
    text.push_str("[Puzzle]\n");
    text + &super::write::rows(puzzle.geometry, &puzzle.givens)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::piece::pieces;

    #[test]
    fn remarks_are_told_from_comments() {
        assert_eq!(tag("#ARuud"), Some(Tag { key: 'A', text: "Ruud".to_owned() }));
        for comment in ["# Ruud", "#", "#A", "#x", "A"] {
            assert_eq!(tag(comment), None, "{comment}");
        }
    }

    #[test]
    fn sections_without_a_puzzle_are_skipped() {
        let text = "#AI\n[Puzzle]\n12\n34\n[State]\n56\n#BII\n[puzzle]\n78\n";
        let piece = |line, text: &str| (line, text.to_owned());
        assert_eq!(pieces(Sections::default(), text), [piece(3, "12\n34\n"), piece(9, "78\n")]);
        assert_eq!(
            pieces(Sections::default(), "#AI\n12\n\n#AII\n34\n"),
            [piece(2, "12\n\n"), piece(5, "34\n")]
        );
    }

    #[test]
    fn a_puzzle_without_rows_is_empty() {
        let mut cut = Sections::default();
        let line = |number, text: &str| Line { number, text: text.to_owned() };
        assert_eq!(cut.line(line(1, "[Puzzle]")), None);
        let piece = cut.line(line(2, "[State]")).unwrap();
        assert_eq!((piece.text, piece.at.line), (Err(Fault::Empty), 1));
    }
}
