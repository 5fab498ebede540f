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
use crate::ga::breeder::Breeder;
use crate::ga::{Config, ConfigError, CustomOperators, Overrides, Run, RunSettings};
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
        let training = spec.puzzles.blocks.first().map_or(0, |block| block.puzzles.len());
        Self { spec, cells: &plan.cells, training, resources, spaces: RefCell::default() }
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
        for (name, text) in self.spec.space.texts(candidate) {
            // Each text was written by the parameter itself.
            if let Ok(value) = Overrides::parse(name, &text) {
                set.merge(&value);
            }
        }
        set
    }

    /// Whether a candidate can be run on every puzzle. Too little memory does not count: the same
    /// candidates are sampled on every machine, and the run reports it.
    pub fn possible(&self, candidate: &Candidate) -> bool {
        let set = self.set(candidate);
        let fits = |cell: usize| {
            let (space, config) = self.config(cell, &set).ok()?;
            if !space.free.is_empty() {
                Breeder::new(&space, &config, CustomOperators::none()).ok()?;
            }
            Some(())
        };
        (0..self.cells.len()).all(|cell| fits(cell).is_some())
    }

    fn memory(&self, space: &SearchSpace, config: &Config) -> u64 {
        Run::new(space, config, 0, self.resources.interrupted).memory_needed()
    }

    /// The configuration of a puzzle where this is set, and the puzzle after presolve.
    fn config(
        &self,
        cell: usize,
        set: &Overrides,
    ) -> Result<(Arc<SearchSpace>, Config), ConfigError> {
        let mut settings = self.spec.settings.clone();
        settings.overrides.merge(set);
        let space = self.space(cell, &settings);
        let config = settings.config(&space)?;
        Ok((space, config))
    }

    fn space(&self, cell: usize, settings: &RunSettings) -> Arc<SearchSpace> {
        let level = settings.presolve();
        let mut spaces = self.spaces.borrow_mut();
        let found = spaces.entry((cell, level)).or_insert_with(|| {
            let puzzle = &self.cells[cell].puzzle;
            // The plan has found that there is no contradiction.
            let space = presolve(puzzle, level);
            Arc::new(space.unwrap_or_else(|_| SearchSpace::blank(puzzle.geometry)))
        });
        found.clone()
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
        self.spec.cost.cost(record.solved(), record.work, record.fitness, side)
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
        let mut missing: Vec<&TrialRequest> = Vec::new();
        let mut keys: Vec<TrialKey> = Vec::new();
        let mut seen: HashSet<TrialKey> = HashSet::new();
        for one in wanted {
            let key = self.key(one);
            store.needed.push(key.clone());
            if !store.known.contains_key(&key) && seen.insert(key.clone()) {
                missing.push(one);
                keys.push(key);
            }
        }
        self.run_missing(&missing, &keys, store)?;
        let known = |one| store.known.get(&self.key(one)).cloned().ok_or(TuneError::Interrupted);
        wanted.iter().map(known).collect()
    }

    fn run_missing(
        &self,
        missing: &[&TrialRequest],
        keys: &[TrialKey],
        store: &mut TrialJournal,
    ) -> Result<(), TuneError> {
        if missing.is_empty() {
            return Ok(());
        }
        let cell = |(run, wanted): (usize, &&TrialRequest)| {
            let template = &self.cells[wanted.cell];
            let puzzle = template.puzzle.clone();
            let configured = self.config(wanted.cell, &wanted.set);
            let (space, config) = configured
                .map_err(|error| TuneError::Unfit { puzzle: puzzle.name.clone(), error })?;
            let memory = self.memory(&space, &config);
            let (first_seed, first_run) = (wanted.seed, run);
            let new = Cell { config, first_seed, first_run, memory, seeds: 1, ..template.clone() };
            Ok(new)
        };
        let cells = missing.iter().enumerate().map(cell).collect::<Result<Vec<_>, TuneError>>()?;
        let plan = Plan::of(self.spec.name.clone(), Vec::new(), cells);
        let fitting = memory::available() / plan.memory().max(1);
        let Resources { backend, jobs, threads, interrupted } = *self.resources;
        let runner = Runner {
            checkpoints: None,
            plan: &plan,
            backend,
            jobs: jobs.min(usize::try_from(fitting).unwrap_or(usize::MAX)).max(1),
            threads,
            interrupted,
            part: RunSubset::default(),
        };
        let mut results = Results::new(&plan);
        let mut finished = |results: &mut Results<'_>, number: usize| {
            let Some(run) = results.run(number) else { return Ok(()) };
            let (validation, place, set, seed) = keys[number].clone();
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
