//! `evodoku compare`: the same populations scored on the CPU and on the GPU, or the same runs on the
//! CPU engine and on the device engine.

mod engines;
mod report;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::{HumanCount, ProgressBar};
use serde_json::json;

use self::report::{Compared, ComparedRow, Subject, rate, rates};
use super::backend::{Place, Target, WorkArgs};
use super::exit::{Exit, install_interrupt_handler};
use super::exports::PlotlessExportArgs;
use super::input::InputArgs;
use super::output::Logger;
use super::value_parsers::whole;
use crate::bench::{self, BoardKind, StoppingRule};
use crate::board::{
    Geometry, MAX_SIDE, MIN_SIDE, Population, Presolve, Puzzle, SearchSpace, presolve,
};
use crate::fitness::{CpuEvaluator, Evaluator, GpuEvaluator, SimdLevel, UNWRITTEN};
use crate::format::load_with;
use crate::ga::Config;
use crate::gpu::{Device, adapters, best, find};
use crate::report::{ExportSet, keep_apart};
use crate::util::interrupt::INTERRUPT;
use crate::util::memory;
use crate::util::quantity;

/// Boards of a kind where one shape is compared, and the time for the measurement of a rate.
const KIND_POPULATION: u32 = 100_000;
const KIND_BUDGET: Duration = Duration::from_millis(500);
/// The same where all shapes are compared.
const SHAPE_POPULATION: u32 = 2_000;
const SHAPE_BUDGET: Duration = Duration::from_millis(50);

/// The default number of draws of each kind.
const ROUNDS: u32 = 3;

/// Compare devices, not methods: the same boards scored on the CPU and on the GPU
///
/// Every score is compared; `evodoku experiment` compares methods. Takes a real GPU if there is
/// one, else a software driver. Rates are medians, measured as `evodoku bench` measures them. Exit
/// code 1 when a score differs; 130: interrupted, with the rows compared so far.
///
/// With --on gpu both engines run every preset that the device supports, with the same seed; the
/// reports of every generation are compared. Exit code 1 when any of them differs.
#[derive(Debug, Args)]
pub struct Compare {
    /// A file, - for stdin, a shipped puzzle's name, or a grid (default: a blank board; with
    /// --on gpu ai-escargot)
    puzzle: Option<OsString>,
    /// The subject to compare with the CPU: gpu-score (scores of a GPU) or gpu (whole runs that a GPU breeds);
    /// after a colon an adapter by index, part of its name or PCI bus id, as in gpu:0
    #[arg(long, value_name = "WHERE[:ID]", default_value = "gpu-score")]
    on: Target,
    #[command(flatten)]
    input: InputArgs,
    /// Compare every box shape up to this side instead (default: all, up to 64), a row each
    #[arg(long, value_name = "SIDE", num_args = 0..=1, require_equals = true, default_missing_value = "64", value_parser = whole::<u64>(MIN_SIDE as u64..=MAX_SIDE as u64), conflicts_with_all = ["puzzle", "shape", "alphabet"])]
    sweep: Option<u64>,
    /// Boards of each kind (default: 100,000; with --sweep 2,000); with --on gpu individuals
    /// (default: 2,000), of presets with tabu search no more than their own
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX as u64 - 1))]
    population: Option<u32>,
    /// How often each kind is drawn and compared (default: 3)
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX as u64))]
    rounds: Option<u32>,
    /// With --on gpu, the generations of a run after the first boards (default: 5)
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX as u64 - 1))]
    generations: Option<u32>,
    /// The seed of the first round, or of every run
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    #[command(flatten)]
    work: WorkArgs,
    #[command(flatten)]
    exports: PlotlessExportArgs,
}

/// The scores that were compared.
#[derive(Default)]
struct MismatchCount {
    boards: u64,
    mismatches: u64,
    /// Boards a second on the CPU and on the GPU.
    rates: [f64; 2],
}

impl Compare {
    pub fn run(self, notes: Logger) -> Result<Exit> {
        let mut exports = self.exports.open()?;
        let puzzle = self.puzzle.iter().map(Path::new).filter(|path| path.exists());
        keep_apart(exports.outputs(), puzzle)?;
        match self.on.place {
            Place::GpuScore => self.compare_scores(notes, &mut exports),
            Place::Gpu => self.compare_engines(notes, &mut exports),
            Place::Auto | Place::Cpu => {
                bail!(
                    "a GPU is compared with the CPU: --on gpu-score compares scores, --on gpu runs"
                )
            }
        }
    }

    fn compare_scores(&self, notes: Logger, exports: &mut ExportSet) -> Result<Exit> {
        if self.generations.is_some() {
            bail!("--generations is for whole runs: leave it out, or take --on gpu");
        }
        let threads = self.work.threads()?;
        let simd = self.work.simd()?;
        let spaces = self.spaces()?;
        for space in &spaces {
            self.check_memory(space)?;
        }
        install_interrupt_handler()?;
        let device = self.open(notes)?;
        let rows = threads.install(|| self.compare_boards(&spaces, &device, simd, notes))?;
        let (count, adapter) = (threads.current_num_threads(), device.adapter());
        let compared = Compared {
            subject: Subject::Scores { by_shape: self.sweep.is_some() },
            rows,
            on: format!(
                "CPU: {simd}, {}. GPU: {}, {}; its rate counts upload, kernel and readback.",
                quantity::counted(count as u64, "thread"),
                adapter.name,
                adapter.driver
            ),
            adapter: adapter.clone(),
            simd,
            threads: count,
            seed: self.seed,
            complete: !INTERRUPT.is_requested(),
        };
        let exit = compared.write(exports)?;
        Ok(match compared.rows.iter().any(|row| row.equal == Some(false)) {
            _ if INTERRUPT.is_requested() => Exit::Interrupted,
            false => exit,
            true => exit.max(Exit::Not),
        })
    }

    /// A row for each kind of boards; with `--sweep` a row for each shape, of all kinds, with rates of legal
    /// boards. After an interrupt the rows so far.
    fn compare_boards(
        &self,
        spaces: &[SearchSpace],
        device: &Device,
        simd: SimdLevel,
        notes: Logger,
    ) -> Result<Vec<ComparedRow>> {
        let is_sweep = self.sweep.is_some();
        let bar = match is_sweep && !notes.quiet {
            true => ProgressBar::new(spaces.len() as u64),
            false => ProgressBar::hidden(),
        };
        let mut rows = Vec::new();
        'shapes: for space in spaces {
            let shape = space.geometry();
            if !is_sweep {
                notes.say(&format!("comparing boards of {shape} boxes"));
            }
            let mut pair = Pair::new(shape, device, simd, self.work.chunk)?;
            let mut all = MismatchCount::default();
            for kind in BoardKind::ALL.iter().copied() {
                let Some(mut count) = self.count_mismatches(kind, space, &mut pair)? else {
                    break 'shapes;
                };
                if !is_sweep {
                    count.rates = pair.rates(KIND_BUDGET)?;
                    rows.push(row(shape, Some(kind), &count));
                } else if kind == BoardKind::Legal {
                    all.rates = pair.rates(SHAPE_BUDGET)?;
                }
                all.boards += count.boards;
                all.mismatches += count.mismatches;
            }
            if is_sweep {
                rows.push(row(shape, None, &all));
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(rows)
    }

    /// The number of boards of a kind.
    fn population(&self) -> u32 {
        let default = if self.sweep.is_some() { SHAPE_POPULATION } else { KIND_POPULATION };
        self.population.unwrap_or(default)
    }

    fn check_memory(&self, space: &SearchSpace) -> Result<()> {
        let bytes = u64::from(self.population()) * (space.geometry().stride() as u64 + 4);
        let what = format!("a population of {}", self.population());
        Ok(memory::check(&what, 3 * bytes)?)
    }

    /// The puzzle, or a blank board of the shape, if one is given.
    fn puzzle(&self) -> Result<Option<Puzzle>> {
        let options = self.input.options();
        Ok(match &self.puzzle {
            Some(argument) => Some(load_with(argument, &options)?.puzzle),
            None => options.shape.map(Puzzle::blank),
        })
    }

    /// The search space of the puzzle, or of blank boards of every shape.
    fn spaces(&self) -> Result<Vec<SearchSpace>> {
        let puzzles = match (self.sweep, self.puzzle()?) {
            (Some(largest), _) => {
                let shapes = (MIN_SIDE..=largest as usize).flat_map(Geometry::of_side);
                shapes.map(Puzzle::blank).collect()
            }
            (None, Some(puzzle)) => vec![puzzle],
            (None, None) => vec![Puzzle::blank(Geometry::new(3, 3)?)],
        };
        let space = |puzzle: &Puzzle| {
            let refused = || format!("{} has no solution", puzzle.name);
            presolve(puzzle, Presolve::None).with_context(refused)
        };
        puzzles.iter().map(space).collect()
    }

    fn open(&self, notes: Logger) -> Result<Device> {
        let adapters = adapters();
        let adapter = match (&self.on.ids, best(&adapters)) {
            (Some(id), _) => find(&adapters, id)?,
            (None, Some(real)) => real,
            (None, None) => {
                let software = find(&adapters, "0")?;
                notes.say("there is no GPU: comparing with a software driver on the CPU's cores");
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
    ) -> Result<Option<MismatchCount>> {
        let count = self.population() as usize;
        pair.resize(space.geometry(), count)?;
        let mut total = MismatchCount::default();
        let config = Config { population: self.population(), ..BoardKind::config(space) };
        for round in 0..self.rounds.unwrap_or(ROUNDS) {
            let seed = self.seed.wrapping_add(round.into());
            kind.draw(space, &config, seed, &mut pair.boards, &INTERRUPT)?;
            if INTERRUPT.is_requested() {
                return Ok(None);
            }
            total.boards += count as u64;
            total.mismatches += pair.mismatches()?;
        }
        Ok(Some(total))
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
    ) -> Result<Self> {
        let chunk = chunk.map(NonZeroUsize::get);
        Ok(Self {
            cpu: CpuEvaluator::with_level(geometry, chunk, simd)?,
            gpu: GpuEvaluator::on(device, geometry, chunk)
                .with_context(|| format!("{} cannot score", device.adapter().name))?,
            boards: Population::new(geometry, 0)?,
            scores: Default::default(),
        })
    }

    fn resize(&mut self, geometry: Geometry, count: usize) -> Result<()> {
        if self.boards.len() != count {
            self.boards = Population::new(geometry, count)?;
            self.scores = [vec![UNWRITTEN; count], vec![UNWRITTEN; count]];
        }
        Ok(())
    }

    /// Scores all boards with both, and counts the scores that differ.
    fn mismatches(&mut self) -> Result<u64> {
        let [cpu, gpu] = &mut self.scores;
        self.cpu.score(self.boards.bytes(), cpu)?;
        self.gpu.score(self.boards.bytes(), gpu)?;
        Ok(cpu.iter().zip(gpu).filter(|(cpu, gpu)| cpu != gpu).count() as u64)
    }

    /// Boards a second on the CPU and on the GPU, by the median.
    fn rates(&mut self, budget: Duration) -> Result<[f64; 2]> {
        let rule = StoppingRule { budget, ..StoppingRule::default() };
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

/// A row for boards of a kind, or of all kinds.
fn row(shape: Geometry, kind: Option<BoardKind>, count: &MismatchCount) -> ComparedRow {
    let name = kind.map_or_else(|| shape.to_string(), |kind| kind.to_string());
    let (boards, mismatches) = (HumanCount(count.boards), HumanCount(count.mismatches));
    let mut cells = vec![name, boards.to_string(), mismatches.to_string()];
    cells.extend(rates(count.rates));
    let [cpu, gpu] = count.rates.map(|figure| rate(Some(figure)));
    let values = vec![
        json!(shape.to_string()),
        json!(kind.map(|kind| kind.to_string())),
        json!(count.boards),
        json!(count.mismatches),
        cpu,
        gpu,
    ];
    ComparedRow { cells, values, equal: Some(count.mismatches == 0) }
}
