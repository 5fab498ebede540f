//! A brood: the children of some slots in a row, each stage of breeding for all of them before the next.
//!
//! An operator's loop over a brood is compiled for that operator alone, so that what its calls have in common
//! is done once, and its draws stay in registers. Nobody sees a difference: a child depends on its parents
//! and its draws, whichever child is bred before it.
//!
//! Slots 64 to 127 of a population: 64 couples are selected, then crossed, then their children mutated.

use crate::board::Population;
use crate::random::GenerationRng;
use crate::util::prefetch::prefetch;

/// Children between one that is bred and one whose parents are asked for from memory: parents may
/// be anywhere.
const AHEAD: usize = 4;
/// Bytes of a population that stay near the core by themselves.
const NEAR: usize = 1 << 18;

/// Slots in a row, and what their children are bred from.
#[derive(Clone, Copy, Debug)]
pub struct OffspringBatch<'a> {
    /// The boards of the population, one after the other.
    boards: &'a [u8],
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
    /// Those from slot `first` on that have these parents.
    pub fn new(
        population: &'a Population,
        parents: &'a [[u32; 2]],
        first: u32,
        seed: &'a GenerationRng<'a>,
    ) -> Self {
        let stride = population.geometry().stride();
        Self { boards: population.bytes(), stride, parents, first, seed }
    }

    /// The boards of a slot's parents, by its place in the row; those of a later slot are asked for.
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
