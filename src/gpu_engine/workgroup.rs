//! The threads of a workgroup, the slots that each works on, and the memory in which each breeds a child.

use super::statistics::StatsLayout;
use crate::board::Geometry;
use crate::ga::Config;
use crate::ga::encoding::Encoding;
use crate::ga::local_search::LocalSearch;
use crate::gpu::{AdapterInfo, constants};

/// Threads of a workgroup that breeds, the most first: two warps of a GPU, or one of a GPU with warps of 64, and half
/// as many where the memory of a workgroup does not hold as many children.
const BREEDERS: [usize; 2] = [64, 32];
/// Threads of a workgroup that counts, and slots of each.
pub(super) const COUNTERS: usize = 64;
pub(super) const COUNTER_SLOTS: usize = 16;
/// Bytes of workgroup memory besides the children.
const OVERHEAD: usize = 64;

/// The constants of kernels of which `breeders` threads breed, with the bins and words that each counting
/// thread handles.
pub(super) fn thread_constants(geometry: Geometry, breeders: usize) -> String {
    let bins = StatsLayout::new(geometry).bins;
    let words = geometry.stride() / 4;
    // Threads that breed and that count, and the slots, doublings, bins and words of those.
    constants(&[
        ("WORKGROUP", breeders),
        ("COUNTERS", COUNTERS),
        ("COUNTER_SLOTS", COUNTER_SLOTS),
        ("DOUBLINGS", COUNTERS.ilog2() as usize),
        ("COUNTER_BINS", bins.div_ceil(COUNTERS)),
        ("COUNTER_WORDS", words.div_ceil(COUNTERS)),
    ])
}

/// The words in which a thread breeds a child.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThreadMemory {
    child: usize,
    scratch: usize,
    count_digits: usize,
    /// Threads of a workgroup that breeds.
    pub breeders: usize,
    /// Whether the memory of a workgroup holds that of its threads.
    is_shared: bool,
}

impl ThreadMemory {
    /// The memory that the operators of a configuration need on an adapter.
    pub(super) fn new(geometry: Geometry, config: &Config, adapter: &AdapterInfo) -> Self {
        // How often a line can hold a value where units of an encoding hold each once: a row meets as many boxes as
        // there are stacks.
        let most = match config.encoding {
            Encoding::Boxes => geometry.stacks().max(geometry.bands()),
            _ => geometry.side(),
        };
        // A line has a set for each binary digit of this count.
        let count_digits = match config.local_search {
            LocalSearch::ExchangeDescent => most.ilog2() as usize + 1,
            _ => 0,
        };
        let counts = 2 * geometry.side() * count_digits * set_words(geometry);
        let child = geometry.stride() / 4;
        // A crossover keeps the second parent there.
        let scratch = counts.max(child);
        // Rows of odd numbers of words, and two parents.
        let bytes = 4 * ((child | 1) + (scratch | 1) + 2);
        let memory = adapter.limits.max_compute_workgroup_storage_size as usize;
        let is_searched = matches!(config.local_search, LocalSearch::Tabu | LocalSearch::Eviction);
        // A software driver has no faster memory than a thread's own, and gains nothing where threads work for each
        // other; but it compiles large arrays of a thread slowly.
        let is_private = adapter.is_software() && !is_searched;
        let fitting = if is_private { 0 } else { memory.saturating_sub(OVERHEAD) / bytes };
        // Next to a long search breeding is little work: fewer threads then share a workgroup, so that its memory
        // holds their children, rather than kilobytes of private memory for each thread.
        let [most, least] = BREEDERS;
        let breeders = match fitting {
            _ if fitting >= most => most,
            1.. if fitting < least && is_searched => 1 << fitting.ilog2(),
            _ => least,
        };
        Self { child, scratch, count_digits, breeders, is_shared: fitting >= breeders }
    }

    /// The file that declares it: in the memory of a workgroup if it fits.
    pub(super) fn file(&self) -> &'static str {
        if self.is_shared { "board/memory_workgroup.wgsl" } else { "board/memory_private.wgsl" }
    }

    /// The sizes as constants for kernels.
    pub(super) fn constants(&self) -> String {
        // Threads that copy a board, and boards that a workgroup copies at a time.
        let copiers = self.child.min(self.breeders);
        let copied = self.breeders / copiers;
        // What a thread keeps of its child, in words, how boards are copied, and the digits of a count.
        constants(&[
            ("CHILD_WORDS", self.child),
            ("CHILD_PITCH", self.child | 1),
            ("SCRATCH_WORDS", self.scratch),
            ("SCRATCH_PITCH", self.scratch | 1),
            ("ROW_COPIERS", copiers),
            ("COPIED_ROWS", copied),
            ("COPY_TURNS", self.breeders.div_ceil(copied)),
            ("COPY_PIECES", self.child.div_ceil(copiers)),
            ("COUNT_DIGITS", self.count_digits),
        ])
    }
}

/// Words of a set of values.
pub(super) fn set_words(geometry: Geometry) -> usize {
    geometry.side().div_ceil(u32::BITS as usize)
}
