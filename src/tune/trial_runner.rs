//! Runs trials: on the pool of an experiment, several at a time, those that are not there yet.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use thiserror::Error;

use super::journal::{TrialJournal, TrialKey, TrialRecord};
use super::race::{RaceTrial, TrialResult};
use super::space::Candidate;
use super::spec::TuneSpec;
use crate::board::{Presolve, SearchSpace, presolve};
use crate::experiment::{
    Cell, Completion, Fingerprint, Plan, Results, RunSubset, Runner, RunnerError,
};
use crate::ga::{Config, ConfigError, Overrides, Run};
use crate::random::{GenerationRng, StreamStage};
use crate::run::Backend;
use crate::store::StoreError;
use crate::util::memory;

/// Why a tuning cannot continue. Its finished trials are in its journal.
#[derive(Debug, Error)]
pub enum TuneError {
    /// A run failed, or there are no threads.
    #[error(transparent)]
    Runner(#[from] RunnerError),
    /// The journal.
    #[error(transparent)]
    Journal(#[from] StoreError),
    /// The user interrupted it.
    #[error("it was interrupted")]
    Interrupted,
    /// A configuration fits one puzzle and not another.
    #[error("{puzzle}: {error}")]
    Unfit {
        /// The puzzle's name.
        puzzle: String,
        /// The error.
        error: ConfigError,
    },
}

/// Where trials are run.
pub(super) struct TrialRunner<'a> {
    spec: &'a TuneSpec,
    /// A cell for each puzzle, those of training first, as it is by default.
    cells: &'a [Cell],
    training: usize,
    resources: &'a Resources<'a>,
    /// Puzzles after presolve.
    spaces: RefCell<HashMap<(usize, Presolve), Arc<SearchSpace>>>,
}

/// A trial: a puzzle by its place among all, the parameters that are set, and the seed.
#[derive(Clone, Debug)]
pub(super) struct TrialRequest {
    pub cell: usize,
    pub set: Overrides,
    pub seed: u64,
}

/// How many there may be at a time, and where.
pub struct Resources<'a> {
    /// Where runs happen.
    pub backend: &'a Backend,
    /// Runs at a time.
    pub jobs: usize,
    /// Threads of all of them together.
    pub threads: usize,
    /// Set when the user interrupts the tuning.
    pub interrupted: &'a AtomicBool,
}

impl<'a> TrialRunner<'a> {
    /// For the puzzles of a plan that was made of a spec.
    pub fn new(spec: &'a TuneSpec, plan: &'a Plan, resources: &'a Resources<'a>) -> Self {
        let (cells, training) = (&plan.cells[..], spec.training());
        Self { spec, cells, training, resources, spaces: RefCell::default() }
    }

    /// The fingerprint of all that runs depend on, without their seeds and the tuned parameters.
    pub fn fingerprint(spec: &TuneSpec, plan: &Plan) -> String {
        let mut fingerprint = Fingerprint::new();
        fingerprint.field(spec.settings.preset.name().as_bytes());
        fingerprint.field(spec.settings.overrides.to_string().as_bytes());
        for cell in &plan.cells {
            fingerprint.field(cell.block.as_bytes());
            fingerprint.field(cell.puzzle.geometry.to_string().as_bytes());
            fingerprint.field(&cell.puzzle.givens);
        }
        fingerprint.text()
    }

    /// The parameters that a candidate sets.
    pub fn set(&self, candidate: &Candidate) -> Overrides {
        let mut set = Overrides::default();
        let texts = self.spec.space.texts(candidate).into_iter();
        // Each text was written by the parameter itself.
        let values = texts.filter_map(|(name, text)| Overrides::parse(name, &text).ok());
        values.for_each(|value| set.merge(&value));
        set
    }

    /// Whether a candidate can be run on every puzzle. Too little memory does not count: the same
    /// candidates are sampled on every machine, and the run reports it.
    pub fn possible(&self, candidate: &Candidate) -> bool {
        let set = self.set(candidate);
        (0..self.cells.len()).all(|cell| {
            self.config(cell, &set).is_ok_and(|(space, config)| {
                let interrupted = AtomicBool::new(false);
                let run = Run::new(&space, &config, 0, &interrupted);
                space.free.is_empty() || run.smallest_breeder().is_ok()
            })
        })
    }

    /// The configuration of a puzzle where this is set, and the puzzle after presolve.
    fn config(
        &self,
        cell: usize,
        set: &Overrides,
    ) -> Result<(Arc<SearchSpace>, Config), ConfigError> {
        let mut settings = self.spec.settings.clone();
        settings.overrides.merge(set);
        let level = settings.presolve();
        let mut spaces = self.spaces.borrow_mut();
        let space = spaces.entry((cell, level)).or_insert_with(|| {
            let puzzle = &self.cells[cell].puzzle;
            // The plan has found that there is no contradiction.
            let space = presolve(puzzle, level);
            Arc::new(space.unwrap_or_else(|_| SearchSpace::blank(puzzle.geometry)))
        });
        let config = settings.config(space)?;
        Ok((space.clone(), config))
    }

    /// The puzzle and the seed of a block: all puzzles in a shuffled order, then all with the next seed.
    pub fn block(&self, block: usize) -> (usize, u64) {
        let (round, place) = (block / self.training, block % self.training);
        let mut order: Vec<usize> = (0..self.training).collect();
        let seed = GenerationRng::new(self.spec.seed, round as u32);
        seed.draws(StreamStage::Select, 0).shuffle(&mut order);
        (order[place], self.spec.first_seed.wrapping_add(round as u64))
    }

    /// Runs the trials of a race.
    pub fn race(
        &self,
        trials: &[RaceTrial],
        store: &mut TrialJournal,
    ) -> Result<Vec<TrialResult>, TuneError> {
        let wanted: Vec<TrialRequest> = trials
            .iter()
            .map(|trial| {
                let (cell, seed) = self.block(trial.block);
                // The first is the default, whatever its values are on a puzzle.
                let default = trial.number == 1;
                let set = if default { Overrides::default() } else { self.set(&trial.candidate) };
                TrialRequest { cell, set, seed }
            })
            .collect();
        let records = self.run(&wanted, store)?;
        let ran = wanted.iter().zip(records).map(|(wanted, record)| TrialResult {
            cost: self.cost(wanted.cell, &record),
            work: record.work,
        });
        Ok(ran.collect())
    }

    /// The cost of a run.
    pub fn cost(&self, cell: usize, record: &TrialRecord) -> f64 {
        let side = self.cells[cell].puzzle.geometry.side();
        let cost = &self.spec.cost;
        cost.cost(record.solved(cost), record.work, record.fitness, side)
    }

    fn key(&self, wanted: &TrialRequest) -> TrialKey {
        let validation = wanted.cell >= self.training;
        let place = if validation { wanted.cell - self.training } else { wanted.cell };
        (validation, place + 1, wanted.set.to_string(), wanted.seed)
    }

    /// Runs the trials that are not in the journal yet, and returns the records of all, in order.
    ///
    /// # Errors
    /// [`TuneError`] when a run or the journal fails, or it was interrupted.
    pub fn run(
        &self,
        wanted: &[TrialRequest],
        store: &mut TrialJournal,
    ) -> Result<Vec<TrialRecord>, TuneError> {
        let keys: Vec<TrialKey> = wanted.iter().map(|one| self.key(one)).collect();
        store.needed.extend(keys.iter().cloned());
        let mut seen = HashSet::new();
        let missing: Vec<(&TrialRequest, &TrialKey)> = wanted
            .iter()
            .zip(&keys)
            .filter(|(_, key)| !store.known.contains_key(*key) && seen.insert(*key))
            .collect();
        if !missing.is_empty() {
            self.run_missing(&missing, store)?;
        }
        let known = |key| store.known.get(key).cloned().ok_or(TuneError::Interrupted);
        keys.iter().map(known).collect()
    }

    fn run_missing(
        &self,
        missing: &[(&TrialRequest, &TrialKey)],
        store: &mut TrialJournal,
    ) -> Result<(), TuneError> {
        let cell = |(first_run, (wanted, _)): (usize, &(&TrialRequest, &TrialKey))| {
            let template = &self.cells[wanted.cell];
            let (space, config) = self.config(wanted.cell, &wanted.set).map_err(|error| {
                TuneError::Unfit { puzzle: template.puzzle.name.clone(), error }
            })?;
            let memory = Run::new(&space, &config, 0, self.resources.interrupted).memory_needed();
            let (first_seed, seeds) = (wanted.seed, 1);
            Ok(Cell { config, first_seed, first_run, memory, seeds, ..template.clone() })
        };
        let cells = missing.iter().enumerate().map(cell).collect::<Result<Vec<_>, TuneError>>()?;
        let plan = Plan::of(self.spec.name.clone(), Vec::new(), cells);
        let Resources { backend, jobs, threads, interrupted } = *self.resources;
        let runner = Runner {
            checkpoints: None,
            plan: &plan,
            backend,
            jobs: jobs.min(memory::fitting(plan.memory())).max(1),
            threads,
            interrupted,
            part: RunSubset::default(),
        };
        let mut results = Results::new(&plan);
        let mut finished = |results: &mut Results<'_>, number: usize| {
            let Some(run) = results.run(number) else { return Ok(()) };
            let (validation, place, set, seed) = missing[number].1.clone();
            let figures = &run.figures;
            store.insert(TrialRecord {
                validation,
                place,
                puzzle: plan.cells[number].puzzle.name.clone(),
                set,
                seed,
                stop_reason: figures.end,
                fitness: figures.fitness,
                work: figures.work,
                seconds: figures.seconds,
            })?;
            Ok(())
        };
        match runner.run(&mut results, &mut finished)? {
            Completion::Complete => Ok(()),
            Completion::Interrupted => Err(TuneError::Interrupted),
        }
    }
}
