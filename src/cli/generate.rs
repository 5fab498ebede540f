//! `evodoku generate`: puzzles made at random.

use std::num::NonZeroU32;
use std::thread;

use anyhow::Result;
use clap::Args;

use super::exit::Exit;
use super::output::{Logger, print_error, print_unchanged};
use super::value_parsers::{known, whole};
use crate::board::Geometry;
use crate::cli::exit::install_interrupt_handler;
use crate::format::{Format, ParsedPuzzle, PuzzleWriter};
use crate::generate::{GUESSES, GenerateError, Generator, PuzzleSpec};
use crate::run::random_seed;
use crate::util::interrupt::INTERRUPT;
use crate::util::named_enum::one_of;
use crate::util::ordered_parallel::parallel_map;
use crate::util::quantity::counted;
use crate::util::threads::cores;

/// Puzzles for each thread that are made before the first is written.
const AHEAD: usize = 4;

/// Make random puzzles
///
/// Each puzzle keeps some cells of a random complete board: a share (--fill) or a number (--givens). Such a
/// puzzle has at least one solution, and often several. With --unique, each puzzle has exactly one solution,
/// which exact search checks. With --unique and without --givens, each puzzle is also minimal: no given can
/// be removed. A warning says if a puzzle could not be proved minimal. The same flags and seed give the same
/// puzzles. Exit codes: 0, done; 1, no such puzzle found within
/// --max-guesses; 2, bad usage.
#[derive(Debug, Args)]
pub struct Generate {
    /// Rows and columns of a box, as in 2x3
    #[arg(long = "box", value_name = "RxC", default_value = "3x3")]
    shape: Geometry,
    /// Share of the cells that are given, 0 to 1 (default: 0.45)
    #[arg(long, value_name = "SHARE", value_parser = share)]
    #[arg(conflicts_with_all = ["givens", "unique"])]
    fill: Option<f64>,
    /// Number of givens
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..=u64::MAX))]
    givens: Option<usize>,
    /// Make puzzles with exactly one solution
    #[arg(long)]
    unique: bool,
    /// Seed (default: a random one, which is printed)
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
    /// Number of puzzles
    #[arg(long, value_name = "K", default_value = "1")]
    #[arg(value_parser = whole::<NonZeroU32>(1..=u32::MAX as u64))]
    count: NonZeroU32,
    #[arg(long, value_name = "FORMAT", default_value_t = Format::Line, help = one_of(Format::ALL))]
    #[arg(value_parser = known::<Format>())]
    format: Format,
    /// Maximum number of guesses and checks to spend on each puzzle with --unique
    // clap drops `requires` beside a flag that excludes what is required: --fill excludes --unique.
    #[arg(long, value_name = "N", default_value_t = GUESSES, requires = "unique", conflicts_with = "fill")]
    #[arg(value_parser = whole::<u64>(0..=u64::MAX))]
    max_guesses: u64,
    /// Number of threads (default: one per core)
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=4096))]
    threads: Option<u32>,
}

/// Reads a share; its range is checked with the rest of the specification.
fn share(text: &str) -> Result<f64, &'static str> {
    text.parse().map_err(|_| "it takes a number from 0 to 1")
}

impl Generate {
    pub fn run(self, notes: Logger) -> Result<Exit> {
        let seed = self.seed.unwrap_or_else(random_seed);
        let generator = Generator::new(self.shape, self.spec()?, seed)?;
        install_interrupt_handler()?;
        if self.seed.is_none() {
            notes.say(&format!("seed {seed}"));
        }
        self.write(&generator, notes)
    }

    fn spec(&self) -> Result<PuzzleSpec> {
        const FILL: f64 = 0.45;
        Ok(match (self.unique, self.givens) {
            (true, givens) => PuzzleSpec::Unique { givens, guesses: self.max_guesses },
            (false, Some(givens)) => PuzzleSpec::Solvable { givens },
            (false, None) => PuzzleSpec::share(self.shape, self.fill.unwrap_or(FILL))?,
        })
    }

    /// Writes the puzzles in the order of their numbers.
    fn write(&self, generator: &Generator, notes: Logger) -> Result<Exit> {
        let threads = self.threads.map_or_else(cores, |threads| threads as usize);
        let threads = threads.min(self.count.get() as usize);
        let worker = |number| generator.puzzle_and_proof(number, INTERRUPT.flag());
        let mut writer = PuzzleWriter::new(self.format);
        let (mut unproved, mut first) = (0, None);
        let exit = thread::scope(|scope| -> Result<Exit> {
            let ahead = AHEAD * threads;
            for puzzle in parallel_map(scope, 0..self.count.get(), threads, ahead, worker)? {
                let (puzzle, is_proved) = match puzzle {
                    Ok(puzzle) => puzzle,
                    Err(GenerateError::Interrupted) => return Ok(Exit::Interrupted),
                    Err(spent) => {
                        // A limit that is reached for one puzzle would be for the next.
                        print_error(&spent.into());
                        return Ok(Exit::Not);
                    }
                };
                if !is_proved {
                    unproved += 1;
                    first.get_or_insert_with(|| puzzle.name.clone());
                }
                let parsed = ParsedPuzzle { puzzle, others: Vec::new(), tags: Vec::new() };
                if !print_unchanged(writer.write(&parsed)?.as_bytes())? {
                    break;
                }
            }
            Ok(Exit::Done)
        })?;
        print_unchanged(writer.end().as_bytes())?;
        if let Some(first) = first {
            let puzzles = counted(unproved, "puzzle");
            notes.warn(&format!(
                "{puzzles} may have redundant givens, because a search stopped early; the first is {first}"
            ));
        }
        Ok(exit)
    }
}
