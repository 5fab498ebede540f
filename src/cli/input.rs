//! Flags that say how puzzles are read, and the remark on what was not certain.

use std::ffi::OsString;

use anyhow::Result;
use clap::Args;

use super::interruptible_reader::InterruptibleReader;
use super::output::Logger;
use crate::board::Geometry;
use crate::format::{
    Alphabet, Options, Origin, ParsedPuzzle, PuzzleReader, SourceError, TextSource,
};
use crate::util::interrupt::INTERRUPT;

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
    /// As they stand in a checkpoint.
    ///
    /// # Errors
    /// When they are no such flags.
    pub fn of(shape: Option<&str>, alphabet: Option<&str>) -> Result<Self> {
        let shape = shape.map(str::parse).transpose()?;
        Ok(Self { shape, alphabet: alphabet.map(str::parse).transpose()? })
    }

    /// The flags as the reader takes them.
    pub fn options(&self) -> Options {
        Options { shape: self.shape, alphabet: self.alphabet.clone() }
    }

    /// Every puzzle of every argument, one read at a time; what is wrong with an argument or a
    /// puzzle keeps no other away. They end when the user wants the end, whatever is still to come.
    pub fn readings(&self, arguments: &[OsString]) -> impl Iterator<Item = Result<ParsedPuzzle>> {
        let options = self.options();
        arguments.iter().flat_map(move |argument| {
            let (puzzles, fault) = match awaited(argument, &options) {
                Ok(puzzles) => (Some(puzzles), None),
                Err(error) => (None, Some(Err(error.into()))),
            };
            let readings = puzzles.into_iter().flatten().map(|reading| Ok(reading?));
            fault.into_iter().chain(readings).take_while(|_| !INTERRUPT.asked())
        })
    }
}

/// The puzzles that an argument stands for. What may be long in coming ends with an interrupt.
fn awaited(argument: &OsString, options: &Options) -> Result<PuzzleReader<'static>, SourceError> {
    let mut source = TextSource::open(argument)?;
    if matches!(source.origin, Origin::Stdin | Origin::Pipe) {
        source.reader = Box::new(InterruptibleReader::new(source.reader));
    }
    Ok(source.puzzles(options))
}

/// Says which boxes were taken where others would have fitted.
pub fn say_shape(reading: &ParsedPuzzle, notes: Logger) {
    if let Some(other) = reading.others.first() {
        notes.say(&format!(
            "{}: taking boxes of {}; --box {other} would fit as well",
            reading.puzzle.name, reading.puzzle.geometry
        ));
    }
}
