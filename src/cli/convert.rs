//! `evodoku convert`: puzzles rewritten in another format.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::mem;

use anyhow::Result;
use clap::Args;

use super::exit::Exit;
use super::input::{InputArgs, files, or_stdin, read_each, say_shape};
use super::output::{Logger, print, print_error, print_unchanged};
use super::value_parsers::known;
use crate::format::{Format, PuzzleWriter};
use crate::report::keep_apart;
use crate::util::named_enum::one_of;

/// Rewrite puzzles in another format
///
/// The format of each input is detected from its content. All puzzles go to stdout in order. A puzzle that
/// cannot be read is reported on stderr, and the other puzzles are converted. Exit codes: 0, done; 2, an
/// error.
#[derive(Debug, Args)]
pub struct Convert {
    /// Files of one or more puzzles, names of shipped puzzles, grids, or - for stdin (the default in a pipe)
    #[arg(value_name = "PUZZLE")]
    inputs: Vec<OsString>,
    #[arg(long, value_name = "FORMAT", help = one_of(Format::ALL))]
    #[arg(value_parser = known::<Format>())]
    to: Format,
    #[command(flatten)]
    input: InputArgs,
}

impl Convert {
    pub fn run(self, notes: Logger) -> Result<Exit> {
        let inputs = or_stdin(self.inputs, "puzzle")?;
        // A file that is read would grow by the output.
        keep_apart([], files(&inputs))?;
        let mut writer = PuzzleWriter::new(self.to);
        let mut exit = Exit::Done;
        let mut last_shape = None;
        let is_terminal = io::stdout().is_terminal();
        for reading in read_each(self.input.options(), &inputs, notes) {
            let text = reading.and_then(|reading| {
                // Once for a list of boards of one shape.
                let shape = Some(reading.puzzle.geometry);
                if mem::replace(&mut last_shape, shape) != shape {
                    say_shape(&reading, notes);
                }
                Ok(writer.write(&reading)?)
            });
            let is_read = match text {
                // A file gets the text of the author unchanged.
                Ok(text) if is_terminal => print(&text)?,
                Ok(text) => print_unchanged(text.as_bytes())?,
                Err(error) => {
                    print_error(&error);
                    exit = Exit::Failure;
                    true
                }
            };
            if !is_read {
                return Ok(exit);
            }
        }
        print_unchanged(writer.end().as_bytes())?;
        Ok(exit)
    }
}
