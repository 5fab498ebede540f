//! The layout of a tabu search: its state is in workgroup memory as far as it fits, and between two
//! dispatches in the buffer of searches.
//!
//! `shaders/local_search/tabu` reads and writes it. A search has a row of words: counts, the list of
//! cells in conflict, and the ring of prohibitions; and for each free cell a byte and a bit. The rest
//! of the row is in the buffer too, after the words that are kept. For the 57 free cells and 216
//! candidates that `ai-escargot` has after presolve, workgroup memory holds 3 kB, and 270 bytes are
//! kept. A step costs more the more candidates there are, so that a round is bounded by steps times
//! candidates.

use super::packed_counts::{PLACE_UNIT, PackedCounts, ROW_UNIT, WORD_PLACES};
use super::search_words::{SearchWords, word};
use crate::board::matching::values_of;
use crate::board::{Geometry, PeerScan, SearchSpace};
use crate::ga::Config;
use crate::gpu::{AdapterInfo, Limits, constants};
use crate::gpu_engine::dispatch_params::plan_binding;
use crate::gpu_engine::operator_support::UnsupportedConfig;

/// Lanes that list and price together: the warp of most GPUs, and the bits of a word.
const TEAM: usize = 32;
/// Bytes of workgroup memory for each team of lanes. So few that a GPU with 100 kB for
/// some warps keeps a dozen of them busy; where a search takes more, more teams share it.
const TEAM_BYTES: usize = 8 << 10;
const MOST_TEAMS: usize = 4;
/// Random words come in blocks of four, one block a lane.
const RANDOM_BLOCKS: usize = TEAM;
/// Words of workgroup memory besides the arrays, with alignment.
const OVERHEAD: usize = 32;
/// The least row of words, so that most puzzles of a shape share their kernels.
const LEAST_ROW: usize = 512;
/// Step numbers in the ring are below this, so that no prohibition lasts longer.
const STEP_UNIT: usize = 1 << 13;
/// Words that are kept of each search, before the values of its cells.
const KEPT: [&str; 3] = ["KEPT_STEP", "KEPT_FEWEST", "KEPT_LONGEST"];
/// Boards up to this side have so few cells in conflict that two lanes share one.
const SHARED_CELLS_SIDE: usize = 16;

/// Steps of a round times candidates on a GPU. A workgroup by itself takes some milliseconds for it:
/// some hundred instructions a step, and some more for each cell in conflict.
const ROUND_CANDIDATES: usize = 1 << 19;
/// Steps of a round at most.
const MOST_ROUND_STEPS: usize = ROUND_CANDIDATES;
/// Turns of all loops of a lane in the steps of a round on a software driver: fewer than such a driver
/// allows, because a round has loops before and after its steps too.
const SOFTWARE_TURNS: usize = 48 << 10;
/// Moves that a lane follows up in a step: some times as many as it does on average.
const LANE_FOLLOW_UPS: usize = 16;

/// The memory of the searches of a puzzle.
#[derive(Clone, Copy, Debug)]
pub(super) struct TabuLayout {
    geometry: Geometry,
    cells: usize,
    /// Words of counts.
    counts: usize,
    /// Entries of the ring.
    ring: usize,
    /// Teams of lanes that share a search.
    pub(super) teams: usize,
}

impl TabuLayout {
    /// The layout for a puzzle on an adapter.
    ///
    /// # Errors
    /// [`UnsupportedConfig::Operator`] when prohibitions may last too long.
    pub(super) fn new(
        space: &SearchSpace,
        config: &Config,
        limits: &Limits,
    ) -> Result<Self, UnsupportedConfig> {
        let (geometry, cells) = (space.geometry(), space.free.len());
        let fields = PackedCounts::new(geometry);
        let sets = config.encoding.cell_values(space);
        let words = |cell: &usize| fields.words(sets[*cell].count_ones() as usize);
        let counts = space.free.iter().map(words).sum();
        let share = u64::from(config.tenure_share) * cells as u64 / 1_000;
        let tenure = u64::from(config.tenure_random.saturating_sub(1)) + share;
        let longest = tenure.min(config.tabu_steps.into()) as usize;
        if longest >= STEP_UNIT {
            let most = STEP_UNIT - 1;
            let what = format!("tenure of up to {tenure} steps (the limit is {most})");
            return Err(UnsupportedConfig::Operator { what });
        }
        let memory = Self { geometry, cells, counts, ring: longest + 1, teams: 1 };
        let bytes = 4 * (memory.row() + memory.fixed());
        let lanes = (limits.max_compute_invocations_per_workgroup as usize / TEAM).max(1);
        let teams = bytes.div_ceil(TEAM_BYTES).next_power_of_two().min(MOST_TEAMS).min(lanes);
        Ok(Self { teams, ..memory })
    }

    /// The sizes of the memory in words.
    pub(super) fn words(&self) -> SearchWords {
        SearchWords {
            row: self.row(),
            kernel_row: rounded(self.row()),
            fixed: self.fixed(),
            state: KEPT.len() + 2 * self.cells.div_ceil(4) + self.ring,
        }
    }

    /// Words of the row.
    fn row(&self) -> usize {
        self.counts + self.teams * self.team_cells() + self.ring
    }

    /// Words of workgroup memory that the shape decides.
    fn fixed(&self) -> usize {
        self.held_words() + self.mask_words() + 4 * RANDOM_BLOCKS + OVERHEAD
    }

    fn held_words(&self) -> usize {
        self.geometry.cells().div_ceil(4)
    }

    fn mask_words(&self) -> usize {
        self.geometry.cells().div_ceil(TEAM)
    }

    /// Most cells in conflict of a team: all of its cells.
    fn team_cells(&self) -> usize {
        self.cells.div_ceil(TEAM).div_ceil(self.teams) * TEAM
    }

    /// Constants that follow from the shape, for all kernels that know searches.
    pub(super) fn shape_constants(geometry: Geometry) -> String {
        let mut words: Vec<_> = KEPT.into_iter().zip(0..).collect();
        words.extend([
            ("KEPT_HELD", KEPT.len()),
            ("HELD_WORDS", geometry.cells().div_ceil(4)),
            ("STEP_UNIT", STEP_UNIT),
            ("MANY", i32::MAX as usize),
        ]);
        PackedCounts::new(geometry).constants() + &constants(&words)
    }

    /// Lanes of a workgroup, the `near` words of a row in its memory, and the most turns of its loops.
    pub(super) fn constants(&self, near: usize) -> String {
        let (workers, cells) = (TEAM * self.teams, self.geometry.cells());
        let fields = PackedCounts::new(self.geometry);
        let cell_lanes = if self.geometry.side() <= SHARED_CELLS_SIDE { 2 } else { 1 };
        let mask_turns = self.mask_words().div_ceil(self.teams);
        constants(&[
            ("TEAMS", self.teams),
            ("WORKERS", workers),
            ("CELL_LANES", cell_lanes),
            ("NEAR_WORDS", near),
            ("MASK_WORDS", self.mask_words()),
            ("RANDOM_BLOCKS", RANDOM_BLOCKS),
            ("RANDOM_STEPS", 2 * RANDOM_BLOCKS),
            ("NO_PLACE", u32::MAX as usize),
            ("PLAN_BINDING", plan_binding()),
            ("MASK_TURNS", mask_turns),
            ("CELL_TURNS", mask_turns * cell_lanes),
            ("FREE_TURNS", cells.div_ceil(workers)),
            ("HELD_TURNS", self.held_words().div_ceil(workers)),
            ("COUNT_TURNS", (cells * fields.most_words()).div_ceil(workers)),
            ("NEIGHBOUR_TURNS", (2 * fields.peers).div_ceil(workers)),
            ("RING_TURNS", STEP_UNIT.div_ceil(workers)),
            ("MOST_ROUND_STEPS", MOST_ROUND_STEPS),
        ])
    }

    /// Steps of a round, and rounds, of a puzzle.
    pub(super) fn rounds(
        &self,
        adapter: &AdapterInfo,
        space: &SearchSpace,
        config: &Config,
    ) -> (u32, u32) {
        let sets = config.encoding.cell_values(space);
        let count = |cell: &usize| sets[*cell].count_ones() as usize;
        let steps = if adapter.is_software() {
            // More turns than a step takes, for boards of any size and any number of teams; of follow-ups, several times
            // as many as are usual. A round has 17,000 turns to spare for a step that takes more.
            let ring_turns = self.ring.div_ceil(TEAM * self.teams);
            let peers = PackedCounts::new(self.geometry).peers;
            let followed_turns = LANE_FOLLOW_UPS * (peers + self.geometry.side());
            let priced_turns = (self.cells + 64) * self.geometry.side() / 8;
            let step_turns = priced_turns + followed_turns + ring_turns;
            (SOFTWARE_TURNS / step_turns) as u32
        } else {
            round_steps(space.free.iter().map(count).sum())
        };
        let steps = steps.clamp(1, config.tabu_steps.max(1));
        (steps, config.tabu_steps.div_ceil(steps))
    }

    /// Adds the sections of a puzzle to `tables`: the rows of its free cells, their candidates, how often
    /// givens count, and the neighbours of each candidate. Returns the counts that kernels read. The tables of
    /// the CPU are `src/core/ga/local_search/candidate_graph.rs`.
    pub(super) fn add_tables(
        &self,
        space: &SearchSpace,
        config: &Config,
        tables: &mut Vec<u32>,
    ) -> Vec<u32> {
        let fields = PackedCounts::new(space.geometry());
        let all = config.encoding.cell_values(space);
        let sets: Vec<u64> = space.free.iter().map(|cell| all[*cell]).collect();
        let mut first_words = Vec::with_capacity(sets.len());
        let mut words = 0;
        for set in &sets {
            first_words.push(words);
            words += fields.words(set.count_ones() as usize);
        }
        let rows = first_words.iter().zip(&sets);
        let rows = rows.map(|(first, set)| first + set.count_ones() as usize * ROW_UNIT);
        tables.extend(rows.map(|row| row as u32));
        let (mut values, mut given) = (Vec::with_capacity(words), Vec::with_capacity(words));
        let mut starts = Vec::with_capacity(WORD_PLACES * words + 1);
        let mut neighbours = Vec::new();
        let mut around = PeerScan::new(space);
        for (cell, set) in space.free.iter().zip(&sets) {
            around.scan(*cell);
            let own: Vec<u8> = values_of(*set).collect();
            for own in own.chunks(fields.in_word) {
                values.push(word(own));
                let fixed = own.iter().map(|value| around.given[usize::from(*value)]);
                given.push(fields.pack(&fixed.collect::<Vec<u8>>()));
                for place in 0..WORD_PLACES {
                    starts.push(neighbours.len() as u32);
                    let Some(value) = own.get(place) else { continue };
                    let bit = 1 << (value - 1);
                    let having = around.free.iter().filter(|peer| sets[**peer] & bit != 0);
                    neighbours.extend(having.map(|peer| {
                        let candidate = (sets[*peer] & (bit - 1)).count_ones() as usize;
                        (fields.place(first_words[*peer], candidate) + peer * PLACE_UNIT) as u32
                    }));
                }
            }
        }
        starts.push(neighbours.len() as u32);
        for section in [values, given, starts, neighbours] {
            tables.extend(section);
        }
        let sizes = [words, self.team_cells(), self.ring].map(|size| size as u32);
        [&sizes[..], &[config.tabu_steps, config.tenure_share]].concat()
    }
}

/// Steps of a round on a GPU for a puzzle with `candidates` candidates.
pub(in crate::gpu_engine) fn round_steps(candidates: usize) -> u32 {
    (ROUND_CANDIDATES / candidates.max(1)).max(1) as u32
}

/// The number of words that a kernel is made for: the same for puzzles of about the same size.
fn rounded(words: usize) -> usize {
    let power = words.max(LEAST_ROW).next_power_of_two();
    if words <= power / 4 * 3 && power > LEAST_ROW { power / 4 * 3 } else { power }
}
