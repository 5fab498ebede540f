use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::*;
use crate::board::{Presolve, SearchSpace, presolve};
use crate::fitness::CpuEvaluator;
use crate::format::shipped;
use crate::ga::{Config, GenerationReport, Observer, Outcome, Preset};

/// A CPU engine that is lost when it is asked for this generation, or for its state from there on. It says that it does
/// not wait, which tells it from its fallback.
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

    fn waits(&self) -> bool {
        false
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
fn wanted(generation: u32, source: GenerationKind, stop: StopCheck<'_>) -> GenerationRequest<'_> {
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

/// Generation 3 is a restart.
fn source(generation: u32) -> GenerationKind {
    match generation {
        0 => GenerationKind::Initialiser,
        3 => GenerationKind::Restart,
        _ => GenerationKind::Parents,
    }
}

#[test]
fn a_replay_stops_when_the_run_should() {
    let space = space();
    let config = config(&space);
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 3, &interrupted);
    // Somewhere in the seven generations that are replayed.
    for later in 0..7 {
        let [mut own, mut spare] = [pipeline(&space), pipeline(&space)];
        let failing = Failing { inner: CpuEngine::new(&run, &mut own).unwrap(), at: 7, next: 0 };
        let mut engine =
            FallbackEngine::new(&run, Ok(failing), &mut spare, ReplayPolicy::Always).unwrap();
        let (asked, most) = (AtomicU32::new(0), AtomicU32::new(u32::MAX));
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= most.load(Ordering::Relaxed);
        let mut step =
            |generation: u32| engine.step(&wanted(generation, source(generation), &stop));
        for generation in 0..7 {
            assert!(step(generation).unwrap());
        }
        most.store(asked.load(Ordering::Relaxed) + later, Ordering::Relaxed);
        assert!(!step(7).unwrap());
        assert!(engine.summaries().is_empty());
        assert!(matches!(engine.snapshot(), Err(RunError::Lost(_))));
    }
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
        let wanted = wanted(generation, source(generation), &|| false);
        assert!(engine.step(&wanted).unwrap() && alone.step(&wanted).unwrap());
        if generation == 3 {
            assert_eq!(engine.fitness().unwrap(), alone.fitness().unwrap());
        }
    }
    assert!(!engine.waits());
    assert_eq!(engine.fitness().unwrap(), alone.fitness().unwrap());
    assert!(engine.waits() && engine.status().warning.is_some());
    let mut visited = Vec::new();
    engine
        .for_each_island(&mut |boards, fitness| visited.push((boards.to_vec(), fitness.to_vec())))
        .unwrap();
    let expected = alone.snapshot().unwrap();
    assert!(engine.snapshot().unwrap() == expected);
    let [island] = &expected.islands[..] else { panic!("{} islands", expected.islands.len()) };
    assert!(visited == [(island.boards.clone(), island.fitness.clone())]);
}

#[test]
fn a_restored_state_is_where_a_replay_begins() {
    let space = space();
    let config = config(&space);
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 3, &interrupted);
    // It fails in generation 7, or when it should restore a state.
    for at in [7, 0] {
        let [mut own, mut spare, mut other] = std::array::from_fn(|_| pipeline(&space));
        let mut alone = CpuEngine::new(&run, &mut other).unwrap();
        let mut failing =
            Failing { inner: CpuEngine::new(&run, &mut own).unwrap(), at: 9, next: 0 };
        for generation in 0..3 {
            let wanted = wanted(generation, source(generation), &|| false);
            assert!(failing.step(&wanted).unwrap() && alone.step(&wanted).unwrap());
        }
        let state = alone.snapshot().unwrap();
        let mut engine =
            FallbackEngine::new(&run, Ok(failing), &mut spare, ReplayPolicy::Always).unwrap();
        // A restart that the restored run does not know.
        assert!(engine.step(&wanted(3, GenerationKind::Restart, &|| false)).unwrap());
        let FallbackState::Primary(failing) = &mut engine.state else { panic!("it failed") };
        failing.at = at;
        engine.restore(&state).unwrap();
        assert_eq!(engine.status().degraded_by.is_some(), at == 0);
        for generation in 3..9 {
            let wanted = wanted(generation, GenerationKind::Parents, &|| false);
            assert!(engine.step(&wanted).unwrap() && alone.step(&wanted).unwrap());
        }
        assert!(engine.snapshot().unwrap() == alone.snapshot().unwrap());
        assert!(engine.status().degraded_by.is_some());
    }
}

#[test]
fn what_exceeds_the_memory_of_a_device_is_an_error() {
    let space = space();
    let config = config(&space);
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 3, &interrupted);
    let mut spare = pipeline(&space);
    let mut without = |fault: EvaluatorError| {
        let engine: Result<CpuEngine<'_>, RunError> = Err(fault.into());
        FallbackEngine::new(&run, engine, &mut spare, ReplayPolicy::Always).map(|_| ())
    };
    assert!(without(EvaluatorError::DeviceLost("unplugged".into())).is_ok());
    let error = without(EvaluatorError::OutOfMemory("full".into())).unwrap_err();
    assert!(matches!(error, RunError::Evaluator(EvaluatorError::OutOfMemory(_))), "{error}");
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
