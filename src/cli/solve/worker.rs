//! Solves one puzzle after the other, on threads of its own.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::board::presolve;
use crate::board::{Geometry, Puzzle, SearchSpace};
use crate::device::{DeviceEngine, Recovering, Replay};
use crate::evolve::{Config, GenerationReport, Observer, Outcome, Run, Settings, StopReason};
use crate::exact::shown_to_have_none;
use crate::format::Reading;
use crate::report::{Device, Record, Trace};
use crate::score::Pipeline;
use anyhow::{Context, Error, Result};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::bar::ListBar;
use crate::cli::backend::Scoring;
use crate::cli::configure::Configure;
use crate::cli::input::say_shape;
use crate::cli::output::Notes;
use crate::cli::progress::Progress;
use crate::cli::summary;

/// What the runs of one command share.
pub struct Session<'a> {
    pub settings: Settings,
    /// Where the settings are from.
    pub configure: Configure,
    /// Whether it was said what the first puzzle made of them.
    pub choices_said: AtomicBool,
    pub scoring: Scoring,
    pub device: Device,
    pub chunk: Option<NonZeroUsize>,
    /// Whether a run whose device failed is done again on the CPU.
    pub replay: Replay,
    pub notes: Notes,
    /// The seed of the first run of each puzzle.
    pub seed: u64,
    /// Runs of each puzzle.
    pub runs: u32,
    /// Whether records are asked for.
    pub records: bool,
    /// Whether each run has a bar of its own.
    pub bar_of_run: bool,
    /// Whether its best board is drawn.
    pub watch: bool,
    /// The bar of the list.
    pub bar: ListBar,
    /// Shapes that were remarked on.
    pub said: Mutex<HashSet<Geometry>>,
    /// Written by one worker alone.
    pub trace: Mutex<Option<Trace>>,
    pub interrupted: &'a AtomicBool,
}

/// What came of a puzzle.
pub enum Answer {
    /// Its runs ended; `impossible` if none had a solution and exact search shows that there is
    /// none.
    Ended { puzzle: Puzzle, runs: Vec<Ended>, impossible: bool },
    /// There is no puzzle, it has no solution, or a run failed after those that ended.
    Failed { puzzle: Option<Puzzle>, runs: Vec<Ended>, error: Error },
    /// It was interrupted before it began.
    Untouched,
}

/// A run that ended.
pub struct Ended {
    pub outcome: Outcome,
    /// What to say of it on stderr.
    pub remark: String,
    pub record: Option<Record>,
}

/// Solves puzzles.
pub struct Worker<'a> {
    session: &'a Session<'a>,
    threads: ThreadPool,
    /// One for each shape: a device that failed once is not tried again.
    pipelines: HashMap<Geometry, Pipeline>,
}

impl<'a> Worker<'a> {
    /// A worker with so many threads.
    pub fn new(session: &'a Session<'a>, threads: usize) -> Result<Self> {
        let threads = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .context("cannot start the threads")?;
        Ok(Self { session, threads, pipelines: HashMap::new() })
    }

    /// Runs a puzzle with each of its seeds.
    pub fn solve(&mut self, reading: Result<Reading>) -> Answer {
        if self.session.interrupted.load(Ordering::Relaxed) {
            return Answer::Untouched;
        }
        let reading = match reading {
            Ok(reading) => reading,
            Err(error) => return Answer::Failed { puzzle: None, runs: Vec::new(), error },
        };
        self.remark_on(&reading);
        let mut runs = Vec::new();
        match self.run_all(&reading.puzzle, &mut runs) {
            Ok(()) => {
                let gave_up = runs.iter().all(|run| run.outcome.stop_reason.is_budget());
                let interrupted = Some(self.session.interrupted);
                let impossible = gave_up && shown_to_have_none(&reading.puzzle, interrupted);
                Answer::Ended { puzzle: reading.puzzle, runs, impossible }
            }
            Err(error) => Answer::Failed { puzzle: Some(reading.puzzle), runs, error },
        }
    }

    /// Once for a list of boards of one shape.
    fn remark_on(&self, reading: &Reading) {
        let mut said = self.session.said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.insert(reading.puzzle.geometry) {
            self.session.bar.suspend(|| say_shape(reading, self.session.notes));
        }
    }

    fn run_all(&mut self, puzzle: &Puzzle, runs: &mut Vec<Ended>) -> Result<()> {
        let session = self.session;
        let name = &puzzle.name;
        let space = presolve(puzzle, session.settings.presolve())
            .with_context(|| format!("{name} has no solution"))?;
        let config = &session.settings.config(&space);
        for number in 0..session.runs {
            let seed = session.seed.wrapping_add(number.into());
            let run = Run { space: &space, config, seed, interrupted: session.interrupted };
            let of_run = || format!("{name}, seed {seed}");
            if number == 0 {
                run.check_memory().with_context(of_run)?;
                self.say_choices(config, &space)?;
            }
            let outcome = self.evolve(&run).with_context(of_run)?;
            let ended = outcome.stop_reason == StopReason::Interrupted;
            let threads = self.threads.current_num_threads();
            let device = Device { threads, ..session.device.clone() };
            runs.push(Ended {
                remark: summary::of_run(&run, &device, &outcome),
                record: session
                    .records
                    .then(|| Record::new(&space, config, seed, &device, &outcome)),
                outcome,
            });
            if ended {
                break;
            }
        }
        Ok(())
    }

    /// What the first puzzle made of the settings; of a list, each puzzle's own is not said.
    fn say_choices(&self, config: &Config, space: &SearchSpace) -> Result<()> {
        let session = self.session;
        if session.choices_said.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        let say = |text: &str| session.bar.suspend(|| session.notes.say(text));
        for name in session.configure.idle(config)? {
            say(&format!("{name} was set, but means nothing with the other parameters"));
        }
        if let Some(chosen) = summary::of_choices(&session.settings, config, space) {
            say(&chosen);
        }
        Ok(())
    }

    /// Runs and traces.
    fn evolve(&mut self, run: &Run<'_>) -> Result<Outcome> {
        let session = self.session;
        let geometry = run.space.geometry();
        let name = &run.space.puzzle.name;
        let pipeline = match self.pipelines.entry(geometry) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                new.insert(Pipeline::new(session.scoring.evaluator(geometry, session.chunk)?))
            }
        };
        let mut trace = session.trace.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(trace) = trace.as_mut() {
            trace.begin(name);
        } else {
            // Nothing is written: the others need not wait.
            drop(trace);
            return self.threads.install(|| watched(run, pipeline, session, None));
        }
        let trace = trace.as_mut();
        self.threads.install(|| watched(run, pipeline, session, trace))
    }
}

fn watched(
    run: &Run<'_>,
    pipeline: &mut Pipeline,
    session: &Session<'_>,
    trace: Option<&mut Trace>,
) -> Result<Outcome> {
    let space = run.space;
    let progress =
        || Progress::new(&space.puzzle.name, space.geometry(), session.watch, session.notes);
    let mut watchers = Watchers {
        progress: session.bar_of_run.then(progress),
        trace,
        bar: &session.bar,
        notes: session.notes,
    };
    let outcome = match session.scoring.kernels() {
        None => run.evolve(pipeline, &mut watchers),
        Some(kernels) => {
            let chunk = session.chunk.map(|chunk| u32::try_from(chunk.get()).unwrap_or(u32::MAX));
            run.evolve_on(
                || {
                    let engine = DeviceEngine::new(run, kernels, chunk);
                    Recovering::new(run, engine, pipeline, session.replay)
                },
                &mut watchers,
            )
        }
    };
    if let Some(progress) = &watchers.progress {
        progress.finish();
    }
    let outcome = outcome?;
    if let Some(trace) = watchers.trace {
        trace.flush();
    }
    Ok(outcome)
}

/// Everyone who watches a run.
struct Watchers<'a> {
    progress: Option<Progress>,
    trace: Option<&'a mut Trace>,
    bar: &'a ListBar,
    notes: Notes,
}

impl Observer for Watchers<'_> {
    fn generation(&mut self, report: &GenerationReport<'_>) {
        if let Some(progress) = &mut self.progress {
            progress.generation(report);
        }
        if let Some(trace) = &mut self.trace {
            trace.generation(report);
        }
    }

    fn warning(&mut self, message: &str) {
        match &mut self.progress {
            Some(progress) => progress.warning(message),
            None => self.bar.suspend(|| self.notes.say(&format!("warning: {message}"))),
        }
    }

    fn wants_distinct(&self) -> bool {
        self.trace.is_some()
    }
}
