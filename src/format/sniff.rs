//! Which format a text is in, and how it is cut into puzzles, by its first 64 KiB.
//!
//! | what is seen | format |
//! |---|---|
//! | `[Puzzle]` or another name in brackets, or a first line like `#ARuud` | `.sdk` |
//! | a line of `*---*` | Simple Sudoku |
//! | one number from 2 to 8, one number, then the cells | Lloyd and Amos |
//! | blocks of as many rows as columns | grid text, each block a puzzle |
//! | at least two lines, most of them with all cells of a board | a list, each line a puzzle |
//! | anything else | grid text, one puzzle |
//!
//! Sixteen lines of sixteen numbers are a 16x16 board and not sixteen 4x4 ones; `--box 2x2` says
//! otherwise. XML is recognised before, by its first character.

use super::grid::is_board;
use super::lines::Line;
use super::piece::{Blocks, Cut, EachLine, content, has_cells};
use super::words::words;
use super::{Format, Options, lloyd_amos, sdk, simple_sudoku};
use crate::board::Geometry;

/// What a text is.
pub(super) struct Kind {
    /// The format.
    pub format: Format,
    /// What cuts it.
    pub cut: Box<dyn Cut>,
    /// Whether a line is a puzzle.
    pub list: bool,
}

/// The cells of a line, counted in both ways.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Runs of characters between blanks and frames.
    words: usize,
    /// Characters.
    characters: usize,
    /// The largest number that a word is.
    highest: usize,
    /// The largest digit.
    digit: usize,
    /// Whether there is anything but digits and points.
    letters: bool,
    /// Whether there is a frame.
    barred: bool,
    /// The first number.
    first: usize,
}

impl Row {
    /// None for a line without cells.
    pub fn of(line: &str) -> Option<Self> {
        if !has_cells(line) {
            return None;
        }
        let text = content(line);
        let barred = text.contains('|');
        let digit = text.chars().filter_map(|c| c.to_digit(10)).max().unwrap_or(0) as usize;
        if let Ok(words) = words(line) {
            let number = |word: &super::words::Word| word.number().map_or(usize::MAX, usize::from);
            return Some(Self {
                words: words.len(),
                characters: words.iter().map(|word| word.characters()).sum(),
                highest: words.iter().map(number).max().unwrap_or(0),
                digit,
                letters: false,
                barred,
                first: words.first().map_or(0, number),
            });
        }
        let runs = || text.split(|c: char| c.is_whitespace() || "|-+".contains(c));
        Some(Self {
            words: runs().filter(|run| !run.is_empty()).count(),
            characters: runs().map(|run| run.chars().count()).sum(),
            highest: 0,
            digit: 0,
            letters: true,
            barred,
            first: 0,
        })
    }

    /// Whether it holds all cells of a board.
    fn is_puzzle(&self, options: &Options) -> bool {
        let board = |cells: usize, highest: usize| is_board(cells) && highest <= cells.isqrt();
        if self.barred {
            return false;
        }
        if let Some(alphabet) = &options.alphabet {
            return self.characters == alphabet.side() * alphabet.side();
        }
        let row = options.shape.map_or(0, Geometry::side);
        let numbers = self.words > 1 && self.words != row && board(self.words, self.highest);
        numbers || self.characters != row && board(self.characters, self.digit)
    }

    /// Whether no other line has to be seen to tell that it is one of a list.
    pub fn is_plain_puzzle(&self, options: &Options) -> bool {
        let row = options.alphabet.is_some() || !self.letters;
        row && self.words == 1 && self.is_puzzle(options)
    }
}

/// What the text is that starts with these lines, `complete` where they are all.
pub(super) fn kind(lines: &[Line], complete: bool, options: &Options) -> Kind {
    let kind = |format, cut| Kind { format, cut, list: false };
    let mut texts = lines.iter().map(|line| line.text.as_str());
    let first = texts.clone().find(|text| !text.trim().is_empty()).unwrap_or_default();
    if sdk::tag(first).is_some() || texts.clone().any(|text| sdk::section(text).is_some()) {
        let rows: Vec<Row> = texts.clone().filter_map(Row::of).collect();
        // A list may open with a comment that looks like a remark.
        if texts.clone().any(|text| sdk::section(text).is_some()) || !is_list(&rows, options) {
            return kind(Format::Sdk, Box::<sdk::Sections>::default());
        }
    }
    if texts.any(simple_sudoku::is_frame) {
        return kind(Format::SimpleSudoku, Box::<simple_sudoku::Frames>::default());
    }
    let blocks = blocks(lines);
    let rows: Vec<Row> = blocks.concat();
    if is_instance(&rows, complete) {
        return kind(Format::LloydAmos, Box::<lloyd_amos::Instances>::default());
    }
    // The last block of a text that goes on may be cut short.
    let whole = if complete { &blocks[..] } else { &blocks[..blocks.len().saturating_sub(1)] };
    let squares = whole.iter().filter(|block| is_square(block, options)).count();
    let square = squares > 0 && squares * 2 >= whole.len();
    if !square && is_list(&rows, options) {
        let plain = rows.iter().all(|row| row.words == 1);
        let format = if plain { Format::Sdm } else { Format::Line };
        return Kind { format, cut: Box::new(EachLine), list: true };
    }
    let one = !square || whole.len() == 1 && complete;
    kind(layout(lines, &rows), Box::new(Blocks::new(one)))
}

/// The rows between empty lines.
fn blocks(lines: &[Line]) -> Vec<Vec<Row>> {
    let mut blocks = vec![Vec::new()];
    for line in lines {
        if line.text.trim().is_empty() {
            blocks.push(Vec::new());
        } else if let (Some(block), Some(row)) = (blocks.last_mut(), Row::of(&line.text)) {
            block.push(row);
        }
    }
    blocks.retain(|block| !block.is_empty());
    blocks
}

/// As many rows as columns.
fn is_square(block: &[Row], options: &Options) -> bool {
    let side = block.len();
    let alphabet = options.alphabet.as_ref().is_some_and(|alphabet| alphabet.side() == side);
    let characters = side <= super::DIGIT_SIDE || alphabet || block.iter().any(|row| row.letters);
    let list = options.shape.is_some_and(|shape| shape.cells() == side);
    Geometry::squarest(side).is_some()
        && !list
        && (block.iter().all(|row| row.words == side)
            || characters && block.iter().all(|row| row.characters == side))
}

/// At least two lines, at least half of them puzzles.
fn is_list(rows: &[Row], options: &Options) -> bool {
    let puzzles = rows.iter().filter(|row| row.is_puzzle(options)).count();
    rows.len() > 1 && puzzles > 0 && puzzles * 2 >= rows.len()
}

/// An order, a number, and cells.
fn is_instance(rows: &[Row], complete: bool) -> bool {
    let numbers: usize = rows.iter().map(|row| row.words).sum();
    let length = rows.first().and_then(|row| lloyd_amos::length(row.first));
    let single = |row: &Row| row.words == 1 && !row.letters;
    let headed = match rows {
        [order, unused, cells, ..] => {
            length.is_some() && single(order) && single(unused) && cells.words > 1
        }
        _ => false,
    };
    headed || complete && length == Some(numbers)
}

/// The name for a text of rows.
fn layout(lines: &[Line], rows: &[Row]) -> Format {
    let barred = rows.iter().any(|row| row.barred);
    let dashes = |line: &Line| {
        let text = line.text.trim();
        text.len() > 2 && text.chars().all(|c| c == '-')
    };
    match rows {
        [_] => Format::Line,
        _ if barred && lines.iter().any(dashes) => Format::SimpleSudoku,
        [first, ..] if !barred && first.words > 1 && is_board(first.words * first.words) => {
            let same = rows.iter().all(|row| row.words == first.words);
            if same { Format::Spaced } else { Format::Grid }
        }
        _ => Format::Grid,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str, options: &Options) -> (Format, bool) {
        let lines: Vec<Line> = text
            .lines()
            .enumerate()
            .map(|(index, text)| Line { number: index + 1, text: text.to_owned() })
            .collect();
        let kind = kind(&lines, true, options);
        (kind.format, kind.list)
    }

    #[test]
    fn formats_are_told_by_what_they_hold() {
        let line = ".".repeat(81);
        let rows = "5 3 0 0 7 0 0 0 0\n".repeat(9);
        for (text, format, list) in [
            (line.clone(), Format::Line, false),
            (format!("# a list\n{line}\n{line}x\n{line}\n"), Format::Sdm, true),
            (format!("{0}\n{0}\n", "0 ".repeat(256)), Format::Line, true),
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
