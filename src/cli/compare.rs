//! `evodoku compare`: the same populations scored on the CPU and on the GPU.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;
use evodoku::board::{Geometry, Population, Puzzle, SearchSpace};
use evodoku::evolve::Config;
use evodoku::format::{Alphabet, Options, load_with};
use evodoku::gpu::{Device, adapters, best, find};
use evodoku::memory;
use evodoku::propagate::{Presolve, presolve};
use evodoku::report::Spread;
use evodoku::score::{CpuEvaluator, Evaluator, GpuEvaluator, UNWRITTEN};
use indicatif::HumanCount;

use super::Exit;
use super::backend::WorkArgs;
use super::output::{Notes, print, table};
use evodoku::bench::Kind;

/// Score the same boards on the CPU and on the GPU, and compare every score
///
/// Takes a real GPU if there is one, else a software driver. Exit code 1 when a score differs.
#[derive(Debug, Args)]
pub struct Compare {
    /// A file, - for stdin, a shipped puzzle's name, or a grid (default: a blank board)
    puzzle: Option<String>,
    /// Rows and columns of a box, as in 2x3 (default: 3x3, or what fits the puzzle)
    #[arg(long = "box", value_name = "RxC")]
    shape: Option<Geometry>,
    /// Characters of the values 1, 2, ... where each cell of the puzzle is one character
    #[arg(long, value_name = "CHARS")]
    alphabet: Option<Alphabet>,
    /// Boards of each kind
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..u32::MAX as i64))]
    population: u32,
    /// How often each kind is drawn and scored; rates are medians
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// The seed of the first round
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Compare with this adapter: its index, part of its name, or its PCI bus id
    #[arg(long, value_name = "ID")]
    gpu: Option<String>,
    #[command(flatten)]
    work: WorkArgs,
    /// Say nothing on stderr but errors
    #[arg(long, short)]
    quiet: bool,
}

/// What one kind of population came to.
#[derive(Default)]
struct Tally {
    boards: u64,
    mismatches: u64,
    cpu: Vec<f64>,
    gpu: Vec<f64>,
}

impl Compare {
    pub fn run(self) -> Result<Exit> {
        let notes = Notes { quiet: self.quiet };
        let space = self.space()?;
        let geometry = space.geometry();
        let bytes = u64::from(self.population) * (geometry.stride() as u64 + 4);
        memory::check(
            &format!("a population of {}", HumanCount(self.population.into())),
            3 * bytes,
        )?;
        let threads = self.work.threads()?;
        let device = self.open(&notes)?;
        let chunk = self.work.chunk.map(|chunk| chunk.get());
        let mut gpu = GpuEvaluator::on(&device, geometry, chunk)
            .with_context(|| format!("{} cannot score", device.adapter().name))?;
        let mut cpu = CpuEvaluator::with_level(geometry, chunk, self.work.simd()?)?;
        notes.say(&format!(
            "{} boxes, {} boards at a time on {}",
            geometry,
            HumanCount(gpu.chunk_len() as u64),
            device.adapter().name
        ));
        let mut mismatches = 0;
        let mut rows =
            table(&["kind", "boards", "mismatches", "CPU boards/s", "GPU boards/s", "GPU/CPU"]);
        threads.install(|| -> Result<()> {
            for kind in Kind::ALL {
                let tally = self.tally(kind, &space, &mut cpu, &mut gpu)?;
                mismatches += tally.mismatches;
                rows.add_row(row(kind, &tally));
            }
            Ok(())
        })?;
        print(&format!(
            "{rows}\n\nCPU threads: {}. GPU: {}, {}; its rate counts upload, kernel and readback.\n",
            threads.current_num_threads(),
            device.adapter().name,
            device.adapter().driver
        ))?;
        Ok(if mismatches == 0 { Exit::Done } else { Exit::Not })
    }

    fn space(&self) -> Result<SearchSpace> {
        let puzzle = match (&self.puzzle, self.shape) {
            (Some(argument), shape) => {
                load_with(argument, &Options { shape, alphabet: self.alphabet.clone() })?.puzzle
            }
            (None, Some(shape)) => Puzzle::blank(shape),
            (None, None) => Puzzle::blank(Geometry::new(3, 3)?),
        };
        let name = puzzle.name.clone();
        presolve(&puzzle, Presolve::None).with_context(|| format!("{name} has no solution"))
    }

    fn open(&self, notes: &Notes) -> Result<Device> {
        let adapters = adapters();
        let adapter = match (&self.gpu, best(&adapters)) {
            (Some(id), _) => find(&adapters, id)?,
            (None, Some(real)) => real,
            (None, None) => {
                let software = find(&adapters, "0")?;
                notes.say(&format!(
                    "no GPU was found: comparing with the software driver {}, which shares the CPU's cores",
                    software.info.name
                ));
                software
            }
        };
        Ok(Device::open(adapter)?)
    }

    fn tally(
        &self,
        kind: Kind,
        space: &SearchSpace,
        cpu: &mut CpuEvaluator,
        gpu: &mut GpuEvaluator,
    ) -> Result<Tally> {
        let count = self.population as usize;
        let mut population = Population::new(space.geometry(), count)?;
        let mut scores = [vec![UNWRITTEN; count], vec![UNWRITTEN; count]];
        let mut tally = Tally::default();
        let config = Config { population: self.population, ..Kind::config() };
        for round in 0..self.rounds {
            let seed = self.seed.wrapping_add(round.into());
            kind.draw(space, &config, seed, &mut population)?;
            let rate = |time: Duration| count as f64 / time.as_secs_f64().max(1e-9);
            tally.cpu.push(rate(timed(cpu, &population, &mut scores[0])?));
            tally.gpu.push(rate(timed(gpu, &population, &mut scores[1])?));
            tally.boards += count as u64;
            let pairs = scores[0].iter().zip(&scores[1]);
            tally.mismatches += pairs.filter(|(cpu, gpu)| cpu != gpu).count() as u64;
        }
        Ok(tally)
    }
}

fn timed(
    evaluator: &mut dyn Evaluator,
    population: &Population,
    scores: &mut [u16],
) -> Result<Duration> {
    let start = Instant::now();
    evaluator.score(population.bytes(), scores)?;
    Ok(start.elapsed())
}

fn row(kind: Kind, tally: &Tally) -> [String; 6] {
    let median =
        |rates: &[f64]| Spread::of(rates.iter().copied()).map_or(0.0, |spread| spread.median);
    let (cpu, gpu) = (median(&tally.cpu), median(&tally.gpu));
    [
        kind.to_string(),
        HumanCount(tally.boards).to_string(),
        HumanCount(tally.mismatches).to_string(),
        HumanCount(cpu as u64).to_string(),
        HumanCount(gpu as u64).to_string(),
        format!("{:.2}", gpu / cpu),
    ]
}
