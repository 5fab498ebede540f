//! `evodoku check`: whether a puzzle has no solution, one, or several.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;

use super::exit::Exit;
use super::input::{InputArgs, files, or_stdin, read_each, say_shape, symbol};
use super::output::{Logger, print, print_aside, print_error};
use super::table::TextTable;
use super::value_parsers::{known, time, whole};
use crate::board::{Presolve, Puzzle, presolve, verify};
use crate::cli::exit::install_interrupt_handler;
use crate::exact::{
    Backtracking, ExactMethod, GuessBudget, MethodEnd, SearchEnd, Solutions, linear_program,
};
use crate::format::{Alphabet, ParsedPuzzle, line_in};
use crate::ga::encoding::Encoding;
use crate::report::{OutputFile, keep_apart};
use crate::util::interrupt::INTERRUPT;
use crate::util::named_enum::one_of;
use crate::util::quantity::{self, noun};

/// Count the solutions of each puzzle: none, one or several
///
/// For each puzzle, prints a line that begins with contradictory, unique, several, or unknown (the time limit
/// ended the search). With --method, the line says how the method ended. Exit codes: 0, checked, whatever the
/// answer; 2, bad input; 130, interrupted.
#[derive(Debug, Args)]
pub struct Check {
    /// Files of one or more puzzles, names of shipped puzzles, grids, or - for stdin (the default in a pipe)
    #[arg(value_name = "PUZZLE")]
    puzzles: Vec<OsString>,
    #[command(flatten)]
    input: InputArgs,
    /// Show how many blanks each level of presolve leaves, and how long it takes
    #[arg(long)]
    presolve: bool,
    /// Show how many boards each encoding has to search, before and after presolve
    #[arg(long)]
    sizes: bool,
    #[arg(long, value_name = "METHOD")]
    #[arg(help = format!("Search for one solution by this method instead of counting, and print the time: {}", one_of(ExactMethod::ALL)))]
    #[arg(value_parser = known::<ExactMethod>(), conflicts_with_all = ["cap", "solutions"])]
    method: Option<ExactMethod>,
    /// Write the integer program of a single puzzle in the LP format, for other solvers
    #[arg(long, value_name = "FILE")]
    write_lp: Option<PathBuf>,
    /// Stop counting solutions at this number, or at that of --solutions if it is larger
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = whole::<u64>(2..=u64::MAX))]
    cap: u64,
    /// Print up to this many solutions, one per line
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u64>(0..=u64::MAX))]
    solutions: u64,
    /// Stop searching a puzzle after this time, as in 10s or 500ms; 0 means no limit
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time)]
    time_limit: Duration,
}

impl Check {
    pub fn run(mut self, notes: Logger) -> Result<Exit> {
        self.puzzles = or_stdin(self.puzzles, "puzzle")?;
        install_interrupt_handler()?;
        let program = self.write_lp.as_deref().map(OutputFile::new).transpose()?;
        keep_apart(&program, files(&self.puzzles))?;
        let mut exit = Exit::Done;
        let mut is_written = false;
        // An error in one puzzle does not stop the others.
        for reading in read_each(self.input.options(), &self.puzzles, notes) {
            let program = program.as_ref();
            let checked = reading.and_then(|reading| {
                if let Some(program) = program {
                    if std::mem::replace(&mut is_written, true) {
                        let name = &reading.puzzle.name;
                        bail!("--write-lp takes one puzzle, but {name} is a second one");
                    }
                    program.replace(linear_program(&reading.puzzle).as_bytes())?;
                }
                self.check(reading, program.is_some_and(OutputFile::is_stdout), notes)
            });
            let (ended, is_read) = checked.unwrap_or_else(|error| {
                print_error(&error);
                (Exit::Failure, true)
            });
            exit = exit.max(ended);
            if !is_read {
                break;
            }
        }
        Ok(if INTERRUPT.is_requested() { Exit::Interrupted } else { exit })
    }

    /// Prints the answer for a puzzle; returns the exit code, and whether stdout is still read.
    fn check(&self, reading: ParsedPuzzle, aside: bool, notes: Logger) -> Result<(Exit, bool)> {
        say_shape(&reading, notes);
        let puzzle = reading.puzzle;
        let (mut facts, contradiction) = facts(&puzzle, self.input.alphabet.as_ref());
        let mut exit = Exit::Done;
        let mut boards = String::new();
        let answer = match (contradiction, self.method) {
            (Some(contradiction), _) => {
                facts.push(contradiction);
                "contradictory"
            }
            (None, Some(method)) => {
                let (word, fact, ended) = self.solve(&puzzle, method);
                facts.push(fact);
                exit = ended;
                word
            }
            (None, None) => {
                let found = self.search(&puzzle, &mut boards)?;
                if found.end == SearchEnd::Interrupted {
                    exit = Exit::Interrupted;
                }
                facts.push(number(&found));
                facts.push(counted(found.guesses, "guess"));
                word(&found)
            }
        };
        let mut text = format!("{answer} {}: {}\n", puzzle.name, facts.join(", ")) + &boards;
        if self.sizes {
            text += &format!("{}\n", sizes(&puzzle));
        }
        if self.presolve {
            text += &format!("{}\n", levels(&puzzle));
        }
        // If the program goes to stdout, nothing else does.
        if aside {
            print_aside(text.trim_end());
            return Ok((exit, true));
        }
        Ok((exit, print(&text)?))
    }

    /// The answer of a method: its first word, a fact, and the exit code.
    fn solve(&self, puzzle: &Puzzle, method: ExactMethod) -> (&'static str, String, Exit) {
        let outcome = method.solve(puzzle, self.limit(), INTERRUPT.flag());
        let fault = outcome.fault.map(|fault| format!(": {fault}")).unwrap_or_default();
        if outcome.ended == MethodEnd::NotBuilt {
            return (outcome.ended.name(), format!("{method}{fault}"), Exit::Failure);
        }
        let (seconds, nodes) = (outcome.elapsed.as_secs_f64(), outcome.nodes);
        let nodes = match method {
            ExactMethod::Backtracking => counted(nodes, "guess"),
            ExactMethod::IntegerProgram => counted(nodes, "node"),
        };
        let fact = format!("{method} in {}, {nodes}{fault}", quantity::time(seconds));
        let exit = match outcome.ended {
            MethodEnd::Interrupted => Exit::Interrupted,
            MethodEnd::Failed => Exit::Failure,
            _ => Exit::Done,
        };
        (outcome.ended.name(), fact, exit)
    }

    fn limit(&self) -> Option<Duration> {
        (!self.time_limit.is_zero()).then_some(self.time_limit)
    }

    /// The solutions, of which those that are wanted are added to `boards`.
    fn search(&self, puzzle: &Puzzle, boards: &mut String) -> Result<Solutions> {
        let budget = GuessBudget {
            cap: self.cap.max(self.solutions),
            time: self.limit(),
            interrupted: Some(INTERRUPT.flag()),
            ..GuessBudget::default()
        };
        let (geometry, mut left) = (puzzle.geometry, self.solutions);
        let found = Backtracking::new(geometry).search_each(&puzzle.givens, &budget, |board| {
            if left > 0 {
                left -= 1;
                *boards += &(line_in(geometry, board, self.input.alphabet.as_ref()) + "\n");
            }
        });
        if let Some(Err(flaw)) = found.first.as_deref().map(|first| verify(puzzle, first)) {
            bail!("{}: the search returned a wrong board ({flaw}): this is a bug", puzzle.name);
        }
        Ok(found)
    }
}

/// Facts from givens and presolve, and the contradiction that presolve finds.
fn facts(puzzle: &Puzzle, alphabet: Option<&Alphabet>) -> (Vec<String>, Option<String>) {
    let givens = puzzle.given_count();
    let mut facts = vec![
        format!("boxes {}", puzzle.geometry),
        counted(givens as u64, "given"),
        counted((puzzle.geometry.cells() - givens) as u64, "blank"),
    ];
    let mut left = 0;
    // The first level that finds a contradiction is named.
    for level in Presolve::ALL.iter().copied() {
        match presolve(puzzle, level) {
            Err(contradictory) => return (facts, Some(contradictory.sentence(symbol(alphabet)))),
            Ok(space) => left = space.free.len(),
        }
    }
    facts.push(format!("{left} after presolve"));
    (facts, None)
}

/// The number of boards that each encoding searches, as given and after presolve.
fn sizes(puzzle: &Puzzle) -> TextTable {
    let mut rows =
        TextTable::new(&["encoding", "boards", "boards after presolve, at most"], &[], &[]);
    for encoding in Encoding::ALL.iter().copied() {
        let boards = |level| match presolve(puzzle, level) {
            Ok(space) => format!("10^{:.1}", encoding.magnitude(&space)),
            Err(_) => "no solution".to_owned(),
        };
        rows.row([encoding.to_string(), boards(Presolve::None), boards(Presolve::Probing)]);
    }
    rows
}

/// For each level of presolve the blanks and candidates that it leaves, the candidates that it removes beyond
/// the level before, and its time, which includes that of the levels before.
fn levels(puzzle: &Puzzle) -> TextTable {
    let header = ["presolve", "blanks left", "candidates left", "removed", "ms"];
    let mut rows = TextTable::new(&header, &[], &["removed", "ms"]);
    let mut before = None;
    for level in Presolve::ALL.iter().copied() {
        let start = Instant::now();
        let space = presolve(puzzle, level);
        let milliseconds = format!("{:.3}", start.elapsed().as_secs_f64() * 1000.0);
        let Ok(space) = space else {
            rows.row([level.name(), "contradiction", "-", "-", &milliseconds]);
            break;
        };
        let left = space.candidate_count();
        let removed = before.map_or(0, |before: u64| before - left);
        let counts = [space.free.len() as u64, left, removed].map(|count| count.to_string());
        rows.row([level.to_string()].into_iter().chain(counts).chain([milliseconds]));
        before = Some(left);
    }
    rows
}

fn word(found: &Solutions) -> &'static str {
    match (found.unique(), found.count) {
        (Some(true), _) => "unique",
        (Some(false), 0) => "contradictory",
        (Some(false), _) => "several",
        (None, _) => "unknown",
    }
}

/// The number of solutions, as far as it is known.
fn number(found: &Solutions) -> String {
    let count = counted(found.count, "solution");
    let least = format!("at least {count}");
    match found.end {
        SearchEnd::Exhausted => count,
        SearchEnd::Cap => least,
        SearchEnd::Time | SearchEnd::Guesses => least + ", ended by the time limit",
        SearchEnd::Interrupted => least + ", interrupted",
    }
}

/// A count without commas, because programs read the output.
fn counted(count: u64, one: &str) -> String {
    format!("{count} {}", noun(count, one))
}
