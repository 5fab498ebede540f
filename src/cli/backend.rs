//! Where boards are scored: the choice of a device, and evaluators on it.

use std::num::NonZeroUsize;

use crate::board::Geometry;
use crate::device::{Kernels, Replay};
use crate::gpu::{self, Adapter, Device};
use crate::report;
use crate::score::{CpuEvaluator, Evaluator, GpuEvaluator, SimdLevel, UnsupportedSimd};
use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::output::Notes;
use super::positive;

/// More threads than any machine has cores.
pub const MAX_THREADS: u64 = 4096;

/// What `--backend` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Backend {
    /// A real GPU if there is one, else the CPU
    Auto,
    /// The CPU; no graphics driver is loaded
    Cpu,
    /// A real GPU
    Gpu,
}

/// What `--engine` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineChoice {
    /// The CPU breeds, and boards are scored where --backend says
    Host,
    /// A GPU breeds and scores, and the boards never leave it
    Device,
}

/// Flags that choose a device and how it is used.
#[derive(Debug, Args)]
pub struct BackendArgs {
    /// Who carries generations out
    #[arg(long, value_enum, default_value_t = EngineChoice::Host)]
    engine: EngineChoice,
    /// Whether a run whose device failed is done again on the CPU: short (if it takes less than a
    /// minute by estimate), always or never
    #[arg(long, value_name = "WHEN", default_value_t = Replay::Short)]
    pub replay: Replay,
    /// Where boards are scored
    #[arg(long, value_enum, default_value_t = Backend::Auto)]
    backend: Backend,
    /// Score on this adapter: its index, part of its name, or its PCI bus id
    #[arg(long, value_name = "ID")]
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
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    threads: Option<u64>,
    /// What the CPU scores with: scalar, sse4.2, avx2, avx512, neon (default: the best there is)
    #[arg(long, value_name = "LEVEL")]
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

/// A device to score on.
pub enum Scoring {
    /// The CPU, with these vector instructions.
    Cpu(SimdLevel),
    /// An opened adapter.
    Gpu(Device),
    /// An opened adapter that breeds too.
    Evolving(Kernels),
}

impl BackendArgs {
    /// As if these flags alone were given.
    pub fn of(backend: Backend, gpu: Option<String>) -> Self {
        let work = WorkArgs { chunk: None, threads: None, simd: None };
        Self { engine: EngineChoice::Host, replay: Replay::Short, backend, gpu, work }
    }

    /// The device that the flags ask for; says which one `auto` takes, and why.
    ///
    /// # Errors
    /// When a GPU is asked for and there is none, or it cannot be opened, and when the CPU lacks
    /// what is asked of it.
    pub fn choose(&self, notes: &Notes) -> Result<Scoring> {
        if self.engine == EngineChoice::Device {
            return self.evolving();
        }
        let cpu = Scoring::Cpu(self.work.simd()?);
        match (self.backend, &self.gpu) {
            (Backend::Cpu, Some(id)) => {
                bail!("--backend cpu and --gpu {id} exclude each other: leave one out")
            }
            (Backend::Cpu, None) => Ok(cpu),
            // To ask for vector instructions is to ask for the CPU.
            (Backend::Auto, None) if self.work.simd.is_some() => Ok(cpu),
            (_, gpu) if let Some(level) = self.work.simd => bail!(
                "--simd {level} is for scoring on the CPU: leave it out, or {} and take --backend cpu",
                if gpu.is_some() { "--gpu" } else { "--backend gpu" }
            ),
            (_, Some(id)) => Ok(Scoring::Gpu(Device::open(gpu::find(&gpu::adapters(), id)?)?)),
            (Backend::Gpu, None) => {
                let adapters = gpu::adapters();
                let best = gpu::best(&adapters).ok_or_else(|| no_gpu(&adapters))?;
                Ok(Scoring::Gpu(Device::open(best)?))
            }
            (Backend::Auto, None) => Ok(automatic(cpu, notes)),
        }
    }
}

impl BackendArgs {
    /// The device that evolves: a real GPU, or the one that was asked for.
    fn evolving(&self) -> Result<Scoring> {
        if self.backend == Backend::Cpu {
            bail!("--engine device evolves on a GPU: leave --backend cpu out")
        }
        let adapters = gpu::adapters();
        let adapter = match &self.gpu {
            Some(id) => gpu::find(&adapters, id)?,
            None => gpu::best(&adapters).ok_or_else(|| no_gpu(&adapters))?,
        };
        Ok(Scoring::Evolving(Kernels::new(&Device::open(adapter)?)?))
    }
}

fn automatic(cpu: Scoring, notes: &Notes) -> Scoring {
    let adapters = gpu::adapters();
    let Some(best) = gpu::best(&adapters) else {
        notes.say(&format!("scoring on the CPU: {}", no_gpu(&adapters)));
        return cpu;
    };
    match Device::open(best) {
        Ok(device) => {
            notes.say(&format!("scoring on {}, a GPU of this machine", best.info.name));
            Scoring::Gpu(device)
        }
        Err(error) => {
            notes.say(&format!("scoring on the CPU: {} did not open ({error})", best.info.name));
            cpu
        }
    }
}

fn no_gpu(adapters: &[Adapter]) -> anyhow::Error {
    let names: Vec<&str> = adapters.iter().map(|adapter| adapter.info.name.as_str()).collect();
    if names.is_empty() {
        anyhow!("no graphics adapter was found")
    } else {
        anyhow!(
            "there is no GPU but the software driver {}, which --gpu asks for",
            names.join(", ")
        )
    }
}

impl Scoring {
    /// An evaluator of boards of this shape.
    ///
    /// # Errors
    /// What the driver says.
    pub fn evaluator(
        &self,
        geometry: Geometry,
        chunk: Option<NonZeroUsize>,
    ) -> Result<Box<dyn Evaluator>> {
        let chunk = chunk.map(NonZeroUsize::get);
        Ok(match self {
            Self::Cpu(level) => Box::new(CpuEvaluator::with_level(geometry, chunk, *level)?),
            Self::Gpu(device) => Box::new(
                GpuEvaluator::on(device, geometry, chunk)
                    .with_context(|| format!("{} cannot score", device.adapter().name))?,
            ),
            // What a run that the device cannot go on with is scored with.
            Self::Evolving(_) => Box::new(CpuEvaluator::new(geometry, chunk)),
        })
    }

    /// The device that breeds too, if one does.
    pub fn kernels(&self) -> Option<&Kernels> {
        match self {
            Self::Evolving(kernels) => Some(kernels),
            Self::Cpu(_) | Self::Gpu(_) => None,
        }
    }

    /// The device as reports name it.
    pub fn device(&self, threads: usize) -> report::Device {
        match self {
            Self::Cpu(_) => report::Device { backend: "cpu", adapter: None, driver: None, threads },
            Self::Gpu(device) => on_adapter("gpu", device, threads),
            Self::Evolving(kernels) => on_adapter("device", kernels.device(), threads),
        }
    }
}

fn on_adapter(backend: &'static str, device: &Device, threads: usize) -> report::Device {
    report::Device {
        backend,
        adapter: Some(device.adapter().name.clone()),
        driver: Some(device.adapter().driver.clone()),
        threads,
    }
}
