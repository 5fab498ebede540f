//! `evodoku compare`: the same populations scored on the CPU and on the GPU, or the same runs on the
//! CPU engine and on the GPU engine.

mod engines;
mod report;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::json;

use self::report::{Compared, ComparedRow, Subject, rate};
use super::backend::WorkArgs;
use super::exit::{Exit, install_interrupt_handler};
use super::exports::PlotlessExportArgs;
use super::input::{InputArgs, files};
use super::output::Logger;
use super::value_parsers::whole;
use crate::bench::{self, BoardKind};
use crate::board::{Geometry, Population, Presolve, Puzzle, SearchSpace, presolve};
use crate::fitness::{CpuEvaluator, Evaluator, GpuEvaluator, SimdLevel, UNWRITTEN};
use crate::format::{Options, load_with};
use crate::ga::Config;
use crate::gpu::{Device, adapters, best, find};
use crate::report::keep_apart;
use crate::run::{Place, Target};
use crate::statistics::StoppingRule;
use crate::util::interrupt::INTERRUPT;
use crate::util::memory;
use crate::util::quantity::counted;
use crate::util::threads::pool_of_at_most;

/// Boards of a kind, and the time for the measurement of a rate.
const POPULATION: u32 = 100_000;
const BUDGET: Duration = Duration::from_millis(500);
/// A puzzle that is hard enough that presolve and the first boards leave something to evolve.
const EVOLVED: &str = "ai-escargot";
/// The default number of draws of each kind.
const ROUNDS: u32 = 3;

/// Check that CPU and GPU give the same results
///
/// Scores the same boards on the CPU and on the GPU, and compares every score. With --on gpu, the CPU and the
/// GPU run every preset that the GPU supports, from the same seed, and every generation is compared. compare
/// uses a real GPU if there is one, else a software driver. To compare algorithms, use `evodoku experiment
/// --compare method`. Exit codes: 0, equal; 1, a difference; 2, bad input or a failure; 130, interrupted (the
/// comparisons made so far are printed).
#[derive(Debug, Args)]
pub struct Compare {
    /// File, name of a shipped puzzle, grid, or - for stdin (default: a blank board, or ai-escargot with --on
    /// gpu)
    puzzle: Option<OsString>,
    /// What to compare with the CPU: gpu-score (scores) or gpu (whole runs); gpu:ID selects a GPU by its
    /// index, part of its name or its PCI bus id
    #[arg(long, value_name = "WHERE[:ID]", default_value = "gpu-score")]
    on: Target,
    #[command(flatten)]
    input: InputArgs,
    /// With --on gpu-score, number of boards of each kind (default: 100,000); with --on gpu, population of
    /// each run (default: 2,000)
    ///
    /// With --on gpu, presets with tabu search keep their own population if it is smaller.
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX as u64 - 1))]
    population: Option<u32>,
    /// Number of times that boards of each kind are drawn and compared (default: 3)
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX as u64))]
    rounds: Option<u32>,
    /// With --on gpu, generations of each run (default: 5)
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX as u64 - 1))]
    generations: Option<u32>,
    /// Seed of the first round, or of every run
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    #[command(flatten)]
    work: WorkArgs,
    #[command(flatten)]
    exports: PlotlessExportArgs,
}

impl Compare {
    pub fn run(self, notes: Logger) -> Result<Exit> {
        let mut exports = self.exports.open()?;
        keep_apart(exports.outputs(), files(&self.puzzle))?;
        match self.on.place {
            Place::Auto | Place::Cpu => {
                bail!("compare needs a GPU: use --on gpu-score for scores, or --on gpu for runs")
            }
            Place::GpuScore if self.generations.is_some() => {
                bail!("--generations applies to runs: leave it out, or use --on gpu")
            }
            Place::Gpu if self.rounds.is_some() => {
                bail!("--rounds applies only to scores: leave it out, or use --on gpu-score")
            }
            Place::GpuScore | Place::Gpu => {}
        }
        let threads = pool_of_at_most(self.work.threads())?;
        let simd = self.work.simd()?;
        let puzzle = self.puzzle()?;
        if self.on.place == Place::GpuScore {
            self.check_memory(puzzle.geometry)?;
        }
        install_interrupt_handler()?;
        let device = self.open(notes)?;
        let count = threads.current_num_threads();
        let (subject, rows, rates) = match self.on.place {
            Place::Gpu => (
                Subject::Engines,
                self.compare_engines(&puzzle, &device, simd, count, notes)?,
                "The rates include the time to draw the first population, but not the time to create the engine.",
            ),
            _ => (
                Subject::Scores,
                threads.install(|| self.compare_scores(&puzzle, &device, simd, notes))?,
                "The rate of the GPU includes upload, kernel and readback.",
            ),
        };
        let adapter = device.adapter().clone();
        let on = format!(
            "CPU: {simd}, {}. GPU: {}, {}. {rates}",
            counted(count as u64, "thread"),
            adapter.full_name(),
            adapter.driver
        );
        let (seed, complete) = (self.seed, !INTERRUPT.is_requested());
        let compared =
            Compared { subject, rows, on, adapter, simd, threads: count, seed, complete };
        compared.write(&mut exports)
    }

    /// A row for each kind of boards. After an interrupt, the rows so far.
    fn compare_scores(
        &self,
        puzzle: &Puzzle,
        device: &Device,
        simd: SimdLevel,
        notes: Logger,
    ) -> Result<Vec<ComparedRow>> {
        let (shape, count) = (puzzle.geometry, self.population.unwrap_or(POPULATION) as usize);
        let space = presolve(puzzle, Presolve::None)
            .with_context(|| format!("{} has no solution", puzzle.name))?;
        notes.say(&format!("comparing boards of {shape} boxes"));
        let mut pair = Pair::new(shape, device, simd, self.work.chunk, count)?;
        let mut rows = Vec::new();
        for kind in BoardKind::ALL.iter().copied() {
            let Some(mismatches) = self.count_mismatches(kind, &space, &mut pair)? else { break };
            let boards = count as u64 * u64::from(self.rounds.unwrap_or(ROUNDS));
            let [cpu, gpu] = pair.rates()?.map(|figure| rate(Some(figure)));
            let (shape, kind) = (json!(shape.to_string()), json!(kind));
            let values = vec![shape, kind, json!(boards), json!(mismatches), cpu, gpu];
            rows.push(ComparedRow { values, equal: Some(mismatches == 0) });
        }
        Ok(rows)
    }

    /// The puzzle, or a blank board of the shape, or else the default.
    fn puzzle(&self) -> Result<Puzzle> {
        let options = self.input.options();
        Ok(match (&self.puzzle, options.shape) {
            (Some(argument), _) => load_with(argument, &options)?.puzzle,
            (None, Some(shape)) => Puzzle::blank(shape),
            (None, None) if self.on.place == Place::Gpu => {
                load_with(EVOLVED, &Options::default())?.puzzle
            }
            (None, None) => Puzzle::blank(Geometry::new(3, 3)?),
        })
    }

    fn check_memory(&self, shape: Geometry) -> Result<()> {
        let population = self.population.unwrap_or(POPULATION);
        let bytes = u64::from(population) * (shape.stride() as u64 + 4);
        Ok(memory::check(&format!("a population of {population}"), 3 * bytes)?)
    }

    fn open(&self, notes: Logger) -> Result<Device> {
        let adapters = adapters();
        let adapter = match (&self.on.ids, best(&adapters)) {
            (Some(id), _) => find(&adapters, id)?,
            (None, Some(real)) => real,
            (None, None) => {
                let software = find(&adapters, "0")?;
                notes.say("there is no GPU: comparing with a software driver on the CPU");
                notes.detail(&format!("the software driver is {}", software.info.name));
                software
            }
        };
        Ok(Device::open(adapter)?)
    }

    /// Draws boards of a kind, and counts the scores that differ; `None` after an interrupt.
    fn count_mismatches(
        &self,
        kind: BoardKind,
        space: &SearchSpace,
        pair: &mut Pair,
    ) -> Result<Option<u64>> {
        let population = pair.boards.len() as u32;
        let config = Config { population, ..BoardKind::config(space) };
        let mut mismatches = 0;
        for round in 0..self.rounds.unwrap_or(ROUNDS) {
            let seed = self.seed.wrapping_add(round.into());
            kind.draw(space, &config, seed, &mut pair.boards, &INTERRUPT)?;
            if INTERRUPT.is_requested() {
                return Ok(None);
            }
            mismatches += pair.mismatches()?;
        }
        Ok(Some(mismatches))
    }
}

/// The evaluators of the CPU and of a GPU, and the boards that they score.
struct Pair {
    cpu: CpuEvaluator,
    gpu: GpuEvaluator,
    boards: Population,
    scores: [Vec<u16>; 2],
}

impl Pair {
    fn new(
        geometry: Geometry,
        device: &Device,
        simd: SimdLevel,
        chunk: Option<NonZeroUsize>,
        count: usize,
    ) -> Result<Self> {
        let chunk = chunk.map(NonZeroUsize::get);
        Ok(Self {
            cpu: CpuEvaluator::with_level(geometry, chunk, simd)?,
            gpu: GpuEvaluator::on(device, geometry, chunk)
                .with_context(|| format!("{} cannot score boards", device.adapter().name))?,
            boards: Population::new(geometry, count)?,
            scores: [vec![UNWRITTEN; count], vec![UNWRITTEN; count]],
        })
    }

    /// Scores all boards with both, and counts the scores that differ.
    fn mismatches(&mut self) -> Result<u64> {
        let [cpu, gpu] = &mut self.scores;
        self.cpu.score(self.boards.bytes(), cpu)?;
        self.gpu.score(self.boards.bytes(), gpu)?;
        Ok(cpu.iter().zip(gpu).filter(|(cpu, gpu)| cpu != gpu).count() as u64)
    }

    /// Boards a second on the CPU and on the GPU, by the median.
    fn rates(&mut self) -> Result<[f64; 2]> {
        let rule = StoppingRule { budget: BUDGET, ..StoppingRule::default() };
        let bytes = self.boards.bytes();
        let [cpu, gpu] = &mut self.scores;
        let cpu = bench::score(&mut self.cpu, bytes, cpu, rule, &INTERRUPT)?;
        let gpu = bench::score(&mut self.gpu, bytes, gpu, rule, &INTERRUPT)?;
        Ok([cpu, gpu].map(|samples| {
            let seconds = samples.seconds().map_or(f64::INFINITY, |seconds| seconds.median);
            self.boards.len() as f64 / seconds.max(1e-9)
        }))
    }
}
