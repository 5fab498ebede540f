//! Threads of a workgroup, and what each of them takes.

use super::statistics::StatsLayout;
use crate::board::Geometry;
use crate::gpu::constants;

/// Threads of a workgroup that breeds at most: the warp of a GPU. More would leave each less memory.
pub(super) const BREEDERS: usize = 32;
/// Threads of a workgroup that counts, and slots of each.
pub(super) const COUNTERS: usize = 64;
pub(super) const COUNTER_SLOTS: usize = 16;

/// These as constants for kernels of which `breeders` threads breed, with the bins and words that each counting
/// thread takes.
pub(super) fn thread_constants(geometry: Geometry, breeders: usize) -> String {
    let bins = StatsLayout::new(geometry).bins();
    let words = geometry.stride() / 4;
    constants(
        "Threads that breed and that count, and the slots, doublings, bins and words of those.",
        &[
            ("WORKGROUP", breeders),
            ("COUNTERS", COUNTERS),
            ("COUNTER_SLOTS", COUNTER_SLOTS),
            ("DOUBLINGS", COUNTERS.ilog2() as usize),
            ("COUNTER_BINS", bins.div_ceil(COUNTERS)),
            ("COUNTER_WORDS", words.div_ceil(COUNTERS)),
        ],
    )
}
