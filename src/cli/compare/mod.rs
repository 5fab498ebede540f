//! `evodoku compare`: the same populations scored on the CPU and on the GPU, or the same runs on the
//! CPU engine and on the device engine.

mod engines;
mod report;
mod run_trace;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::{HumanCount, ProgressBar};
use serde_json::json;

use self::report::{Compared, ComparedRow, Subject, rate, rates};
use super::Exit;
use super::backend::{Target, WorkArgs};
use super::exports::{PlotlessExportArgs, tell};
use super::output::{Logger, print};
use crate::bench::{self, BoardKind, StoppingRule};
use crate::board::{
    Geometry, MAX_SIDE, MIN_SIDE, Population, Presolve, Puzzle, SearchSpace, presolve,
};
use crate::cli::exit::install_interrupt_handler;
use crate::cli::value_parsers::whole;
use crate::fitness::{CpuEvaluator, Evaluator, GpuEvaluator, SimdLevel, UNWRITTEN};
use crate::format::{Alphabet, Options, load_with};
use crate::ga::Config;
use crate::gpu::{Device, adapters, best, find};
use crate::report::{ExportSet, Row, keep_apart};
use crate::util::interrupt::INTERRUPT;
use crate::util::memory;
use crate::util::quantity;

/// Boards of a kind where one shape is compared, and the time that a rate is measured for.
const KIND_POPULATION: u32 = 100_000;
const KIND_BUDGET: Duration = Duration::from_millis(500);
/// The same where all shapes are.
const SHAPE_POPULATION: u32 = 2_000;
const SHAPE_BUDGET: Duration = Duration::from_millis(50);

/// How often each kind is drawn where nothing else is asked for.
const ROUNDS: u32 = 3;

/// Compare devices, not methods: the same boards scored on the CPU and on the GPU
///
/// Every score is compared; `evodoku experiment` compares methods. Takes a real GPU if there is
/// one, else a software driver. Rates are medians, measured as `evodoku bench` measures them. Exit
/// code 1 when a score differs; 130: interrupted, with what was compared until then.
///
/// With --on gpu both engines run every preset that the device runs, with the same seed; what
/// is told of every generation is compared. Exit code 1 when any of it differs.
#[derive(Debug, Args)]
pub struct Compare {
    /// A file, - for stdin, a shipped puzzle's name, or a grid (default: a blank board; with
    /// --on gpu ai-escargot)
    puzzle: Option<OsString>,
    /// What is compared with the CPU: gpu-score (scores of a GPU) or gpu (whole runs that a GPU breeds);
    /// after a colon an adapter by index, part of its name or PCI bus id, as in gpu:0
    #[arg(long, value_name = "WHERE[:ID]", default_value = "gpu-score")]
    on: Target,
    /// Rows and columns of a box, as in 2x3 (default: 3x3, or what fits the puzzle)
    #[arg(long = "box", value_name = "RxC")]
    shape: Option<Geometry>,
    /// Characters of the values 1, 2, ... where each cell of the puzzle is one character
    #[arg(long, value_name = "CHARS")]
    alphabet: Option<Alphabet>,
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

/// What populations came to.
#[derive(Default)]
struct MismatchCount {
    boards: u64,
    mismatches: u64,
    /// Boards a second on the CPU and on the GPU.
    rates: Option<[f64; 2]>,
}

impl Compare {
    pub fn run(self, notes: Logger) -> Result<Exit> {
        let mut exports = self.exports.open()?;
        let puzzle = self.puzzle.iter().map(Path::new).filter(|path| path.exists());
        keep_apart(exports.outputs(), puzzle)?;
        let exit = match self.on {
            Target::GpuScore(_) => self.compare_scores(notes, &mut exports),
            Target::Gpu(_) => self.compare_engines(notes, &mut exports),
            Target::Auto(_) | Target::Cpu => {
                bail!(
                    "a GPU is compared with the CPU: --on gpu-score compares scores, --on gpu runs"
                )
            }
        }?;
        Ok(if exports.failed(None) { exit.max(Exit::Failure) } else { exit })
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
        let (rows, mismatches) = threads.install(|| match (self.sweep, &spaces[..]) {
            (None, [space]) => self.all_kinds(space, &device, simd, notes),
            _ => self.all_shapes(&spaces, &device, simd, notes),
        })?;
        let (count, adapter) = (threads.current_num_threads(), device.adapter());
        let first = if self.sweep.is_some() { "boxes" } else { "kind" };
        let compared = Compared {
            subject: Subject::Scores,
            header: vec![first, "boards", "mismatches", "CPU boards/s", "GPU boards/s", "GPU/CPU"],
            names: NAMES.to_vec(),
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
        let text = compared.text(&[], &["GPU/CPU", "boards"]);
        let printed = if exports.take_stdout() { Ok(true) } else { print(&text) };
        tell(exports.write_all(&compared.report()));
        printed?;
        Ok(match mismatches {
            _ if INTERRUPT.is_requested() => Exit::Interrupted,
            0 => Exit::Done,
            _ => Exit::Not,
        })
    }

    /// A row for each kind of boards.
    fn all_kinds(
        &self,
        space: &SearchSpace,
        device: &Device,
        simd: SimdLevel,
        notes: Logger,
    ) -> Result<(Vec<ComparedRow>, u64)> {
        let mut pair = Pair::new(space.geometry(), device, simd, self.work.chunk)?;
        notes.say(&format!("comparing boards of {} boxes", space.geometry()));
        let mut mismatches = 0;
        let mut rows = Vec::new();
        for kind in BoardKind::ALL {
            let Some(mut tally) = self.tally(kind, space, &mut pair)? else { break };
            tally.rates = Some(pair.rates(KIND_BUDGET)?);
            mismatches += tally.mismatches;
            rows.push(row(space.geometry(), Some(kind), &tally));
        }
        Ok((rows, mismatches))
    }

    /// A row for each shape: boards of every kind compared, rates of legal ones.
    fn all_shapes(
        &self,
        spaces: &[SearchSpace],
        device: &Device,
        simd: SimdLevel,
        notes: Logger,
    ) -> Result<(Vec<ComparedRow>, u64)> {
        let bar = match notes.quiet {
            true => ProgressBar::hidden(),
            false => ProgressBar::new(spaces.len() as u64),
        };
        let mut mismatches = 0;
        let mut rows = Vec::new();
        'shapes: for space in spaces {
            let mut pair = Pair::new(space.geometry(), device, simd, self.work.chunk)?;
            let mut all = MismatchCount::default();
            for kind in BoardKind::ALL {
                let Some(tally) = self.tally(kind, space, &mut pair)? else { break 'shapes };
                all.boards += tally.boards;
                all.mismatches += tally.mismatches;
                if kind == BoardKind::Legal {
                    all.rates = Some(pair.rates(SHAPE_BUDGET)?);
                }
            }
            mismatches += all.mismatches;
            rows.push(row(space.geometry(), None, &all));
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok((rows, mismatches))
    }

    /// Boards of a kind in a population.
    fn population(&self) -> u32 {
        self.population.unwrap_or(if self.sweep.is_some() {
            SHAPE_POPULATION
        } else {
            KIND_POPULATION
        })
    }

    fn check_memory(&self, space: &SearchSpace) -> Result<()> {
        let bytes = u64::from(self.population()) * (space.geometry().stride() as u64 + 4);
        let what = format!("a population of {}", self.population());
        Ok(memory::check(&what, 3 * bytes)?)
    }

    /// What boards are drawn for: one puzzle, or blank boards of every shape.
    fn spaces(&self) -> Result<Vec<SearchSpace>> {
        let puzzles = match (&self.puzzle, self.shape) {
            _ if let Some(largest) = self.sweep => {
                let shapes = (MIN_SIDE..=largest as usize).flat_map(Geometry::of_side);
                shapes.map(Puzzle::blank).collect()
            }
            (Some(argument), shape) => {
                let options = Options { shape, alphabet: self.alphabet.clone() };
                vec![load_with(argument, &options)?.puzzle]
            }
            (None, Some(shape)) => vec![Puzzle::blank(shape)],
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
        let adapter = match (self.on.ids(), best(&adapters)) {
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

    /// Draws boards of a kind, and counts the scores that differ; nothing when it was interrupted.
    fn tally(
        &self,
        kind: BoardKind,
        space: &SearchSpace,
        pair: &mut Pair,
    ) -> Result<Option<MismatchCount>> {
        let count = self.population() as usize;
        pair.resize(space.geometry(), count)?;
        let mut tally = MismatchCount::default();
        let config = Config { population: self.population(), ..BoardKind::config(space) };
        for round in 0..self.rounds.unwrap_or(ROUNDS) {
            let seed = self.seed.wrapping_add(round.into());
            kind.draw(space, &config, seed, &mut pair.boards, &INTERRUPT)?;
            if INTERRUPT.is_requested() {
                return Ok(None);
            }
            tally.boards += count as u64;
            tally.mismatches += pair.mismatches()?;
        }
        Ok(Some(tally))
    }
}

/// Both evaluators, and the boards that they score.
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

    /// Scores all boards on both.
    fn mismatches(&mut self) -> Result<u64> {
        let [cpu, gpu] = &mut self.scores;
        self.cpu.score(self.boards.bytes(), cpu)?;
        self.gpu.score(self.boards.bytes(), gpu)?;
        Ok(cpu.iter().zip(gpu).filter(|(cpu, gpu)| cpu != gpu).count() as u64)
    }

    /// Boards a second on the CPU and on the GPU, by the median.
    fn rates(&mut self, budget: Duration) -> Result<[f64; 2]> {
        let patience = StoppingRule { budget, ..StoppingRule::default() };
        let bytes = self.boards.bytes();
        let [cpu, gpu] = &mut self.scores;
        let cpu = bench::score(&mut self.cpu, bytes, cpu, patience, &INTERRUPT)?;
        let gpu = bench::score(&mut self.gpu, bytes, gpu, patience, &INTERRUPT)?;
        Ok([cpu, gpu].map(|samples| {
            let seconds = samples.seconds().map_or(f64::INFINITY, |seconds| seconds.median);
            self.boards.len() as f64 / seconds.max(1e-9)
        }))
    }
}

/// The members of the record of a row.
const NAMES: [&str; 6] =
    ["shape", "kind", "boards", "mismatches", "cpu_boards_per_second", "gpu_boards_per_second"];

/// Boards of a kind, or of all.
fn row(shape: Geometry, kind: Option<BoardKind>, tally: &MismatchCount) -> ComparedRow {
    let [cpu, gpu, ratio] = rates(tally.rates.unwrap_or_default());
    let name = kind.map_or_else(|| shape.to_string(), |kind| kind.to_string());
    let (boards, mismatches) = (HumanCount(tally.boards), HumanCount(tally.mismatches));
    let values = [
        json!(shape.to_string()),
        json!(kind.map(|kind| kind.to_string())),
        json!(tally.boards),
        json!(tally.mismatches),
        rate(tally.rates.map(|[cpu, _]| cpu)),
        rate(tally.rates.map(|[_, gpu]| gpu)),
    ];
    ComparedRow {
        cells: vec![name, boards.to_string(), mismatches.to_string(), cpu, gpu, ratio],
        columns: Row(NAMES.into_iter().zip(values).collect()),
        equal: Some(tally.mismatches == 0),
    }
}

/// Two digits after the point, or four where that would be next to nothing.
fn ratio(ratio: f64) -> String {
    if ratio < 0.1 { format!("{ratio:.4}") } else { format!("{ratio:.2}") }
}
