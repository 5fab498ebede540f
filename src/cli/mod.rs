//! The command line: one file a sub-command, and what they share.

mod backend;
#[cfg(feature = "gpu")]
mod bench;
mod check;
mod color;
#[cfg(feature = "gpu")]
mod compare;
mod compare_args;
mod completions;
mod config_args;
mod convert;
mod deferred_output;
#[cfg(feature = "gpu")]
mod devices;
mod exit;
mod experiment;
mod exports;
mod generate;
mod input;
mod interruptible_reader;
mod manual;
mod merge;
mod mesa;
mod named_value_parser;
mod output;
mod play;
mod presets;
mod progress;
mod puzzles;
mod signals;
mod solve;
mod summary;
mod table;
mod tui;
mod tune;
mod value_parsers;
mod verify;

use std::ffi::OsString;
use std::process::ExitCode;
use std::{env, io};

use anyhow::Result;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{
    Arg, Args, ColorChoice, Command as ClapCommand, CommandFactory, FromArgMatches, Parser,
    Subcommand,
};
use exit::{Exit, LONGEST, print_error};
use output::Logger;
use signals::exit_if_compiling;
pub use solve::checkpoint::fuzz::{ReadCheckpoint, checkpoint_bytes};

use crate::mpi::{Communicator, rank_and_size};
use crate::util::sanitize::line;

/// Parses, runs, prints an error; the exit code says how it ended.
#[expect(unsafe_code, reason = "the environment is changed before there are threads")]
pub fn main() -> ExitCode {
    // SAFETY: no other thread runs yet.
    unsafe { mesa::quiet_mesa() };
    signals::ignore_large_files();
    let words: Vec<OsString> = env::args_os().collect();
    color::decide(color::asked(&words));
    let exit = match Communicator::join() {
        Ok(Some(ranks)) if !ranks.is_root() => follow(ranks, &words),
        Ok(ranks) => {
            let exit = lead(ranks.as_ref(), &words);
            if let Some(ranks) = ranks {
                ranks.finish(None);
            }
            exit
        }
        Err(error) => {
            // Once is enough.
            if rank_and_size().is_none_or(|(rank, _)| rank == 0) {
                print_error(&error.into());
            }
            Exit::Failure
        }
    };
    exit_if_compiling(exit);
    exit.into()
}

/// The only process, or rank 0.
fn lead(ranks: Option<&Communicator>, words: &[OsString]) -> Exit {
    let ended = match parse(words) {
        Ok(cli) => cli.run(ranks),
        Err(refused) => show(&refused, words),
    };
    tui::restore();
    ended.unwrap_or_else(|error| {
        print_error(&error);
        Exit::Failure
    })
}

/// Another rank, which prints nothing: rank 0 tells what it says.
fn follow(ranks: Communicator, words: &[OsString]) -> Exit {
    let ended = match parse(words) {
        Ok(cli) => cli.follow(&ranks),
        Err(refused) => Err(refused.into()),
    };
    ranks.finish(ended.err().map(|error| format!("{error:#}")));
    Exit::Done
}

/// Reads the arguments.
fn parse(words: &[OsString]) -> Result<Cli, clap::Error> {
    let mut command = hyphened(Cli::command()).color(color::asked(words));
    let matches =
        command.try_get_matches_from_mut(words).map_err(|error| explain(error, &mut command))?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Says what takes the place of a flag that is no more.
fn explain(error: clap::Error, command: &mut ClapCommand) -> clap::Error {
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else { return error };
    match backend::replaced_flag(flag).filter(|_| error.kind() == ErrorKind::UnknownArgument) {
        Some(sentence) => command.error(ErrorKind::UnknownArgument, sentence),
        None => error,
    }
}

/// The command, whose flags that take numbers take what begins with a hyphen too: who reads it says
/// better what is wrong with -5s.
fn hyphened(command: ClapCommand) -> ClapCommand {
    const NUMBERS: [&str; 7] = ["N", "N,...", "K", "TIME", "EVERY", "SHARE", "BOARDS"];
    let hyphened_number = |argument: Arg| {
        let name = argument.get_value_names().and_then(|names| names.first());
        let is_number = name.is_some_and(|name| NUMBERS.contains(&name.as_str()));
        if is_number { argument.allow_hyphen_values(true) } else { argument }
    };
    command.mut_args(hyphened_number).mut_subcommands(hyphened)
}

/// Shows what there is instead of a command: help, the version, or what is wrong with the arguments.
///
/// # Errors
/// What the system says.
fn show(refused: &clap::Error, words: &[OsString]) -> Result<Exit> {
    if refused.use_stderr() {
        // Names of files that a shell found may stand in it.
        let plain = words.iter().map(|word| line(&word.to_string_lossy(), LONGEST).into());
        parse(&plain.collect::<Vec<_>>()).err().as_ref().unwrap_or(refused).print()?;
        return Ok(Exit::Failure);
    }
    match refused.print() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(Exit::Done),
    }
}

/// Evolve Sudoku boards in very large populations, scored at once on the GPU
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    messages: VoiceArgs,
}

/// Flags of every sub-command: how much is said on stderr, and how it looks.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Of every command")]
struct VoiceArgs {
    /// Say more on stderr: what was derived from the puzzle, where runs happen and why, how each went
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    verbose: bool,
    /// Say nothing on stderr but errors
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Colour: on a terminal (NO_COLOR and CLICOLOR_FORCE are heeded), always or never
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
}

#[derive(Debug, Subcommand)]
enum Command {
    Solve(Box<solve::Solve>),
    Experiment(Box<experiment::Experiment>),
    Tune(Box<tune::Tune>),
    #[cfg(feature = "gpu")]
    Compare(compare::Compare),
    #[cfg(feature = "gpu")]
    Bench(Box<bench::Bench>),
    #[cfg(feature = "gpu")]
    Devices(devices::Devices),
    Verify(verify::Verify),
    Generate(generate::Generate),
    Convert(convert::Convert),
    Check(check::Check),
    Puzzles(puzzles::ShippedPuzzles),
    Presets(presets::Presets),
    Play(play::Play),
    Completions(completions::Completions),
    Manual(manual::Manual),
}

impl Cli {
    /// Runs the sub-command.
    ///
    /// # Errors
    /// What ends it before its result: bad input, or a failure.
    fn run(self, ranks: Option<&Communicator>) -> Result<Exit> {
        let VoiceArgs { verbose, quiet, color } = self.messages;
        color::decide(color);
        let notes = Logger { quiet, verbose };
        match self.command {
            Command::Solve(solve) => solve.run(notes, ranks),
            Command::Experiment(experiment) => experiment.run(notes, ranks),
            Command::Tune(tune) => tune.run(notes),
            #[cfg(feature = "gpu")]
            Command::Compare(compare) => compare.run(notes),
            #[cfg(feature = "gpu")]
            Command::Bench(bench) => bench.run(notes),
            #[cfg(feature = "gpu")]
            Command::Devices(devices) => devices.run(notes),
            Command::Verify(verify) => verify.run(),
            Command::Generate(generate) => generate.run(notes),
            Command::Convert(convert) => convert.run(notes),
            Command::Check(check) => check.run(notes),
            Command::Puzzles(puzzles) => puzzles.run(),
            Command::Presets(presets) => presets.run(),
            Command::Play(play) => play.run(notes),
            Command::Completions(completions) => completions.run(),
            Command::Manual(manual) => manual.run(),
        }
    }

    /// Does on another rank what rank 0 wants.
    ///
    /// # Errors
    /// What keeps it from that.
    fn follow(self, ranks: &Communicator) -> Result<Exit> {
        match self.command {
            Command::Solve(solve) => solve.follow(ranks),
            Command::Experiment(experiment) => experiment.follow(ranks),
            // Rank 0 does it alone.
            _ => Ok(Exit::Done),
        }
    }
}
