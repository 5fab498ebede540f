//! Flags that say how puzzles are read, and the message when several box shapes fit.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::time::Duration;
use std::{fs, iter, panic, thread};

use anyhow::{Result, bail};
use clap::Args;

use super::output::Logger;
use crate::board::Geometry;
use crate::format::{self, Alphabet, Options, ParsedPuzzle};
use crate::ga::{Config, Preset};
use crate::util::interrupt::INTERRUPT;
use crate::util::threads::spawn;

/// Puzzles that are read before they are wanted.
const READ_AHEAD: usize = 16;

/// Flags that say how puzzles are read.
#[derive(Debug, Args)]
pub struct InputArgs {
    /// Rows and columns of a box, as in 2x3 (default: as drawn in the puzzle, or else the squarest shape)
    #[arg(long = "box", value_name = "RxC")]
    pub shape: Option<Geometry>,
    /// Characters for the values 1, 2, and so on, in puzzles with one character per cell: with
    /// 0123456789ABCDEF, the character 0 stands for the value 1. A dot is a blank; the character 0 is also a
    /// blank, unless CHARS contains it
    #[arg(long, value_name = "CHARS")]
    pub alphabet: Option<Alphabet>,
}

impl InputArgs {
    /// The options of the reader.
    pub fn options(&self) -> Options {
        Options { shape: self.shape, alphabet: self.alphabet.clone(), solutions: false }
    }
}

/// Every puzzle of every argument, read one at a time. An error in an argument or a puzzle does not
/// end the iterator; an interrupt does, also while it waits for input: a thread reads, which is left behind
/// then and ends with the process.
pub fn read_each(
    options: Options,
    arguments: &[OsString],
    notes: Logger,
) -> impl Iterator<Item = Result<ParsedPuzzle>> + Send + use<> {
    let arguments = arguments.to_vec();
    for name in arguments.iter().filter_map(|argument| argument.to_str()) {
        if format::find(name).is_some() && fs::metadata(name).is_ok_and(|data| data.is_file()) {
            notes.say(&format!("{name}: reading the file, not the shipped puzzle"));
        }
    }
    let (sender, readings) = sync_channel(READ_AHEAD);
    let read = move || {
        for argument in arguments {
            let (mut puzzles, error) = match format::open(&argument, &options) {
                Ok(puzzles) => (Some(puzzles), None),
                Err(error) => (None, Some(Err(error.into()))),
            };
            let readings = puzzles.iter_mut().flatten().map(|reading| Ok(reading?));
            for reading in readings.chain(error) {
                if sender.send(reading).is_err() {
                    return;
                }
            }
            puzzles.and_then(|puzzles| puzzles.remark()).iter().for_each(|it| notes.say(it));
        }
    };
    let (mut reader, mut refused) = match spawn("input", read) {
        Ok(reader) => (Some(reader), None),
        Err(error) => (None, Some(error)),
    };
    let next = move || {
        if let Some(error) = refused.take() {
            return Some(Err(error.into()));
        }
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

/// Refuses an argument that is a parameter, as `pool=4` in `--set offspring=3 pool=4`, or a preset, before anything
/// runs.
fn refuse_settings(argument: &OsStr) -> Result<()> {
    let Some(text) = argument.to_str().filter(|text| fs::metadata(text).is_err()) else {
        return Ok(());
    };
    match text.split_once('=') {
        Some((name, _)) if Config::parameter(name).is_ok() => bail!(
            "{text} is a parameter, not a puzzle: repeat --set for each parameter, as in --set {text}"
        ),
        _ if text.parse::<Preset>().is_ok() => bail!(
            "{text} is a preset, not a puzzle: solve takes one, as in --preset {text}, and experiment compares \
             several"
        ),
        _ => Ok(()),
    }
}

/// Says which boxes were taken if others fit too.
pub fn say_shape(reading: &ParsedPuzzle, notes: Logger) {
    reading.remark().iter().for_each(|remark| notes.say(remark));
}

/// The arguments that are files, or standard input; others are names of shipped puzzles, or grids.
pub fn files<'a>(
    arguments: impl IntoIterator<Item = &'a OsString>,
) -> impl Iterator<Item = &'a Path> {
    let paths = arguments.into_iter().map(Path::new);
    paths.filter(|path| *path == Path::new("-") || path.exists())
}

/// The arguments; where there are none, standard input, unless it is a terminal.
///
/// # Errors
/// When nobody named a puzzle, or an argument is a parameter or a preset.
pub fn or_stdin(arguments: Vec<OsString>, missing: &str) -> Result<Vec<OsString>> {
    if !arguments.is_empty() {
        arguments.iter().try_for_each(|argument| refuse_settings(argument))?;
        return Ok(arguments);
    }
    if io::stdin().is_terminal() {
        bail!("no {missing} given: name a file, a shipped puzzle or a grid, or pipe one in");
    }
    Ok(vec!["-".into()])
}

/// How a value is written: as a character of the alphabet, if there is one.
pub fn symbol(alphabet: Option<&Alphabet>) -> impl Fn(u8) -> String {
    move |value| {
        let character = alphabet.and_then(|alphabet| alphabet.character(value));
        character.map_or_else(|| value.to_string(), |character| character.to_string())
    }
}

/// Whether an argument is a pipe, a terminal or a device: its puzzles may be long in coming, and are read but
/// once.
pub fn is_piped(argument: &OsStr) -> bool {
    argument == "-" || fs::metadata(argument).is_ok_and(|data| !data.is_file())
}
