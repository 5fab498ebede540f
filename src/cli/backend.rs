//! Flags that choose where runs happen.

use std::num::NonZeroUsize;
use std::str::FromStr;

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
use crate::run::{Backend, BackendError};
use crate::util::named_enum::{UnknownName, named};
use crate::util::threads::cores;

/// The most threads; no machine has as many cores.
pub const MAX_THREADS: u64 = 4096;

named! {
    /// The processors that breed and score.
    pub enum Place {
        /// The fastest of all.
        Auto = "auto",
        /// The CPU; no graphics driver is loaded.
        Cpu = "cpu",
        /// The CPU breeds, GPUs score.
        GpuScore = "gpu-score",
        /// GPUs breed and score, and boards never leave them.
        Gpu = "gpu",
    }
}

/// The value of `--on`: `gpu:0,1` for a place and adapters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub place: Place,
    /// The ids of adapters; the best real GPU by default.
    pub ids: Option<String>,
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // The PCI bus id of an adapter has colons too.
        let (word, ids) = match text.split_once(':') {
            Some((_, "")) => return Err("an adapter comes after the colon, as in gpu:0".to_owned()),
            Some((word, ids)) => (word, Some(ids.to_owned())),
            None => (text, None),
        };
        match word.parse().map_err(|error: UnknownName| error.to_string())? {
            Place::Cpu if ids.is_some() => Err("cpu takes no adapter".to_owned()),
            place => Ok(Self { place, ids }),
        }
    }
}

impl Target {
    /// Opens the backend.
    ///
    /// # Errors
    /// When there is no GPU of the id, or it cannot be opened, and when the CPU lacks the vector
    /// instructions.
    pub fn open(&self, simd: Option<SimdLevel>) -> Result<Backend> {
        match (self.place, simd) {
            (Place::Cpu, Some(level)) => Ok(Backend::cpu_with_simd(level)?),
            // Vector instructions imply the CPU.
            (Place::Auto, Some(level)) if self.ids.is_none() => Ok(Backend::cpu_with_simd(level)?),
            (_, Some(level)) => {
                bail!("--simd {level} is for scoring on the CPU: leave it out, or take --on cpu")
            }
            (Place::Cpu, None) => Ok(Backend::cpu()),
            (Place::Auto, None) => match &self.adapters()?[..] {
                [] => Ok(Backend::auto()),
                [one] => Ok(Backend::auto_on_id(Some(one))?),
                _ => bail!("auto tries one adapter: name one, or take --on gpu with several"),
            },
            (Place::GpuScore, None) => self.open_each(Backend::gpu_score),
            (Place::Gpu, None) => self.open_each(Backend::gpu),
        }
    }

    /// Opens each adapter that is named, or the best real GPU.
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

    /// The id of each adapter that is named; `each` is the adapter of the rank.
    fn adapters(&self) -> Result<Vec<String>> {
        let Some(ids) = &self.ids else { return Ok(Vec::new()) };
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
        Ok(vec![ids.clone()])
    }
}

/// Flags that choose where runs happen.
#[derive(Debug, Args)]
pub struct BackendArgs {
    /// Where runs happen: auto (whichever is fastest on the first generations), cpu, gpu-score (the
    /// CPU breeds, a GPU scores) or gpu (a GPU breeds and scores); after a colon an adapter by index,
    /// part of its name or PCI bus id, as in gpu:0; or several, as in gpu:0,1, which divide runs and the
    /// islands of a single run; or gpu:each: under mpirun the ranks of a machine take its GPUs in turn
    #[arg(long, value_name = "WHERE[:ID,...]", default_value = "auto")]
    on: Target,
    /// Whether a run whose device failed is repeated on the CPU: short (if it takes less than a minute by
    /// estimate), always or never
    #[arg(long, value_name = "WHEN", default_value_t = ReplayPolicy::Short)]
    #[arg(value_parser = known::<ReplayPolicy>(), hide_possible_values = true)]
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
    /// Threads that breed, and score on the CPU (default: one a core)
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MAX_THREADS))]
    threads: Option<u64>,
    /// Vector instructions by which the CPU scores: scalar, sse4.2, avx2, avx512, neon (default: the best)
    #[arg(long, value_name = "LEVEL")]
    #[arg(value_parser = known::<SimdLevel>(), hide_possible_values = true)]
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
        let of = |text: &str| text.parse::<Target>().map(|Target { place, ids }| (place, ids));
        assert_eq!(of("cpu"), Ok((Place::Cpu, None)));
        assert_eq!(of("gpu:0,1"), Ok((Place::Gpu, Some("0,1".to_owned()))));
        let bus = "0000:01:00.0".to_owned();
        assert_eq!(of("gpu-score:0000:01:00.0"), Ok((Place::GpuScore, Some(bus))));
        assert_eq!(of("auto"), Ok((Place::Auto, None)));
        for refused in ["", "gpus", "cpu:0", "gpu:", ":0"] {
            assert!(of(refused).is_err(), "{refused}");
        }
    }
}
