//! A brood: the children of some slots in a row, each stage of breeding for all of them before the next.
//!
//! An operator's loop over a brood is compiled for that operator alone, so that what its calls have in common
//! is done once, and its draws stay in registers. Nobody sees a difference: a child depends on its parents
//! and its draws, whichever child is bred before it.
//!
//! Slots 64 to 127 of a population: 64 couples are selected, then crossed, then their children mutated.

use crate::board::Population;
use crate::prefetch::prefetch;
use crate::random::Seed;

/// Children between one that is bred and one whose parents are asked for from memory: parents may
/// be anywhere.
const AHEAD: usize = 4;
/// Bytes of a population that stay near the core by themselves.
const NEAR: usize = 1 << 18;

/// Slots in a row, and what their children are bred from.
#[derive(Clone, Copy, Debug)]
pub struct Brood<'a> {
    /// The boards of the population.
    pub boards: &'a Population,
    /// The parents of each slot.
    pub parents: &'a [[u32; 2]],
    /// The first slot.
    pub first: u32,
    /// The draws of the generation.
    pub seed: &'a Seed<'a>,
}

impl<'a> Brood<'a> {
    /// The boards of a slot's parents, by its place in the row; those of a later slot are asked for.
    #[inline(always)]
    pub fn couple(self, at: usize) -> [&'a [u8]; 2] {
        let (boards, stride) = (self.boards.bytes(), self.boards.geometry().stride());
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
        (self.first..).zip(children.chunks_exact_mut(self.boards.geometry().stride()))
    }
}

/// The first slot of those whose children share parents and draws.
#[inline(always)]
pub(super) fn first_sibling(slot: u32, siblings: u32) -> u32 {
    slot - slot % siblings
}

/// The board of a slot.
#[inline(always)]
fn board(boards: &[u8], stride: usize, slot: u32) -> &[u8] {
    let start = slot as usize * stride;
    &boards[start..start + stride]
}
