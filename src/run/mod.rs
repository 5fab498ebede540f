//! Solving: a configuration, a backend, a puzzle.
//!
//! ```
//! use evodoku::{Backend, Preset, Solver, format};
//!
//! let puzzle = format::load("001-easy-03", None)?.puzzle;
//! let solver = Solver::new(Preset::Cellular).on(Backend::cpu()).population(3_000).seed(1);
//! let finished = solver.solve(&puzzle)?;
//!
//! assert!(finished.outcome.solved()); // and checked by `board::verify`
//! println!("{}", format::grid(puzzle.geometry, &finished.outcome.board));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "gpu")]
mod adapter_selection;
mod backend;
mod backend_info;
mod batch;
#[cfg(feature = "gpu")]
mod engine_selection;
mod error;
mod evolution;
mod executor;
mod job;
mod target;
mod worker;

#[cfg(all(feature = "cli", feature = "gpu"))]
pub(crate) use adapter_selection::first_working;
pub use backend::Backend;
pub use backend_info::BackendInfo;
pub use error::{BackendError, SolveError};
pub use evolution::{Evolution, InjectError};
pub(crate) use executor::{Executor, RemoteReply, RemoteWork, RemoteWorker};
pub(crate) use job::{Jobs, RunJob};
pub use target::{Place, Target};
pub(crate) use worker::{IslandExecutor, Worker};

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use evolution::RunInputs;

use crate::board::{Puzzle, SearchSpace, presolve};
use crate::ga::{
    Checkpoint, Config, CustomOperators, Observer, OperatorName, Outcome, Overrides, Preset,
    RunSettings,
};

/// A solver of puzzles: an algorithm with its parameters and operators, and where it runs.
#[derive(Debug)]
pub struct Solver {
    /// The preset and the parameters that are set.
    pub(crate) settings: RunSettings,
    operators: CustomOperators,
    /// Where it runs.
    pub(crate) backend: Arc<Backend>,
    interrupted: Arc<AtomicBool>,
    seed: u64,
    threads: usize,
}

/// A run that has ended.
#[derive(Clone, Debug)]
pub struct SolveResult {
    /// The puzzle after presolve.
    pub space: SearchSpace,
    /// All parameters, those that follow from the puzzle included.
    pub config: Config,
    /// The seed: with the configuration, all that the run depended on.
    pub seed: u64,
    /// Custom operators that took part, as reports name them.
    pub operators: Vec<OperatorName>,
    /// How it ended, and with what.
    pub outcome: Outcome,
}

/// A random seed of at most six digits, short enough to say.
pub fn random_seed() -> u64 {
    rand::random_range(0..1_000_000)
}

impl Solver {
    /// A preset on the CPU, with a random seed.
    pub fn new(preset: Preset) -> Self {
        Self::from_settings(RunSettings::of(preset))
    }

    /// A preset and parameters that are set, on the CPU, with a random seed.
    pub fn from_settings(settings: RunSettings) -> Self {
        Self {
            settings,
            operators: CustomOperators::default(),
            backend: Arc::new(Backend::cpu()),
            interrupted: Arc::default(),
            seed: random_seed(),
            threads: 0,
        }
    }

    /// Sets where it runs; the default is the CPU.
    pub fn on(self, backend: impl Into<Arc<Backend>>) -> Self {
        Self { backend: backend.into(), ..self }
    }

    /// Sets what interrupts its runs: a flag that another thread sets to true.
    pub fn interrupted_by(self, flag: Arc<AtomicBool>) -> Self {
        Self { interrupted: flag, ..self }
    }

    /// Sets the number of individuals.
    pub fn population(self, individuals: u32) -> Self {
        self.set(Overrides { population: Some(individuals), ..Overrides::default() })
    }

    /// Sets parameters, which replace those that were set before or would follow from the puzzle.
    pub fn set(mut self, overrides: Overrides) -> Self {
        self.settings.overrides.merge(&overrides);
        self
    }

    /// Sets the seed; the default is a random one.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Sets the number of threads; 0, the default, is one a core.
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Sets custom operators, which take the place of the configuration's.
    pub fn operators(self, operators: CustomOperators) -> Self {
        Self { operators, ..self }
    }

    /// Evolves a solution of the puzzle until the configuration's budget is spent.
    ///
    /// # Errors
    /// [`SolveError`] when the puzzle contradicts itself or the run cannot start or continue; running
    /// out of budget is no error.
    pub fn solve(&self, puzzle: &Puzzle) -> Result<SolveResult, SolveError> {
        self.solve_with(puzzle, &mut ())
    }

    /// As [`solve`](Self::solve), with an observer, which is called with each generation and may end the run.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn solve_with(
        &self,
        puzzle: &Puzzle,
        observer: &mut (dyn Observer + Send),
    ) -> Result<SolveResult, SolveError> {
        self.start(puzzle, None, observer)?.complete(observer)
    }

    /// Starts a run that is carried out step by step.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn evolve(&self, puzzle: &Puzzle) -> Result<Evolution, SolveError> {
        self.start(puzzle, None, &mut ())
    }

    /// As [`evolve`](Self::evolve), from a checkpoint of a run of this solver on this puzzle.
    ///
    /// # Errors
    /// As [`resume`](Self::resume).
    pub fn evolve_from(
        &self,
        puzzle: &Puzzle,
        checkpoint: &Checkpoint,
    ) -> Result<Evolution, SolveError> {
        self.start(puzzle, Some(checkpoint), &mut ())
    }

    /// Resumes a run of this solver on this puzzle from a checkpoint of it, whatever backend it was
    /// taken on; the seed is this solver's, and so is the budget.
    ///
    /// # Errors
    /// As [`solve`](Self::solve), and when the checkpoint is none of such a run.
    pub fn resume(
        &self,
        puzzle: &Puzzle,
        checkpoint: &Checkpoint,
        observer: &mut (dyn Observer + Send),
    ) -> Result<SolveResult, SolveError> {
        self.start(puzzle, Some(checkpoint), observer)?.complete(observer)
    }

    fn start(
        &self,
        puzzle: &Puzzle,
        from: Option<&Checkpoint>,
        observer: &mut (dyn Observer + Send),
    ) -> Result<Evolution, SolveError> {
        let (space, config) = self.prepare(puzzle)?;
        let inputs = RunInputs {
            space,
            config,
            seed: self.seed,
            operators: self.operators.clone(),
            interrupted: Arc::clone(&self.interrupted),
            // Before generation 0 there is nothing to resume.
            resume_from: from.filter(|from| !from.is_empty()).cloned(),
            backend: Arc::clone(&self.backend),
            pipelines: None,
        };
        Evolution::start(inputs, self.threads, observer)
    }

    /// The puzzle after presolve, and the configuration that follows.
    ///
    /// # Errors
    /// [`SolveError::Contradictory`] when the puzzle contradicts itself, [`SolveError::Config`] when the settings do
    /// not fit it.
    pub fn prepare(&self, puzzle: &Puzzle) -> Result<(SearchSpace, Config), SolveError> {
        let space = presolve(puzzle, self.settings.presolve())?;
        let config = self.settings.config(&space)?;
        Ok((space, config))
    }
}
