//! Flags that choose where runs happen.

use std::num::NonZeroUsize;
use std::str::FromStr;

use anyhow::{Context, Result, bail};
use clap::Args;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::output::Logger;
use super::value_parsers::{known, positive, whole};
use crate::fitness::SimdLevel;
use crate::ga::ReplayPolicy;
#[cfg(feature = "gpu")]
use crate::gpu;
#[cfg(feature = "gpu")]
use crate::mpi::{local_rank, rank_and_size};
use crate::run::{Backend, BackendError};

/// More threads than any machine has cores.
pub const MAX_THREADS: u64 = 4096;

/// What `--on` takes: who breeds and who scores, and after a colon on which adapters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Whichever is fastest, with this adapter or the best real GPU.
    Auto(Option<String>),
    /// The CPU; no graphics driver is loaded.
    Cpu,
    /// The CPU breeds, GPUs score.
    GpuScore(Option<String>),
    /// GPUs breed and score, and the boards never leave them.
    Gpu(Option<String>),
}

/// The words that `--on` takes, without adapters.
const WORDS: [&str; 4] = ["auto", "cpu", "gpu-score", "gpu"];

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // An adapter's PCI bus id has colons too.
        let (word, ids) = match text.split_once(':') {
            Some((_, "")) => return Err("an adapter comes after the colon, as in gpu:0".to_owned()),
            Some((word, ids)) => (word, Some(ids.to_owned())),
            None => (text, None),
        };
        match (word, ids) {
            ("auto", ids) => Ok(Self::Auto(ids)),
            ("cpu", None) => Ok(Self::Cpu),
            ("cpu", Some(_)) => Err("cpu takes no adapter".to_owned()),
            ("gpu-score", ids) => Ok(Self::GpuScore(ids)),
            ("gpu", ids) => Ok(Self::Gpu(ids)),
            _ => Err(format!("'{word}' is none of {}", WORDS.join(", "))),
        }
    }
}

impl Target {
    /// The adapters that are named.
    pub fn ids(&self) -> Option<&str> {
        match self {
            Self::Cpu => None,
            Self::Auto(ids) | Self::GpuScore(ids) | Self::Gpu(ids) => ids.as_deref(),
        }
    }

    /// Opens the backend.
    ///
    /// # Errors
    /// When a GPU is asked for and there is none, or it cannot be opened, and when the CPU lacks the
    /// vector instructions.
    pub fn open(&self, simd: Option<SimdLevel>) -> Result<Backend> {
        match (self, simd) {
            // To ask for vector instructions is to ask for the CPU.
            (Self::Cpu | Self::Auto(None), Some(level)) => Ok(Backend::cpu_with_simd(level)?),
            (_, Some(level)) => {
                bail!("--simd {level} is for scoring on the CPU: leave it out, or take --on cpu")
            }
            (Self::Cpu, None) => Ok(Backend::cpu()),
            (Self::Auto(None), None) => Ok(Backend::auto()),
            (Self::Auto(Some(_)), None) => match &self.adapters()?[..] {
                [one] => Ok(Backend::auto_on_id(Some(one))?),
                _ => bail!("auto tries one adapter: name one, or take --on gpu with several"),
            },
            (Self::GpuScore(_), None) => self.open_each(Backend::gpu_score),
            (Self::Gpu(_), None) => self.open_each(Backend::gpu),
        }
    }

    /// What `open` makes of each adapter that is named, or of the best real GPU.
    fn open_each(
        &self,
        open: impl Fn(Option<&str>) -> Result<Backend, BackendError>,
    ) -> Result<Backend> {
        let ids = self.adapters()?;
        let mut ids = ids.iter();
        let first = open(ids.next().map(String::as_str))?;
        let others = ids.map(|id| open(Some(id))).collect::<Result<Vec<_>, _>>()?;
        Ok(Backend::multi(first, others))
    }

    /// The adapters that are named, one by one; `each` is that of the rank.
    fn adapters(&self) -> Result<Vec<String>> {
        let Some(ids) = self.ids() else { return Ok(Vec::new()) };
        #[cfg(feature = "gpu")]
        if ids == "each" {
            let found = gpu::rank_adapter(&gpu::adapters(), local_rank())?.info.index;
            return Ok(vec![found.to_string()]);
        }
        // Names of adapters may have commas.
        #[cfg(feature = "gpu")]
        if ids.contains(',') && gpu::find(&gpu::adapters(), ids).is_err() {
            if rank_and_size().is_some() {
                bail!("each rank takes one adapter, not {ids}: --on gpu:each takes them in turn");
            }
            return Ok(ids.split(',').map(str::to_owned).collect());
        }
        Ok(vec![ids.to_owned()])
    }
}

/// Flags that choose a device and how it is used.
#[derive(Debug, Args)]
pub struct BackendArgs {
    /// Where runs happen: auto (whichever is fastest on the first generations), cpu, gpu-score (the
    /// CPU breeds, a GPU scores) or gpu (a GPU breeds and scores); after a colon an adapter by index,
    /// part of its name or PCI bus id, as in gpu:0; or several, as in gpu:0,1, which divide runs and the
    /// islands of a single run; or gpu:each: under mpirun the ranks of a machine take its GPUs in turn
    #[arg(long, value_name = "WHERE[:ID,...]", default_value = "auto")]
    on: Target,
    /// Whether a run whose device failed is done again on the CPU: short (if it takes less than a
    /// minute by estimate), always or never
    #[arg(long, value_name = "WHEN", default_value_t = ReplayPolicy::Short)]
    #[arg(value_parser = known(ReplayPolicy::from_str, ReplayPolicy::names()), hide_possible_values = true)]
    pub replay: ReplayPolicy,
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
    #[cfg(feature = "gpu")]
    pub fn simd(&self) -> Result<SimdLevel, crate::fitness::UnsupportedSimd> {
        self.simd.unwrap_or_else(SimdLevel::best).checked()
    }
}

impl BackendArgs {
    /// The backend that the flags ask for.
    ///
    /// # Errors
    /// As [`Target::open`].
    pub fn choose(&self, notes: Logger) -> Result<Backend> {
        let backend = self.on.open(self.work.simd)?;
        let backend = backend.on_decision(move |line| notes.detail(line));
        Ok(backend.chunk(self.work.chunk).replay_policy(self.replay))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_a_word_and_adapters_after_a_colon() {
        let of = |text: &str| text.parse::<Target>();
        assert_eq!(of("cpu"), Ok(Target::Cpu));
        assert_eq!(of("gpu:0,1"), Ok(Target::Gpu(Some("0,1".to_owned()))));
        assert_eq!(of("gpu-score:0000:01:00.0").unwrap().ids(), Some("0000:01:00.0"));
        assert_eq!(of("auto"), Ok(Target::Auto(None)));
        for refused in ["", "gpus", "cpu:0", "gpu:", ":0"] {
            assert!(of(refused).is_err(), "{refused}");
        }
    }
}
