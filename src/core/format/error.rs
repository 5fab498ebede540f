//! Errors of reading puzzles, each one sentence: `puzzle.txt: 80 cells; the nearest board is 9x9 with 81 cells`.

use std::{fmt, io};

use thiserror::Error;

/// A position in a text, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// Line.
    pub line: usize,
    /// Character within the line.
    pub column: usize,
}

impl TextPosition {
    /// Where a text starts that is no part of another.
    pub(super) const START: Self = Self { line: 1, column: 1 };
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} column {}", self.line, self.column)
    }
}

/// An error in a puzzle's text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{problem}", at.map(|at| format!("{at}: ")).unwrap_or_default())]
pub struct ParseError {
    /// Its position in the whole text, if it has one.
    pub at: Option<TextPosition>,
    /// The problem and what is expected, one sentence without a full stop.
    pub problem: String,
    /// The character, if it is one that no cell, blank or frame uses.
    pub(super) unknown: Option<char>,
}

impl ParseError {
    /// An error without a position.
    pub(super) fn new(problem: impl Into<String>) -> Self {
        Self { at: None, problem: problem.into(), unknown: None }
    }

    /// An error at a position.
    pub(super) fn at(at: TextPosition, problem: impl Into<String>) -> Self {
        Self { at: Some(at), ..Self::new(problem) }
    }

    /// Only blank space, comments and frames.
    pub(super) fn empty() -> Self {
        Self::new("the text has no cells")
    }

    /// A character that no cell, blank or frame uses.
    pub(super) fn character(at: TextPosition, found: char) -> Self {
        let problem = format!("unexpected character {found:?}; a blank is a single . 0 _ * ? or x");
        Self { unknown: Some(found), ..Self::at(at, problem) }
    }
}

/// A text that is not a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name}: {}{error}", puzzle.map(|number| format!("puzzle {number}, ")).unwrap_or_default())]
pub struct FormatError {
    /// The name of the text.
    pub name: String,
    /// The number of the puzzle, from 1, if the text holds several.
    pub puzzle: Option<usize>,
    /// The error. If the text holds several puzzles it has a position, at least that of the puzzle.
    pub error: ParseError,
}

/// Why an argument cannot be read as a puzzle: `'foo' is not a file, a shipped puzzle or a grid`.
#[derive(Debug, Error)]
pub enum InputError {
    /// The argument names nothing known.
    #[error(
        "'{argument}' is not a file, a shipped puzzle{} or a grid",
        nearest.as_ref().map(|name| format!(" (did you mean {name}?)")).unwrap_or_default()
    )]
    Unknown {
        /// The argument, shortened when very long.
        argument: String,
        /// The most similar shipped name.
        nearest: Option<String>,
    },
    /// The operating system reported an error.
    #[error("cannot read {label}: {error}")]
    Unreadable {
        /// Path, or `stdin`.
        label: String,
        /// Its message.
        error: io::Error,
    },
    /// The argument is a directory, of this path.
    #[error("{0} is a directory, not a puzzle")]
    Directory(String),
    /// The bytes of this path, or of `stdin`, are packed.
    #[error("{0} is packed with gzip: unpack it with gunzip first")]
    Packed(String),
    /// The bytes are not UTF-8 text.
    #[error("{label} is not UTF-8 text (at byte {byte})")]
    Encoding {
        /// Path, or `stdin`.
        label: String,
        /// Position of the first invalid byte, from 1.
        byte: usize,
    },
    /// The text is not a puzzle.
    #[error(transparent)]
    Format(#[from] FormatError),
}
