//! Lines to cells: the second stage of reading.
//!
//! What a character means depends on the line: in `53-|-7-` a dash may be a blank or a frame, in `10 11` a
//! digit is half a number. So a line is cut under an assumption, a [`Cut`], and the layout tells which of
//! them fits all lines: `5 3 | - 7` has four words, `53|-7` four characters with dashes, three without.

use super::text::{TextLine, content};
use super::{Alphabet, FEWEST_CELLS, TextPosition};

/// Characters that are blanks, besides `0` and, where it is no frame, `-`.
pub(super) const BLANKS: &str = "._*xX?";

/// Words for nothing in arrays and tables, in lower case.
const NOTHING: [&str; 4] = ["null", "none", "nan", "na"];

/// The part of a line that is one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellText<'a> {
    /// As written; nothing for an empty field.
    pub text: &'a str,
    /// Where it starts.
    pub at: TextPosition,
}

impl CellText<'_> {
    /// The column after its last character.
    pub fn end(&self) -> usize {
        self.at.column + self.text.chars().count()
    }

    /// The cell for an error text: at most some twenty characters.
    pub fn shortened(&self) -> String {
        const LONGEST: usize = 20;
        let start: String = self.text.chars().take(LONGEST).collect();
        if start.len() < self.text.len() { start + "..." } else { start }
    }
}

/// How a line is cut into cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// Words: `5 3 - 10`. A dash alone is a blank, as `-1` is.
    Words,
    /// Words between which dashes are frames: `10-11`.
    FramedWords,
    /// Characters, between which dashes are frames: `53.-.7.`.
    Characters,
    /// Characters, dashes among them: `53--7`.
    Dashes,
    /// Whatever is between two of these characters, be it nothing: `5,3,,7`.
    Fields(char),
    /// The same, but several of these characters are one: `||5|| ||`.
    BarredFields,
}

/// What a line holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// Nothing but blank space, or a comment.
    Empty { comment: bool },
    /// The side of a frame: `+---+---+`. It may be a row of blanks: `---------`.
    Rule,
    /// Words: `Grid 01`.
    Text,
    /// Cells.
    Cells,
}

/// What the characters of a text may mean.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Symbols<'a> {
    /// The values of characters, if they were named.
    pub alphabet: Option<&'a Alphabet>,
    /// Whether characters that are rarely frames are cells, of which none is valid.
    pub unusual: bool,
}

impl Symbols<'_> {
    /// Whether a character may be a cell or a part of one; a dash is asked for apart.
    pub fn is_cell(self, c: char) -> bool {
        c.is_alphanumeric()
            || BLANKS.contains(c)
            || self.alphabet.is_some_and(|alphabet| alphabet.value(c).is_some())
            || self.unusual && !is_usual(c)
    }

    /// The first character of a line that is no cell, no blank space and rarely a frame.
    pub fn unusual(self, line: &str) -> Option<char> {
        content(line).chars().find(|c| !self.is_cell(*c) && !is_usual(*c))
    }

    /// What a line holds.
    pub fn kind(self, line: &str) -> LineKind {
        let text = content(line);
        if text.trim().is_empty() {
            // Of three tabs the four fields are blanks.
            let fields = text.matches('\t').count() > 2;
            let comment = text.len() < line.len();
            return if fields { LineKind::Cells } else { LineKind::Empty { comment } };
        }
        if text.trim_start().starts_with("```") {
            return LineKind::Empty { comment: false };
        }
        if self.is_rule(text) {
            return LineKind::Rule;
        }
        if is_title(text) {
            return LineKind::Text;
        }
        let is_letter = |c: char| c.is_alphabetic() && !BLANKS.contains(c);
        let count = |is: &dyn Fn(char) -> bool| text.chars().filter(|c| is(*c)).count();
        let words = text.split(|c: char| c.is_whitespace() || is_usual(c) && c != '-');
        let letters = count(&is_letter);
        // A word for nothing is a cell of a row, but among fewer words it may be a title.
        let is_row = letters > 0 && words.clone().filter(|word| !word.is_empty()).nth(3).is_some();
        let words = words.filter(|word| !(is_row && is_blank(word)));
        let is_long = |word: &str| word.chars().count() > 2 && word.chars().all(is_letter);
        // With an alphabet a word may be a row: then the number of its characters decides.
        let in_alphabet = self.alphabet.is_some_and(|alphabet| {
            let cells = count(&|c| !c.is_whitespace() && (self.is_cell(c) || c == '-'));
            cells == alphabet.side() || cells == alphabet.shape.cells()
        });
        let cells = count(&|c: char| c.is_ascii_digit() || ".-_*".contains(c));
        let is_small = |word: &str| word.chars().take_while(char::is_ascii_lowercase).count() > 2;
        let has_word =
            || words.clone().any(|word| word.split(|c: char| !c.is_alphabetic()).any(is_small));
        let is_text = !in_alphabet
            && (words.clone().any(is_long) && cells < FEWEST_CELLS
                || letters > cells && has_word());
        if is_text { LineKind::Text } else { LineKind::Cells }
    }

    /// Whether a line may be the side of a frame, of any characters: `+---+`, `.---.`, `:===:`, `╟───┼───╢`.
    fn is_rule(self, text: &str) -> bool {
        let is_side = |c: char| "-=~_^*─━┄┅┈┉╌╍═".contains(c);
        text.contains(is_side)
            && !text.contains(|c: char| self.alphabet.is_some_and(|all| all.is_value(c)))
            && text.chars().all(|c| !c.is_alphanumeric() && c != '?' || "oO".contains(c))
            && (text.contains(|c: char| is_side(c) && !"_*".contains(c)) || !text.contains('.'))
    }

    /// The cells of a line; nothing where the line cannot be cut so.
    pub fn cells<'a>(self, line: &'a TextLine, cut: Cut) -> Option<Vec<CellText<'a>>> {
        match cut {
            Cut::Words | Cut::FramedWords => {
                let words = self.runs(line, cut == Cut::Words);
                // Dashes are signs or stand alone.
                let fits = |word: &CellText| word.text.rfind('-').is_none_or(|at| at == 0);
                words.iter().all(fits).then_some(words)
            }
            Cut::Characters | Cut::Dashes => {
                let words = self.runs(line, cut == Cut::Dashes);
                Some(words.into_iter().flat_map(|word| split(word, cut == Cut::Dashes)).collect())
            }
            Cut::Fields(separator) => Some(fields(line, |c| c == separator, false)),
            Cut::BarredFields => Some(fields(line, is_bar, true)),
        }
    }

    /// The runs of characters that are cells, dashes among them if `dashes` says so. A dash is also the sign of a
    /// number before which there is blank space or a bar.
    fn runs<'a>(self, line: &'a TextLine, dashes: bool) -> Vec<CellText<'a>> {
        let text = content(&line.text);
        let mut runs = Vec::new();
        // Byte and column of the run's start.
        let mut open: Option<(usize, usize)> = None;
        let mut before = ' ';
        let cell = |(start, column): (usize, usize), end: usize| CellText {
            text: &text[start..end],
            at: line.at(column),
        };
        for (column, (byte, c)) in text.char_indices().enumerate() {
            let signs = || {
                let rest = text[byte + 1..].trim_start_matches(|c: char| c.is_ascii_digit());
                let digits = text.len() - byte - 1 - rest.len();
                digits > 0
                    && !before.is_alphanumeric()
                    && !"-.".contains(before)
                    && !rest.starts_with(|c: char| c == '-' || self.is_cell(c))
            };
            if self.is_cell(c) || c == '-' && (dashes || signs()) {
                open.get_or_insert((byte, column));
            } else if let Some(start) = open.take() {
                runs.push(cell(start, byte));
            }
            before = c;
        }
        runs.extend(open.map(|start| cell(start, text.len())));
        runs
    }
}

/// The characters of a word, each a cell; a number below 0 is one cell unless dashes are cells.
fn split(word: CellText<'_>, dashes: bool) -> impl Iterator<Item = CellText<'_>> {
    let whole = !dashes && word.text.starts_with('-');
    let first = whole.then_some(word);
    let rest = if whole { "" } else { word.text };
    let character = move |(index, (byte, c)): (usize, (usize, char))| CellText {
        text: &rest[byte..byte + c.len_utf8()],
        at: TextPosition { column: word.at.column + index, ..word.at },
    };
    first.into_iter().chain(rest.char_indices().enumerate().map(character))
}

/// What is between separators, without blank space, quotation marks and brackets around it. What stands outside the
/// outermost ones is no field if these are bars; several separators next to each other are one if `merged`.
fn fields(line: &TextLine, separates: impl Fn(char) -> bool, merged: bool) -> Vec<CellText<'_>> {
    let text = content(&line.text);
    let bars = text.contains(|c| separates(c) && is_bar(c));
    let last = text.matches(&separates).count();
    let mut fields = Vec::new();
    let mut column = 0;
    for (index, field) in text.split(&separates).enumerate() {
        let is_edge = |c: char| c.is_whitespace() || "\"'()[]{}".contains(c);
        let before = field.chars().take_while(|c| is_edge(*c)).count();
        let inner = field.trim_matches(is_edge);
        // As tables of numbers with gaps are written.
        let inner = inner.strip_suffix(".0").filter(|whole| !whole.is_empty()).unwrap_or(inner);
        let is_outer = bars && inner.is_empty() && [0, last].contains(&index);
        if !(is_outer || merged && field.is_empty()) {
            fields.push(CellText { text: inner, at: line.at(column + before) });
        }
        column += field.chars().count() + 1;
    }
    fields
}

/// Whether a text is a blank, other than `0`.
pub(super) fn is_blank(text: &str) -> bool {
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (None, _) => true,
        (Some(c), None) => c == '-' || BLANKS.contains(c),
        _ => text == "-1" || NOTHING.iter().any(|word| text.eq_ignore_ascii_case(word)),
    }
}

/// Whether a line is the title of a puzzle: `3:`, `(3)`, `1/3`, `=== 3 ===`, a rating as `7.1/1.2/1.2`, a date as
/// `2024-05-01`.
fn is_title(text: &str) -> bool {
    const LONGEST: usize = 16;
    let text = text.trim();
    let inner = text.trim_matches(|c: char| c == '=' || c.is_whitespace());
    let number = inner.trim_start_matches('(').trim_end_matches([')', ':']);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // Four parts may be a row.
    let is_ratio = || {
        text.split('/').count() < 4 && text.split('/').all(|part| digits(&part.replace('.', "")))
    };
    let date: Vec<&str> = text.split('-').collect();
    text.len() <= LONGEST
        && (number.len() < text.len() && digits(number)
            || text.contains('/') && is_ratio()
            || date.iter().map(|part| part.len()).eq([4, 2, 2])
                && date.iter().all(|part| digits(part)))
}

/// Whether a character that is no cell is blank space or often a frame.
fn is_usual(c: char) -> bool {
    is_bar(c) || c.is_whitespace() || "-+,;:/\\'\"()[]{}=".contains(c)
}

/// Whether a character is a bar between cells.
pub(super) fn is_bar(c: char) -> bool {
    matches!(c, '|' | '!' | '¦' | '│' | '┃' | '┆' | '┇' | '┊' | '┋' | '╎' | '╏' | '║')
}
