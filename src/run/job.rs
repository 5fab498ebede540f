//! Jobs: the runs that an [`Executor`](super::Executor) carries out, and the interface of a command to them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::SolveError;
use crate::board::SearchSpace;
use crate::ga::{Checkpoint, Config, CustomOperators, Observer, Outcome, Run};

/// A run that is to be carried out, and its observer.
#[derive(Clone, Debug)]
pub struct RunJob<'a, O> {
    /// The puzzle after presolve.
    pub space: Arc<SearchSpace>,
    /// All parameters.
    pub config: Arc<Config>,
    /// The seed.
    pub seed: u64,
    /// Operators that take the place of the configuration's.
    pub operators: &'a CustomOperators,
    /// The checkpoint that the run resumes from; by default it starts from its seed.
    pub resume_from: Option<Checkpoint>,
    /// Is called with each generation, and may end the run.
    pub observer: O,
}

impl<'a, O> RunJob<'a, O> {
    /// A run that starts from its seed, with the configuration's operators.
    pub fn new(space: Arc<SearchSpace>, config: Arc<Config>, seed: u64, observer: O) -> Self {
        Self {
            space,
            config,
            seed,
            operators: CustomOperators::none(),
            resume_from: None,
            observer,
        }
    }

    /// The run.
    pub fn run<'r>(&'r self, interrupted: &'r AtomicBool) -> Run<'r> {
        let Self { space, config, seed, operators, resume_from, .. } = self;
        let resume_from = resume_from.as_ref();
        Run { operators, resume_from, ..Run::new(space, config, *seed, interrupted) }
    }

    /// The run and its observer.
    pub fn parts<'r>(&'r mut self, interrupted: &'r AtomicBool) -> (Run<'r>, &'r mut O) {
        let Self { space, config, seed, operators, resume_from, observer } = self;
        let resume_from = resume_from.as_ref();
        (Run { operators, resume_from, ..Run::new(space, config, *seed, interrupted) }, observer)
    }
}

/// The jobs of a command. Both methods are called on the thread of the worker that carries out the run.
pub trait Jobs: Sync {
    /// The description of a run, which the source gives.
    type Item: Send;
    /// The observer of a run.
    type Observer: Observer + Send;
    /// The result of a run, which the sink takes.
    type Result: Send;

    /// Makes the run of an item.
    ///
    /// # Errors
    /// The result of the item where nothing is to be run.
    fn prepare(&self, item: Self::Item) -> Result<RunJob<'_, Self::Observer>, Self::Result>;

    /// Makes the result of a run that a worker with so many threads has carried out.
    fn finish(
        &self,
        job: RunJob<'_, Self::Observer>,
        outcome: Result<Outcome, SolveError>,
        threads: usize,
    ) -> Self::Result;
}
