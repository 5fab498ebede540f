//! Flags that choose where runs happen.

use std::num::NonZeroUsize;

use anyhow::{Result, bail};
use clap::Args;

use super::output::Logger;
use super::value_parsers::{known, whole};
use crate::fitness::SimdLevel;
use crate::ga::ReplayPolicy;
#[cfg(feature = "gpu")]
use crate::gpu;
#[cfg(feature = "gpu")]
use crate::mpi::{local_rank, rank_and_size};
use crate::run::{Backend, Place, Target};
use crate::util::threads::cores;

/// The most threads; no machine has as many cores.
pub const MAX_THREADS: u64 = 4096;

/// Flags that choose where runs happen.
#[derive(Debug, Args)]
pub struct BackendArgs {
    /// Where a run is executed: auto, cpu, gpu, or gpu-score (the CPU breeds, the GPU scores)
    ///
    /// auto tries the other three on the first generations and keeps the fastest. A GPU may be named by its
    /// index, part of its name or its PCI bus id, as in gpu:0 or gpu:radeon. Several GPUs, as in gpu:0,1,
    /// share the runs, or the islands of a single run. With gpu:each, each rank that mpirun starts on a
    /// machine takes a different GPU of the machine.
    #[arg(long, value_name = "WHERE[:ID,...]", default_value = "auto")]
    on: Target,
    /// If a GPU fails during a run, repeat the run on the CPU: always, never, or short (if that would take
    /// less than about a minute)
    #[arg(long, value_name = "WHEN", default_value_t = ReplayPolicy::Short)]
    #[arg(value_parser = known::<ReplayPolicy>())]
    pub replay: ReplayPolicy,
    #[command(flatten)]
    pub work: WorkArgs,
}

/// Flags that say how work is split.
#[derive(Debug, Args)]
pub struct WorkArgs {
    /// Score at most this many boards at once
    #[arg(long, value_name = "BOARDS", value_parser = whole::<NonZeroUsize>(1..=u64::MAX))]
    pub chunk: Option<NonZeroUsize>,
    /// Number of CPU threads (default: one per core)
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MAX_THREADS))]
    threads: Option<u64>,
    /// Vector instructions for scoring on the CPU: scalar, sse4.2, avx2, avx512 or neon (default: the best)
    #[arg(long, value_name = "LEVEL")]
    #[arg(value_parser = known::<SimdLevel>())]
    simd: Option<SimdLevel>,
}

impl WorkArgs {
    /// The number of threads: one a core, unless it is given.
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(cores, |threads| threads as usize)
    }

    /// The vector instructions of scoring on the CPU.
    ///
    /// # Errors
    /// When this machine does not have the instructions of `--simd`.
    #[cfg(feature = "gpu")]
    pub fn simd(&self) -> Result<SimdLevel, crate::fitness::UnsupportedSimd> {
        self.simd.unwrap_or_else(SimdLevel::best).checked()
    }
}

impl BackendArgs {
    /// Opens the backend of the flags.
    ///
    /// # Errors
    /// As [`open`].
    pub fn choose(&self, notes: Logger) -> Result<Backend> {
        let backend = open(&self.on, self.work.simd)?;
        let backend = backend.on_decision(move |line| notes.detail(line));
        Ok(backend.chunk(self.work.chunk).replay_policy(self.replay))
    }
}

/// Opens the backend of `--on` and `--simd`.
///
/// # Errors
/// When there is no GPU of the id, or it cannot be opened, and when the CPU lacks the vector
/// instructions.
pub fn open(on: &Target, simd: Option<SimdLevel>) -> Result<Backend> {
    if let Some(level) = simd {
        // Vector instructions imply the CPU.
        if on.place == Place::Cpu || on.place == Place::Auto && on.ids.is_none() {
            return Ok(Backend::cpu_with_simd(level)?);
        }
        bail!("--simd {level} applies to scoring on the CPU: leave it out, or use --on cpu");
    }
    #[cfg(feature = "gpu")]
    match on.ids.as_deref() {
        Some("each") => {
            let found = gpu::rank_adapter(&gpu::adapters(), local_rank())?.info.index;
            return Ok(Target { place: on.place, ids: Some(found.to_string()) }.open()?);
        }
        Some(ids) if rank_and_size().is_some() && on.adapters().len() > 1 => {
            bail!(
                "a rank can use only one adapter, not {ids}: --on gpu:each gives each rank one adapter"
            )
        }
        _ => {}
    }
    Ok(on.open()?)
}
