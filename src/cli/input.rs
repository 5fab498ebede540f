//! Flags that say how puzzles are read, and the message when several box shapes fit.

use std::ffi::{OsStr, OsString};
use std::sync::mpsc::sync_channel;
use std::time::Duration;
use std::{fs, iter, panic, thread};

use anyhow::{Error, Result, anyhow};
use clap::Args;

use super::output::Logger;
use crate::board::Geometry;
use crate::format::{self, Alphabet, InputError, Options, ParsedPuzzle};
use crate::ga::Config;
use crate::util::interrupt::INTERRUPT;

/// Puzzles that are read before they are wanted.
const READ_AHEAD: usize = 16;

/// Flags that say how puzzles are read.
#[derive(Debug, Args)]
pub struct InputArgs {
    /// Rows and columns of a box, as in 2x3 (default: the squarest that fits)
    #[arg(long = "box", value_name = "RxC")]
    pub shape: Option<Geometry>,
    /// Characters of the values 1, 2, ... where each cell is one character, as in
    /// 0123456789ABCDEF; a blank is a point, and 0 where it is no value
    #[arg(long, value_name = "CHARS")]
    pub alphabet: Option<Alphabet>,
}

impl InputArgs {
    /// The options of the reader.
    pub fn options(&self) -> Options {
        Options { shape: self.shape, alphabet: self.alphabet.clone() }
    }

    /// Every puzzle of every argument, read one at a time. An error in an argument or a puzzle does not
    /// end the iterator; an interrupt does, also while it waits for input: a thread reads, which is left behind
    /// then and ends with the process.
    pub fn readings(
        &self,
        arguments: &[OsString],
    ) -> impl Iterator<Item = Result<ParsedPuzzle>> + Send + use<> {
        let (arguments, options) = (arguments.to_vec(), self.options());
        let (sender, readings) = sync_channel(READ_AHEAD);
        let mut reader = Some(thread::spawn(move || {
            for argument in arguments {
                let (puzzles, error) = match format::open(&argument, &options) {
                    Ok(puzzles) => (Some(puzzles), None),
                    Err(error) => (None, Some(Err(with_hint(error, &argument)))),
                };
                let readings = puzzles.into_iter().flatten().map(|reading| Ok(reading?));
                for reading in readings.chain(error) {
                    if sender.send(reading).is_err() {
                        return;
                    }
                }
            }
        }));
        let next = move || {
            let reading = INTERRUPT.receive(&readings, Duration::ZERO);
            // A list that a panic cut short would look complete.
            if let (None, false) = (&reading, INTERRUPT.is_requested())
                && let Some(Err(panic)) = reader.take().map(thread::JoinHandle::join)
            {
                panic::resume_unwind(panic);
            }
            reading
        };
        iter::from_fn(next).take_while(|_| !INTERRUPT.is_requested())
    }
}

/// Adds a hint if the argument is a parameter, as `pool=4` in `--set offspring=3 pool=4`.
fn with_hint(error: InputError, argument: &OsStr) -> Error {
    match argument.to_str().and_then(|text| text.split_once('=')) {
        Some((name, value)) if Config::parameter(name).is_ok() => {
            anyhow!("{error}; each parameter takes a --set of its own, as in --set {name}={value}")
        }
        _ => error.into(),
    }
}

/// Says which boxes were taken if others fit too.
pub fn say_shape(reading: &ParsedPuzzle, notes: Logger) {
    if let Some(other) = reading.others.first() {
        notes.say(&format!(
            "{}: taking boxes of {}; --box {other} would fit as well",
            reading.puzzle.name, reading.puzzle.geometry
        ));
    }
}

/// Whether an argument is a pipe, a terminal or a device: its puzzles may be long in coming, and are read but
/// once.
pub fn is_piped(argument: &OsStr) -> bool {
    argument == "-" || fs::metadata(argument).is_ok_and(|data| !data.is_file())
}
