//! The cells of one line, counted both as words and as characters.
//!
//! `12 3.` may be two numbers or four cells of one character; the neighbouring lines show which.

use super::Options;
use super::grid_parser::is_board;
use super::record::{content, has_cells};
use super::tokenizer::{FRAMES, Token, words};
use crate::board::Geometry;

/// The cells of a line, counted in both ways.
#[derive(Clone, Debug)]
pub(super) struct LineStats {
    /// Runs of characters between blanks and frames.
    pub words: usize,
    /// Characters.
    pub characters: usize,
    /// The largest number among the words.
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
        let barred = text.contains('|');
        let digit = text.chars().filter_map(|c| c.to_digit(10)).max().unwrap_or(0) as usize;
        if let Ok(words) = words(line) {
            let number = |word: &Token| word.number().map_or(usize::MAX, usize::from);
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
        let runs = || text.split(|c: char| c.is_whitespace() || FRAMES.contains(c));
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
    pub fn is_puzzle(&self, options: &Options) -> bool {
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

    /// Whether this line alone shows that it is one of a list.
    pub fn is_plain_puzzle(&self, options: &Options) -> bool {
        let row = options.alphabet.is_some() || !self.letters;
        row && self.words == 1 && self.is_puzzle(options)
    }
}
