//! Errors in a puzzle's text, each one sentence: `puzzle.txt: 80 cells; the nearest board
//! is 9x9 with 81 cells`.

use std::fmt;

use thiserror::Error;

use super::DIGIT_SIDE;
use super::line_lengths::LineLengths;
use super::line_reader::MAX_BYTES;
use crate::board::{Geometry, MAX_SIDE};
use crate::util::named_enum::one_of;
use crate::util::plural::noun;

/// A text that is not a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name}: {}{fault}", shown(.which, .fault))]
pub struct FormatError {
    /// The name of the text.
    pub name: String,
    /// The puzzle concerned, if the text holds several.
    pub which: Option<PuzzleIndex>,
    /// The error; boxed, since it is returned through every reader.
    pub fault: Box<ParseError>,
}

/// One of several puzzles of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleIndex {
    /// Its number, from 1.
    pub number: usize,
    /// Its position in the text.
    pub at: TextPosition,
}

/// `puzzle 3, `, with the puzzle's position where the error has none.
fn shown(which: &Option<PuzzleIndex>, fault: &ParseError) -> String {
    match which {
        None => String::new(),
        Some(which) if fault.at().is_some() => format!("puzzle {}, ", which.number),
        Some(which) => format!("puzzle {}, {}: ", which.number, which.at),
    }
}

/// An error in a puzzle's text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// No cells, only blank space, comments and frames.
    #[error("the text has no cells")]
    Empty,
    /// A character that no cell, blank or frame uses.
    #[error("{at}: unknown character {character:?}; a blank is . 0 _ * or x")]
    Character {
        /// Its position.
        at: TextPosition,
        /// The character.
        character: char,
    },
    /// A negative number other than -1, which is a blank.
    #[error("{at}: {value} is not a value; the only number below 0 allowed is -1, for a blank")]
    Negative {
        /// Its position.
        at: TextPosition,
        /// The number as written.
        value: String,
    },
    /// A value above the side.
    #[error("{at}: the value {value} is above the side, which is {side}")]
    Value {
        /// Its position.
        at: TextPosition,
        /// The value as written, shortened when very long.
        value: String,
        /// Side of the board.
        side: usize,
    },
    /// A number of cells that is not a square.
    #[error(
        "{}{}; the nearest board is {nearest}x{nearest} with {} cells",
        count(*cells), in_lines(.lines), nearest * nearest
    )]
    Count {
        /// Cells found.
        cells: usize,
        /// How the cells are distributed over lines, if that helps to find the error.
        lines: Option<LineLengths>,
        /// Side of the board of such lines, or of the board with the nearest number of cells.
        nearest: usize,
    },
    /// A square number of cells whose side is not a product of two numbers from 2.
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
    /// A number of cells that does not fit the box shape requested.
    #[error("{}, but a board with boxes of {shape} has {} cells", count(*cells), shape.cells())]
    Shape {
        /// Cells found.
        cells: usize,
        /// Shape requested.
        shape: Geometry,
    },
    /// Letters that may stand for several values.
    #[error(
        "{at}: {character:?} may stand for more than one value of a board of side {side}; list the characters of its values with --alphabet{}", said(.choices)
    )]
    Alphabet {
        /// The position of the first letter.
        at: TextPosition,
        /// The letter.
        character: char,
        /// Side of the board.
        side: usize,
        /// Alphabets that contain all characters of the text.
        choices: Vec<String>,
    },
    /// An alphabet and a box shape with different sides.
    #[error(
        "an alphabet of {characters} characters makes a board of side {characters}, but boxes of {shape} make one of side {}", shape.side()
    )]
    AlphabetShape {
        /// Number of its characters.
        characters: usize,
        /// Shape requested.
        shape: Geometry,
    },
    /// The first number of an instance file is not a valid order (rows of a box).
    #[error("{at}: the order {order} is not from 2 to {most}")]
    Order {
        /// Its position.
        at: TextPosition,
        /// The number as written, shortened when very long.
        order: String,
        /// The largest order.
        most: usize,
    },
    /// The number of values differs from what the order of an instance file requires.
    #[error("{found} {}, but a board of order {order} has {wanted}", noun(*found as u64, "value"))]
    Values {
        /// Values found.
        found: usize,
        /// Side of a box.
        order: usize,
        /// Cells of the board.
        wanted: usize,
    },
    /// Malformed XML.
    #[error("{at}: the XML is broken: {problem}")]
    Xml {
        /// Where the malformed part starts.
        at: TextPosition,
        /// The parser's message.
        problem: String,
    },
    /// XML whose root element is not `<opensudoku>`.
    #[error("{at}: the first element is <{name}>, not <opensudoku>")]
    Root {
        /// Where it starts.
        at: TextPosition,
        /// Its name.
        name: String,
    },
    /// A `<game>` without cells.
    #[error("{at}: this <game> has no data attribute")]
    NoData {
        /// Where it starts.
        at: TextPosition,
    },
    /// More than one puzzle where one is expected.
    #[error("{count} puzzles, where one is wanted")]
    Several {
        /// Number of puzzles.
        count: usize,
    },
    /// A text that is too long for a puzzle.
    #[error("more than {} MiB, which no puzzle takes", MAX_BYTES >> 20)]
    Long,
}

impl ParseError {
    /// The position of the error, if it has one.
    pub fn at(&self) -> Option<TextPosition> {
        self.clone().at_mut().copied()
    }

    /// The error of a text that starts at `start` of another, with its position in the other.
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

/// `, 8 lines of 9`, or an empty text.
fn in_lines(lines: &Option<LineLengths>) -> String {
    lines.map(|lines| format!(", {lines}")).unwrap_or_default()
}

/// ` 0123, 1234 or ABCD`, or an empty text.
fn said(choices: &[String]) -> String {
    if choices.is_empty() { String::new() } else { format!(" {}", one_of(choices)) }
}

/// A position in a text, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// Line.
    pub line: usize,
    /// Character within the line.
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
