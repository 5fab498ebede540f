//! The evidence for a format: the first lines of a text, and the cells of each of them.
//!
//! Properties that all formats use are computed here once: whether the lines are a list of puzzles (at
//! least two, at least half of them with all cells of a board), or blocks of as many rows as
//! columns, each a puzzle. Sixteen lines of sixteen numbers are a 16x16 board and not sixteen 4x4
//! ones; `--box 2x2` overrides this. The cells of a line are counted both as numbers and as characters:
//! `12 3.` may be two numbers or four cells of one character; the neighbouring lines show which.

use super::grid_parser::Options;
use super::records::{PerBlock, RecordSplitter};
use super::shape::is_board;
use super::text::{TextLine, content};
use super::tokens::{FRAMES, Token, has_cells, tokens};
use super::{DIGIT_SIDE, TextPosition};
use crate::board::Geometry;

/// A text of some format.
pub(super) struct Detection {
    /// Whether it has marks that no other format uses. Without, only the layout of the cells is evidence.
    pub has_marks: bool,
    /// Splits it into puzzles.
    pub splitter: Box<dyn RecordSplitter>,
}

impl Detection {
    /// By marks that no other format uses.
    pub fn by_marks(splitter: impl RecordSplitter + 'static) -> Self {
        Self { has_marks: true, splitter: Box::new(splitter) }
    }

    /// By how the cells are laid out.
    pub fn by_layout(splitter: impl RecordSplitter + 'static) -> Self {
        Self { has_marks: false, splitter: Box::new(splitter) }
    }

    /// As rows of cells, which have no marks of their own.
    pub fn rows(head: &DetectionHead) -> Self {
        Self::by_layout(PerBlock { splits: head.has_blocks, ..PerBlock::default() })
    }
}

/// The first lines of a text.
pub(super) struct DetectionHead<'a> {
    lines: &'a [TextLine],
    /// Whether these lines are the whole text.
    pub is_complete: bool,
    /// The lines that hold cells.
    pub rows: Vec<LineStats>,
    /// Whether at least half of the lines, and at least two, could be puzzles.
    pub has_puzzle_lines: bool,
    /// Whether each line is a puzzle.
    pub is_list: bool,
    /// Whether the blocks between empty lines are puzzles.
    pub has_blocks: bool,
}

impl<'a> DetectionHead<'a> {
    /// These lines; `is_complete` if they are the whole text.
    pub fn new(lines: &'a [TextLine], is_complete: bool, options: &Options) -> Self {
        let blocks = blocks(lines);
        let rows: Vec<LineStats> = blocks.concat();
        // The last block of a text that continues may be incomplete.
        let whole =
            if is_complete { &blocks[..] } else { &blocks[..blocks.len().saturating_sub(1)] };
        let squares = whole.iter().filter(|block| is_square(block, options)).count();
        let is_square = squares > 0 && squares * 2 >= whole.len();
        let puzzles = rows.iter().filter(|row| row.is_puzzle(options)).count();
        let has_puzzle_lines = rows.len() > 1 && puzzles > 0 && puzzles * 2 >= rows.len();
        Self {
            lines,
            is_complete,
            rows,
            has_puzzle_lines,
            is_list: has_puzzle_lines && !is_square,
            has_blocks: is_square && !(whole.len() == 1 && is_complete),
        }
    }

    /// The lines, without their ends.
    pub fn lines(&self) -> impl Iterator<Item = &'a str> {
        self.lines.iter().map(|line| line.text.as_str())
    }

    /// Whether each line of cells is one token.
    pub fn has_single_tokens(&self) -> bool {
        self.rows.iter().all(|row| row.tokens == 1)
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
        && (block.iter().all(|row| row.tokens == side)
            || characters && block.iter().all(|row| row.characters == side))
}

/// The cells of a line, counted in both ways.
#[derive(Clone, Debug)]
pub(super) struct LineStats {
    /// Runs of characters between blanks and frames.
    pub tokens: usize,
    /// Characters.
    pub characters: usize,
    /// The largest number among the tokens.
    highest: usize,
    /// The largest digit.
    digit: usize,
    /// Whether there is anything but digits and points.
    pub letters: bool,
    /// Whether there is a frame.
    pub barred: bool,
    /// The first number.
    pub first: usize,
}

impl LineStats {
    /// `None` for a line without cells.
    pub fn of(line: &str) -> Option<Self> {
        if !has_cells(line) {
            return None;
        }
        let text = content(line);
        let runs = text.split(|c: char| c.is_whitespace() || FRAMES.contains(c));
        let mut stats = Self {
            tokens: runs.clone().filter(|run| !run.is_empty()).count(),
            characters: runs.map(|run| run.chars().count()).sum(),
            highest: 0,
            digit: 0,
            letters: true,
            barred: text.contains('|'),
            first: 0,
        };
        if let Ok(tokens) = tokens(line, TextPosition::START) {
            let number = |token: &Token| token.number().map_or(usize::MAX, usize::from);
            stats.letters = false;
            stats.tokens = tokens.len();
            stats.characters = tokens.iter().map(|token| token.characters()).sum();
            stats.highest = tokens.iter().map(number).max().unwrap_or(0);
            stats.digit = text.chars().filter_map(|c| c.to_digit(10)).max().unwrap_or(0) as usize;
            stats.first = tokens.first().map_or(0, number);
        }
        Some(stats)
    }

    /// Whether it holds all cells of a board.
    pub fn is_puzzle(&self, options: &Options) -> bool {
        let board = |cells: usize, highest: usize| is_board(cells) && highest <= cells.isqrt();
        if self.barred {
            return false;
        }
        if let Some(alphabet) = &options.alphabet {
            return self.characters == alphabet.side() * alphabet.side();
        }
        let row = options.shape.map_or(0, Geometry::side);
        let numbers = self.tokens > 1 && self.tokens != row && board(self.tokens, self.highest);
        numbers || self.characters != row && board(self.characters, self.digit)
    }

    /// Whether this line alone shows that it is one of a list.
    pub fn is_plain_puzzle(&self, options: &Options) -> bool {
        let row = options.alphabet.is_some() || !self.letters;
        row && self.tokens == 1 && self.is_puzzle(options)
    }
}
