//! A batch: the children of consecutive slots, where each stage of breeding is done for all before the next.
//!
//! # How 64 children are bred at once
//!
//! A generation is cut into tasks of at most 64 slots ([`BlockCache::ROW`](crate::random::BlockCache::ROW)), which
//! threads breed in any order. A task for slots 64 to 127 takes five steps:
//!
//! 1. **Block cache.** Every operator says how many random words nearly every child draws. Philox computes these
//!    words for all 64 slots side by side, in blocks of four, into the thread's
//!    [`BlockCache`](crate::random::BlockCache). A child that draws more words computes the rest by itself.
//! 2. **Selection.** The parents of all 64 slots are found in one call, first as ranks, then as slots, so that waits
//!    for memory overlap.
//! 3. **Crossover.** The task is cut into batches whose boards take at most 16 KiB, so that they stay in the first
//!    level of the cache. One call overwrites all children of a batch. While child `k` is written, the
//!    boards of the parents of child `k + 4` are prefetched.
//! 4. **Mutation** and then 5. **local search** change the same boards, while they are in the cache.
//!
//! ```text
//!               slot 64  slot 65  slot 66   ...   slot 127
//! block cache   w w w w  w w w w  w w w w         w w w w    one word of all slots is one vector
//! selection     12, 90   3, 71    12, 8           44, 5      parents
//! crossover     board    board    board           board      written here first
//! mutation      board    board    board           board      changed in place
//! local search  board    board    board           board      changed in place
//! ```
//!
//! Inside a step an operator may go child by child, which is the default, or turn the batch by a quarter: `transpose`
//! makes lane `k` of a vector the cell of child `k`, so that one instruction does the same to 16 to 64 children.
//! PMX does so (`crossover/pmx.rs`); the module `transpose` shows how boards become lanes.
//!
//! This pays because the loop of a batch is compiled for one operator alone: its calls are inlined, common work is
//! done once, and the state of the draws stays in registers.
//!
//! The results do not depend on any of it. A child is a function of its parents and its draws, and draws are numbered
//! by generation, stage and slot, so neither the cuts nor the order nor the number of lanes changes a bit
//! (`breeder/tests.rs` compares batches with children bred one by one).

use crate::random::GenerationRng;
use crate::util::prefetch::prefetch;

/// Distance, in children, between the one that is bred and the one whose parents are prefetched: parents may
/// lie anywhere in memory.
const AHEAD: usize = 4;
/// Bytes of a population that stay near the core by themselves.
const NEAR: usize = 1 << 18;

/// Consecutive slots, and the data from which their children are bred.
#[derive(Clone, Copy, Debug)]
pub struct OffspringBatch<'a> {
    /// The boards of the population, one after the other.
    pub boards: &'a [u8],
    /// Bytes of a board.
    pub stride: usize,
    /// The parents of each slot.
    pub parents: &'a [[u32; 2]],
    /// The first slot.
    pub first: u32,
    /// The draws of the generation.
    pub seed: &'a GenerationRng<'a>,
}

impl<'a> OffspringBatch<'a> {
    /// The boards of a slot's parents, by its index in the batch. The parents of a later slot are prefetched.
    #[inline(always)]
    pub fn couple(self, at: usize) -> [&'a [u8]; 2] {
        let Self { boards, stride, .. } = self;
        if boards.len() > NEAR
            && let Some([one, other]) = self.parents.get(at + AHEAD)
        {
            prefetch(board(boards, stride, *one));
            prefetch(board(boards, stride, *other));
        }
        let [one, other] = self.parents[at];
        [board(boards, stride, one), board(boards, stride, other)]
    }

    /// Slots and boards of `children`, a packed board a slot.
    #[inline(always)]
    pub fn slots<'b>(
        self,
        children: &'b mut [u8],
    ) -> impl Iterator<Item = (u32, &'b mut [u8])> + use<'b> {
        (self.first..).zip(children.chunks_exact_mut(self.stride))
    }
}

/// The first slot of those whose children share parents and draws.
#[inline(always)]
pub(super) fn first_sibling(slot: u32, children_per_couple: u32) -> u32 {
    // A division takes as long as some operators.
    match children_per_couple.is_power_of_two() {
        true => slot & !(children_per_couple - 1),
        false => slot - slot % children_per_couple,
    }
}

/// Overwrites a board with another. Boards of common sizes are two pieces of one size, which overlap: a call takes as
/// long as that.
#[inline(always)]
pub(super) fn copy_board(from: &[u8], to: &mut [u8]) {
    const PIECE: usize = 64;
    if to.len() > 2 * PIECE {
        return to.copy_from_slice(from);
    }
    match (from.first_chunk::<PIECE>(), from.last_chunk::<PIECE>()) {
        (Some(first), Some(last)) if from.len() == to.len() => {
            let (begin, end) = (to.len() - PIECE, PIECE);
            to[..end].copy_from_slice(first);
            to[begin..].copy_from_slice(last);
        }
        _ => to.copy_from_slice(from),
    }
}

/// The board of a slot.
#[inline(always)]
fn board(boards: &[u8], stride: usize, slot: u32) -> &[u8] {
    let start = slot as usize * stride;
    &boards[start..start + stride]
}
