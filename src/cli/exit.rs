//! Exit codes, and errors in one sentence.

use std::process::ExitCode;

use super::color;
use crate::util::sanitize::line;

/// Characters of a sentence, of which others may have written a part.
pub const LONGEST: usize = 4_000;

/// How the command ends. Of several puzzles the highest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Done; what was asked for is so.
    Done = 0,
    /// Budget spent without a solution, no solution after all, or a mismatch.
    Not = 1,
    /// Bad usage, bad input, or a failure.
    Failure = 2,
    /// Interrupted by the user.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Prints an error and its causes on one line of stderr.
pub fn print_error(error: &anyhow::Error) {
    let sentence = line(&format!("{error:#}"), LONGEST);
    color::write_aside(color::ERROR, "evodoku:", &sentence);
}
