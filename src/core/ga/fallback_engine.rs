//! An engine with a CPU engine as its fallback, so that a run survives a device that fails.
//!
//! ```text
//!             fault                           replay complete
//!  primary ------------------------> failed -------------------------> fallback
//!                                       |
//!                                       | policy `never`, or replay longer than a minute
//!                                       +-----> the run ends with RunError::Lost
//! ```
//!
//! A run is the same on all engines, so the state of the device is not needed: the CPU engine replays all generations
//! from the seed, or from the last snapshot that was restored, and then continues. The run does not see the replayed
//! generations. [`ReplayPolicy::Short`] abandons a replay whose estimated time exceeds a minute: if 50 generations took
//! 2 s, then 2,000 take 80 s.

use std::time::Duration;

use super::engine::EngineStatus;
use super::{
    CpuEngine, Engine, GenerationKind, GenerationRequest, GenerationStats, IslandSink,
    PopulationSnapshot, Run, RunError, StopCheck,
};
use crate::fitness::{EvaluatorError, Pipeline};
use crate::util::clock::Instant;
use crate::util::named_enum::named;

named! {
    /// Whether the CPU replays a run whose device failed.
    pub enum ReplayPolicy {
        /// Only if that takes no longer than a minute.
        Short = "short",
        /// Always, however long it takes.
        Always = "always",
        /// Never: the run ends.
        Never = "never",
    }
}

/// The longest replay under [`ReplayPolicy::Short`].
const LONGEST: Duration = Duration::from_secs(60);
/// The time after which the length of a replay is estimated.
const ESTIMATED: Duration = Duration::from_secs(1);

impl ReplayPolicy {
    /// Whether to abandon a replay that has taken this long.
    fn is_over(self, elapsed: Duration) -> bool {
        self == Self::Short && elapsed > LONGEST
    }

    /// Whether to abandon a replay of `all` generations after `done` of them, which took `elapsed`.
    fn will_be_over(self, elapsed: Duration, done: u32, all: u32) -> bool {
        elapsed > ESTIMATED && self.is_over(elapsed / done.max(1) * all)
    }
}

/// An engine with a CPU engine as its fallback.
#[doc(hidden)]
pub struct FallbackEngine<'a, E> {
    run: Run<'a>,
    state: FallbackState<'a, E>,
    /// The pipeline for the CPU engine, until that is created.
    spare: Option<&'a mut Pipeline>,
    policy: ReplayPolicy,
    /// Whether a fault is reported to the run.
    warns: bool,
    /// The snapshot that a replay starts from, if it does not start from the seed.
    restored: Option<PopulationSnapshot>,
    /// The first generation of a replay.
    first: Option<u32>,
    /// The generation after the last one whose statistics the run has.
    next: u32,
    /// The generations of a replay that are restarts.
    restarts: Vec<u32>,
}

/// The states of the diagram above.
enum FallbackState<'a, E> {
    /// The primary engine works.
    Primary(E),
    /// The primary engine failed with this fault, and the CPU engine has not replayed the run yet.
    Failed(EvaluatorError),
    /// The CPU engine works, because the primary engine failed with this fault.
    Fallback(Box<CpuEngine<'a>>, EvaluatorError),
}

impl<'a, E: Engine> FallbackEngine<'a, E> {
    /// An engine, or the fault that prevented its creation, with the CPU and the pipeline `spare` as its fallback.
    ///
    /// # Errors
    /// Errors of the engine other than a failed device.
    pub fn new(
        run: &Run<'a>,
        engine: Result<E, RunError>,
        spare: &'a mut Pipeline,
        policy: ReplayPolicy,
    ) -> Result<Self, RunError> {
        let state = match engine {
            Ok(engine) => FallbackState::Primary(engine),
            // The CPU does not replace a device whose memory the population exceeds: that is an error.
            Err(RunError::Evaluator(fault)) if !matches!(fault, EvaluatorError::OutOfMemory(_)) => {
                FallbackState::Failed(fault)
            }
            Err(error) => return Err(error),
        };
        let (run, spare, restored) = (*run, Some(spare), None);
        let (first, restarts) = (None, Vec::new());
        Ok(Self { run, state, spare, policy, warns: true, restored, first, next: 0, restarts })
    }

    /// The fallback of an engine that failed with `fault` in the middle of the run, after these `restarts`. The fault was
    /// already reported to the run.
    pub fn after(
        run: &Run<'a>,
        fault: EvaluatorError,
        restarts: Vec<u32>,
        spare: &'a mut Pipeline,
        policy: ReplayPolicy,
    ) -> Self {
        let (state, spare) = (FallbackState::Failed(fault), Some(spare));
        let restored = run.resume_from.map(|from| from.state.clone());
        let first = Some(run.resume_from.map_or(0, |from| from.progress.generation + 1));
        Self { run: *run, state, spare, policy, warns: false, restored, first, next: 0, restarts }
    }

    /// The CPU engine, which after a fault first replays the generations before `next`; `None` if `stop` interrupted the
    /// replay, or the primary engine works.
    fn fallback(
        &mut self,
        next: u32,
        stop: StopCheck<'_>,
    ) -> Result<Option<&mut CpuEngine<'a>>, RunError> {
        if let FallbackState::Failed(fault) = &self.state {
            let fault = fault.clone();
            let Some(cpu) = self.replay(&fault, next, stop)? else { return Ok(None) };
            self.state = FallbackState::Fallback(Box::new(cpu), fault);
        }
        Ok(match &mut self.state {
            FallbackState::Fallback(cpu, _) => Some(cpu),
            _ => None,
        })
    }

    /// A CPU engine that has replayed the generations before `next`; `None` if `stop` interrupted it.
    fn replay(
        &mut self,
        fault: &EvaluatorError,
        next: u32,
        stop: StopCheck<'_>,
    ) -> Result<Option<CpuEngine<'a>>, RunError> {
        let policy = self.policy;
        let lost = || RunError::Lost(fault.clone());
        if policy == ReplayPolicy::Never {
            return Err(lost());
        }
        let pipeline = self.spare.take().ok_or_else(lost)?;
        let mut cpu = CpuEngine::new(&self.run, pipeline)?;
        if let Some(state) = &self.restored {
            cpu.restore(state)?;
        }
        let first = self.first.unwrap_or(next);
        let start = Instant::now();
        for generation in first..next {
            let advanced = cpu.step(&GenerationRequest {
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
        Ok(Some(cpu))
    }

    /// Runs `work` on the primary engine, or after a fault on the fallback, which first replays the generations before
    /// `next`; `None` if `stop` interrupted the replay.
    fn on_either<T>(
        &mut self,
        next: u32,
        stop: StopCheck<'_>,
        mut work: impl FnMut(&mut dyn Engine) -> Result<T, RunError>,
    ) -> Result<Option<T>, RunError> {
        if let FallbackState::Primary(engine) = &mut self.state {
            match work(engine) {
                Err(RunError::Evaluator(fault)) => self.state = FallbackState::Failed(fault),
                done => return done.map(Some),
            }
        }
        self.fallback(next, stop)?.map(|cpu| work(cpu)).transpose()
    }
}

impl<E: Engine> Engine for FallbackEngine<'_, E> {
    fn step(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
        self.first.get_or_insert(wanted.generation);
        if wanted.source == GenerationKind::Restart {
            self.restarts.push(wanted.generation);
        }
        let advanced =
            self.on_either(wanted.generation, wanted.stop, |engine| engine.step(wanted))?;
        let advanced = advanced.unwrap_or(false);
        if advanced {
            self.next = wanted.generation + self.summaries().len() as u32;
        }
        Ok(advanced)
    }

    fn summaries(&self) -> &[GenerationStats] {
        match &self.state {
            FallbackState::Primary(engine) => engine.summaries(),
            FallbackState::Failed(_) => &[],
            FallbackState::Fallback(cpu, _) => cpu.summaries(),
        }
    }

    fn for_each_island(&mut self, take: IslandSink<'_>) -> Result<(), RunError> {
        // A device may fail between two islands, but `take` receives the islands of one engine only: they are copied first.
        let state = self.on_either(self.next, &|| false, |engine| engine.snapshot())?;
        state.ok_or(super::StateError::Abandoned)?.for_each_island(take)
    }

    fn waits(&self) -> bool {
        match &self.state {
            FallbackState::Primary(engine) => engine.waits(),
            _ => true,
        }
    }

    fn fitness(&mut self) -> Result<Option<Vec<u16>>, RunError> {
        Ok(self.on_either(self.next, &|| false, |engine| engine.fitness())?.flatten())
    }

    fn restore(&mut self, state: &PopulationSnapshot) -> Result<(), RunError> {
        (self.restored, self.first) = (Some(state.clone()), None);
        self.restarts.clear();
        let done = match &mut self.state {
            FallbackState::Primary(engine) => engine.restore(state),
            FallbackState::Fallback(cpu, _) => cpu.restore(state),
            FallbackState::Failed(_) => Ok(()),
        };
        if let Err(RunError::Evaluator(fault)) = done {
            // The CPU engine restores the state before its first generation.
            self.state = FallbackState::Failed(fault);
            return Ok(());
        }
        done
    }

    fn status(&self) -> EngineStatus<'_> {
        const CONSEQUENCE: &str = "the run was replayed on the CPU engine and continues there";
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
