//! The layout of the ranking: slots in order of fitness, and the sums that a counting sort takes.
//!
//! A counting sort in four steps. Slots are cut into runs; a thread counts the fitnesses of its
//! run, sums over the runs say how many individuals of a fitness stand before each run, sums over
//! the fitnesses where each begins, and then each run writes its slots to their ranks. Nothing
//! depends on the order in which threads work. The twin is
//! [`RankOrder`](crate::ga::selection::RankOrder).

use super::workgroups::COUNTERS;
use crate::gpu::constants;

/// Slots of a run: its thread takes them one after the other.
pub(super) const RUN: usize = 128;

/// Where things are in the plan's buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankingLayout {
    bins: usize,
    starts: usize,
    sums: usize,
    run_counts: usize,
    runs: usize,
}

impl RankingLayout {
    /// The plan of islands of up to `population` individuals.
    pub(super) fn new(bins: usize, population: u32) -> Self {
        let population = population as usize;
        let starts = population;
        let sums = starts + bins + 1;
        let run_counts = sums + bins + 1;
        Self { bins, starts, sums, run_counts, runs: population.div_ceil(RUN) }
    }

    /// Words that it takes.
    pub(super) fn words(&self) -> usize {
        self.run_counts + self.bins * self.runs
    }

    /// The places for kernels, in which [`COUNTERS`] threads share each fitness's runs.
    pub(super) fn constants(&self) -> String {
        constants(
            "Where things are in the plan, and how it is made.",
            &[
                ("ORDER", 0),
                ("STARTS", self.starts),
                ("SUMS", self.sums),
                ("RUN_COUNTS", self.run_counts),
                ("RUN", RUN),
                ("RUN_PARTS", self.runs.div_ceil(COUNTERS)),
            ],
        )
    }
}
