//! `evodoku compare --engine device`: the same runs on the host engine and on the device engine.
//!
//! ```text
//! preset  population  generations  result                                                ...
//! boxes   2,000       5            equal
//! cells   2,000       5            generation 3: sum is 41,532 on the host, 41,530 on the device
//! ```

use std::sync::atomic::AtomicBool;

use crate::board::presolve;
use crate::board::{Puzzle, SearchSpace};
use crate::device::{DeviceEngine, Kernels, supported_presets};
use crate::evolve::improvement::Improvement;
use crate::evolve::{Config, HostEngine, Preset, Run, Settings};
use crate::format::{Options, load_with};
use crate::score::{CpuEvaluator, Pipeline, SimdLevel};
use anyhow::{Context, Result, bail};
use indicatif::HumanCount;

use super::witness::Witness;
use super::{Compare, ratio};
use crate::cli::exit::{Exit, print_error};
use crate::cli::output::{Notes, print, table};

/// Few enough for a software driver.
const POPULATION: u32 = 2_000;
const GENERATIONS: u32 = 5;
/// Hard enough that presolve and the first boards leave something to evolve.
const PUZZLE: &str = "ai-escargot";
/// What makes `memetic` the cellular algorithm.
const CELLULAR: (&str, &str) = ("improvement", "exchange-descent");

impl Compare {
    /// A row for each configuration that the device runs.
    pub(super) fn compare_engines(&self, notes: &Notes) -> Result<Exit> {
        if self.sweep.is_some() {
            bail!("--sweep compares scores: leave it out, or take --engine host");
        }
        if self.rounds.is_some() {
            bail!("--rounds is for scores: leave it out, or take --engine host");
        }
        let threads = self.work.threads()?;
        let simd = self.work.simd()?;
        let puzzle = self.puzzle_to_evolve()?;
        let device = self.open(notes)?;
        let kernels = Kernels::new(&device)?;
        notes.say(&format!("comparing runs of {}", puzzle.name));
        let mut exit = Exit::Done;
        let mut rows = table(&[
            "preset",
            "population",
            "generations",
            "result",
            "host children/s",
            "device children/s",
            "device/host",
        ]);
        for (name, settings) in configurations()? {
            let space = presolve(&puzzle, settings.presolve())
                .with_context(|| format!("{} has no solution", puzzle.name))?;
            let config = self.config(&settings, &space);
            let compared = threads.install(|| self.both(&space, &config, &kernels, simd));
            let (row, ended) = match compared {
                Ok([host, device]) => row(&host, &device),
                Err(error) => {
                    print_error(&error.context(name.clone()));
                    (["-", "failed", "-", "-", "-"].map(str::to_owned), Exit::Failure)
                }
            };
            let population = HumanCount(config.population.into()).to_string();
            rows.add_row([name, population].into_iter().chain(row));
            exit = exit.max(ended);
        }
        print(&format!(
            "{rows}\n\nHost: {simd}, {} threads. Device: {}, {}. Rates count the first boards, and not the making of an engine.\n",
            threads.current_num_threads(),
            device.adapter().name,
            device.adapter().driver
        ))?;
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

    fn config(&self, settings: &Settings, space: &SearchSpace) -> Config {
        let config = settings.config(space);
        let asked = self.population.unwrap_or(POPULATION);
        Config {
            // Each child is a long search there, and the populations are small for it.
            population: match config.improvement {
                Improvement::Tabu => asked.min(config.population),
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
        space: &SearchSpace,
        config: &Config,
        kernels: &Kernels,
        simd: SimdLevel,
    ) -> Result<[Witness; 2]> {
        let run = Run { space, config, seed: self.seed, interrupted: &AtomicBool::new(false) };
        let chunk = self.work.chunk.map(|chunk| chunk.get());
        let evaluator = CpuEvaluator::with_level(space.geometry(), chunk, simd)?;
        let mut pipeline = Pipeline::new(Box::new(evaluator));
        let slots = chunk.map(|chunk| u32::try_from(chunk).unwrap_or(u32::MAX));
        let host = Witness::of(&run, || HostEngine::new(&run, &mut pipeline))?;
        let device = Witness::of(&run, || DeviceEngine::new(&run, kernels, slots))?;
        Ok([host, device])
    }
}

/// Presets that the device runs as they are, and `memetic` in its cellular form.
fn configurations() -> Result<Vec<(String, Settings)>> {
    let mut all = Vec::new();
    for preset in supported_presets() {
        all.push((preset.to_string(), Settings::of(preset)));
        if preset == Preset::Memetic {
            let (name, value) = CELLULAR;
            let mut settings = Settings::of(preset);
            settings.set(name, value)?;
            all.push((format!("{preset} {name}={value}"), settings));
        }
    }
    Ok(all)
}

/// The columns after the population.
fn row(host: &Witness, device: &Witness) -> ([String; 5], Exit) {
    if host.generations.is_empty() && device.generations.is_empty() {
        return (["0", "solved by presolve", "-", "-", "-"].map(str::to_owned), Exit::Done);
    }
    let (result, exit) = match host.difference(device) {
        Some(difference) => (difference, Exit::Not),
        None => ("equal".to_owned(), Exit::Done),
    };
    let generations = host.outcome.generations.to_string();
    let rates = [host.children_per_second(), device.children_per_second()];
    let [of_host, of_device] = rates.map(|rate| HumanCount(rate as u64).to_string());
    ([generations, result, of_host, of_device, ratio(rates[1] / rates[0])], exit)
}
