//! Jobs: the runs that an [`Executor`](super::Executor) carries out, and the interface of a command to them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::SolveError;
use crate::board::SearchSpace;
use crate::ga::{Checkpoint, Config, Observer, Outcome, Run};

/// A run that is to be carried out, and its observer.
#[derive(Clone, Debug)]
pub struct RunJob<O> {
    /// The puzzle after presolve.
    pub space: Arc<SearchSpace>,
    /// All parameters.
    pub config: Arc<Config>,
    /// The seed.
    pub seed: u64,
    /// The checkpoint that the run resumes from; by default it starts from its seed.
    pub resume_from: Option<Checkpoint>,
    /// Is called with each generation, and may end the run.
    pub observer: O,
}

impl<O> RunJob<O> {
    /// A run that starts from its seed.
    pub fn new(space: Arc<SearchSpace>, config: Arc<Config>, seed: u64, observer: O) -> Self {
        Self { space, config, seed, resume_from: None, observer }
    }

    /// The run.
    pub fn run<'r>(&'r self, interrupted: &'r AtomicBool) -> Run<'r> {
        let run = Run::new(&self.space, &self.config, self.seed, interrupted);
        Run { resume_from: self.resume_from.as_ref(), ..run }
    }

    /// The run and its observer.
    pub fn parts<'r>(&'r mut self, interrupted: &'r AtomicBool) -> (Run<'r>, &'r mut O) {
        let Self { space, config, seed, resume_from, observer } = self;
        let run = Run::new(space, config, *seed, interrupted);
        (Run { resume_from: resume_from.as_ref(), ..run }, observer)
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
    fn prepare(&self, item: Self::Item) -> Result<RunJob<Self::Observer>, Self::Result>;

    /// Makes the result of a run that a worker with so many threads has carried out.
    fn finish(
        &self,
        job: RunJob<Self::Observer>,
        outcome: Result<Outcome, SolveError>,
        threads: usize,
    ) -> Self::Result;
}
