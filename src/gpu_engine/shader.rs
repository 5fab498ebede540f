//! The kernels of a shape and a configuration, put together from `shaders/`.
//!
//! A kernel is a file with one entry point of the same name. This file sets what the lines `#choose` insert:
//! the shaders of the configuration's operators, the variants that suit shape and adapter, and constants.
//! Everything that is the same for all puzzles of a shape is a constant. A kernel has only those
//! that its files choose, so that configurations share kernels.

use super::dispatch_params;
use super::distance_replacement::ReplacementLayout;
use super::layout::check_counts;
use super::local_search::{SearchLayout, least_file};
use super::operator_support::OperatorShaders;
use super::puzzle_tables::TableLayout;
use super::ranking_layout::{RankingLayout, run_slots};
use super::statistics::StatsLayout;
use super::workgroup::{COUNTER_SLOTS, COUNTERS, ThreadMemory, set_words, thread_constants};
use crate::board::{Geometry, SearchSpace};
use crate::fitness;
use crate::ga::local_search::tabu::{
    CELL_NUMBERS, FOLLOWED_RANKS, INVERSE_MULTIPLIERS, MANY_PAIRS, MOST_HOLDERS, NOT_FOLLOWED,
    RANK_BITS, RANK_MULTIPLIERS, RANK_SHIFT,
};
use crate::ga::{Config, RunError};
use crate::gpu::{
    AdapterInfo, ShaderDefines, ShaderError, constants, pair_constant, philox_choices,
    stage_constants,
};
use crate::random::Probability;

/// Most bins that a workgroup counts in its own memory: 8 KiB, half of what every adapter has.
const WORKGROUP_BINS: usize = 2048;

/// A kernel as it is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shader {
    /// Its entry point.
    pub entry: &'static str,
    /// The whole text.
    pub source: String,
    /// Slots that a workgroup takes.
    pub slots: u32,
}

/// Returns all kernels of a configuration on a puzzle, for an adapter. Puzzles of a shape whose searches take
/// about the same memory share all of them.
///
/// # Errors
/// [`RunError`] names an operator without a shader, or the line of a shader that cannot be resolved.
pub fn shaders(
    space: &SearchSpace,
    config: &Config,
    adapter: &AdapterInfo,
) -> Result<Vec<Shader>, RunError> {
    let operators = OperatorShaders::for_config(config)?;
    let search = SearchLayout::new(space, config, &adapter.limits)?;
    let geometry = space.geometry();
    check_counts("a device", geometry, config.population)?;
    let kernels = kernels(geometry, config, &operators, adapter, search.as_ref())?;
    Ok(kernels.into_iter().map(|(_, shader)| shader).collect())
}

/// The kernels that a configuration needs.
pub(super) fn kernels(
    geometry: Geometry,
    config: &Config,
    operators: &OperatorShaders,
    adapter: &AdapterInfo,
    search: Option<&SearchLayout>,
) -> Result<Vec<(Kernel, Shader)>, ShaderError> {
    let memory = ThreadMemory::new(geometry, config, adapter);
    let choices = choices(geometry, config, operators, adapter, search, &memory);
    let needed = Kernel::needed(operators).into_iter();
    let ranked = COUNTERS * run_slots(StatsLayout::new(geometry).bins);
    needed.map(|kernel| Ok((kernel, kernel.shader(&choices, memory.breeders, ranked)?))).collect()
}

/// A kernel, by its purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kernel {
    /// Draws new boards.
    Initialise,
    /// The four steps that sort the slots of the old population by fitness.
    RankCount,
    RankScan,
    RankStart,
    RankPlace,
    /// Breeds children without a long search.
    Breed,
    /// Breeds children, and begins the search of each.
    Begin,
    /// A round of those searches.
    Search,
    /// Ends them, and decides who survives.
    Settle,
    /// The four steps of a replacement that keeps a distance: children wait in order of fitness, are compared
    /// with all individuals, get their places, and the next population is written.
    Wait,
    Compare,
    Give,
    MoveIn,
    Emigrate,
    Immigrate,
    /// The block: the histogram, the best board, and the number of different boards.
    Statistics,
    Best,
    Distinct,
}

impl Kernel {
    /// The kernels that a configuration needs.
    fn needed(operators: &OperatorShaders) -> Vec<Self> {
        use Kernel::*;
        let mut needed = vec![Initialise, Emigrate, Immigrate, Statistics, Best, Distinct];
        if operators.ranks {
            needed.extend([RankCount, RankScan, RankStart, RankPlace]);
        }
        if operators.searches {
            needed.extend([Begin, Search, Settle]);
        } else {
            needed.push(Breed);
        }
        if operators.keeps_distance {
            needed.extend([Wait, Compare, Give, MoveIn]);
        }
        needed
    }

    /// Puts the kernel together; `breeders` threads of a workgroup breed, and it ranks `ranked` slots.
    fn shader(
        self,
        choices: &ShaderDefines,
        breeders: usize,
        ranked: usize,
    ) -> Result<Shader, ShaderError> {
        // One workgroup does all of the work.
        const ALL: usize = u32::MAX as usize;
        let (folder, entry, slots) = match self {
            Self::Initialise => ("breeder", "initialise", breeders),
            Self::RankCount => ("selection/ranking", "rank_count", ranked),
            // A workgroup for each fitness.
            Self::RankScan => ("selection/ranking", "rank_scan", 1),
            Self::RankStart => ("selection/ranking", "rank_start", ALL),
            Self::RankPlace => ("selection/ranking", "rank_place", ranked),
            Self::Breed => ("breeder", "breed", breeders),
            Self::Begin => ("breeder", "begin", breeders),
            // A workgroup for each child.
            Self::Search => ("breeder", "search", 1),
            Self::Settle => ("breeder", "settle", breeders),
            Self::Wait => ("replacement/keep_distance", "wait", COUNTERS),
            // A workgroup for each block of comparisons.
            Self::Compare => ("replacement/keep_distance", "compare", 1),
            Self::Give => ("replacement/keep_distance", "give", ALL),
            Self::MoveIn => ("replacement/keep_distance", "move_in", COUNTERS),
            Self::Emigrate => ("migration", "emigrate", COUNTERS),
            Self::Immigrate => ("migration", "immigrate", COUNTERS),
            Self::Statistics => ("statistics", "statistics", COUNTERS * COUNTER_SLOTS),
            Self::Best => ("statistics", "best", ALL),
            Self::Distinct => ("statistics", "distinct", COUNTERS),
        };
        let source = choices.kernel(&format!("{folder}/{entry}.wgsl"))?;
        Ok(Shader { entry, source, slots: slots as u32 })
    }
}

/// The choices of all kernels of a configuration.
fn choices(
    geometry: Geometry,
    config: &Config,
    operators: &OperatorShaders,
    adapter: &AdapterInfo,
    search: Option<&SearchLayout>,
    memory: &ThreadMemory,
) -> ShaderDefines {
    let block = StatsLayout::new(geometry);
    let plan = RankingLayout::new(block.bins, config.population);
    let searches = if operators.ranks { plan.words() } else { 0 };
    let (sets, scratch_sets) = match set_words(geometry) {
        1 => ("board/values_narrow.wgsl", "board/scratch_sets_narrow.wgsl"),
        _ => ("board/values_wide.wgsl", "board/scratch_sets_wide.wgsl"),
    };
    let bins = match block.bins {
        ..=WORKGROUP_BINS => "statistics/bins_workgroup.wgsl",
        _ => "statistics/bins_storage.wgsl",
    };
    let plain = ShaderDefines::default();
    let defines = if adapter.is_software() { plain.with_loops() } else { plain };
    let choices = operators
        .choices(philox_choices(defines, adapter.features))
        .file("sets", sets)
        .file("scratch_sets", scratch_sets)
        .file("memory", memory.file())
        .file("bins", bins)
        .text("shape", fitness::shape(geometry))
        .text("task", dispatch_params::declarations())
        .text("tables", TableLayout::new(geometry, config).constants())
        .text("block", block.constants())
        .text("threads", thread_constants(geometry, memory.breeders))
        .text("child", memory.constants())
        .text("parameters", parameters(config))
        .text("plan", plan.constants())
        .text("searches", constants(&[("SEARCHES", searches)]))
        .text("search_fields", SearchLayout::shape_constants(config.local_search, geometry))
        .text("keeping", ReplacementLayout::new(geometry, config, searches).constants())
        .text("stages", stage_constants())
        .text("ties", tie_constants());
    let choices = match search {
        Some(search) => choices
            .text("search_words", search.constants())
            .file("search_memory", search.file())
            .file("least", least_file(adapter)),
        None => choices,
    };
    fitness::child_fitness(geometry, choices)
}

/// Parameters that are the same for all puzzles.
fn parameters(config: &Config) -> String {
    let words = constants(&[
        ("RADIUS", config.radius as usize),
        ("MEMBERS", config.tournament as usize),
        ("CROSSOVER_RATE", Probability::new(config.crossover_rate).bits() as usize),
        ("ALWAYS", Probability::ALWAYS.bits() as usize),
        ("MUTATION_RATE", Probability::new(config.mutation_rate).bits() as usize),
        ("TRIES", config.tries as usize),
        ("CHILDREN", config.children as usize),
        ("TENURE_RANDOM", config.tenure_random as usize),
        ("REDRAW_RATE", Probability::new(config.redraw_rate).bits() as usize),
    ]);
    format!("{words}const REDRAWS = {};\n", config.redraw_rate > 0.0)
}

/// The text that `local_search/tabu/tie_break.wgsl` chooses as `ties`: the constants of follow-ups and ranks.
fn tie_constants() -> String {
    let mask = (1 << RANK_BITS) - 1;
    let [second, first] = INVERSE_MULTIPLIERS.map(|inverse| inverse & mask);
    let multipliers = pair_constant("RANK_MULTIPLIER", RANK_MULTIPLIERS)
        + &pair_constant("RANK_INVERSE", [first, second]);
    // Numbers of a cell's moves, and the bits of a rank.
    let words = constants(&[
        ("CELL_NUMBERS", CELL_NUMBERS as usize),
        ("RANK_BITS", RANK_BITS as usize),
        ("RANK_MASK", mask as usize),
        ("RANK_SHIFT", RANK_SHIFT as usize),
        ("FOLLOWED_RANKS", FOLLOWED_RANKS as usize),
        ("MANY_PAIRS", MANY_PAIRS as usize),
        ("MOST_HOLDERS", MOST_HOLDERS.into()),
        ("NOT_FOLLOWED", NOT_FOLLOWED as usize),
    ]);
    words + &multipliers
}
