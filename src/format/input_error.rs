//! Why an argument gives no puzzle: `'foo' is no file, no shipped puzzle and no grid`.

use std::io;

use thiserror::Error;

use super::FormatError;

/// Why there is no text.
#[derive(Debug, Error)]
pub enum SourceError {
    /// The argument means nothing.
    #[error("'{argument}' is no file, no shipped puzzle{} and no grid", did_you_mean(*.nearest))]
    Unknown {
        /// The argument, shortened when very long.
        argument: String,
        /// The shipped name that looks most like it.
        nearest: Option<&'static str>,
    },
    /// The operating system refused.
    #[error("cannot read {label}: {error}")]
    Unreadable {
        /// Path, or `stdin`.
        label: String,
        /// What it said.
        error: io::Error,
    },
    /// A directory has no text.
    #[error("{path} is a directory, not a puzzle")]
    Directory {
        /// Its path.
        path: String,
    },
    /// The bytes are no text.
    #[error("{label} is not UTF-8 text (at byte {byte})")]
    Encoding {
        /// Path, or `stdin`.
        label: String,
        /// First byte that is wrong, from 1.
        byte: usize,
    },
}

/// Why an argument gives no puzzle.
#[derive(Debug, Error)]
pub enum InputError {
    /// There is no text.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The text is no puzzle.
    #[error(transparent)]
    Format(#[from] FormatError),
}

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or(String::new(), |name| format!(" (did you mean {name}?)"))
}
