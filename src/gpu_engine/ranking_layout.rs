//! The layout of the ranking in the plan: slots in order of fitness, and the sums of a counting sort.
//!
//! The counting sort has four steps. Slots are divided into runs; a thread counts the fitnesses of its
//! run, sums over the runs give how many individuals of a fitness come before each run, sums over
//! the fitnesses where each begins, and then each run writes its slots to their ranks. Nothing
//! depends on the order in which threads work. On the CPU it is
//! `RankOrder` of `evodoku-core`.

use super::workgroup::COUNTERS;
use crate::gpu::BufferSections;

/// The most runs of which a thread adds up the counts.
const MOST_SCANNED: usize = 8;

/// Slots of a run, which its thread counts one after the other: so many that there are some four counts, one for each
/// fitness and run, for each slot; more above 36x36.
pub(super) fn run_slots(bins: usize) -> usize {
    (bins / 4).next_power_of_two().clamp(32, 1024)
}

/// The sections of the ranking.
#[derive(Clone, Debug)]
pub(super) struct RankingLayout {
    run: usize,
    runs: usize,
    sections: BufferSections,
}

impl RankingLayout {
    /// The layout for islands of up to `population` individuals, whose fitness has `bins` values.
    pub(super) fn new(bins: usize, population: u32) -> Self {
        let population = population as usize;
        let run = run_slots(bins);
        let runs = population.div_ceil(run);
        let sections = BufferSections::new(0)
            .add("ORDER", population)
            .add("STARTS", bins + 1)
            .add("SUMS", bins + 1)
            .add("RUN_COUNTS", bins * runs);
        Self { run, runs, sections }
    }

    /// Its number of words.
    pub(super) fn words(&self) -> usize {
        self.sections.end
    }

    /// The layout as constants for kernels, in which [`COUNTERS`] threads share each fitness's runs.
    pub(super) fn constants(&self) -> String {
        let scanned = self.runs.div_ceil(COUNTERS).clamp(1, MOST_SCANNED);
        let parts = self.runs.div_ceil(COUNTERS * scanned);
        // Places in the plan, and sizes of the counting sort.
        let sizes = [("RUN", self.run), ("SCANNED", scanned), ("RUN_PARTS", parts)];
        self.sections.constants(&sizes)
    }
}
