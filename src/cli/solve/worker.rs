//! Solves one puzzle after the other on a worker of the pool.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Error, Result};

use super::bar::ListBar;
use crate::board::{Geometry, Puzzle, SearchSpace};
use crate::cli::configure::Configure;
use crate::cli::input::say_shape;
use crate::cli::output::Notes;
use crate::cli::progress::Progress;
use crate::cli::summary;
use crate::evolve::{Config, GenerationReport, Observer, Outcome, Run, StopReason};
use crate::exact::shown_to_have_none;
use crate::format::Reading;
use crate::report::{Record, Trace};
use crate::solver::{SolveError, Solver, Worker};

/// What the runs of one command share.
pub struct Session<'a> {
    pub solver: Solver,
    /// The seed of the first run of each puzzle, and how many runs there are of each.
    pub seed: u64,
    pub runs: u32,
    /// Whether records are asked for.
    pub records: bool,
    /// Written by one worker alone.
    pub trace: Mutex<Option<Trace>>,
    pub voice: Voice,
    pub interrupted: &'a AtomicBool,
}

/// What is said and shown while puzzles are solved.
pub struct Voice {
    pub notes: Notes,
    /// The bar of the list.
    pub bar: ListBar,
    /// Whether each run has a bar of its own.
    pub bar_of_run: bool,
    /// Whether its best board is drawn.
    pub watch: bool,
    /// Where the settings are from.
    pub configure: Configure,
    /// Whether it was said what the first puzzle made of them.
    pub choices_said: AtomicBool,
    /// Shapes that were remarked on.
    pub shapes_said: Mutex<HashSet<Geometry>>,
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

impl Session<'_> {
    /// Runs a puzzle with each of its seeds.
    pub fn solve(&self, worker: &mut Worker<'_>, reading: Result<Reading>) -> Answer {
        if self.interrupted.load(Ordering::Relaxed) {
            return Answer::Untouched;
        }
        let reading = match reading {
            Ok(reading) => reading,
            Err(error) => return Answer::Failed { puzzle: None, runs: Vec::new(), error },
        };
        self.voice.remark_on(&reading);
        let mut runs = Vec::new();
        match self.run_all(worker, &reading.puzzle, &mut runs) {
            Ok(()) => {
                let gave_up = runs.iter().all(|run| run.outcome.stop_reason.is_budget());
                let interrupted = Some(self.interrupted);
                let impossible = gave_up && shown_to_have_none(&reading.puzzle, interrupted);
                Answer::Ended { puzzle: reading.puzzle, runs, impossible }
            }
            Err(error) => Answer::Failed { puzzle: Some(reading.puzzle), runs, error },
        }
    }

    fn run_all(
        &self,
        worker: &mut Worker<'_>,
        puzzle: &Puzzle,
        runs: &mut Vec<Ended>,
    ) -> Result<()> {
        let name = &puzzle.name;
        let (space, config) = self.solver.prepare(puzzle).map_err(|error| match error {
            SolveError::Contradictory(_) => {
                Error::new(error).context(format!("{name} has no solution"))
            }
            other => Error::new(other).context(name.clone()),
        })?;
        let backend = self.solver.backend().info(worker.threads());
        for number in 0..self.runs {
            let seed = self.seed.wrapping_add(number.into());
            let run = self.solver.run(&space, &config, seed, self.interrupted);
            let of_run = || format!("{name}, seed {seed}");
            if number == 0 {
                run.check_memory().with_context(of_run)?;
                self.voice.say_choices(&self.solver, &config, &space);
            }
            let outcome = self.evolve(worker, &run).with_context(of_run)?;
            let ended = outcome.stop_reason == StopReason::Interrupted;
            let record = || Record::new(&space, &config, seed, &backend, &outcome);
            runs.push(Ended {
                remark: summary::of_run(&run, &backend, &outcome),
                record: self.records.then(record),
                outcome,
            });
            if ended {
                break;
            }
        }
        Ok(())
    }

    /// Runs and traces.
    fn evolve(&self, worker: &mut Worker<'_>, run: &Run<'_>) -> Result<Outcome> {
        let mut trace = self.trace.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(trace) = trace.as_mut() {
            trace.begin(&run.space.puzzle.name);
        } else {
            // Nothing is written: the others need not wait.
            drop(trace);
            return self.watched(worker, run, None);
        }
        self.watched(worker, run, trace.as_mut())
    }

    fn watched(
        &self,
        worker: &mut Worker<'_>,
        run: &Run<'_>,
        trace: Option<&mut Trace>,
    ) -> Result<Outcome> {
        let Voice { notes, bar, bar_of_run, watch, .. } = &self.voice;
        let (name, geometry) = (&run.space.puzzle.name, run.space.geometry());
        let progress = || Progress::new(name, geometry, *watch, *notes);
        let progress = bar_of_run.then(progress);
        let mut watchers = Watchers { progress, trace, bar, notes: *notes };
        let outcome = worker.evolve(run, &mut watchers);
        if let Some(progress) = &watchers.progress {
            progress.finish();
        }
        let outcome = outcome?;
        if let Some(trace) = watchers.trace {
            trace.flush();
        }
        Ok(outcome)
    }
}

impl Voice {
    /// Once for a list of boards of one shape.
    fn remark_on(&self, reading: &Reading) {
        let mut said = self.shapes_said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.insert(reading.puzzle.geometry) {
            self.bar.suspend(|| say_shape(reading, self.notes));
        }
    }

    /// What the first puzzle made of the settings; of a list, each puzzle's own is not said.
    fn say_choices(&self, solver: &Solver, config: &Config, space: &SearchSpace) {
        if self.choices_said.swap(true, Ordering::Relaxed) {
            return;
        }
        let say = |text: &str| self.bar.suspend(|| self.notes.say(text));
        for parameter in self.configure.idle(config) {
            let name = parameter.name;
            say(&format!("{name} was set, but means nothing with the other parameters"));
        }
        let settings = solver.settings();
        let chosen = summary::of_choices(settings, config, space);
        let few = summary::of_few_children(settings, config);
        chosen.into_iter().chain(few).for_each(|remark| say(&remark));
    }
}

/// Everyone who watches a run.
struct Watchers<'a> {
    progress: Option<Progress>,
    trace: Option<&'a mut Trace>,
    bar: &'a ListBar,
    notes: Notes,
}

impl Observer for Watchers<'_> {
    fn generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        if let Some(progress) = &mut self.progress {
            progress.generation(report)?;
        }
        if let Some(trace) = &mut self.trace {
            trace.generation(report)?;
        }
        ControlFlow::Continue(())
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
