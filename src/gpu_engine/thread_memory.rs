//! The memory of a thread that breeds: its child, and room to work.

use super::local_search::is_searched;
use super::workgroups::BREEDERS;
use crate::board::Geometry;
use crate::ga::Config;
use crate::ga::local_search::LocalSearch;
use crate::gpu::constants;

/// Bytes that a workgroup needs beside its children.
const OVERHEAD: usize = 64;

/// Words that a thread keeps for its child.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThreadMemory {
    child: usize,
    scratch: usize,
    count_bits: usize,
    counts: usize,
    is_searched: bool,
}

impl ThreadMemory {
    /// The memory that the operators of a configuration need.
    pub(super) fn new(geometry: Geometry, config: &Config) -> Self {
        // A count is at most the side.
        let count_bits = if geometry.side() < 16 { 4 } else { 8 };
        let counts = match config.local_search {
            LocalSearch::ExchangeDescent => 2 * geometry.cells(),
            _ => 0,
        };
        let counts = (counts * count_bits).div_ceil(u32::BITS as usize);
        let child = geometry.stride() / 4;
        // A crossover keeps the second parent there.
        let scratch = counts.max(child);
        let is_searched = is_searched(config.local_search);
        Self { child, scratch, count_bits, counts, is_searched }
    }

    /// Threads of a workgroup that breeds, with so many bytes of memory. Beside a long search
    /// breeding is little work: rather than have each thread take kilobytes of memory of its own
    /// there, so few share a workgroup that its memory does.
    pub(super) fn breeders(&self, workgroup_bytes: usize) -> usize {
        let fitting = workgroup_bytes.saturating_sub(OVERHEAD) / self.bytes();
        match fitting.min(BREEDERS).checked_ilog2() {
            Some(doublings) if self.is_searched => 1 << doublings,
            _ => BREEDERS,
        }
    }

    /// The file that says where it lies: in a workgroup's memory of so many bytes if it fits.
    pub(super) fn file(&self, workgroup_bytes: usize) -> &'static str {
        let needed = self.bytes() * self.breeders(workgroup_bytes) + OVERHEAD;
        if needed <= workgroup_bytes {
            "board/memory_workgroup.wgsl"
        } else {
            "board/memory_private.wgsl"
        }
    }

    /// Bytes of a thread.
    fn bytes(&self) -> usize {
        4 * (self.child + self.scratch)
    }

    /// These sizes as constants for kernels.
    pub(super) fn constants(&self) -> String {
        constants(
            "What a thread keeps of its child, in words, and counts in bits.",
            &[
                ("CHILD_WORDS", self.child),
                ("SCRATCH_WORDS", self.scratch),
                ("COUNT_WORDS", self.counts),
                ("COUNT_BITS", self.count_bits),
                ("WORD_COUNTS", u32::BITS as usize / self.count_bits),
            ],
        )
    }
}
