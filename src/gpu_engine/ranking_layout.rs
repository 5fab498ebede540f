//! The layout of the ranking in the plan: slots in order of fitness, and the sums of a counting sort.
//!
//! The counting sort has four steps. Slots are divided into runs; a thread counts the fitnesses of its
//! run, sums over the runs give how many individuals of a fitness come before each run, sums over
//! the fitnesses where each begins, and then each run writes its slots to their ranks. Nothing
//! depends on the order in which threads work. On the CPU it is
//! `RankOrder` of `evodoku-core`.

use super::workgroup::COUNTERS;
use crate::gpu::BufferSections;

/// Slots of a run: its thread counts them one after the other.
pub(super) const RUN: usize = 128;

/// The sections of the ranking.
#[derive(Clone, Debug)]
pub(super) struct RankingLayout {
    runs: usize,
    sections: BufferSections,
}

impl RankingLayout {
    /// The layout for islands of up to `population` individuals, whose fitness has `bins` values.
    pub(super) fn new(bins: usize, population: u32) -> Self {
        let population = population as usize;
        let runs = population.div_ceil(RUN);
        let sections = BufferSections::new(0)
            .add("ORDER", population)
            .add("STARTS", bins + 1)
            .add("SUMS", bins + 1)
            .add("RUN_COUNTS", bins * runs);
        Self { runs, sections }
    }

    /// Its number of words.
    pub(super) fn words(&self) -> usize {
        self.sections.end
    }

    /// The layout as constants for kernels, in which [`COUNTERS`] threads share each fitness's runs.
    pub(super) fn constants(&self) -> String {
        let parts = self.runs.div_ceil(COUNTERS);
        // Places in the plan, and sizes of the counting sort.
        self.sections.constants(&[("RUN", RUN), ("RUN_PARTS", parts)])
    }
}
