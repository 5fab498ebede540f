//! What is measured: the columns of a line that are known beforehand.

use std::fmt;

use indicatif::HumanCount;

use crate::fitness::SimdLevel;
use crate::ga::Preset;
use crate::util::named_enum::named;
use crate::util::quantity::counted;

named! {
    /// What a line measures.
    pub enum Metric {
        /// A population of random legal boards, scored.
        Score = "score",
        /// A generation: breeding, scoring, replacement and statistics.
        Generation = "generation",
        /// A population on its way to the device, and nothing else.
        Upload = "upload",
    }
}

named! {
    /// Who scores, or which way an upload takes.
    pub enum BenchTarget {
        /// The CPU.
        Cpu = "cpu",
        /// A graphics adapter.
        Gpu = "gpu",
        /// Staging buffers that are made once and take turns.
        Ring = "ring",
        /// `queue.write_buffer`, with memory of its own for each call.
        WriteBuffer = "write_buffer",
    }
}

named! {
    /// Where children are bred.
    pub enum EngineKind {
        /// On the threads of the CPU.
        Host = "host",
        /// On the adapter, which boards then never leave.
        Device = "device",
    }
}

/// A thing to be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BenchTask {
    /// What is measured.
    pub what: Metric,
    /// Who scores.
    pub evaluator: BenchTarget,
    /// Where children are bred, if they are.
    pub engine: Option<EngineKind>,
    /// What the CPU scores with, if it does.
    pub simd: Option<SimdLevel>,
    /// Threads of the CPU, where more than one could serve.
    pub threads: Option<usize>,
    /// How a generation is bred.
    pub preset: Option<Preset>,
    /// Boards.
    pub population: u32,
}

impl BenchTask {
    /// Scoring on the CPU.
    pub fn cpu_score(population: u32, simd: SimdLevel, threads: usize) -> Self {
        Self {
            what: Metric::Score,
            evaluator: BenchTarget::Cpu,
            engine: None,
            simd: Some(simd),
            threads: Some(threads),
            preset: None,
            population,
        }
    }

    /// Scoring on the adapter.
    pub fn gpu_score(population: u32) -> Self {
        let cpu = Self::cpu_score(population, SimdLevel::Scalar, 1);
        Self { evaluator: BenchTarget::Gpu, simd: None, threads: None, ..cpu }
    }

    /// An upload by the way `by`.
    pub fn upload(population: u32, by: BenchTarget) -> Self {
        Self { what: Metric::Upload, evaluator: by, ..Self::gpu_score(population) }
    }

    /// A generation that the host breeds, scored on the CPU with `simd` or on the adapter.
    pub fn generation(
        population: u32,
        preset: Preset,
        simd: Option<SimdLevel>,
        threads: usize,
    ) -> Self {
        Self {
            what: Metric::Generation,
            evaluator: if simd.is_some() { BenchTarget::Cpu } else { BenchTarget::Gpu },
            engine: Some(EngineKind::Host),
            simd,
            threads: Some(threads),
            preset: Some(preset),
            population,
        }
    }

    /// A generation that the adapter breeds and scores.
    pub fn device_generation(population: u32, preset: Preset) -> Self {
        let host = Self::generation(population, preset, None, 1);
        Self { engine: Some(EngineKind::Device), threads: None, ..host }
    }

    /// Whether boards cross to an adapter.
    pub fn crosses(&self) -> bool {
        self.evaluator != BenchTarget::Cpu && self.engine != Some(EngineKind::Device)
    }

    /// Who does it, whatever the population: `cpu avx2, 2 threads`.
    pub fn doer(&self) -> String {
        let mut text = self.evaluator.name().to_owned();
        if self.engine == Some(EngineKind::Device) {
            text += " alone";
        }
        if let Some(simd) = self.simd {
            text += &format!(" {simd}");
        }
        if let Some(threads) = self.threads {
            text += &format!(", {}", counted(threads as u64, "thread"));
        }
        text
    }
}

impl fmt::Display for BenchTask {
    /// `score of 1,000 boards on cpu avx2, 2 threads`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let population = HumanCount(self.population.into());
        match self.preset {
            Some(preset) => {
                write!(f, "{} of {population} by {preset} on {}", self.what, self.doer())
            }
            None => write!(f, "{} of {population} boards on {}", self.what, self.doer()),
        }
    }
}
