//! The kernels of a shape and a configuration, put together from `shaders/`.
//!
//! A kernel is a file with one entry point of the same name. This file gives its files what they choose:
//! the twins of the configuration's operators, the forms that suit shape and adapter, and constants.
//! Everything that is the same for all puzzles of a shape is a constant. A kernel has only those
//! that its files ask for, so that configurations share kernels.

use super::candidates::set_words;
use super::dispatch_params;
use super::distance_replacement::ReplacementLayout;
use super::kernel::Kernel;
use super::layout::check_counts;
use super::local_search::{SearchLayout, least_file};
use super::operator_support::OperatorShaders;
use super::puzzle_tables::TableLayout;
use super::ranking_layout::RankingLayout;
use super::statistics::StatsLayout;
use super::thread_memory::ThreadMemory;
use super::workgroups::thread_constants;
use crate::board::{Geometry, SearchSpace};
use crate::fitness;
use crate::ga::local_search::{CELL_NUMBERS, RANK_BITS, RANK_MULTIPLIERS, RANK_SHIFT};
use crate::ga::{Config, RunError};
use crate::gpu::{
    AdapterLimits, ShaderDefines, ShaderError, constants, pair_constant, philox_constants,
    stage_constants,
};
use crate::random::Probability;

/// Bins that a workgroup counts for itself: 8 KiB, half of what every adapter has.
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

/// All kernels of a configuration on a puzzle, for an adapter with such limits. Puzzles of a shape
/// whose searches take about the same memory share all of them.
///
/// # Errors
/// [`RunError`] names what has no twin, or what a kernel asks for in vain.
pub fn shaders(
    space: &SearchSpace,
    config: &Config,
    limits: &AdapterLimits,
) -> Result<Vec<Shader>, RunError> {
    let operators = OperatorShaders::for_config(config)?;
    let search = SearchLayout::new(space, config, limits)?;
    let geometry = space.geometry();
    check_counts("a device", geometry, config.population)?;
    let choices = choices(geometry, config, &operators, limits, search.as_ref());
    let breeders = breeders(geometry, config, limits);
    let needed = Kernel::needed(&operators).into_iter();
    Ok(needed.map(|kind| Shader::new(kind, &choices, breeders)).collect::<Result<_, _>>()?)
}

/// Threads of a workgroup that breeds.
pub(super) fn breeders(geometry: Geometry, config: &Config, limits: &AdapterLimits) -> usize {
    ThreadMemory::new(geometry, config).breeders(limits.workgroup_memory_bytes as usize)
}

impl Shader {
    /// Puts a kernel together.
    pub(super) fn new(
        kind: Kernel,
        choices: &ShaderDefines,
        breeders: usize,
    ) -> Result<Self, ShaderError> {
        let source = choices.kernel(kind.file())?;
        Ok(Self { entry: kind.entry(), source, slots: kind.slots(breeders) })
    }
}

/// The choices that all kernels of a configuration are given.
pub(super) fn choices(
    geometry: Geometry,
    config: &Config,
    operators: &OperatorShaders,
    limits: &AdapterLimits,
    search: Option<&SearchLayout>,
) -> ShaderDefines {
    let block = StatsLayout::new(geometry);
    let memory = ThreadMemory::new(geometry, config);
    let plan = RankingLayout::new(block.bins(), config.population);
    let searches = if operators.ranks { plan.words() } else { 0 };
    let sets = match set_words(geometry.side()) {
        1 => "board/values_narrow.wgsl",
        _ => "board/values_wide.wgsl",
    };
    let bins = match block.bins() {
        ..=WORKGROUP_BINS => "statistics/bins_workgroup.wgsl",
        _ => "statistics/bins_storage.wgsl",
    };
    let choices = operators
        .choices(ShaderDefines::default())
        .file("sets", sets)
        .file("memory", memory.file(limits.workgroup_memory_bytes as usize))
        .file("bins", bins)
        .text("shape", fitness::shape(geometry))
        .text("task", dispatch_params::declarations())
        .text("tables", TableLayout::new(geometry, config).constants())
        .text("block", block.constants())
        .text("threads", thread_constants(geometry, breeders(geometry, config, limits)))
        .text("child", memory.constants())
        .text("parameters", parameters(config))
        .text("plan", plan.constants())
        .text("searches", search_constants(searches))
        .text("search_fields", SearchLayout::shape_constants(config.local_search, geometry))
        .text("keeping", ReplacementLayout::new(geometry, config, searches).constants())
        .text("philox", philox_constants())
        .text("stages", stage_constants())
        .text("ties", tie_constants());
    let choices = match search {
        Some(search) => choices
            .text("search_words", search.constants())
            .file("search_memory", search.file())
            .file("least", least_file(limits)),
        None => choices,
    };
    fitness::child_fitness(geometry, choices)
}

fn search_constants(start: usize) -> String {
    constants("Where searches begin in the plan.", &[("SEARCHES", start)])
}

/// Parameters that are the same for all puzzles.
fn parameters(config: &Config) -> String {
    let words = constants(
        "Parameters.",
        &[
            ("RADIUS", config.radius as usize),
            ("MEMBERS", config.tournament as usize),
            ("CROSSOVER_RATE", Probability::new(config.crossover_rate).bits() as usize),
            ("ALWAYS", Probability::ALWAYS.bits() as usize),
            ("MUTATION_RATE", Probability::new(config.mutation_rate).bits() as usize),
            ("TRIES", config.tries as usize),
            ("CHILDREN", config.children as usize),
            ("TENURE_RANDOM", config.tenure_random as usize),
            ("REDRAW_RATE", Probability::new(config.redraw_rate).bits() as usize),
        ],
    );
    format!("{words}const REDRAWS = {};\n", config.redraw_rate > 0.0)
}

/// The text that `local_search/tabu/tie_break.wgsl` chooses as `ties`: how equally good moves are ranked.
fn tie_constants() -> String {
    let mask = (1 << RANK_BITS) - 1;
    let inverses = RANK_MULTIPLIERS.map(|odd| inverse(odd) & mask);
    let multipliers = pair_constant("RANK_MULTIPLIER", RANK_MULTIPLIERS)
        + &pair_constant("RANK_INVERSE", inverses);
    let words = constants(
        "Numbers of a cell's moves, and the bits of a rank.",
        &[
            ("CELL_NUMBERS", CELL_NUMBERS as usize),
            ("RANK_BITS", RANK_BITS as usize),
            ("RANK_MASK", mask as usize),
            ("RANK_SHIFT", RANK_SHIFT as usize),
        ],
    );
    words + &multipliers
}

/// The number whose product with an odd one is 1, by Newton's iteration: each turn doubles the bits
/// that are right, of which an odd number as its own inverse has three.
fn inverse(odd: u32) -> u32 {
    let turn = |inverse: u32, _| inverse.wrapping_mul(2u32.wrapping_sub(odd.wrapping_mul(inverse)));
    (0..4).fold(odd, turn)
}
