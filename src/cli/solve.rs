//! `evodoku solve`: evolve a solution of each puzzle.

use std::collections::HashMap;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use clap::Args;
use evodoku::board::Geometry;
use evodoku::evolve::{GenerationReport, Observer, Outcome, Run, Settings, StopReason};
use evodoku::format::Reading;
use evodoku::propagate::presolve;
use evodoku::report::{Device, Export, OutputFile, Record, Trace};
use evodoku::score::Pipeline;

use super::backend::{BackendArgs, Scoring};
use super::configure::Configure;
use super::input::{InputArgs, say_shape};
use super::output::{Notes, print};
use super::progress::Progress;
use super::summary::{self, Layout};
use super::{Exit, positive, print_error};

/// Evolve a solution of each puzzle
///
/// The solution goes to stdout, all else to stderr. Exit code 0: solved and checked; 1: the budget
/// was spent without a solution; 2: bad input or a failure; 130: interrupted.
#[derive(Debug, Args)]
pub struct Solve {
    /// Files, - for stdin, names of shipped puzzles, or grids; each may hold several puzzles
    #[arg(required = true, value_name = "PUZZLE")]
    puzzles: Vec<String>,
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    configure: Configure,
    #[command(flatten)]
    backend: BackendArgs,
    /// The seed of the first run (default: a random one, which is printed)
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Run each puzzle with this many seeds, one after the other
    #[arg(long, value_name = "K", default_value = "1", value_parser = positive::<NonZeroU32>)]
    runs: NonZeroU32,
    /// How boards are written
    #[arg(long, value_enum, default_value_t = Layout::Grid)]
    format: Layout,
    /// Redraw the best board while the run goes on
    #[arg(long)]
    watch: bool,
    /// Write one row a generation
    #[arg(long, value_name = "FILE.csv")]
    trace: Option<PathBuf>,
    /// Write all that is known about every run
    #[arg(long, value_name = "FILE")]
    export_json: Option<PathBuf>,
    /// Say nothing on stderr but errors
    #[arg(long, short)]
    quiet: bool,
}

/// What the runs of one command share.
struct Session {
    settings: Settings,
    /// Whether parameters that mean nothing were remarked upon.
    idle_said: bool,
    scoring: Scoring,
    device: Device,
    chunk: Option<NonZeroUsize>,
    notes: Notes,
    watch: bool,
    /// Whether a result stands on stdout already.
    printed: bool,
    trace: Option<Trace>,
    export: Option<(OutputFile, Export)>,
    /// One for each shape: a device that failed once is not tried again.
    pipelines: HashMap<Geometry, Pipeline>,
}

/// Set by Ctrl-C and by the request to end.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

impl Solve {
    pub fn run(self) -> Result<Exit> {
        let notes = Notes { quiet: self.quiet };
        let settings = self.configure.settings()?;
        let trace = self.trace.as_deref().map(OutputFile::new).transpose()?;
        let export = self.export_json.as_deref().map(OutputFile::new).transpose()?;
        ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed))
            .context("cannot listen for interrupts")?;
        let threads = self.backend.work.threads()?;
        let scoring = self.backend.choose(&notes)?;
        let mut session = Session {
            device: scoring.device(threads.current_num_threads()),
            settings,
            idle_said: false,
            scoring,
            chunk: self.backend.work.chunk,
            notes,
            watch: self.watch,
            printed: false,
            trace: trace.map(Trace::new),
            export: export.map(|file| (file, Export::new())),
            pipelines: HashMap::new(),
        };
        threads.install(|| self.solve_all(&mut session))
    }

    /// One bad puzzle does not stop the others.
    fn solve_all(&self, session: &mut Session) -> Result<Exit> {
        let seed = self.seed.unwrap_or_else(|| rand::random::<u32>().into());
        let mut exit = Exit::Done;
        for reading in self.input.readings(&self.puzzles) {
            let solved = reading
                .and_then(|reading| self.solve_one(reading, seed, session))
                .unwrap_or_else(|error| {
                    print_error(&error);
                    Exit::Failure
                });
            exit = exit.max(solved);
            if exit == Exit::Interrupted {
                break;
            }
        }
        session.write_export()?;
        Ok(exit)
    }

    fn solve_one(&self, reading: Reading, seed: u64, session: &mut Session) -> Result<Exit> {
        say_shape(&reading, session.notes);
        let puzzle = reading.puzzle;
        let name = puzzle.name.clone();
        let no_solution = || format!("{name} has no solution");
        let space = presolve(&puzzle, session.settings.presolve()).with_context(no_solution)?;
        let config = session.settings.config(&space);
        if !session.idle_said {
            session.idle_said = true;
            for name in self.configure.idle(&config)? {
                let remark = format!("{name} was set, but means nothing with the other parameters");
                session.notes.say(&remark);
            }
        }
        let mut outcomes = Vec::new();
        for number in 0..self.runs.get() {
            let seed = seed.wrapping_add(number.into());
            let run = Run { space: &space, config: &config, seed, interrupted: &INTERRUPTED };
            let of_run = || format!("{name}, seed {seed}");
            if let (0, Some(chosen)) =
                (number, summary::of_choices(&session.settings, &config, &space))
            {
                run.check_memory().with_context(of_run)?;
                session.notes.say(&chosen);
            }
            let outcome = session.evolve(&run).with_context(of_run)?;
            session.notes.say(&summary::of_run(&run, &session.device, &outcome));
            let interrupted = outcome.stop_reason == StopReason::Interrupted;
            outcomes.push(outcome);
            if interrupted {
                break;
            }
        }
        let geometry = space.geometry();
        if session.printed && self.format == Layout::Grid {
            print("\n")?;
        }
        session.printed = true;
        print(&summary::of_result(geometry, &outcomes, self.format, self.runs.get()))?;
        Ok(outcomes.iter().map(exit_of).max().unwrap_or(Exit::Done))
    }
}

fn exit_of(outcome: &Outcome) -> Exit {
    match outcome.stop_reason {
        StopReason::Interrupted => Exit::Interrupted,
        _ if outcome.solved() => Exit::Done,
        _ => Exit::Not,
    }
}

impl Session {
    /// Runs, traces and records.
    fn evolve(&mut self, run: &Run<'_>) -> Result<Outcome> {
        let geometry = run.space.geometry();
        let name = &run.space.puzzle.name;
        if !self.pipelines.contains_key(&geometry) {
            let evaluator = self.scoring.evaluator(geometry, self.chunk)?;
            self.pipelines.insert(geometry, Pipeline::new(evaluator));
        }
        let Some(pipeline) = self.pipelines.get_mut(&geometry) else { unreachable!("inserted") };
        if let Some(trace) = &mut self.trace {
            trace.begin(name);
        }
        let mut watchers = Watchers {
            progress: Progress::new(name, geometry, self.watch, self.notes),
            trace: self.trace.as_mut(),
        };
        let outcome = run.evolve(pipeline, &mut watchers);
        watchers.progress.finish();
        let outcome = outcome?;
        if let Some(trace) = &mut self.trace {
            trace.finish()?;
        }
        if let Some((_, export)) = &mut self.export {
            let record = Record::new(run.space, run.config, run.seed, &self.device, &outcome);
            export.runs.push(record);
        }
        self.write_export()?;
        Ok(outcome)
    }

    fn write_export(&self) -> Result<()> {
        if let Some((file, export)) = &self.export {
            file.replace(export.to_json().as_bytes())?;
        }
        Ok(())
    }
}

/// Everyone who watches a run.
struct Watchers<'a> {
    progress: Progress,
    trace: Option<&'a mut Trace>,
}

impl Observer for Watchers<'_> {
    fn generation(&mut self, report: &GenerationReport<'_>) {
        self.progress.generation(report);
        if let Some(trace) = &mut self.trace {
            trace.generation(report);
        }
    }

    fn warning(&mut self, message: &str) {
        self.progress.warning(message);
    }

    fn wants_distinct(&self) -> bool {
        self.trace.is_some()
    }
}
