//! Any configuration on any puzzle: the run is the same on any number of threads, in chunks of any size, with any
//! vector instructions, and when it is stopped and resumed.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use arbitrary::{Result, Unstructured};
use evodoku::board::{Geometry, Puzzle, presolve};
use evodoku::fitness::SimdLevel;
use evodoku::ga::{
    Checkpoint, Config, GenerationReport, Observer, Outcome, Overrides, Preset, RunHandle,
    RunSettings, StopReason,
};
use evodoku::random::{GenerationRng, StreamStage};
use evodoku::{Backend, Solver, complete_board};

use super::runs::{Rows, same};

/// Bounds within which a run takes milliseconds.
const SMALL: [(&str, &str); 6] = [
    ("max_work", "20000"),
    ("max_generations", "8"),
    ("tabu_steps", "20"),
    ("proposals", "200"),
    ("eta_proposals", "100"),
    ("tries", "20"),
];
/// Values of parameters that are numbers.
const NUMBERS: [&str; 10] = ["0", "1", "2", "3", "5", "8", "0.1", "0.5", "0.9", "24"];
/// Parameters with which a run would take long, or end by the clock.
const FIXED: [&str; 3] = ["max_work", "max_generations", "time_limit"];

pub fn attack(data: &[u8]) {
    let _ = compared(&mut Unstructured::new(data));
}

/// What a run came to: its end or its error, and its generations.
pub type Found = (std::result::Result<Outcome, String>, Rows);

/// A run: its puzzle, its settings and its seed.
#[derive(Debug)]
pub struct RandomRun {
    pub puzzle: Puzzle,
    pub settings: RunSettings,
    seed: u64,
}

/// Whether there was a run to compare, which ended without an error.
pub fn compared(bytes: &mut Unstructured<'_>) -> Result<bool> {
    let Some(run) = RandomRun::draw(bytes)? else { return Ok(false) };
    let expected = run.evolve(cpu(SimdLevel::Scalar, 0), 1);
    for _ in 0..2 {
        let level = *bytes.choose(&SimdLevel::available())?;
        let (chunk, threads) = (bytes.int_in_range(0..=40)?, bytes.int_in_range(1..=4)?);
        let found = run.evolve(cpu(level, chunk), threads);
        assert_eq!(found, expected, "{level:?}, chunks of {chunk}, {threads} threads, {run:?}");
    }
    run.check_resumed(&expected, bytes.int_in_range(0..=6)?);
    Ok(expected.0.is_ok())
}

/// The CPU with these vector instructions, and chunks of so many boards; 0 sets none.
fn cpu(level: SimdLevel, chunk: usize) -> Backend {
    let backend = Backend::cpu_with_simd(level).expect("it is available");
    backend.chunk(NonZeroUsize::new(chunk))
}

impl RandomRun {
    /// Any run; nothing where the settings do not fit together or the puzzle.
    pub fn draw(bytes: &mut Unstructured<'_>) -> Result<Option<Self>> {
        let shapes = [(2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (2, 5), (4, 3), (4, 4), (5, 5)];
        let (rows, cols) = *bytes.choose(&shapes)?;
        let puzzle = puzzle(Geometry::new(rows, cols).expect("it is a shape"), bytes)?;
        let preset = *bytes.choose(Preset::ALL)?;
        let mut overrides = Overrides::default();
        let mut set = |name: &str, value: &str| {
            let read = Overrides::parse(name, value);
            read.map(|read| overrides.merge(&read)).is_ok()
        };
        set("population", &bytes.int_in_range(1..=60)?.to_string());
        for _ in 0..bytes.int_in_range(0..=8)? {
            let parameter = &Config::PARAMETERS[bytes.choose_index(Config::PARAMETERS.len())?];
            let range = (parameter.range)();
            let values: Vec<&str> = match range.contains(" to ") {
                true => NUMBERS.to_vec(),
                false => range.split(", ").collect(),
            };
            let value = *bytes.choose(&values)?;
            if !FIXED.contains(&parameter.name) {
                set(parameter.name, value);
            }
        }
        let mut run =
            Self { puzzle, settings: RunSettings { preset, overrides }, seed: bytes.arbitrary()? };
        let Ok(space) = presolve(&run.puzzle, run.settings.presolve()) else { return Ok(None) };
        // Some presets refuse what bounds others.
        for (name, value) in SMALL {
            let mut bounded = run.settings.clone();
            bounded.overrides.merge(&Overrides::parse(name, value).expect("it is in range"));
            if bounded.config(&space).is_ok() {
                run.settings = bounded;
            }
        }
        Ok(run.settings.config(&space).is_ok().then_some(run))
    }

    fn solver(&self, backend: Backend, threads: usize) -> Solver {
        Solver::from_settings(self.settings.clone()).on(backend).seed(self.seed).threads(threads)
    }

    /// Carries it out.
    pub fn evolve(&self, backend: Backend, threads: usize) -> Found {
        let mut rows = Rows::default();
        let ended = self.solver(backend, threads).solve_with(&self.puzzle, &mut rows);
        (same(ended.map(|result| result.outcome)), rows)
    }

    /// Stops it after some generations, and resumes it.
    fn check_resumed(&self, expected: &Found, generations: usize) {
        let mut first = Stopping { rows: Rows::default(), generations, kept: None };
        let cpu = || cpu(SimdLevel::best(), 0);
        let _ = self.solver(cpu(), 1).solve_with(&self.puzzle, &mut first);
        let Some(kept) = first.kept else { return };
        let mut rows = Rows::default();
        let ended = self.solver(cpu(), 2).resume(&self.puzzle, &kept, &mut rows);
        let ended = same(ended.map(|result| result.outcome));
        let all = Rows(first.rows.0.into_iter().chain(rows.0).collect());
        assert_eq!((ended, all), *expected, "after {generations} generations, {self:?}");
    }
}

/// A puzzle with a solution, of which any share is given.
fn puzzle(geometry: Geometry, bytes: &mut Unstructured<'_>) -> Result<Puzzle> {
    let mut draws = GenerationRng::new(bytes.arbitrary()?, 0).draws(StreamStage::Initialise, 0);
    let mut puzzle = Puzzle::blank(geometry);
    complete_board(geometry, &mut puzzle.givens, &mut draws);
    let blanks = bytes.int_in_range(1..=10)?;
    puzzle.givens.iter_mut().filter(|_| draws.below(10) < blanks).for_each(|given| *given = 0);
    Ok(puzzle)
}

/// Ends a run after some generations, and keeps where it stands then.
struct Stopping {
    rows: Rows,
    generations: usize,
    kept: Option<Checkpoint>,
}

impl Observer for Stopping {
    fn on_generation(&mut self, told: &GenerationReport<'_>) -> ControlFlow<()> {
        let _ = self.rows.on_generation(told);
        match self.rows.0.len() > self.generations {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn wants_checkpoint(&mut self, _: u32, ending: Option<StopReason>) -> bool {
        ending == Some(StopReason::Observer)
    }

    fn on_checkpoint(&mut self, standing: &mut RunHandle<'_>) {
        self.kept = standing.checkpoint().ok();
    }
}
