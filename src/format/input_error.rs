//! Why an argument cannot be read as a puzzle: `'foo' is no file, no shipped puzzle and no grid`.

use std::io;

use thiserror::Error;

use super::FormatError;

/// Why an argument gives no text.
#[derive(Debug, Error)]
pub enum SourceError {
    /// The argument names nothing known.
    #[error("'{argument}' is no file, no shipped puzzle{} and no grid", did_you_mean(*.nearest))]
    Unknown {
        /// The argument, shortened when very long.
        argument: String,
        /// The most similar shipped name.
        nearest: Option<&'static str>,
    },
    /// The operating system reported an error.
    #[error("cannot read {label}: {error}")]
    Unreadable {
        /// Path, or `stdin`.
        label: String,
        /// Its message.
        error: io::Error,
    },
    /// The argument is a directory.
    #[error("{path} is a directory, not a puzzle")]
    Directory {
        /// Its path.
        path: String,
    },
    /// The bytes are not UTF-8 text.
    #[error("{label} is not UTF-8 text (at byte {byte})")]
    Encoding {
        /// Path, or `stdin`.
        label: String,
        /// Position of the first invalid byte, from 1.
        byte: usize,
    },
}

/// Why an argument cannot be read as a puzzle.
#[derive(Debug, Error)]
pub enum InputError {
    /// There is no text.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The text is not a puzzle.
    #[error(transparent)]
    Format(#[from] FormatError),
}

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or(String::new(), |name| format!(" (did you mean {name}?)"))
}
