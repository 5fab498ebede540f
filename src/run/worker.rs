//! A worker: carries out one run after the other on the threads of the current rayon pool.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::backend::Pipelines;
use super::{Backend, SolveError};
use crate::board::Geometry;
use crate::fitness::EvaluatorError;
use crate::ga::{
    ActiveRun, BatchEngine, CpuEngine, Engine, EngineError, FallbackEngine, Observer, Outcome, Run,
    RunError, RunState,
};

/// A backend, with the pipelines that score boards on it.
pub struct Worker<'a> {
    /// The backend.
    pub backend: &'a Backend,
    role: WorkerRole,
    /// Those of each shape of boards: a device that failed once is not tried again.
    pipelines: HashMap<Geometry, Pipelines>,
    /// Carries out the runs in the worker's place.
    pub(super) islands: Option<&'a dyn IslandExecutor>,
}

/// Carries out runs whose islands are shared among ranks.
pub trait IslandExecutor: Sync {
    /// Carries out a run together with the other ranks; `worker` breeds the islands of this one.
    ///
    /// # Errors
    /// As [`Worker::evolve`], and errors of other ranks.
    fn evolve(
        &self,
        worker: &mut Worker<'_>,
        run: &Run<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, SolveError>;
}

/// The runs that a worker carries out of those that its backend can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WorkerRole {
    /// One run after the other.
    Alone,
    /// Up to this many runs in a batch, and alone those that fit no batch: on the CPU where the backend is
    /// [`auto`](Backend::auto).
    Batches(usize),
    /// Runs on the CPU, while another worker has batches.
    Cpu,
}

impl<'a> Worker<'a> {
    /// A worker that carries out one run after the other on a backend; of several on the first.
    pub fn new(backend: &'a Backend) -> Self {
        Self::with_role(backend, WorkerRole::Alone)
    }

    pub(super) fn with_role(backend: &'a Backend, role: WorkerRole) -> Self {
        Self { backend: backend.member(0), role, pipelines: HashMap::new(), islands: None }
    }

    /// Carries out a run until something ends it.
    ///
    /// # Errors
    /// [`SolveError`] when it cannot start or continue. A spent budget is not an error.
    pub fn evolve(
        &mut self,
        run: &Run<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, SolveError> {
        if let Some(islands) = self.islands {
            return islands.evolve(self, run, observer);
        }
        Ok(run.execute_on(|| self.engine(run), observer)?)
    }

    /// Creates the engine of a run, on the threads of the current rayon pool.
    ///
    /// # Errors
    /// [`RunError`] when the run cannot start, or nothing on the backend scores such boards.
    pub fn engine<'e>(&'e mut self, run: &Run<'e>) -> Result<Box<dyn Engine + 'e>, RunError> {
        let (backend, role) = (self.backend, self.role);
        let pipelines = self.pipelines(run.space.geometry())?;
        match role {
            WorkerRole::Batches(_) | WorkerRole::Cpu if backend.is_auto() => {
                Ok(Box::new(CpuEngine::new(run, &mut pipelines.own)?))
            }
            _ => backend.engine(run, pipelines),
        }
    }

    fn pipelines(&mut self, geometry: Geometry) -> Result<&mut Pipelines, EngineError> {
        Ok(match self.pipelines.entry(geometry) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                new.insert(self.backend.pipelines(geometry).map_err(EngineError::new)?)
            }
        })
    }

    /// An engine for runs like this one in a batch, if they go into one.
    pub(super) fn batch_engine(&self, run: &Run<'_>) -> Option<Box<dyn BatchEngine>> {
        let WorkerRole::Batches(most) = self.role else { return None };
        self.backend.batch_engine(run, most)
    }

    /// Continues on the CPU with a run whose device failed, after generations that restarted.
    ///
    /// # Errors
    /// As [`evolve`](Self::evolve).
    pub(super) fn recover(
        &mut self,
        run: &Run<'_>,
        state: RunState,
        fault: &EvaluatorError,
        restarts: Vec<u32>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, SolveError> {
        let (policy, fault) = (self.backend.replay, fault.clone());
        let spare = &mut self.pipelines(run.space.geometry()).map_err(RunError::from)?.own;
        let engine = FallbackEngine::<CpuEngine<'_>>::after(run, fault, restarts, spare, policy);
        Ok(ActiveRun::with_state(*run, state, engine).complete(observer)?)
    }
}
