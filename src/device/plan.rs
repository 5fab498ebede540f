//! The plan: slots in order of fitness, and what finding that order takes.
//!
//! A counting sort in four steps. Slots are cut into runs; a thread counts the fitnesses of its
//! run, sums over the runs say how many individuals of a fitness stand before each run, sums over
//! the fitnesses where each begins, and then each run writes its slots to their ranks. Nothing
//! depends on the order in which threads work. The twin is
//! [`Ranking`](crate::evolve::selection::Ranking).

/// Slots of a run: its thread takes them one after the other.
const RUN: usize = 128;

/// Where things are in the plan's buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    bins: usize,
    starts: usize,
    sums: usize,
    run_counts: usize,
    runs: usize,
}

impl Plan {
    /// The plan of islands of up to `population` individuals.
    pub(super) fn new(bins: usize, population: u32) -> Self {
        let population = population as usize;
        let starts = population;
        let sums = starts + bins + 1;
        let run_counts = sums + bins + 1;
        Self { bins, starts, sums, run_counts, runs: population.div_ceil(RUN) }
    }

    /// Words that it takes.
    pub(super) fn words(&self) -> u64 {
        (self.run_counts + self.bins * self.runs) as u64
    }

    /// The places for shaders, which share each fitness's runs out among `counters` threads.
    pub(super) fn constants(&self, counters: usize) -> String {
        format!(
            "// Where things are in the plan, and how it is made.\n\
             const ORDER = 0u;\n\
             const STARTS = {}u;\n\
             const SUMS = {}u;\n\
             const RUN_COUNTS = {}u;\n\
             const RUN = {RUN}u;\n\
             const RUN_PARTS = {}u;\n",
            self.starts,
            self.sums,
            self.run_counts,
            self.runs.div_ceil(counters),
        )
    }

    /// Slots of a run.
    pub(super) const fn run() -> usize {
        RUN
    }
}
