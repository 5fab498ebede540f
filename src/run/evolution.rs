//! A run that is carried out step by step by whoever owns it: a notebook, a page, a loop of one's own.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rayon::ThreadPool;
use self_cell::{MutBorrow, self_cell};

use super::backend::Pipelines;
use super::{Backend, SolveError, SolveResult};
use crate::board::SearchSpace;
use crate::ga::encoding::{BoardCheck, BoardError};
use crate::ga::{
    ActiveRun, Checkpoint, Config, CustomOperators, EngineError, GenerationStats, IslandSink,
    Observer, Run, RunCounters, RunError, StopReason,
};
use crate::util::threads::pool_of_at_most;

/// A run that is carried out step by step. It is the same as [`Solver::solve`](super::Solver::solve) of the same solver,
/// bit for bit, however many generations a step has.
///
/// ```
/// use evodoku::{Preset, Solver, format};
///
/// let puzzle = format::load("easter-monster", None)?.puzzle;
/// let solver = Solver::new(Preset::Boxes).population(500).seed(1);
/// let mut evolution = solver.evolve(&puzzle)?;
/// evolution.step(1, &mut ())?; // Generation 0: the initial population, scored.
/// let first = evolution.counters().best_fitness;
/// assert_eq!(evolution.step(20, &mut ())?, None); // It has not ended.
/// assert_eq!(evolution.counters().generation, 20);
/// assert!(evolution.counters().best_fitness < first);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Evolution {
    run: OwnedRun,
    /// None in a page, which has one thread.
    pool: Option<ThreadPool>,
    operators: CustomOperators,
}

/// What a run borrows.
pub(super) struct RunInputs {
    /// The puzzle after presolve.
    pub space: SearchSpace,
    /// All parameters.
    pub config: Config,
    /// The seed.
    pub seed: u64,
    /// Operators that take the place of the configuration's.
    pub operators: CustomOperators,
    /// Interrupts the run when it is set to true.
    pub interrupted: Arc<AtomicBool>,
    /// A checkpoint to resume from.
    pub resume_from: Option<Checkpoint>,
    /// Where it happens.
    pub backend: Arc<Backend>,
    /// The pipelines of its boards, once there is an engine.
    pub pipelines: Option<Pipelines>,
}

self_cell! {
    /// A run together with all that it borrows.
    struct OwnedRun {
        owner: MutBorrow<RunInputs>,
        #[covariant]
        dependent: ActiveRun,
    }
}

impl Evolution {
    /// Starts or resumes a run on so many threads.
    pub(super) fn start(
        inputs: RunInputs,
        threads: usize,
        observer: &mut (dyn Observer + Send),
    ) -> Result<Self, SolveError> {
        let operators = inputs.operators.clone();
        let pool = (!cfg!(target_arch = "wasm32")).then(|| pool_of_at_most(threads)).transpose()?;
        let run = install(pool.as_ref(), || {
            OwnedRun::try_new(MutBorrow::new(inputs), |inputs| {
                let inputs = inputs.borrow_mut();
                let (space, backend) = (&inputs.space, inputs.backend.member(0));
                let (operators, pipelines) = (&inputs.operators, &mut inputs.pipelines);
                let run = Run::new(space, &inputs.config, inputs.seed, &inputs.interrupted);
                let run = Run { operators, resume_from: inputs.resume_from.as_ref(), ..run };
                let engine = move || {
                    let made = backend.pipelines(space.geometry()).map_err(EngineError::new)?;
                    let place = pipelines; // Moved, so that the engine may keep it.
                    backend.engine(&run, place.insert(made))
                };
                ActiveRun::start(run, engine, observer)
            })
        })?;
        let mut evolution = Self { run, pool, operators };
        evolution.with_run(|run| run.stop_clock());
        Ok(evolution)
    }

    /// Calls `work` with the run on the threads of its pool.
    fn with_run<R: Send>(&mut self, work: impl FnOnce(&mut ActiveRun<'_>) -> R + Send) -> R {
        let Self { run, pool, .. } = self;
        install(pool.as_ref(), || run.with_dependent_mut(|_, run| work(run)))
    }

    /// Carries out so many generations, unless something ends the run before. The first is generation 0. Returns the
    /// reason why the run has ended, if it has. A run that was interrupted continues with its last complete generation. On a
    /// device that is not waited for ([`Device::waits`](crate::gpu_engine::Device::waits)) it may carry out fewer, or none yet.
    /// Between two steps the time limit of the run does not go on.
    ///
    /// # Errors
    /// [`SolveError`] when the run cannot continue.
    pub fn step(
        &mut self,
        generations: u32,
        observer: &mut (dyn Observer + Send),
    ) -> Result<Option<StopReason>, SolveError> {
        self.with_run(|run| {
            run.continue_interrupted();
            let before = run.next_generation();
            let stepped = step(run, generations, observer);
            // While a device is at work the time goes on.
            if run.next_generation() > before || run.ending().is_some() || stepped.is_err() {
                run.stop_clock();
            }
            stepped?;
            Ok(run.ending())
        })
    }

    /// Carries out generations until something ends the run.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn complete(
        mut self,
        observer: &mut (dyn Observer + Send),
    ) -> Result<SolveResult, SolveError> {
        self.step(u32::MAX, observer)?;
        self.result()
    }

    /// The reason why the run has ended, if it has.
    pub fn ending(&self) -> Option<StopReason> {
        self.run.borrow_dependent().ending()
    }

    /// The counters after the last complete generation, and the best board so far.
    pub fn counters(&self) -> RunCounters {
        self.run.borrow_dependent().counters()
    }

    /// The statistics of the last complete generation, if there is one.
    #[doc(hidden)]
    pub fn last_generation(&self) -> Option<&GenerationStats> {
        self.run.borrow_dependent().last_generation()
    }

    /// The puzzle after presolve.
    pub fn space(&self) -> &SearchSpace {
        self.run.borrow_dependent().run().space
    }

    /// All parameters, those that follow from the puzzle included.
    pub fn config(&self) -> &Config {
        self.run.borrow_dependent().run().config
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.run.borrow_dependent().run().seed
    }

    /// Hands out the population after the last complete generation, island by island: the packed boards of an island, and
    /// the fitness of each. There is none before generation 0, and none where presolve has filled all cells.
    ///
    /// # Errors
    /// The error of the engine.
    #[doc(hidden)]
    pub fn for_each_island(
        &mut self,
        take: &mut (dyn FnMut(&[u8], &[u16]) + Send),
    ) -> Result<(), SolveError> {
        Ok(self.with_run(|run| {
            let take: IslandSink<'_> = take;
            run.for_each_island(take)
        })?)
    }

    /// Copies the fitness of all individuals after the last complete generation; `None` before generation 0. On a device that is
    /// not waited for it is requested by the first call after a complete generation, and `None` until it is there.
    ///
    /// # Errors
    /// The error of the engine.
    pub fn fitness(&mut self) -> Result<Option<Vec<u16>>, SolveError> {
        Ok(self.with_run(|run| run.fitness())?)
    }

    /// Copies the state of the run after its last complete generation, from which [`Solver::evolve_from`] of the same
    /// solver continues.
    ///
    /// [`Solver::evolve_from`]: super::Solver::evolve_from
    ///
    /// # Errors
    /// The error of the engine.
    pub fn checkpoint(&mut self) -> Result<Checkpoint, SolveError> {
        Ok(self.with_run(|run| run.checkpoint())?)
    }

    /// Checks boards of one byte a cell, and replaces the individuals of the highest fitness by them. They count as
    /// evaluations.
    ///
    /// # Errors
    /// [`InjectError`] when a board is none of this run's, or there are more than individuals; errors of the engine.
    pub fn inject<'b>(
        &mut self,
        boards: impl IntoIterator<Item = &'b [u8]>,
    ) -> Result<(), InjectError> {
        let (space, encoding) = (self.space(), self.config().encoding);
        let check = BoardCheck::new(encoding, space);
        let stride = space.geometry().stride();
        let (mut packed, most) = (Vec::new(), self.config().population as usize);
        for (number, board) in boards.into_iter().enumerate() {
            check.check(board).map_err(|error| InjectError::Board { number, error })?;
            packed.extend_from_slice(board);
            packed.resize((number + 1) * stride, 0);
        }
        let count = packed.len() / stride;
        if count > most {
            return Err(InjectError::TooMany { count, most });
        }
        Ok(self.with_run(|run| run.inject(&packed)).map_err(SolveError::from)?)
    }

    /// Returns what the run has come to so far.
    ///
    /// # Errors
    /// [`SolveError`] when a board that was scored 0 is no solution.
    pub fn result(&self) -> Result<SolveResult, SolveError> {
        let run = self.run.borrow_dependent();
        Ok(SolveResult {
            space: self.space().clone(),
            config: self.config().clone(),
            seed: self.seed(),
            operators: self.operators.names(),
            outcome: run.outcome()?,
        })
    }
}

/// Calls `work` on the threads of a pool, if there is one.
fn install<R: Send>(pool: Option<&ThreadPool>, work: impl FnOnce() -> R + Send) -> R {
    match pool {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

fn step(
    run: &mut ActiveRun<'_>,
    generations: u32,
    observer: &mut dyn Observer,
) -> Result<(), RunError> {
    let end = run.next_generation().saturating_add(generations);
    while run.next_generation() < end && run.ending().is_none() {
        run.step(end - run.next_generation(), observer)?;
        if !run.waits() {
            break;
        }
    }
    Ok(())
}

/// Why boards cannot become individuals of a run.
#[derive(Debug, thiserror::Error)]
pub enum InjectError {
    /// A board is none of this run's.
    #[error("board {number}: {error}")]
    Board {
        /// Its number, from 0.
        number: usize,
        /// What is wrong with it.
        error: BoardError,
    },
    /// There are more boards than individuals.
    #[error("{count} boards, but the population has only {most} individuals")]
    TooMany {
        /// The boards.
        count: usize,
        /// The individuals.
        most: usize,
    },
    /// The run cannot continue.
    #[error(transparent)]
    Run(#[from] SolveError),
}
