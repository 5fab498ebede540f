//! `evodoku compare --on gpu`: the same runs on the CPU engine and on the device engine.
//!
//! ```text
//! preset  population  generations  result                                                ...
//! boxes   2,000       5            equal
//! cells   2,000       5            generation 3: sum is 41,532 on the host, 41,530 on the device
//! ```

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use indicatif::HumanCount;
use serde_json::json;

use super::Compare;
use super::report::{Compared, ComparedRow, Subject, rate, rates};
use super::run_trace::RunTrace;
use crate::board::{Puzzle, SearchSpace, presolve};
use crate::cli::exit::{Exit, install_interrupt_handler};
use crate::cli::exports::tell;
use crate::cli::output::{Logger, print, print_error};
use crate::format::{Options, load_with};
use crate::ga::local_search::LocalSearch;
use crate::ga::{Config, Preset, ReplayPolicy};
use crate::gpu_engine::supported_presets;
use crate::report::{ExportSet, Row};
use crate::run::{Backend, Executor};
use crate::util::interrupt::INTERRUPT;
use crate::util::quantity::counted;

/// Few enough for a software driver.
const POPULATION: u32 = 2_000;
const GENERATIONS: u32 = 5;
/// Hard enough that presolve and the first boards leave something to evolve.
const PUZZLE: &str = "ai-escargot";

impl Compare {
    /// A row for each configuration that the device runs.
    pub(super) fn compare_engines(&self, notes: Logger, exports: &mut ExportSet) -> Result<Exit> {
        if self.sweep.is_some() {
            bail!("--sweep compares scores: leave it out, or take --on gpu-score");
        }
        if self.rounds.is_some() {
            bail!("--rounds is for scores: leave it out, or take --on gpu-score");
        }
        let threads = self.work.threads()?.current_num_threads();
        let simd = self.work.simd()?;
        let puzzle = self.puzzle_to_evolve()?;
        install_interrupt_handler()?;
        let device = self.open(notes)?;
        let backends = [Backend::cpu_with_simd(simd)?, Backend::gpu_on(&device)?];
        // A run that was done elsewhere is none of the device's.
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
            let (config, space) = (Arc::new(self.config(preset, &space)), Arc::new(space));
            let compared = self.both(&space, &config, &mut executors);
            if INTERRUPT.is_requested() {
                // Runs that were cut off need not be alike.
                exit = exit.max(Exit::Interrupted);
                break;
            }
            let (row, ended) = match compared {
                Ok(both) => row(preset, &config, &both),
                Err(error) => {
                    print_error(&error.context(preset));
                    (failed(preset, &config), Exit::Failure)
                }
            };
            rows.push(row);
            exit = exit.max(ended);
        }
        let adapter = device.adapter();
        let compared = Compared {
            subject: Subject::Engines,
            header: HEADER.to_vec(),
            names: NAMES.to_vec(),
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
        let spare = &["device/host", "host children/s", "device children/s", "population"];
        let text = compared.text(&["result"], spare);
        let printed = if exports.take_stdout() { Ok(true) } else { print(&text) };
        tell(exports.write_all(&compared.report()));
        printed?;
        Ok(exit)
    }

    fn puzzle_to_evolve(&self) -> Result<Puzzle> {
        let options = Options { shape: self.shape, alphabet: self.alphabet.clone() };
        Ok(match (&self.puzzle, self.shape) {
            (Some(argument), _) => load_with(argument, &options)?.puzzle,
            (None, Some(shape)) => Puzzle::blank(shape),
            (None, None) => load_with(PUZZLE, &Options::default())?.puzzle,
        })
    }

    fn config(&self, preset: Preset, space: &SearchSpace) -> Config {
        let config = Config::of(preset, space);
        let asked = self.population.unwrap_or(POPULATION);
        Config {
            // Each child is a long search there, and the populations are small for it.
            population: match config.local_search {
                LocalSearch::Tabu | LocalSearch::Eviction => asked.min(config.population),
                _ => asked,
            },
            max_generations: self.generations.unwrap_or(GENERATIONS),
            distinct_every: 1,
            ..config
        }
    }

    /// The run on the host and on the device.
    fn both(
        &self,
        space: &Arc<SearchSpace>,
        config: &Arc<Config>,
        [host, device]: &mut [Executor<'_>; 2],
    ) -> Result<[RunTrace; 2]> {
        let run = |executor| RunTrace::of((space, config), self.seed, executor, INTERRUPT.flag());
        Ok([run(host)?, run(device)?])
    }
}

/// The columns of the table, and the members of a record.
const HEADER: [&str; 7] = [
    "preset",
    "population",
    "generations",
    "result",
    "host children/s",
    "device children/s",
    "device/host",
];
const NAMES: [&str; 7] = [
    "preset",
    "population",
    "generations",
    "equal",
    "result",
    "host_children_per_second",
    "device_children_per_second",
];

/// What came of both runs.
fn row(preset: Preset, config: &Config, [host, device]: &[RunTrace; 2]) -> (ComparedRow, Exit) {
    if host.generations.is_empty() && device.generations.is_empty() {
        let row = compared(preset, config, Some(0), Some(true), "solved by presolve", None);
        return (row, Exit::Done);
    }
    let (result, exit) = match host.difference(device) {
        Some(difference) => (difference, Exit::Not),
        None => ("equal".to_owned(), Exit::Done),
    };
    let rates = [host.children_per_second(), device.children_per_second()];
    let (generations, equal) = (Some(host.outcome.generations), Some(exit == Exit::Done));
    (compared(preset, config, generations, equal, &result, Some(rates)), exit)
}

/// One of both could not be carried out.
fn failed(preset: Preset, config: &Config) -> ComparedRow {
    compared(preset, config, None, None, "failed", None)
}

fn compared(
    preset: Preset,
    config: &Config,
    generations: Option<u32>,
    equal: Option<bool>,
    result: &str,
    measured: Option<[f64; 2]>,
) -> ComparedRow {
    let dash = || "-".to_owned();
    let mut cells = vec![
        preset.to_string(),
        HumanCount(config.population.into()).to_string(),
        generations.map_or_else(dash, |generations| generations.to_string()),
        result.to_owned(),
    ];
    cells.extend(measured.map_or_else(|| [dash(), dash(), dash()], rates));
    let values = [
        json!(preset.to_string()),
        json!(config.population),
        json!(generations),
        json!(equal),
        json!(result),
        rate(measured.map(|[host, _]| host)),
        rate(measured.map(|[_, device]| device)),
    ];
    ComparedRow { cells, columns: Row(NAMES.into_iter().zip(values).collect()), equal }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    /// A short run of `boxes` on the CPU.
    fn witness(space: &SearchSpace, config: &Config, seed: u64) -> RunTrace {
        let (space, config) = (Arc::new(space.clone()), Arc::new(config.clone()));
        let (backend, interrupted) = (Backend::cpu(), AtomicBool::new(false));
        let mut executor = Executor::new(&backend, 1, 1).unwrap();
        RunTrace::of((&space, &config), seed, &mut executor, &interrupted).unwrap()
    }

    /// A puzzle as the preset presolves it, and few generations.
    fn task(puzzle: &str) -> (SearchSpace, Config) {
        let puzzle = load_with(puzzle, &Options::default()).unwrap().puzzle;
        let space = presolve(&puzzle, Preset::Boxes.presolve()).unwrap();
        let config = Config::of(Preset::Boxes, &space);
        (space, Config { population: 20, max_generations: 2, ..config })
    }

    fn told(row: &ComparedRow, name: &str) -> serde_json::Value {
        let found = row.columns.0.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    }

    #[test]
    fn runs_that_differ_are_no_for_an_answer_with_their_first_difference() {
        let (space, config) = task(PUZZLE);
        let [one, same, other] = [1, 1, 2].map(|seed| witness(&space, &config, seed));
        let (equal, exit) = row(Preset::Boxes, &config, &[one, same]);
        assert_eq!((equal.equal, exit), (Some(true), Exit::Done));
        assert_eq!(equal.cells[..4], ["boxes", "20", "2", "equal"]);
        let one = witness(&space, &config, 1);
        let (different, exit) = row(Preset::Boxes, &config, &[one, other]);
        assert_eq!((different.equal, exit), (Some(false), Exit::Not));
        let result = &different.cells[3];
        assert!(
            result.starts_with("generation 0: ") && result.ends_with("on the device"),
            "{result}"
        );
        assert_eq!(told(&different, "result"), json!(result));
        assert_eq!(told(&different, "equal"), json!(false));
        assert!(told(&different, "host_children_per_second").is_u64());
    }

    #[test]
    fn what_presolve_solves_is_equal_and_what_failed_is_neither() {
        let (space, config) = task("1234341221434321");
        let [host, device] = [1, 2].map(|seed| witness(&space, &config, seed));
        let (solved, exit) = row(Preset::Boxes, &config, &[host, device]);
        assert_eq!((solved.equal, exit), (Some(true), Exit::Done));
        assert_eq!(solved.cells[2..], ["0", "solved by presolve", "-", "-", "-"]);
        let failed = failed(Preset::Boxes, &config);
        assert_eq!(failed.equal, None);
        assert_eq!(failed.cells[2..], ["-", "failed", "-", "-", "-"]);
        assert!(told(&failed, "equal").is_null() && told(&failed, "generations").is_null());
    }
}
