//! An engine with a CPU engine as its fallback: how a run survives a device that fails.
//!
//! ```text
//!             fault, replay allowed            replay has caught up
//!  primary ------------------------> failed -------------------------> fallback
//!     |                                 |
//!     | fault, no replay wanted         | replay would take over a minute
//!     +---------------------------------+-----> the run ends with RunError::Lost
//! ```
//!
//! A run is the same on all engines, so no state of the device is needed: the CPU engine repeats all
//! generations from the seed, or from the snapshot that was imported last, and then continues. The run does
//! not see the repeated generations. With [`ReplayPolicy::Short`] a replay is given up when the estimate
//! exceeds a minute: if 50 generations took 2 s, then 2,000 take 80 s.

use std::time::{Duration, Instant};

use super::engine::EngineStatus;
use super::{
    CpuEngine, Engine, GenerationKind, GenerationRequest, GenerationStats, PopulationSnapshot, Run,
    RunError,
};
use crate::fitness::{EvaluatorError, Pipeline};
use crate::util::named_enum::named;

named! {
    /// Whether the CPU repeats a run whose device failed.
    pub enum ReplayPolicy {
        /// Only if the estimate is less than a minute.
        Short = "short",
        /// However long it takes.
        Always = "always",
        /// The run ends.
        Never = "never",
    }
}

/// The longest replay under [`ReplayPolicy::Short`].
const LONGEST: Duration = Duration::from_secs(60);
/// A replay is not estimated before it has taken this long.
const ESTIMATED: Duration = Duration::from_secs(1);

impl ReplayPolicy {
    /// Whether a replay that has taken so long is given up.
    fn is_over(self, elapsed: Duration) -> bool {
        self == Self::Short && elapsed > LONGEST
    }

    /// Whether one of `all` generations is given up after `done` of them, which took `elapsed`.
    fn will_be_over(self, elapsed: Duration, done: u32, all: u32) -> bool {
        elapsed > ESTIMATED && self.is_over(elapsed / done.max(1) * all)
    }
}

/// An engine with a CPU engine as its fallback.
pub struct FallbackEngine<'a, E> {
    run: &'a Run<'a>,
    state: FallbackState<'a, E>,
    /// The pipeline of the CPU engine, until it is needed.
    spare: Option<&'a mut Pipeline>,
    policy: ReplayPolicy,
    /// Whether a fault is reported to the run.
    warns: bool,
    /// The snapshot that the run began with, and the generation after it.
    begun: Option<PopulationSnapshot>,
    first: Option<u32>,
    /// The generation after the last one that the run has statistics of.
    next: u32,
    /// Generations that restarted since then.
    restarts: Vec<u32>,
}

/// The state of the diagram above.
enum FallbackState<'a, E> {
    /// The engine itself works.
    Primary(E),
    /// The engine failed with this fault, and the CPU engine has not replayed the run yet.
    Failed(EvaluatorError),
    /// The CPU engine works, since this fault.
    Fallback(Box<CpuEngine<'a>>, EvaluatorError),
}

impl<'a, E: Engine> FallbackEngine<'a, E> {
    /// The engine, or its fault if it could not be made, and the CPU with `spare` as its fallback.
    ///
    /// # Errors
    /// Errors of the engine other than a device that failed.
    pub fn new(
        run: &'a Run<'a>,
        engine: Result<E, RunError>,
        spare: &'a mut Pipeline,
        policy: ReplayPolicy,
    ) -> Result<Self, RunError> {
        let state = match engine {
            Ok(engine) => FallbackState::Primary(engine),
            // A population that does not fit the device is an error: the CPU does not take it over.
            Err(RunError::Evaluator(fault)) if !matches!(fault, EvaluatorError::OutOfMemory(_)) => {
                FallbackState::Failed(fault)
            }
            Err(error) => return Err(error),
        };
        let (spare, restarts) = (Some(spare), Vec::new());
        Ok(Self {
            run,
            state,
            spare,
            policy,
            warns: true,
            begun: None,
            first: None,
            next: 0,
            restarts,
        })
    }

    /// The fallback of an engine that failed with `fault` in the middle of the run, after these
    /// `restarts`; the run was told of the fault.
    pub(crate) fn after(
        run: &'a Run<'a>,
        fault: EvaluatorError,
        restarts: Vec<u32>,
        spare: &'a mut Pipeline,
        policy: ReplayPolicy,
    ) -> Self {
        let (state, spare) = (FallbackState::Failed(fault), Some(spare));
        let begun = run.resume_from.map(|from| from.state.clone());
        let first = Some(run.resume_from.map_or(0, |from| from.progress.generation + 1));
        Self { run, state, spare, policy, warns: false, begun, first, next: 0, restarts }
    }

    /// The CPU engine, which first does the generations before `next` again after a fault; none
    /// where the engine works, and where `stop` said so in between.
    fn fallback(
        &mut self,
        next: u32,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<&mut CpuEngine<'a>>, RunError> {
        if let FallbackState::Failed(fault) = &self.state {
            let fault = fault.clone();
            let Some(host) = self.replay(&fault, next, stop)? else { return Ok(None) };
            self.state = FallbackState::Fallback(Box::new(host), fault);
        }
        Ok(match &mut self.state {
            FallbackState::Fallback(host, _) => Some(host),
            _ => None,
        })
    }

    /// A CPU engine that has done the generations before `next` again; none when `stop` said so.
    fn replay(
        &mut self,
        fault: &EvaluatorError,
        next: u32,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<CpuEngine<'a>>, RunError> {
        let policy = self.policy;
        let lost = || RunError::Lost(fault.clone());
        if policy == ReplayPolicy::Never {
            return Err(lost());
        }
        let pipeline = self.spare.take().ok_or_else(lost)?;
        let mut host = CpuEngine::new(self.run, pipeline)?;
        if let Some(begun) = &self.begun {
            host.restore(begun)?;
        }
        let first = self.first.unwrap_or(next);
        let start = Instant::now();
        for generation in first..next {
            let advanced = host.step(&GenerationRequest {
                generation,
                source: match generation {
                    0 => GenerationKind::Initialiser,
                    _ if self.restarts.contains(&generation) => GenerationKind::Restart,
                    _ => GenerationKind::Parents,
                },
                generations: 1,
                distinct_every: 0,
                below: 0,
                stop: &|| stop() || policy.is_over(start.elapsed()),
            })?;
            if !advanced && stop() {
                return Ok(None);
            }
            let (done, all) = (generation + 1 - first, next - first);
            if !advanced || policy.will_be_over(start.elapsed(), done, all) {
                return Err(lost());
            }
        }
        Ok(Some(host))
    }

    /// Carries out what is wanted on whatever there is.
    fn advance_any(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
        if let FallbackState::Primary(engine) = &mut self.state {
            match engine.step(wanted) {
                Err(RunError::Evaluator(fault)) => self.state = FallbackState::Failed(fault),
                advanced => return advanced,
            }
        }
        match self.fallback(wanted.generation, wanted.stop)? {
            Some(host) => host.step(wanted),
            None => Ok(false),
        }
    }
}

impl<E: Engine> Engine for FallbackEngine<'_, E> {
    fn step(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
        self.first.get_or_insert(wanted.generation);
        if wanted.source == GenerationKind::Restart {
            self.restarts.push(wanted.generation);
        }
        let advanced = self.advance_any(wanted)?;
        if advanced {
            self.next = wanted.generation + self.summaries().len() as u32;
        }
        Ok(advanced)
    }

    fn summaries(&self) -> &[GenerationStats] {
        match &self.state {
            FallbackState::Primary(engine) => engine.summaries(),
            FallbackState::Failed(_) => &[],
            FallbackState::Fallback(host, _) => host.summaries(),
        }
    }

    fn snapshot(&mut self) -> Result<PopulationSnapshot, RunError> {
        if let FallbackState::Primary(engine) = &mut self.state {
            match engine.snapshot() {
                Err(RunError::Evaluator(fault)) => self.state = FallbackState::Failed(fault),
                exported => return exported,
            }
        }
        match self.fallback(self.next, &|| false)? {
            Some(host) => host.snapshot(),
            None => Err(super::StateError::Abandoned.into()),
        }
    }

    fn for_each_island(&mut self, take: &mut dyn FnMut(&[u8], &[u16])) -> Result<(), RunError> {
        if let FallbackState::Fallback(host, _) = &mut self.state {
            return host.for_each_island(take);
        }
        let islands = self.snapshot()?.islands;
        islands.iter().for_each(|island| take(&island.boards, &island.fitness));
        Ok(())
    }

    fn restore(&mut self, state: &PopulationSnapshot) -> Result<(), RunError> {
        (self.begun, self.first) = (Some(state.clone()), None);
        self.restarts.clear();
        let imported = match &mut self.state {
            FallbackState::Primary(engine) => engine.restore(state),
            FallbackState::Fallback(host, _) => return host.restore(state),
            FallbackState::Failed(_) => return Ok(()),
        };
        match imported {
            // The CPU engine will, as soon as a generation is wanted.
            Err(RunError::Evaluator(fault)) => {
                self.state = FallbackState::Failed(fault);
                Ok(())
            }
            imported => imported,
        }
    }

    fn status(&self) -> EngineStatus<'_> {
        const CONSEQUENCE: &str = "the run was replayed on the CPU engine, and goes on there";
        match &self.state {
            FallbackState::Primary(engine) => engine.status(),
            FallbackState::Failed(fault) | FallbackState::Fallback(_, fault) => EngineStatus {
                warning: self.warns.then_some((fault, CONSEQUENCE)),
                degraded_by: Some(fault),
            },
        }
    }
}

#[cfg(test)]
mod tests;
