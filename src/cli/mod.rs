//! The command line: a file for each command, and what the commands share.

mod backend;
#[cfg(feature = "gpu")]
mod bench;
mod check;
#[cfg(feature = "gpu")]
mod compare;
mod config_args;
mod convert;
#[cfg(feature = "gpu")]
mod devices;
mod exit;
mod experiment;
mod exports;
mod generate;
mod help;
mod input;
mod output;
mod play;
mod presets;
mod progress;
mod puzzles;
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

use anyhow::{Result, bail};
use clap::{
    Arg, ArgAction, Args, ColorChoice, Command as ClapCommand, CommandFactory, FromArgMatches,
    Parser, Subcommand,
};
use exit::{Exit, exit_if_compiling};
use output::{LONGEST_MESSAGE, Logger, print_error, requested_color, set_color};
pub use solve::checkpoint::{CompletedRun, SolveCheckpoint, outcome_of};

use crate::mpi::{Communicator, rank_and_size};
use crate::util::sanitize::line;

/// Parses the arguments, runs the command and prints its error; the exit code says how it ended.
pub fn main() -> ExitCode {
    exit::expect_no_screen();
    // A write beyond the largest size of a file fails instead of ending the process.
    #[cfg(unix)]
    exit::ignore(libc::SIGXFSZ);
    let words: Vec<OsString> = env::args_os().collect();
    set_color(requested_color(&words));
    let exit = match Communicator::join() {
        Ok(Some(ranks)) if !ranks.is_root() => follow(ranks, &words),
        Ok(ranks) => {
            // The only process, or rank 0.
            let ended = match parse(&words) {
                Ok(cli) => cli.run(ranks.as_ref()),
                Err(refused) => show(&refused, &words),
            };
            tui::restore();
            let exit = ended.unwrap_or_else(|error| {
                print_error(&error);
                Exit::Failure
            });
            if let Some(ranks) = ranks {
                ranks.finish(None);
            }
            exit
        }
        Err(error) => {
            // Only rank 0 prints it.
            if rank_and_size().is_none_or(|(rank, _)| rank == 0) {
                print_error(&error.into());
            }
            Exit::Failure
        }
    };
    exit_if_compiling(exit);
    exit.into()
}

/// Runs the command on another rank, which prints nothing: rank 0 prints its error.
fn follow(ranks: Communicator, words: &[OsString]) -> Exit {
    let ended = parse(words).map_err(anyhow::Error::from).and_then(|cli| cli.follow(&ranks));
    ranks.finish(ended.err().map(|error| format!("{error:#}")));
    Exit::Done
}

/// Reads the arguments.
fn parse(words: &[OsString]) -> Result<Cli, clap::Error> {
    let mut command = help::with_help(with_hyphens(Cli::command()));
    let matches = command.try_get_matches_from_mut(words)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Reads the arguments of a command line and runs nothing, for tests of documents.
///
/// # Errors
/// What is wrong with them.
pub fn check_arguments(words: &[OsString]) -> Result<(), String> {
    parse(words).map(drop).map_err(|refused| refused.to_string())
}

/// Lets flags that take numbers take values that begin with a hyphen: the parser of the number reports
/// better what is wrong with -5s.
fn with_hyphens(command: ClapCommand) -> ClapCommand {
    const NUMBERS: [&str; 7] = ["N", "N,...", "K", "TIME", "EVERY", "SHARE", "BOARDS"];
    let with_hyphen = |argument: Arg| {
        let name = argument.get_value_names().and_then(|names| names.first());
        let is_number = name.is_some_and(|name| NUMBERS.contains(&name.as_str()));
        if is_number { argument.allow_hyphen_values(true) } else { argument }
    };
    command.mut_args(with_hyphen).mut_subcommands(with_hyphens)
}

/// Prints help, the version, or an error of the arguments, which says what is meant where another name is known.
///
/// # Errors
/// The error of the system.
fn show(refused: &clap::Error, words: &[OsString]) -> Result<Exit> {
    if let Some(hint) = help::hint(refused, words) {
        bail!(hint);
    }
    if refused.use_stderr() {
        // The arguments may hold names of files that a shell found: the message is made again from
        // arguments that a terminal does not obey.
        let plain = words.iter().map(|word| line(&word.to_string_lossy(), LONGEST_MESSAGE).into());
        parse(&plain.collect::<Vec<_>>()).err().as_ref().unwrap_or(refused).print()?;
        return Ok(Exit::Failure);
    }
    match refused.print() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(Exit::Done),
    }
}

/// Evolve Sudoku boards in populations of one to millions, on the CPU or the GPU
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, max_term_width = 100)]
#[command(disable_help_flag = true, disable_version_flag = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    messages: MessageArgs,
}

/// Flags of every command: help, how much is written to stderr, and whether in colour.
#[derive(Clone, Copy, Debug, Args)]
struct MessageArgs {
    /// Write more to stderr: derived parameters, where runs are executed and why, and a summary of
    /// each run
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    verbose: bool,
    /// Write only errors to stderr
    #[arg(long, short, global = true)]
    quiet: bool,
    /// When to use colour: auto (on a terminal; NO_COLOR turns it off, CLICOLOR_FORCE turns it on), always or never
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
    /// Print help; -h shows only the main flags
    #[arg(long, short, global = true, action = ArgAction::Help)]
    help: Option<bool>,
    /// Print the version
    #[arg(long, short = 'V', global = true, action = ArgAction::Version)]
    version: Option<bool>,
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
    Completions(help::Completions),
    Manual(help::Manual),
}

impl Cli {
    /// Runs the command.
    ///
    /// # Errors
    /// Bad input, or a failure.
    fn run(self, ranks: Option<&Communicator>) -> Result<Exit> {
        let MessageArgs { verbose, quiet, color, .. } = self.messages;
        set_color(color);
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
            Command::Verify(verify) => verify.run(notes),
            Command::Generate(generate) => generate.run(notes),
            Command::Convert(convert) => convert.run(notes),
            Command::Check(check) => check.run(notes),
            Command::Puzzles(puzzles) => puzzles.run(),
            Command::Presets(presets) => presets.run(),
            Command::Play(play) => play.run(notes),
            Command::Completions(completions) => completions.run(Cli::command()),
            Command::Manual(manual) => manual.run(Cli::command()),
        }
    }

    /// Carries out on another rank the jobs that rank 0 sends.
    ///
    /// # Errors
    /// Bad input, or a failure.
    fn follow(self, ranks: &Communicator) -> Result<Exit> {
        match self.command {
            Command::Solve(solve) => solve.follow(ranks),
            Command::Experiment(experiment) => experiment.follow(ranks),
            // Rank 0 runs it alone.
            _ => Ok(Exit::Done),
        }
    }
}
