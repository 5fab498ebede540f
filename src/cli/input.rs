//! Flags that say how puzzles are read, and the remark on what was not certain.

use clap::Args;
use evodoku::board::Geometry;
use evodoku::format::{Alphabet, Options, Reading};

use super::output::Notes;

/// Flags that say how puzzles are read.
#[derive(Debug, Args)]
pub struct InputArgs {
    /// Rows and columns of a box, as in 2x3 (default: the squarest that fits)
    #[arg(long = "box", value_name = "RxC")]
    shape: Option<Geometry>,
    /// Characters of the values 1, 2, ... where each cell is one character, as in
    /// 0123456789ABCDEF; a blank is a point, and 0 where it is no value
    #[arg(long, value_name = "CHARS")]
    alphabet: Option<Alphabet>,
}

impl InputArgs {
    /// The flags as the reader takes them.
    pub fn options(&self) -> Options {
        Options { shape: self.shape, alphabet: self.alphabet.clone() }
    }
}

/// Says which boxes were taken where others would have fitted.
pub fn say_shape(reading: &Reading, notes: Notes) {
    if let Some(other) = reading.others.first() {
        notes.say(&format!(
            "{}: taking boxes of {}; --box {other} would fit as well",
            reading.puzzle.name, reading.puzzle.geometry
        ));
    }
}
