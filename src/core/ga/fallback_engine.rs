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

use std::time::{Duration, Instant};

use super::engine::EngineStatus;
use super::{
    CpuEngine, Engine, GenerationKind, GenerationRequest, GenerationStats, IslandSink,
    PopulationSnapshot, Run, RunError,
};
use crate::fitness::{EvaluatorError, Pipeline};
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
        let (spare, restored, first, restarts) = (Some(spare), None, None, Vec::new());
        Ok(Self {
            run: *run,
            state,
            spare,
            policy,
            warns: true,
            restored,
            first,
            next: 0,
            restarts,
        })
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
        stop: &(dyn Fn() -> bool + Sync),
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
        stop: &(dyn Fn() -> bool + Sync),
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

    /// Carries out generations on the primary engine or its fallback.
    fn advance_any(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
        if let FallbackState::Primary(engine) = &mut self.state {
            match engine.step(wanted) {
                Err(RunError::Evaluator(fault)) => self.state = FallbackState::Failed(fault),
                advanced => return advanced,
            }
        }
        match self.fallback(wanted.generation, wanted.stop)? {
            Some(cpu) => cpu.step(wanted),
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
            FallbackState::Fallback(cpu, _) => cpu.summaries(),
        }
    }

    fn for_each_island(&mut self, take: IslandSink<'_>) -> Result<(), RunError> {
        if let FallbackState::Primary(engine) = &mut self.state {
            // A device may fail between two islands: `take` receives the islands of one engine only.
            match engine.snapshot() {
                Err(RunError::Evaluator(fault)) => self.state = FallbackState::Failed(fault),
                state => return state?.for_each_island(take),
            }
        }
        match self.fallback(self.next, &|| false)? {
            Some(cpu) => cpu.for_each_island(take),
            None => Err(super::StateError::Abandoned.into()),
        }
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
mod tests {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    use super::*;
    use crate::board::{Presolve, SearchSpace, presolve};
    use crate::fitness::CpuEvaluator;
    use crate::format::shipped;
    use crate::ga::{Config, GenerationReport, Observer, Outcome, Preset};

    /// A CPU engine that is lost when it is asked for this generation, or for its state from there on.
    struct Failing<'a> {
        inner: CpuEngine<'a>,
        at: u32,
        next: u32,
    }

    impl Failing<'_> {
        fn fail(&self, fails: bool) -> Result<(), RunError> {
            let fault = EvaluatorError::DeviceLost("unplugged".into());
            if fails { Err(RunError::Evaluator(fault)) } else { Ok(()) }
        }
    }

    impl Engine for Failing<'_> {
        fn step(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
            self.fail(wanted.generation >= self.at)?;
            self.next = wanted.generation + 1;
            self.inner.step(&GenerationRequest { generations: 1, ..*wanted })
        }

        fn summaries(&self) -> &[GenerationStats] {
            self.inner.summaries()
        }

        fn for_each_island(&mut self, take: IslandSink<'_>) -> Result<(), RunError> {
            self.fail(self.next >= self.at)?;
            self.inner.for_each_island(take)
        }

        fn restore(&mut self, state: &PopulationSnapshot) -> Result<(), RunError> {
            self.fail(self.at == 0)?;
            self.inner.restore(state)
        }
    }

    /// What each generation told, and what it was warned of.
    #[derive(Default)]
    struct Told {
        rows: Vec<(u32, u16, u32)>,
        warnings: Vec<String>,
    }

    impl Observer for Told {
        fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
            self.rows.push((report.generation, report.best, report.restart));
            ControlFlow::Continue(())
        }

        fn on_warning(&mut self, message: &str) {
            self.warnings.push(message.into());
        }
    }

    fn space() -> SearchSpace {
        presolve(&shipped::puzzle("easter-monster"), Presolve::None).unwrap()
    }

    fn pipeline(space: &SearchSpace) -> Pipeline {
        Pipeline::new(Box::new(CpuEvaluator::new(space.geometry(), None)))
    }

    /// 20 generations of which many restart.
    fn config(space: &SearchSpace) -> Config {
        let own = Config::of(Preset::Boxes, space);
        Config { population: 40, max_generations: 20, restart_after: 2, ..own }
    }

    /// Evolves with an engine that fails at `at`, and with `replay` behind it.
    fn evolved(at: u32, replay: ReplayPolicy) -> (Outcome, Told) {
        let space = space();
        let config = config(&space);
        let interrupted = AtomicBool::new(false);
        let run = Run::new(&space, &config, 3, &interrupted);
        let [mut own, mut spare] = [pipeline(&space), pipeline(&space)];
        let mut told = Told::default();
        let outcome = run.execute_on(
            || {
                let failing = Failing { inner: CpuEngine::new(&run, &mut own)?, at, next: 0 };
                FallbackEngine::new(&run, Ok(failing), &mut spare, replay)
            },
            &mut told,
        );
        (outcome.unwrap(), told)
    }

    /// A generation by itself, with its best board.
    fn wanted(
        generation: u32,
        source: GenerationKind,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> GenerationRequest<'_> {
        let (generations, distinct_every, below) = (1, 0, u16::MAX);
        GenerationRequest { generation, source, generations, distinct_every, below, stop }
    }

    #[test]
    fn a_run_is_the_same_whenever_its_engine_fails() {
        let (whole, undisturbed) = evolved(u32::MAX, ReplayPolicy::Short);
        assert!(undisturbed.warnings.is_empty() && undisturbed.rows.iter().any(|row| row.2 > 1));
        for at in [0, 1, 7, 20] {
            let (outcome, told) = evolved(at, ReplayPolicy::Short);
            assert_eq!(told.rows, undisturbed.rows, "{at}");
            assert_eq!((outcome.board, outcome.moves), (whole.board.clone(), whole.moves));
            assert!(outcome.fault.is_some());
            let [warning] = &told.warnings[..] else { panic!("{:?}", told.warnings) };
            assert!(warning.contains("unplugged") && warning.contains("replayed"), "{warning}");
        }
    }

    #[test]
    fn a_run_that_must_not_be_replayed_ends_with_its_engine() {
        let (outcome, told) = evolved(7, ReplayPolicy::Never);
        assert_eq!(outcome.stop_reason, crate::ga::StopReason::Lost);
        assert_eq!(told.rows.len(), 7);
    }

    #[test]
    fn a_replay_stops_when_the_run_should() {
        let space = space();
        let config = config(&space);
        let interrupted = AtomicBool::new(false);
        let run = Run::new(&space, &config, 3, &interrupted);
        let [mut own, mut spare] = [pipeline(&space), pipeline(&space)];
        let failing = Failing { inner: CpuEngine::new(&run, &mut own).unwrap(), at: 7, next: 0 };
        let mut engine =
            FallbackEngine::new(&run, Ok(failing), &mut spare, ReplayPolicy::Always).unwrap();
        let (asked, most) = (AtomicU32::new(0), AtomicU32::new(u32::MAX));
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= most.load(Ordering::Relaxed);
        let mut step = |generation: u32| {
            let source =
                if generation == 0 { GenerationKind::Initialiser } else { GenerationKind::Parents };
            engine.step(&wanted(generation, source, &stop))
        };
        for generation in 0..7 {
            assert!(step(generation).unwrap());
        }
        // Somewhere in the seven generations that are done again.
        most.store(asked.load(Ordering::Relaxed) + 3, Ordering::Relaxed);
        assert!(!step(7).unwrap());
        assert!(engine.summaries().is_empty());
        assert!(matches!(engine.snapshot(), Err(RunError::Lost(_))));
    }

    #[test]
    fn a_state_is_that_of_the_cpu_where_the_engine_no_longer_gives_it() {
        let space = space();
        let config = config(&space);
        let interrupted = AtomicBool::new(false);
        let run = Run::new(&space, &config, 3, &interrupted);
        let [mut own, mut spare, mut other] = std::array::from_fn(|_| pipeline(&space));
        // It carries out generations 0 to 4, and is lost when asked for what came of them.
        let failing = Failing { inner: CpuEngine::new(&run, &mut own).unwrap(), at: 5, next: 0 };
        let mut engine =
            FallbackEngine::new(&run, Ok(failing), &mut spare, ReplayPolicy::Always).unwrap();
        let mut alone = CpuEngine::new(&run, &mut other).unwrap();
        for generation in 0..5 {
            let source = match generation {
                0 => GenerationKind::Initialiser,
                3 => GenerationKind::Restart,
                _ => GenerationKind::Parents,
            };
            let wanted = wanted(generation, source, &|| false);
            assert!(engine.step(&wanted).unwrap() && alone.step(&wanted).unwrap());
        }
        let mut visited = Vec::new();
        engine
            .for_each_island(&mut |boards, fitness| {
                visited.push((boards.to_vec(), fitness.to_vec()))
            })
            .unwrap();
        let expected = alone.snapshot().unwrap();
        assert!(engine.snapshot().unwrap() == expected && engine.status().warning.is_some());
        let [island] = &expected.islands[..] else { panic!("{} islands", expected.islands.len()) };
        assert!(visited == [(island.boards.clone(), island.fitness.clone())]);
    }

    #[test]
    fn a_replay_of_more_than_a_minute_is_given_up_unless_it_was_asked_for() {
        let seconds = Duration::from_secs;
        assert!(!ReplayPolicy::Short.is_over(seconds(60)));
        assert!(ReplayPolicy::Short.is_over(seconds(61)));
        assert!(!ReplayPolicy::Always.is_over(seconds(61)));
        assert!(!ReplayPolicy::Short.will_be_over(seconds(2), 50, 1_500));
        assert!(ReplayPolicy::Short.will_be_over(seconds(2), 50, 2_000));
        assert!(!ReplayPolicy::Always.will_be_over(seconds(2), 50, 2_000));
        // What one second tells is not trusted.
        assert!(!ReplayPolicy::Short.will_be_over(seconds(1), 1, 2_000));
        assert!(ReplayPolicy::Short.will_be_over(seconds(61), 1_999, 2_000));
    }
}
