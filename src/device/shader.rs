//! The shaders of a shape and a configuration, put together from `shaders/`.
//!
//! Each kernel is a file with one entry point of the same name; what it needs is included by name,
//! and an operator's part is the file of its twin. Everything that is the same for all puzzles of
//! a shape is a constant.

use std::fmt::Write;

use super::fitness::fitness;
use super::keep;
use super::plan::Plan;
use super::statistics::Block;
use super::tables::Sections;
use super::twins::{Twins, Unsupported, shader};
use crate::board::Geometry;
use crate::evolve::Config;
use crate::evolve::improvement::Improvement;
use crate::gpu::{PHILOX, include};
use crate::random::Probability;

/// Threads of a workgroup that breeds: the warp of a GPU. More would leave each less memory.
const WORKGROUP: usize = 32;
/// Threads of a workgroup that counts, and slots of each.
pub(super) const COUNTERS: usize = 64;
const COUNTER_SLOTS: usize = 16;
/// Bins that a workgroup counts for itself: 8 KiB, half of what every adapter has.
const WORKGROUP_BINS: usize = 2048;
/// Bytes that a workgroup needs beside its children.
const WORKGROUP_OVERHEAD: usize = 64;

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

/// Those of a configuration.
#[derive(Clone, Debug)]
pub(super) struct Shaders {
    pub initialise: Shader,
    /// What breeds, or begins a search.
    pub breed: Shader,
    /// A round of a search, and what becomes of the children.
    pub search: Option<[Shader; 2]>,
    /// Which children get a slot, where not each has its own.
    pub keep: Option<Shader>,
    pub statistics: Shader,
    pub best: Shader,
    pub distinct: Shader,
    pub emigrate: Shader,
    pub immigrate: Shader,
    /// The four steps of a plan, where one is needed.
    pub plan: Option<[Shader; 4]>,
}

/// All shaders of a configuration on an adapter with so many bytes of workgroup memory.
///
/// # Errors
/// [`Unsupported`] names what has no twin.
pub fn shaders(
    geometry: Geometry,
    config: &Config,
    workgroup_memory: u32,
) -> Result<Vec<Shader>, Unsupported> {
    let all = Shaders::new(geometry, config, workgroup_memory)?;
    let Shaders { initialise, breed, statistics, best, distinct, emigrate, immigrate, .. } = all;
    let (search, keep, plan) = (all.search, all.keep, all.plan);
    let mut all = vec![initialise, breed, statistics, best, distinct, emigrate, immigrate];
    all.extend(search.into_iter().flatten());
    all.extend(keep);
    all.extend(plan.into_iter().flatten());
    Ok(all)
}

impl Shaders {
    pub(super) fn new(
        geometry: Geometry,
        config: &Config,
        workgroup_memory: u32,
    ) -> Result<Self, Unsupported> {
        let twins = Twins::of(config)?;
        let searching = config.improvement == Improvement::Tabu;
        let narrow = geometry.side() <= 32;
        let block = Block::new(geometry);
        let memory = Memory::new(geometry, config);
        let fitness = fitness(geometry);
        let in_workgroup = memory.bytes() * WORKGROUP + WORKGROUP_OVERHEAD;
        let parts = [
            ("task.wgsl", shader!("task")),
            PHILOX,
            ("draws.wgsl", shader!("draws")),
            ("sets.wgsl", if narrow { shader!("values_narrow") } else { shader!("values_wide") }),
            ("values.wgsl", shader!("values")),
            (
                "memory.wgsl",
                if in_workgroup <= workgroup_memory as usize {
                    shader!("memory_workgroup")
                } else {
                    shader!("memory_private")
                },
            ),
            ("child.wgsl", shader!("child")),
            ("redraw.wgsl", shader!("redraw")),
            ("fitness.wgsl", &fitness),
            ("effort.wgsl", shader!("effort")),
            ("search_state.wgsl", shader!("search_state")),
            ("search_board.wgsl", shader!("search_board")),
            ("runs.wgsl", shader!("runs")),
            (
                "bins.wgsl",
                if block.bins() <= WORKGROUP_BINS {
                    shader!("bins_workgroup")
                } else {
                    shader!("bins_storage")
                },
            ),
            ("encoding.wgsl", &twins.encoding.join("\n")),
            ("lines.wgsl", twins.lines),
            ("select.wgsl", &twins.selection.join("\n")),
            ("cross.wgsl", &twins.crossover.join("\n")),
            ("mutate.wgsl", &twins.mutation.join("\n")),
            ("improve.wgsl", twins.improvement),
            ("replace.wgsl", twins.replacement),
        ];
        // A kernel has only the constants that it needs, so that configurations share kernels.
        let counting =
            [constants(geometry), block.constants(), counting(geometry, &block)].concat();
        let ranking = Plan::new(block.bins(), config.population).constants(COUNTERS);
        let drawing =
            [&counting, &Sections::new(geometry, config).constants(), &memory.constants()]
                .map(String::as_str)
                .concat();
        let plan = Plan::new(block.bins(), config.population);
        let searches = if twins.planned { plan.words() } else { 0 };
        let searches = format!("const SEARCHES = {searches}u;\n");
        let breeding = [drawing.as_str(), &parameters(config), &ranking, &searches].concat();
        let ranking = [counting.as_str(), &ranking].concat();
        let make = |entry, head: &str, text, slots: usize| Shader {
            entry,
            source: format!("{head}\n{}", include(text, &parts)),
            slots: slots as u32,
        };
        Ok(Self {
            initialise: make("initialise", &drawing, shader!("initialise"), WORKGROUP),
            breed: if searching {
                make("begin", &breeding, shader!("begin"), WORKGROUP)
            } else {
                make("breed", &breeding, shader!("breed"), WORKGROUP)
            },
            search: searching.then(|| {
                [
                    make("search", &breeding, shader!("search"), WORKGROUP),
                    make("settle", &breeding, shader!("settle"), WORKGROUP),
                ]
            }),
            keep: twins
                .keeps_distance
                .then(|| make("keep_distance", &breeding, shader!("keep_distance"), usize::MAX)),
            statistics: make(
                "statistics",
                &counting,
                shader!("statistics"),
                COUNTERS * COUNTER_SLOTS,
            ),
            best: make("best", &counting, shader!("best"), usize::MAX),
            distinct: make("distinct", &counting, shader!("distinct"), COUNTERS),
            emigrate: make("emigrate", &counting, shader!("emigrate"), COUNTERS),
            immigrate: make("immigrate", &counting, shader!("immigrate"), COUNTERS),
            plan: twins.planned.then(|| {
                [
                    make("rank_count", &ranking, shader!("rank_count"), COUNTERS * Plan::run()),
                    make("rank_scan", &ranking, shader!("rank_scan"), 1),
                    make("rank_start", &ranking, shader!("rank_start"), usize::MAX),
                    make("rank_place", &ranking, shader!("rank_place"), COUNTERS * Plan::run()),
                ]
            }),
        })
    }
}

/// Words that a thread keeps for its child.
struct Memory {
    cells: usize,
    child: usize,
    scratch: usize,
    count_bits: usize,
    counts: usize,
}

impl Memory {
    fn new(geometry: Geometry, config: &Config) -> Self {
        // A count is at most the side.
        let count_bits = if geometry.side() < 16 { 4 } else { 8 };
        let counts = match config.improvement {
            Improvement::ExchangeDescent => 2 * geometry.cells(),
            _ => 0,
        };
        let counts = (counts * count_bits).div_ceil(u32::BITS as usize);
        let child = geometry.stride() / 4;
        // A crossover keeps the second parent there.
        let scratch = counts.max(child);
        Self { cells: geometry.cells(), child, scratch, count_bits, counts }
    }

    fn bytes(&self) -> usize {
        4 * (self.child + self.scratch)
    }

    fn constants(&self) -> String {
        format!(
            "// What a thread keeps of its child, in words, and counts in bits.\n\
             const WORKGROUP = {WORKGROUP}u;\n\
             const CELLS = {}u;\n\
             const CHILD_WORDS = {}u;\n\
             const SCRATCH_WORDS = {}u;\n\
             const COUNT_WORDS = {}u;\n\
             const COUNT_BITS = {}u;\n\
             const WORD_COUNTS = {}u;\n",
            self.cells,
            self.child,
            self.scratch,
            self.counts,
            self.count_bits,
            u32::BITS as usize / self.count_bits,
        )
    }
}

/// What the shape fixes.
fn constants(geometry: Geometry) -> String {
    format!(
        "// Boards of {geometry} boxes.\n\
         const BOX_ROWS = {}u;\n\
         const BOX_COLS = {}u;\n\
         const SIDE = {}u;\n\
         const BOARD_WORDS = {}u;\n",
        geometry.box_rows(),
        geometry.box_cols(),
        geometry.side(),
        geometry.stride() / 4,
    )
}

/// What the configuration fixes.
fn parameters(config: &Config) -> String {
    let mut text = String::from("// Parameters.\n");
    for (name, value) in [
        ("RADIUS", config.radius),
        ("MEMBERS", config.tournament),
        ("MUTATION_RATE", Probability::new(config.mutation_rate).bits()),
        ("TRIES", config.tries),
        ("CHILDREN", config.children),
        ("TABU_STEPS", config.tabu_steps),
        ("TENURE_RANDOM", config.tenure_random),
        ("TENURE_SHARE", config.tenure_share),
        ("DISTANCE", config.distance),
        ("MOST_KEPT", keep::MOST),
        ("REDRAW_RATE", Probability::new(config.redraw_rate).bits()),
    ] {
        let _ = writeln!(text, "const {name} = {value}u;");
    }
    let _ = writeln!(text, "const REDRAWS = {};", config.redraw_rate > 0.0);
    text
}

/// How counting is shared out.
fn counting(geometry: Geometry, block: &Block) -> String {
    format!(
        "// Threads that count, and the slots, bins and words of each.\n\
         const COUNTERS = {COUNTERS}u;\n\
         const COUNTER_SLOTS = {COUNTER_SLOTS}u;\n\
         const COUNTER_BINS = {}u;\n\
         const COUNTER_WORDS = {}u;\n",
        block.bins().div_ceil(COUNTERS),
        (geometry.stride() / 4).div_ceil(COUNTERS),
    )
}
