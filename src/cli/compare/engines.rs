//! `evodoku compare --on gpu`: the same runs on the CPU engine and on the GPU engine.
//!
//! ```text
//! preset  population  generations  result                                                ...
//! boxes   2,000       5            equal
//! cells   2,000       5            generation 3: sum is 41,532 on the CPU, 41,530 on the GPU
//! ```

use std::ops::ControlFlow;

use anyhow::{Context, Result};
use serde_json::json;

use super::Compare;
use super::report::{ComparedRow, rate};
use crate::board::{Puzzle, SearchSpace, presolve};
use crate::cli::output::{Logger, print_error};
use crate::fitness::SimdLevel;
use crate::ga::local_search::LocalSearch;
use crate::ga::{Config, GenerationReport, Observer, Outcome, Preset, ReplayPolicy, Run, RunError};
use crate::gpu::Device;
use crate::gpu_engine::supported_presets;
use crate::report::Frame;
use crate::run::{Backend, Executor, SolveError};
use crate::util::interrupt::INTERRUPT;
use crate::util::quantity::count;

/// Few enough for a software driver.
const POPULATION: u32 = 2_000;
const GENERATIONS: u32 = 5;

impl Compare {
    /// Compares a run of each preset that the device supports. After an interrupt, the rows so far.
    pub(super) fn compare_engines(
        &self,
        puzzle: &Puzzle,
        device: &Device,
        simd: SimdLevel,
        threads: usize,
        notes: Logger,
    ) -> Result<Vec<ComparedRow>> {
        let backends = [Backend::cpu_with_simd(simd)?, Backend::gpu_on(device)?];
        // A run that the CPU finished would not be a run of the device.
        let backends = backends
            .map(|backend| backend.chunk(self.work.chunk).replay_policy(ReplayPolicy::Never));
        let [cpu, gpu] = &backends;
        let mut executors = [Executor::new(cpu, 1, threads)?, Executor::new(gpu, 1, threads)?];
        let supported = supported_presets();
        notes.say(&format!("comparing runs of {}", puzzle.name));
        let others = Preset::ALL.iter().filter(|preset| !supported.contains(preset));
        let others: Vec<_> = others.map(|preset| preset.to_string()).collect();
        notes.say(&format!("not compared, because only the CPU runs them: {}", others.join(", ")));
        let mut rows = Vec::new();
        for preset in supported {
            let space = presolve(puzzle, preset.presolve())
                .with_context(|| format!("{} has no solution", puzzle.name))?;
            let config = self.config(preset, &space);
            let run = Run::new(&space, &config, self.seed, INTERRUPT.flag());
            let [cpu, gpu] = &mut executors;
            let traces =
                RunTrace::of(&run, cpu).and_then(|cpu| Ok([cpu, RunTrace::of(&run, gpu)?]));
            if INTERRUPT.is_requested() {
                // Interrupted runs need not be equal.
                break;
            }
            rows.push(match traces {
                Ok(traces) => row(&config, &traces),
                Err(error) => {
                    print_error(&anyhow::Error::from(error).context(preset));
                    row_of(&config, None, None, "failed", [None; 2])
                }
            });
        }
        Ok(rows)
    }

    fn config(&self, preset: Preset, space: &SearchSpace) -> Config {
        let config = Config::of(preset, space);
        let population = self.population.unwrap_or(POPULATION);
        Config {
            // With these searches each child takes long, and the preset's population is small for it.
            population: match config.local_search {
                LocalSearch::Tabu | LocalSearch::Eviction => population.min(config.population),
                _ => population,
            },
            max_generations: self.generations.unwrap_or(GENERATIONS),
            distinct_every: 1,
            ..config
        }
    }
}

/// The row of two runs that were carried out.
fn row(config: &Config, [cpu, gpu]: &[RunTrace; 2]) -> ComparedRow {
    if cpu.generations.is_empty() && gpu.generations.is_empty() {
        return row_of(config, Some(0), Some(true), "solved by presolve", [None; 2]);
    }
    let difference = cpu.difference(gpu);
    let result = difference.as_deref().unwrap_or("equal");
    let rates = [cpu, gpu].map(|run| Some(run.children_per_second()));
    row_of(config, Some(cpu.outcome.generations), Some(difference.is_none()), result, rates)
}

fn row_of(
    config: &Config,
    generations: Option<u32>,
    equal: Option<bool>,
    result: &str,
    rates: [Option<f64>; 2],
) -> ComparedRow {
    let [cpu, gpu] = rates.map(rate);
    let (preset, population) = (json!(config.preset), json!(config.population));
    let values =
        vec![preset, population, json!(generations), json!(equal), json!(result), cpu, gpu];
    ComparedRow { values, equal }
}

/// The generations of a run and its outcome.
struct RunTrace {
    /// The figures and the best board of each generation.
    generations: Vec<(Frame, Vec<u8>)>,
    outcome: Outcome,
}

/// A name, and the value that it names in something.
type Named<T, V> = (&'static str, fn(&T) -> V);

/// The figures of a generation that are compared; times are not.
const FIGURES: [Named<Frame, Option<u64>>; 8] = [
    ("restarts", |frame| Some(frame.restart.into())),
    ("best", |frame| Some(frame.best.into())),
    ("best so far", |frame| Some(frame.best_so_far.into())),
    ("worst", |frame| Some(frame.worst.into())),
    ("sum", |frame| Some(frame.sum)),
    ("distinct", |frame| frame.distinct),
    ("evaluations", |frame| Some(frame.evaluations)),
    ("moves", |frame| Some(frame.moves)),
];
/// The results of a run that are compared.
const RESULTS: [Named<RunTrace, String>; 3] = [
    ("the number of generations", |run| count(run.generations.len() as u64)),
    ("the stop reason", |run| run.outcome.stop_reason.to_string()),
    ("steps", |run| count(run.outcome.steps)),
];

#[derive(Default)]
struct TraceRecorder(Vec<(Frame, Vec<u8>)>);

impl Observer for TraceRecorder {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        self.0.push((Frame::from(report), report.best_board.to_vec()));
        ControlFlow::Continue(())
    }

    fn wants_distinct(&self) -> bool {
        true
    }
}

impl RunTrace {
    /// Carries out a run.
    ///
    /// # Errors
    /// When it cannot start or continue, and when the engine failed on the way.
    fn of(run: &Run<'_>, executor: &mut Executor<'_>) -> Result<Self, SolveError> {
        let mut recorder = TraceRecorder::default();
        let outcome = executor.run(run, &mut recorder)?;
        match outcome.fault {
            // The CPU continued the run of the device.
            Some(fault) => Err(RunError::Lost(fault).into()),
            None => Ok(Self { generations: recorder.0, outcome }),
        }
    }

    /// The first difference of two runs.
    fn difference(&self, gpu: &Self) -> Option<String> {
        let differ = |what: &str, cpu: String, gpu: String| {
            (cpu != gpu).then(|| format!("{what} is {cpu} on the CPU, {gpu} on the GPU"))
        };
        let text = |figure: Option<u64>| figure.map_or_else(|| "unknown".to_owned(), count);
        for ((cpu, cpu_board), (gpu, gpu_board)) in self.generations.iter().zip(&gpu.generations) {
            let figures = FIGURES
                .iter()
                .find_map(|(name, figure)| differ(name, text(figure(cpu)), text(figure(gpu))));
            let boards = || (cpu_board != gpu_board).then(|| "the best boards differ".to_owned());
            if let Some(difference) = figures.or_else(boards) {
                return Some(format!("generation {}: {difference}", cpu.generation));
            }
        }
        let results =
            RESULTS.iter().find_map(|(name, result)| differ(name, result(self), result(gpu)));
        let boards =
            || (self.outcome.board != gpu.outcome.board).then(|| "the boards differ".to_owned());
        results.or_else(boards).map(|difference| format!("at the end: {difference}"))
    }

    /// Boards scored a second, without the time to make the engine.
    fn children_per_second(&self) -> f64 {
        let evolving = self.outcome.elapsed.saturating_sub(self.outcome.making);
        self.outcome.evaluations as f64 / evolving.as_secs_f64().max(1e-9)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use super::*;
    use crate::cli::compare::EVOLVED;
    use crate::format::{Options, load_with};
    use crate::ga::StopReason;

    /// A short run of `boxes` on the CPU.
    fn trace(space: &SearchSpace, config: &Config, seed: u64) -> RunTrace {
        let (backend, interrupted) = (Backend::cpu(), AtomicBool::new(false));
        let mut executor = Executor::new(&backend, 1, 1).unwrap();
        RunTrace::of(&Run::new(space, config, seed, &interrupted), &mut executor).unwrap()
    }

    /// A puzzle as the preset presolves it, and few generations.
    fn task(puzzle: &str) -> (SearchSpace, Config) {
        let puzzle = load_with(puzzle, &Options::default()).unwrap().puzzle;
        let space = presolve(&puzzle, Preset::Boxes.presolve()).unwrap();
        let config = Config::of(Preset::Boxes, &space);
        (space, Config { population: 20, max_generations: 2, ..config })
    }

    #[test]
    fn runs_that_differ_are_no_for_an_answer_with_their_first_difference() {
        let (space, config) = task(EVOLVED);
        let [one, same, other] = [1, 1, 2].map(|seed| trace(&space, &config, seed));
        let equal = row(&config, &[one, same]);
        assert_eq!(equal.equal, Some(true));
        assert_eq!(
            equal.values[..5],
            ["boxes".into(), json!(20), 2.into(), true.into(), "equal".into()]
        );
        let one = trace(&space, &config, 1);
        let different = row(&config, &[one, other]);
        assert_eq!(different.equal, Some(false));
        let result = different.values[4].as_str().unwrap();
        assert!(result.starts_with("generation 0: ") && result.ends_with("on the GPU"), "{result}");
        assert_eq!(different.values[3], json!(false));
        assert!(different.values[5].is_u64());
    }

    #[test]
    fn a_puzzle_that_presolve_solves_is_equal_and_a_failed_run_is_neither() {
        let (space, config) = task("1234341221434321");
        let [cpu, gpu] = [1, 2].map(|seed| trace(&space, &config, seed));
        let solved = row(&config, &[cpu, gpu]);
        assert_eq!(solved.equal, Some(true));
        let none = json!(null);
        let values = [json!(0), json!(true), json!("solved by presolve"), none.clone(), none];
        assert_eq!(solved.values[2..], values);
        let failed = row_of(&config, None, None, "failed", [None; 2]);
        assert_eq!(failed.equal, None);
        assert!(failed.values[3].is_null() && failed.values[2].is_null());
    }

    /// A run of three generations.
    fn cpu() -> RunTrace {
        let generation = |generation| {
            let frame = Frame { generation, restart: 7, best: 7, ..Frame::default() };
            (frame, vec![1, 2, 3])
        };
        let outcome = Outcome {
            stop_reason: StopReason::Generations,
            board: vec![1, 2, 3],
            fitness: 4,
            generations: 2,
            restarts: 0,
            evaluations: 60,
            moves: 0,
            steps: 7_000,
            elapsed: Duration::from_secs(3),
            making: Duration::from_secs(1),
            fault: None,
        };
        RunTrace { generations: [0, 1, 2].map(generation).to_vec(), outcome }
    }

    /// The difference of a run and the same run after a change.
    fn difference(change: impl FnOnce(&mut RunTrace)) -> Option<String> {
        let mut gpu = cpu();
        change(&mut gpu);
        cpu().difference(&gpu)
    }

    #[test]
    fn the_first_different_generation_is_named() {
        assert_eq!(difference(|_| {}), None);
        type Change = fn(&mut Frame);
        let changes: [(&str, Change); 8] = [
            ("restarts is 7", |frame| frame.restart = 9_000),
            ("best is 7", |frame| frame.best = 9_000),
            ("best so far is 0", |frame| frame.best_so_far = 9_000),
            ("worst is 0", |frame| frame.worst = 9_000),
            ("sum is 0", |frame| frame.sum = 9_000),
            ("distinct is unknown", |frame| frame.distinct = Some(9_000)),
            ("evaluations is 0", |frame| frame.evaluations = 9_000),
            ("moves is 0", |frame| frame.moves = 9_000),
        ];
        for (name, change) in changes {
            let found = difference(|gpu| {
                change(&mut gpu.generations[1].0);
                gpu.generations[1].1[2] = 4;
                gpu.generations[2].0.restart = 1;
            });
            let expected = format!("generation 1: {name} on the CPU, 9,000 on the GPU");
            assert_eq!(found, Some(expected));
        }
        let found = difference(|gpu| gpu.generations[2].1[0] = 9);
        assert_eq!(found.as_deref(), Some("generation 2: the best boards differ"));
        let found = difference(|gpu| drop(gpu.generations.pop()));
        let expected = "at the end: the number of generations is 3 on the CPU, 2 on the GPU";
        assert_eq!(found.as_deref(), Some(expected));
    }

    #[test]
    fn a_difference_at_the_end_is_named_and_times_are_none() {
        let found = difference(|gpu| {
            (gpu.outcome.elapsed, gpu.outcome.making) = (Duration::ZERO, Duration::ZERO);
        });
        assert_eq!(found, None);
        let found = difference(|gpu| {
            (gpu.outcome.stop_reason, gpu.outcome.steps) = (StopReason::Work, 1);
        });
        let expected = "at the end: the stop reason is generations on the CPU, work on the GPU";
        assert_eq!(found.as_deref(), Some(expected));
        let found = difference(|gpu| {
            (gpu.outcome.steps, gpu.outcome.board) = (7_001, vec![1, 2, 4]);
        });
        let expected = "at the end: steps is 7,000 on the CPU, 7,001 on the GPU";
        assert_eq!(found.as_deref(), Some(expected));
        let found = difference(|gpu| gpu.outcome.board = vec![1, 2, 4]);
        assert_eq!(found.as_deref(), Some("at the end: the boards differ"));
        assert_eq!(cpu().children_per_second(), 30.0);
    }
}
