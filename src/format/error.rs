//! What is wrong with a puzzle's text, in one sentence: `puzzle.txt: 80 cells; the nearest board
//! is 9x9 with 81 cells`.

use std::fmt;

use thiserror::Error;

use super::DIGIT_SIDE;
use super::line_lengths::LineLengths;
use super::line_reader::MAX_BYTES;
use crate::board::{Geometry, MAX_SIDE};
use crate::util::named_enum::one_of;
use crate::util::plural::noun;

/// A text that is no puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name}: {}{fault}", shown(.which, .fault))]
pub struct FormatError {
    /// Where the text came from.
    pub name: String,
    /// Which of its puzzles, where it holds several.
    pub which: Option<PuzzleIndex>,
    /// What is wrong with it; boxed, since errors travel through every reader.
    pub fault: Box<ParseError>,
}

/// One of several puzzles of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleIndex {
    /// Its number, from 1.
    pub number: usize,
    /// Where it starts.
    pub at: TextPosition,
}

/// `puzzle 3, `, with the puzzle's place where the fault has none.
fn shown(which: &Option<PuzzleIndex>, fault: &ParseError) -> String {
    match which {
        None => String::new(),
        Some(which) if fault.at().is_some() => format!("puzzle {}, ", which.number),
        Some(which) => format!("puzzle {}, {}: ", which.number, which.at),
    }
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// Nothing but blanks, comments and frames.
    #[error("empty, there is no cell in it")]
    Empty,
    /// A character that no cell, blank or frame uses.
    #[error("{at}: unknown character {character:?}; a blank is . 0 _ * or x")]
    Character {
        /// Where it stands.
        at: TextPosition,
        /// The character.
        character: char,
    },
    /// A number below 0 that is not the blank's -1.
    #[error("{at}: {value} is no value (of the numbers below 0 only -1 is used, for a blank)")]
    Negative {
        /// Where it stands.
        at: TextPosition,
        /// As it is written.
        value: String,
    },
    /// A value that a board of this side has not.
    #[error("{at}: the value {value} is above the side, which is {side}")]
    Value {
        /// Where it stands.
        at: TextPosition,
        /// As it is written, shortened when very long.
        value: String,
        /// Side of the board.
        side: usize,
    },
    /// A number of cells that is no square.
    #[error(
        "{}{}; the nearest board is {nearest}x{nearest} with {} cells",
        count(*cells), in_lines(.lines), nearest * nearest
    )]
    Count {
        /// Cells found.
        cells: usize,
        /// How they lie in lines, where that says something.
        lines: Option<LineLengths>,
        /// Side of the board of such lines, or with the nearest number of cells.
        nearest: usize,
    },
    /// A square, but its side is no product of two numbers from 2.
    #[error(
        "{} would be a board of side {side}, which no box shape has; the nearest board is {nearest}x{nearest} with {} cells",
        count(side * side), nearest * nearest
    )]
    NoShape {
        /// Side that the count gives.
        side: usize,
        /// Side of the board with the nearest number of cells.
        nearest: usize,
    },
    /// A board above [`MAX_SIDE`].
    #[error("{} would be a board of side {side}; the largest side is {MAX_SIDE}", count(side * side))]
    Large {
        /// Side that the count gives.
        side: usize,
    },
    /// A large board written with one character a cell.
    #[error(
        "{cells} characters without blanks between them; a board with a side above {DIGIT_SIDE} is written as numbers separated by blanks, or with --alphabet saying what each character stands for"
    )]
    Compact {
        /// Characters found.
        cells: usize,
    },
    /// A number of cells that does not fit the box shape asked for.
    #[error("{}, but a board with boxes of {shape} has {} cells", count(*cells), shape.cells())]
    Shape {
        /// Cells found.
        cells: usize,
        /// Shape asked for.
        shape: Geometry,
    },
    /// Letters that could stand for other values as well.
    #[error(
        "{at}: {character:?} may stand for more than one value of a board of side {side}; tell the characters of its values with --alphabet{}", said(.choices)
    )]
    Alphabet {
        /// The first of them.
        at: TextPosition,
        /// The letter.
        character: char,
        /// Side of the board.
        side: usize,
        /// Alphabets that have all characters of the text.
        choices: Vec<String>,
    },
    /// An alphabet and boxes of different sides.
    #[error(
        "an alphabet of {characters} characters makes a board of side {characters}, but boxes of {shape} make one of side {}", shape.side()
    )]
    AlphabetShape {
        /// Its characters.
        characters: usize,
        /// Shape asked for.
        shape: Geometry,
    },
    /// The first number of an instance file is no side of a box.
    #[error("{at}: the order {order} is not from 2 to {most}")]
    Order {
        /// Where it stands.
        at: TextPosition,
        /// As it is written, shortened when very long.
        order: String,
        /// The largest order.
        most: usize,
    },
    /// Another number of values than an instance file announces.
    #[error("{found} {}, but a board of order {order} has {wanted}", noun(*found as u64, "value"))]
    Values {
        /// Values found.
        found: usize,
        /// Side of a box.
        order: usize,
        /// Cells of the board.
        wanted: usize,
    },
    /// XML that is none.
    #[error("{at}: the XML is broken: {problem}")]
    Xml {
        /// Where the broken part starts.
        at: TextPosition,
        /// What the parser says.
        problem: String,
    },
    /// XML of another kind.
    #[error("{at}: the first element is <{name}>, not <opensudoku>")]
    Root {
        /// Where it starts.
        at: TextPosition,
        /// Its name.
        name: String,
    },
    /// A game without cells.
    #[error("{at}: this <game> has no data attribute")]
    NoData {
        /// Where it starts.
        at: TextPosition,
    },
    /// More than one puzzle.
    #[error("{count} puzzles, where one is wanted")]
    Several {
        /// How many.
        count: usize,
    },
    /// A text without an end.
    #[error("more than {} MiB, which no puzzle takes", MAX_BYTES >> 20)]
    Long,
}

impl ParseError {
    /// Where it is, if it is at one place.
    pub fn at(&self) -> Option<TextPosition> {
        self.clone().at_mut().copied()
    }

    /// The fault of a text that starts at `start` of another, told in places of that other.
    pub(super) fn moved(mut self, start: TextPosition) -> Self {
        if let Some(at) = self.at_mut() {
            if at.line == 1 {
                at.column += start.column - 1;
            }
            at.line += start.line - 1;
        }
        if let Self::Count { lines: Some(lines), .. } = &mut self {
            *lines = lines.moved(start.line - 1);
        }
        self
    }

    fn at_mut(&mut self) -> Option<&mut TextPosition> {
        match self {
            Self::Character { at, .. }
            | Self::Negative { at, .. }
            | Self::Value { at, .. }
            | Self::Alphabet { at, .. }
            | Self::Order { at, .. }
            | Self::Xml { at, .. }
            | Self::Root { at, .. }
            | Self::NoData { at } => Some(at),
            Self::Empty
            | Self::Count { .. }
            | Self::NoShape { .. }
            | Self::Large { .. }
            | Self::Compact { .. }
            | Self::Shape { .. }
            | Self::AlphabetShape { .. }
            | Self::Values { .. }
            | Self::Several { .. }
            | Self::Long => None,
        }
    }
}

/// `, 8 lines of 9`, or nothing.
fn in_lines(lines: &Option<LineLengths>) -> String {
    lines.map(|lines| format!(", {lines}")).unwrap_or_default()
}

/// ` 0123, 1234 or ABCD`, or nothing.
fn said(choices: &[String]) -> String {
    if choices.is_empty() { String::new() } else { format!(" {}", one_of(choices)) }
}

/// A place in a text, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// Line.
    pub line: usize,
    /// Character of the line.
    pub column: usize,
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} column {}", self.line, self.column)
    }
}

/// `1 cell`, `80 cells`.
fn count(cells: usize) -> String {
    format!("{cells} {}", noun(cells as u64, "cell"))
}
