//! `evodoku compare --on gpu`: the same runs on the CPU engine and on the device engine.
//!
//! ```text
//! preset  population  generations  result                                                ...
//! boxes   2,000       5            equal
//! cells   2,000       5            generation 3: sum is 41,532 on the host, 41,530 on the device
//! ```

use std::ops::ControlFlow;

use anyhow::{Context, Result, bail};
use indicatif::HumanCount;
use serde_json::json;

use super::Compare;
use super::report::{Compared, ComparedRow, Subject, rate, rates};
use crate::board::{SearchSpace, presolve};
use crate::cli::exit::{Exit, install_interrupt_handler};
use crate::cli::output::{Logger, print_error};
use crate::format::{Options, load_with};
use crate::ga::local_search::LocalSearch;
use crate::ga::{Config, GenerationReport, Observer, Outcome, Preset, ReplayPolicy, Run, RunError};
use crate::gpu_engine::supported_presets;
use crate::report::{ExportSet, Frame, dash};
use crate::run::{Backend, Executor, SolveError};
use crate::util::interrupt::INTERRUPT;
use crate::util::quantity::counted;

/// Few enough for a software driver.
const POPULATION: u32 = 2_000;
const GENERATIONS: u32 = 5;
/// Hard enough that presolve and the first boards leave something to evolve.
const PUZZLE: &str = "ai-escargot";

impl Compare {
    /// Compares a run of each preset that the device supports.
    pub(super) fn compare_engines(&self, notes: Logger, exports: &mut ExportSet) -> Result<Exit> {
        if self.sweep.is_some() {
            bail!("--sweep compares scores: leave it out, or take --on gpu-score");
        }
        if self.rounds.is_some() {
            bail!("--rounds is for scores: leave it out, or take --on gpu-score");
        }
        let threads = self.work.threads()?.current_num_threads();
        let simd = self.work.simd()?;
        let puzzle = match self.puzzle()? {
            Some(puzzle) => puzzle,
            None => load_with(PUZZLE, &Options::default())?.puzzle,
        };
        install_interrupt_handler()?;
        let device = self.open(notes)?;
        let backends = [Backend::cpu_with_simd(simd)?, Backend::gpu_on(&device)?];
        // A run that the CPU finished would not be a run of the device.
        let backends = backends
            .map(|backend| backend.chunk(self.work.chunk).replay_policy(ReplayPolicy::Never));
        let [host, gpu] = &backends;
        let mut executors = [Executor::new(host, 1, threads)?, Executor::new(gpu, 1, threads)?];
        notes.say(&format!("comparing runs of {}", puzzle.name));
        let mut exit = Exit::Done;
        let mut rows = Vec::new();
        for preset in supported_presets() {
            let space = presolve(&puzzle, preset.presolve())
                .with_context(|| format!("{} has no solution", puzzle.name))?;
            let config = self.config(preset, &space);
            let run = Run::new(&space, &config, self.seed, INTERRUPT.flag());
            let [host, device] = &mut executors;
            let traces =
                RunTrace::of(&run, host).and_then(|host| Ok([host, RunTrace::of(&run, device)?]));
            if INTERRUPT.is_requested() {
                // Interrupted runs need not be equal.
                exit = exit.max(Exit::Interrupted);
                break;
            }
            let (row, ended) = match traces {
                Ok(traces) => row(preset, &config, &traces),
                Err(error) => {
                    print_error(&anyhow::Error::from(error).context(preset));
                    (text_row(preset, &config, None, None, "failed", None), Exit::Failure)
                }
            };
            rows.push(row);
            exit = exit.max(ended);
        }
        let adapter = device.adapter();
        let compared = Compared {
            subject: Subject::Engines,
            rows,
            on: format!(
                "Host: {simd}, {}. Device: {}, {}. Rates count the first boards, and not the making of an engine.",
                counted(threads as u64, "thread"),
                adapter.name,
                adapter.driver
            ),
            adapter: adapter.clone(),
            simd,
            threads,
            seed: self.seed,
            complete: exit != Exit::Interrupted,
        };
        Ok(exit.max(compared.write(exports)?))
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
fn row(preset: Preset, config: &Config, [host, device]: &[RunTrace; 2]) -> (ComparedRow, Exit) {
    if host.generations.is_empty() && device.generations.is_empty() {
        let row = text_row(preset, config, Some(0), Some(true), "solved by presolve", None);
        return (row, Exit::Done);
    }
    let (result, exit) = match host.difference(device) {
        Some(difference) => (difference, Exit::Not),
        None => ("equal".to_owned(), Exit::Done),
    };
    let rates = [host.children_per_second(), device.children_per_second()];
    let (generations, equal) = (Some(host.outcome.generations), Some(exit == Exit::Done));
    (text_row(preset, config, generations, equal, &result, Some(rates)), exit)
}

fn text_row(
    preset: Preset,
    config: &Config,
    generations: Option<u32>,
    equal: Option<bool>,
    result: &str,
    measured: Option<[f64; 2]>,
) -> ComparedRow {
    let mut cells = vec![
        preset.to_string(),
        HumanCount(config.population.into()).to_string(),
        generations.map_or_else(dash, |generations| generations.to_string()),
        result.to_owned(),
    ];
    cells.extend(measured.map_or_else(|| [dash(), dash(), dash()], rates));
    let values = vec![
        json!(preset.to_string()),
        json!(config.population),
        json!(generations),
        json!(equal),
        json!(result),
        rate(measured.map(|[host, _]| host)),
        rate(measured.map(|[_, device]| device)),
    ];
    ComparedRow { cells, values, equal }
}

/// The generations of a run and its outcome.
struct RunTrace {
    /// The figures and the best board of each generation.
    generations: Vec<(Frame, Vec<u8>)>,
    outcome: Outcome,
}

/// The name of a figure and its value.
type Figure = (&'static str, fn(&Frame) -> Option<u64>);

/// The figures of a generation that are compared; times are not.
const FIGURES: [Figure; 8] = [
    ("restarts", |frame| Some(frame.restart.into())),
    ("best", |frame| Some(frame.best.into())),
    ("best so far", |frame| Some(frame.best_so_far.into())),
    ("worst", |frame| Some(frame.worst.into())),
    ("sum", |frame| Some(frame.sum)),
    ("distinct", |frame| frame.distinct),
    ("evaluations", |frame| Some(frame.evaluations)),
    ("moves", |frame| Some(frame.moves)),
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
    fn difference(&self, device: &Self) -> Option<String> {
        let differ = |what: &str, host: String, device: String| {
            (host != device)
                .then(|| format!("{what} is {host} on the host, {device} on the device"))
        };
        let count = |count: usize| HumanCount(count as u64).to_string();
        let text = |figure: Option<u64>| {
            figure.map_or_else(|| "unknown".to_owned(), |figure| HumanCount(figure).to_string())
        };
        for ((host, host_board), (device, device_board)) in
            self.generations.iter().zip(&device.generations)
        {
            let mut figures = FIGURES.iter().filter_map(|(name, figure)| {
                differ(name, text(figure(host)), text(figure(device)))
            });
            let boards =
                || (host_board != device_board).then(|| "the best boards differ".to_owned());
            if let Some(difference) = figures.next().or_else(boards) {
                return Some(format!("generation {}: {difference}", host.generation));
            }
        }
        let [generations, others] = [self, device].map(|run| count(run.generations.len()));
        let (host, device) = (&self.outcome, &device.outcome);
        let at_the_end = |difference: String| format!("at the end: {difference}");
        let [reason, other_reason] = [host, device].map(|run| run.stop_reason.to_string());
        let [steps, other_steps] = [host, device].map(|run| HumanCount(run.steps).to_string());
        let boards = || (host.board != device.board).then(|| "the boards differ".to_owned());
        differ("the number of generations", generations, others).or_else(|| {
            differ("the reason", reason, other_reason)
                .or_else(|| differ("steps", steps, other_steps))
                .or_else(boards)
                .map(at_the_end)
        })
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
        let (space, config) = task(PUZZLE);
        let [one, same, other] = [1, 1, 2].map(|seed| trace(&space, &config, seed));
        let (equal, exit) = row(Preset::Boxes, &config, &[one, same]);
        assert_eq!((equal.equal, exit), (Some(true), Exit::Done));
        assert_eq!(equal.cells[..4], ["boxes", "20", "2", "equal"]);
        let one = trace(&space, &config, 1);
        let (different, exit) = row(Preset::Boxes, &config, &[one, other]);
        assert_eq!((different.equal, exit), (Some(false), Exit::Not));
        let result = &different.cells[3];
        assert!(
            result.starts_with("generation 0: ") && result.ends_with("on the device"),
            "{result}"
        );
        assert_eq!(different.values[4], json!(result));
        assert_eq!(different.values[3], json!(false));
        assert!(different.values[5].is_u64());
    }

    #[test]
    fn a_puzzle_that_presolve_solves_is_equal_and_a_failed_run_is_neither() {
        let (space, config) = task("1234341221434321");
        let [host, device] = [1, 2].map(|seed| trace(&space, &config, seed));
        let (solved, exit) = row(Preset::Boxes, &config, &[host, device]);
        assert_eq!((solved.equal, exit), (Some(true), Exit::Done));
        assert_eq!(solved.cells[2..], ["0", "solved by presolve", "-", "-", "-"]);
        let failed = text_row(Preset::Boxes, &config, None, None, "failed", None);
        assert_eq!(failed.equal, None);
        assert_eq!(failed.cells[2..], ["-", "failed", "-", "-", "-"]);
        assert!(failed.values[3].is_null() && failed.values[2].is_null());
    }

    /// A run of three generations.
    fn host() -> RunTrace {
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
        let mut device = host();
        change(&mut device);
        host().difference(&device)
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
            let found = difference(|device| {
                change(&mut device.generations[1].0);
                device.generations[1].1[2] = 4;
                device.generations[2].0.restart = 1;
            });
            let expected = format!("generation 1: {name} on the host, 9,000 on the device");
            assert_eq!(found, Some(expected));
        }
        let found = difference(|device| device.generations[2].1[0] = 9);
        assert_eq!(found.as_deref(), Some("generation 2: the best boards differ"));
        let found = difference(|device| drop(device.generations.pop()));
        let expected = "the number of generations is 3 on the host, 2 on the device";
        assert_eq!(found.as_deref(), Some(expected));
    }

    #[test]
    fn a_difference_at_the_end_is_named_and_times_are_none() {
        let found = difference(|device| {
            (device.outcome.elapsed, device.outcome.making) = (Duration::ZERO, Duration::ZERO);
        });
        assert_eq!(found, None);
        let found = difference(|device| {
            (device.outcome.stop_reason, device.outcome.steps) = (StopReason::Work, 1);
        });
        let expected = "at the end: the reason is generations on the host, work on the device";
        assert_eq!(found.as_deref(), Some(expected));
        let found = difference(|device| {
            (device.outcome.steps, device.outcome.board) = (7_001, vec![1, 2, 4]);
        });
        let expected = "at the end: steps is 7,000 on the host, 7,001 on the device";
        assert_eq!(found.as_deref(), Some(expected));
        let found = difference(|device| device.outcome.board = vec![1, 2, 4]);
        assert_eq!(found.as_deref(), Some("at the end: the boards differ"));
        assert_eq!(host().children_per_second(), 30.0);
    }
}
