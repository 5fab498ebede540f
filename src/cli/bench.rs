//! `evodoku bench`: how fast this machine scores, breeds and uploads.

use std::num::NonZeroUsize;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;

use super::backend::{MAX_THREADS, open};
use super::exports::{ExportArgs, finish, tell};
use super::output::Logger;
use super::table::{paragraphs, report_table};
use super::value_parsers::{known, numbers, time, whole};
use super::{Exit, progress};
use crate::bench::{self, BenchPlan, BenchResults, Metric};
use crate::board::Geometry;
use crate::cli::exit::install_interrupt_handler;
use crate::fitness::SimdLevel;
use crate::ga::Preset;
use crate::gpu::Device;
use crate::report::{ExportSet, SystemInfo, Table, keep_apart};
use crate::run::Target;
use crate::util::interrupt::INTERRUPT;
use crate::util::threads::cores;

/// Measure how fast this machine scores, breeds and uploads
///
/// Rates are medians. Each rate has a spread (half the interquartile range). The rates of scoring and of uploads
/// also have a limit, which is measured in the same run: for scoring on the CPU, the rate at which the same threads
/// read the boards; for scoring on the GPU and for uploads, the rate of the slower of two copies, from the boards to a
/// staging buffer and from there to the GPU. Exit codes: 0, done; 2, bad usage or a failure; 130, interrupted (the
/// rates measured so far are printed).
#[derive(Debug, Args)]
pub struct Bench {
    /// Population sizes, as in 1k,1M
    #[arg(long, value_name = "N,...", default_value = "1k,10k,100k,1M")]
    #[arg(value_parser = numbers(whole::<u32>(1..=u32::MAX as u64 - 1)))]
    populations: std::vec::Vec<u32>,
    /// What to measure: score, generation, upload
    #[arg(long, value_name = "WHAT,...", value_delimiter = ',', default_value = "score,generation,upload", value_parser = known::<Metric>())]
    what: Vec<Metric>,
    /// Rows and columns of a box, as in 2x3
    #[arg(long = "box", value_name = "RxC", default_value = "3x3")]
    shape: Geometry,
    /// Presets whose generations are measured
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', default_value = "boxes,cellular")]
    #[arg(value_parser = known::<Preset>())]
    preset: Vec<Preset>,
    /// Vector instructions for scoring on the CPU: scalar, sse4.2, avx2, avx512 or neon (default: scalar and the
    /// best); generations use the last one listed
    #[arg(long, value_name = "LEVEL,...", value_delimiter = ',')]
    #[arg(value_parser = known::<SimdLevel>())]
    simd: Vec<SimdLevel>,
    /// Thread counts to measure on the CPU and for uploads (default: 1 and the number of cores); scoring and
    /// generations on the GPU use the largest count
    #[arg(long, value_name = "N,...", value_parser = numbers(whole::<usize>(1..=MAX_THREADS)))]
    threads: Option<std::vec::Vec<usize>>,
    /// The GPU to measure beside the CPU: auto (a real GPU, if there is one), cpu (no GPU) or gpu; gpu:ID
    /// selects one by its index, part of its name or its PCI bus id
    #[arg(long, value_name = "WHERE[:ID]", default_value = "auto")]
    on: Target,
    /// Score at most this many boards at once
    #[arg(long, value_name = "BOARDS", value_parser = whole::<NonZeroUsize>(1..=u64::MAX))]
    chunk: Option<NonZeroUsize>,
    /// Time budget for all repetitions; each row of the tables is measured at least once
    #[arg(long, value_name = "TIME", default_value = "45s", value_parser = time)]
    time_budget: Duration,
    /// Seed for the boards
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    #[command(flatten)]
    exports: ExportArgs,
}

impl Bench {
    pub fn run(self, notes: Logger) -> Result<Exit> {
        let plan = self.plan();
        plan.check()?;
        let mut exports = self.exports.open()?;
        keep_apart(exports.outputs(), [])?;
        install_interrupt_handler()?;
        let backend = open(&self.on, None)?;
        if backend.members().len() > 1 {
            bail!("bench measures one adapter at a time: name one, as in --on gpu:0");
        }
        if let Some(reason) = backend.reason() {
            notes.say(reason);
        }
        let device = backend.adapter().cloned();
        if device.is_none() && plan.what.iter().all(|what| *what == Metric::Upload) {
            bail!("no adapter to measure uploads on: name one, as in --on gpu:0");
        }
        let adapter = device.as_ref().map(|device| device.adapter().clone());
        let mut results = BenchResults::new(plan, SystemInfo::here(), adapter);
        let ended = measure(&mut results, device.as_ref(), &mut exports, notes);
        // The measurements are exported even after an error.
        let exit = finish(&mut exports, &results.report(), Some(text(&results)))?;
        ended?;
        Ok(if INTERRUPT.is_requested() { Exit::Interrupted } else { exit })
    }

    fn plan(&self) -> BenchPlan {
        let levels = [SimdLevel::Scalar, SimdLevel::best()];
        let threads = self.threads.clone().unwrap_or_else(|| vec![1, cores()]);
        BenchPlan {
            shape: self.shape,
            what: self.what.clone(),
            populations: self.populations.clone(),
            simd: once_each(if self.simd.is_empty() { &levels } else { &self.simd }),
            threads: once_each(&threads),
            presets: once_each(&self.preset),
            chunk: self.chunk,
            seed: self.seed,
            budget: self.time_budget,
        }
    }
}

/// The values without repetitions. The last of equal values stays, because the last level has a meaning.
fn once_each<T: Copy + PartialEq>(values: &[T]) -> Vec<T> {
    let last = |at: &usize| !values[at + 1..].contains(&values[*at]);
    (0..values.len()).filter(last).map(|at| values[at]).collect()
}

/// Carries out the bench with a progress bar, and after each task writes the exports that are due.
fn measure(
    results: &mut BenchResults,
    device: Option<&Device>,
    exports: &mut ExportSet,
    notes: Logger,
) -> Result<()> {
    let bar = progress::bar(notes.quiet, Some(1));
    let roomy = "[{bar:24}] {pos} of {len}, {elapsed}, {wide_msg}";
    progress::style(&bar, "{pos}/{len} {wide_msg}", roomy);
    let ended = bench::run(results, device, &INTERRUPT, &mut |results, task, [done, total]| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
        bar.set_message(task.to_string());
        let failed = exports.write_due(&results.report());
        bar.suspend(|| tell(failed));
    });
    bar.finish_and_clear();
    ended
}

/// Columns that tables leave out where there is no room, the first of them first.
const SPARE: &[&str] = &[
    "rest", "readback", "upload", "kernel", "breeding", "limit GB/s", "GB/s", "limited by",
    "spread",
];

fn text(results: &BenchResults) -> String {
    let report = results.report();
    let words = &["evaluator", "scored on", "by"];
    let text = |table: Table| format!("{}\n\n", table.title) + &report_table(table, words, SPARE);
    report.tables.get().into_iter().map(text).collect::<String>()
        + &paragraphs(&report.remarks.get())
}
