//! A worker: threads of its own, and what scores on them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{Backend, SolveError};
use crate::board::Geometry;
use crate::evolve::{Observer, Outcome, Run};
use crate::score::Pipeline;

/// Does one run after the other on a backend.
pub struct Worker<'a> {
    backend: &'a Backend,
    threads: ThreadPool,
    /// One for each shape: a device that failed once is not tried again.
    pipelines: HashMap<Geometry, Pipeline>,
}

impl<'a> Worker<'a> {
    /// A worker with so many threads, or one a core if 0.
    ///
    /// # Errors
    /// [`SolveError::Threads`] when the system does not give as many.
    pub fn new(backend: &'a Backend, threads: usize) -> Result<Self, SolveError> {
        let threads = ThreadPoolBuilder::new().num_threads(threads).build()?;
        Ok(Self { backend, threads, pipelines: HashMap::new() })
    }

    /// Threads that it has.
    pub fn threads(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// Evolves until something ends the run.
    ///
    /// # Errors
    /// [`SolveError`] when it cannot begin or go on; running out of budget is no error.
    pub fn evolve(
        &mut self,
        run: &Run<'_>,
        observer: &mut (dyn Observer + Send),
    ) -> Result<Outcome, SolveError> {
        let geometry = run.space.geometry();
        let pipeline = match self.pipelines.entry(geometry) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(self.backend.pipeline(geometry)?),
        };
        Ok(self.threads.install(|| self.backend.evolve(run, pipeline, observer))?)
    }
}
