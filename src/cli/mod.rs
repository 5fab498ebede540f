//! The command line: one file a sub-command, and what they share.

mod awaited;
mod backend;
#[cfg(feature = "gpu")]
mod bench;
mod check;
#[cfg(feature = "gpu")]
mod compare;
mod configure;
mod convert;
#[cfg(feature = "gpu")]
mod devices;
mod exit;
mod experiment;
mod exports;
mod generate;
mod input;
mod merge;
mod mesa;
mod output;
mod presets;
mod progress;
mod puzzles;
mod solve;
mod summary;
mod verify;

use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;
use std::{env, io, mem, process};

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use exit::{Exit, LONGEST, print_error};

use crate::interrupt::INTERRUPT;
use crate::plain::line;
use crate::quantity;
use crate::ranks::{Ranks, launched};

/// Parses, runs, prints an error; the exit code says how it ended.
pub fn main() -> ExitCode {
    // SAFETY: no other thread runs yet.
    unsafe { mesa::quiet_mesa() };
    let exit = match Ranks::join() {
        Ok(Some(ranks)) if !ranks.leads() => follow(ranks),
        Ok(ranks) => {
            let exit = lead(ranks.as_ref());
            if let Some(ranks) = ranks {
                ranks.leave(None);
            }
            exit
        }
        Err(error) => {
            // Once is enough.
            if launched().is_none_or(|(rank, _)| rank == 0) {
                print_error(&error.into());
            }
            Exit::Failure
        }
    };
    exit.into()
}

/// The only process, or rank 0.
fn lead(ranks: Option<&Ranks>) -> Exit {
    let ended = match Cli::try_parse() {
        Ok(cli) => cli.run(ranks),
        Err(refused) => show(&refused),
    };
    ended.unwrap_or_else(|error| {
        print_error(&error);
        Exit::Failure
    })
}

/// Another rank, which prints nothing: rank 0 tells what it says.
fn follow(ranks: Ranks) -> Exit {
    let ended = match Cli::try_parse() {
        Ok(cli) => cli.follow(&ranks),
        Err(refused) => Err(refused.into()),
    };
    ranks.leave(ended.err().map(|error| format!("{error:#}")));
    Exit::Done
}

/// Shows what there is instead of a command: help, the version, or what is wrong with the arguments.
///
/// # Errors
/// What the system says.
fn show(refused: &clap::Error) -> Result<Exit> {
    if refused.use_stderr() {
        // Names of files that a shell found may stand in it.
        let plain = env::args_os().map(|word| line(&word.to_string_lossy(), LONGEST));
        Cli::try_parse_from(plain).err().as_ref().unwrap_or(refused).print()?;
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
}

#[derive(Debug, Subcommand)]
enum Command {
    Solve(Box<solve::Solve>),
    Experiment(Box<experiment::Experiment>),
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
}

impl Cli {
    /// Runs the sub-command.
    ///
    /// # Errors
    /// What ends it before its result: bad input, or a failure.
    fn run(self, ranks: Option<&Ranks>) -> Result<Exit> {
        match self.command {
            Command::Solve(solve) => solve.run(ranks),
            Command::Experiment(experiment) => experiment.run(ranks),
            #[cfg(feature = "gpu")]
            Command::Compare(compare) => compare.run(),
            #[cfg(feature = "gpu")]
            Command::Bench(bench) => bench.run(),
            #[cfg(feature = "gpu")]
            Command::Devices(devices) => devices.run(),
            Command::Verify(verify) => verify.run(),
            Command::Generate(generate) => generate.run(),
            Command::Convert(convert) => convert.run(),
            Command::Check(check) => check.run(),
            Command::Puzzles(puzzles) => puzzles.run(),
            Command::Presets(presets) => presets.run(),
        }
    }

    /// Does on another rank what rank 0 wants.
    ///
    /// # Errors
    /// What keeps it from that.
    fn follow(self, ranks: &Ranks) -> Result<Exit> {
        match self.command {
            Command::Solve(solve) => solve.follow(ranks),
            Command::Experiment(experiment) => experiment.follow(ranks),
            // Rank 0 does it alone.
            _ => Ok(Exit::Done),
        }
    }
}

/// Listens for the user's wish that everything should end ([`INTERRUPT`]), and ends at once when
/// they ask again.
fn heed_interrupts() -> Result<()> {
    let mut asked = false;
    ctrlc::set_handler(move || {
        if mem::replace(&mut asked, true) {
            process::exit(Exit::Interrupted as i32);
        }
        INTERRUPT.ask();
    })
    .context("cannot listen for interrupts")
}

/// Reads a whole number that may not be 0, as in `1000` or `1k`.
fn positive<T: FromStr>(text: &str) -> Result<T, &'static str> {
    match quantity::whole(text) {
        Some(number) if number > 0 => number.to_string().parse().map_err(|_| "it is too large"),
        None if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            Err("it is too large")
        }
        _ => Err("it takes a whole number from 1"),
    }
}

/// Reads a whole number in a range, as in `1000` or `1k`.
fn counted(range: RangeInclusive<u32>) -> impl Fn(&str) -> Result<u32, String> + Clone {
    move |text| {
        let number = quantity::whole(text).and_then(|number| u32::try_from(number).ok());
        let number = number.filter(|number| range.contains(number));
        number.ok_or_else(|| format!("it takes {} to {}", range.start(), range.end()))
    }
}

/// Reads a time: `60`, `60s`, `250ms` or `2min`.
fn time(text: &str) -> Result<Duration, &'static str> {
    let seconds = quantity::seconds(text).filter(|seconds| (0.0..=1e9).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or("it takes a time from 0, as in 60, 60s or 2min")
}
