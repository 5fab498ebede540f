//! The random words of proposals, by their number.
//!
//! A search draws a key. Proposal `p`, from 0, uses the Philox block whose counter is `p / 2`: the first two words if `p`
//! is even, the others if it is odd. So 2^65 proposals have their own words, which can be computed side by side and in any
//! order.
//!
//! The first word gives a cell and a candidate. With 5 unassigned cells, the word 0.7 (times 2^32) is 3.5 cells: cell 3, and
//! half of its candidates; if it has 3, that is candidate 1. The second word decides whether more than one peer is evicted.

use crate::random::philox::philox_row;

/// Blocks that are computed side by side.
const BLOCKS: usize = 64;
/// Proposals whose words are computed together.
pub const ROW: u64 = 2 * BLOCKS as u64;

/// The words of one proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The word that gives the cell and the candidate.
    pub choice: u32,
    /// The word that decides whether an eviction of several peers is accepted.
    pub acceptance: u32,
}

/// The words of all proposals, computed [`ROW`] at a time.
#[derive(Clone, Debug)]
pub struct Proposals {
    key: [u32; 2],
    words: [[u32; 4]; BLOCKS],
}

impl Proposals {
    /// The proposals under `key`.
    pub fn new(key: [u32; 2]) -> Self {
        Self { key, words: [[0; 4]; BLOCKS] }
    }

    /// The [`ROW`] proposals from `first` on, which is a multiple of it.
    #[inline]
    pub fn row(&mut self, first: u64) -> impl Iterator<Item = Proposal> {
        let block = first / 2;
        let counter = [block as u32, (block >> 32) as u32, 0, 0];
        philox_row::<0>(counter, self.key, 1, &mut self.words);
        let (pairs, _) = self.words.as_flattened().as_chunks();
        pairs
            .iter()
            .map(|[choice, acceptance]| Proposal { choice: *choice, acceptance: *acceptance })
    }
}

impl Proposal {
    /// Draws one of `cells`; returns it with the rest of the word, which gives the candidate.
    #[inline(always)]
    pub fn cell(self, cells: usize) -> (usize, u32) {
        let product = u64::from(self.choice) * cells as u64;
        ((product >> 32) as usize, product as u32)
    }

    /// Draws one of `candidates` candidates from the rest of the word.
    #[inline(always)]
    pub fn candidate(rest: u32, candidates: u8) -> u8 {
        ((u64::from(rest) * u64::from(candidates)) >> 32) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::philox::philox;

    #[test]
    fn words_follow_the_number_of_the_proposal() {
        let key = [3, 0x8000_0001];
        for first in [0, ROW, 1 << 33, (1 << 40) - ROW] {
            for (at, proposal) in Proposals::new(key).row(first).enumerate() {
                let number = first + at as u64;
                let block = number / 2;
                let words = philox([block as u32, (block >> 32) as u32, 0, 0], key);
                let half = 2 * (number % 2) as usize;
                let expected = Proposal { choice: words[half], acceptance: words[half + 1] };
                assert_eq!(proposal, expected, "{number}");
            }
        }
    }

    #[test]
    fn every_candidate_of_every_cell_is_drawn_alike() {
        let candidates = [3, 1, 5];
        let mut seen = [[0u32; 5]; 3];
        let mut proposals = Proposals::new([1, 2]);
        for first in (0..60_032).step_by(ROW as usize) {
            for proposal in proposals.row(first) {
                let (cell, rest) = proposal.cell(candidates.len());
                seen[cell][usize::from(Proposal::candidate(rest, candidates[cell]))] += 1;
            }
        }
        for (cell, seen) in seen.iter().enumerate() {
            for (candidate, times) in seen.iter().enumerate() {
                let expected = match candidate < candidates[cell].into() {
                    true => 20_000 / u32::from(candidates[cell]),
                    false => 0,
                };
                assert!(times.abs_diff(expected) <= expected / 15, "{cell} {candidate} {times}");
            }
        }
    }
}
