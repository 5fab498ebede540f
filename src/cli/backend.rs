//! Flags that choose where runs happen.

use std::num::NonZeroUsize;
use std::str::FromStr;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::named_value_parser::known;
use super::output::Logger;
use super::{positive, whole};
use crate::fitness::{SimdLevel, UnsupportedSimd};
use crate::ga::Replay;
#[cfg(feature = "gpu")]
use crate::gpu;
#[cfg(feature = "gpu")]
use crate::mpi::{local_rank, rank_and_size};
use crate::solver::{Backend, BackendError};

/// More threads than any machine has cores.
pub const MAX_THREADS: u64 = 4096;

/// What `--backend` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BackendChoice {
    /// The CPU or a real GPU, whichever is faster
    Auto,
    /// The CPU; no graphics driver is loaded
    Cpu,
    /// A real GPU
    Gpu,
}

/// What `--engine` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineChoice {
    /// Whichever is fastest: the CPU, the CPU with a GPU that scores, or the GPU; for many runs both
    Auto,
    /// The CPU breeds, and boards are scored where --backend says
    Host,
    /// A GPU breeds and scores, and the boards never leave it
    Device,
}

/// Flags that choose a device and how it is used.
#[derive(Debug, Args)]
pub struct BackendArgs {
    /// Who carries generations out (default: auto, which is measured on the first generations and now
    /// and then later, unless --backend or --gpu say where boards are scored)
    #[arg(long, value_enum)]
    engine: Option<EngineChoice>,
    /// Whether a run whose device failed is done again on the CPU: short (if it takes less than a
    /// minute by estimate), always or never
    #[arg(long, value_name = "WHEN", default_value_t = Replay::Short)]
    #[arg(value_parser = known(Replay::from_str, Replay::names()), hide_possible_values = true)]
    pub replay: Replay,
    /// Where boards are scored
    #[arg(long, value_enum, default_value_t = BackendChoice::Auto)]
    backend: BackendChoice,
    /// Score on this adapter: its index, part of its name, or its PCI bus id; or on several, as in
    /// 0,1: runs are divided among them, and so are the islands of a single run; or each: under mpirun
    /// the ranks of a machine take its GPUs in turn
    #[arg(long, value_name = "ID,...")]
    gpu: Option<String>,
    #[command(flatten)]
    pub work: WorkArgs,
}

/// Flags that say how work is split.
#[derive(Debug, Args)]
pub struct WorkArgs {
    /// Score at most this many boards at once
    #[arg(long, value_name = "BOARDS", value_parser = positive::<NonZeroUsize>)]
    pub chunk: Option<NonZeroUsize>,
    /// Threads that breed, and score on the CPU (default: one a core)
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MAX_THREADS))]
    threads: Option<u64>,
    /// What the CPU scores with: scalar, sse4.2, avx2, avx512, neon (default: the best there is)
    #[arg(long, value_name = "LEVEL")]
    #[arg(value_parser = known(SimdLevel::from_str, SimdLevel::names()), hide_possible_values = true)]
    simd: Option<SimdLevel>,
}

impl WorkArgs {
    /// The threads that work is done on.
    ///
    /// # Errors
    /// When the system does not give as many.
    pub fn threads(&self) -> Result<ThreadPool> {
        let count = self.threads.unwrap_or(0) as usize;
        ThreadPoolBuilder::new().num_threads(count).build().context("cannot start the threads")
    }

    /// The vector instructions that the CPU scores with.
    ///
    /// # Errors
    /// When this machine does not have those that were asked for.
    pub fn simd(&self) -> Result<SimdLevel, UnsupportedSimd> {
        self.simd.unwrap_or_else(SimdLevel::best).checked()
    }
}

impl BackendArgs {
    /// As if these flags alone were given.
    #[cfg(feature = "gpu")]
    pub fn of(backend: BackendChoice, gpu: Option<String>) -> Self {
        let work = WorkArgs { chunk: None, threads: None, simd: None };
        Self { engine: None, replay: Replay::Short, backend, gpu, work }
    }

    /// The backend that the flags ask for.
    ///
    /// # Errors
    /// When a GPU is asked for and there is none, or it cannot be opened, and when the CPU lacks
    /// what is asked of it.
    pub fn choose(&self, notes: Logger) -> Result<Backend> {
        let backend = match self.engine {
            None | Some(EngineChoice::Host) => self.scoring()?,
            Some(EngineChoice::Auto) if self.backend != BackendChoice::Auto => bail!(
                "--engine auto chooses where boards are scored, too: leave --backend or --engine out"
            ),
            Some(EngineChoice::Auto) if self.work.simd.is_none() => match &self.gpu {
                Some(_) if self.gpus()?.len() > 1 => {
                    bail!(
                        "--engine auto tries one adapter: name one with --gpu, or take --engine device"
                    )
                }
                Some(_) => self.opened(Backend::automatic_on)?,
                None => Backend::auto(),
            },
            Some(EngineChoice::Auto) => self.scoring()?,
            Some(EngineChoice::Device) if self.backend == BackendChoice::Cpu => {
                bail!("--engine device evolves on a GPU: leave --backend cpu out")
            }
            Some(EngineChoice::Device) => self.opened(Backend::device)?,
        };
        backend.more().into_iter().for_each(|more| notes.detail(more));
        let backend = backend.tell(move |line| notes.detail(line));
        Ok(backend.chunk(self.work.chunk).replay(self.replay))
    }

    /// Where boards are scored that the CPU breeds, or the fastest of all.
    fn scoring(&self) -> Result<Backend> {
        let cpu = || Ok(Backend::with_simd(self.work.simd()?)?);
        match (self.backend, self.gpu.as_deref()) {
            (BackendChoice::Cpu, Some(id)) => {
                bail!("--backend cpu and --gpu {id} exclude each other: leave one out")
            }
            (BackendChoice::Cpu, None) => cpu(),
            // To ask for vector instructions is to ask for the CPU.
            (BackendChoice::Auto, None) if self.work.simd.is_some() => cpu(),
            (_, gpu) if let Some(level) = self.work.simd => bail!(
                "--simd {level} is for scoring on the CPU: leave it out, or {} and take --backend cpu",
                if gpu.is_some() { "--gpu" } else { "--backend gpu" }
            ),
            (BackendChoice::Auto, None) => Ok(match self.engine {
                Some(_) => Backend::auto_scoring(),
                None => Backend::auto(),
            }),
            (_, _) => self.opened(Backend::gpu),
        }
    }

    /// What `open` makes of the adapters that are asked for.
    fn opened(
        &self,
        open: impl Fn(Option<&str>) -> Result<Backend, BackendError>,
    ) -> Result<Backend> {
        let ids = self.gpus()?;
        let mut ids = ids.iter();
        let first = open(ids.next().map(String::as_str))?;
        let others = ids.map(|id| open(Some(id))).collect::<Result<Vec<_>, _>>()?;
        Ok(Backend::several(first, others))
    }

    /// The adapters that are asked for; `each` is that of the rank.
    fn gpus(&self) -> Result<Vec<String>> {
        let Some(wanted) = &self.gpu else { return Ok(Vec::new()) };
        #[cfg(feature = "gpu")]
        if wanted == "each" {
            let adapters = gpu::adapters();
            let found = gpu::rank_adapter(&adapters, local_rank())?;
            return Ok(vec![found.info.index.to_string()]);
        }
        // Names of adapters may have commas.
        #[cfg(feature = "gpu")]
        if wanted.contains(',') && gpu::find(&gpu::adapters(), wanted).is_err() {
            if rank_and_size().is_some() {
                bail!("each rank takes one adapter, not {wanted}: --gpu each takes them in turn");
            }
            return Ok(wanted.split(',').map(str::to_owned).collect());
        }
        Ok(vec![wanted.clone()])
    }
}
