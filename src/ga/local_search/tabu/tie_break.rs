//! Which of several equally good moves is made: the one whose rank is least.
//!
//! A move gives a cell a candidate. Its number is 64 times the free cell's, in ascending order from
//! 0, plus the candidate's place among those of the cell, ascending from 0. Its rank is a hash of
//! this number with the random word of the step. Moves are compared in no order, so that host and
//! device, however many lanes share a step, agree; and a change of how cells are listed or
//! candidates lie in memory is no change of a run.
//!
//! The hash is a bijection of [`RANK_BITS`] bits: ranks of different moves differ, so that all of
//! these bits decide. 23 bits, because a rank fits one word under a change of fitness, which is
//! -175 to 175 on the largest board, and the largest number has 18. Of two moves each wins under
//! half of the words; of up to 20 none wins by a hundredth more or less often than the others,
//! counted over all words.
//!
//! Its mixing is the finaliser of MurmurHash3 (Appleby, public domain), cut to these bits. A shift
//! by more than half of them undoes itself.

use crate::board::MAX_SIDE;

/// Bits of a rank.
pub const RANK_BITS: u32 = 23;
/// By how much bits are shifted onto lower ones.
pub const RANK_SHIFT: u32 = 12;
/// What they are multiplied by in between.
pub const RANK_MULTIPLIERS: [u32; 2] = [0x6B_CA6B, 0x32_AE35];
/// Numbers of a cell: as many as it may have candidates.
pub const CELL_NUMBERS: u32 = MAX_SIDE as u32;

const MASK: u32 = (1 << RANK_BITS) - 1;

/// The ranks of one step.
#[derive(Clone, Copy, Debug)]
pub struct TieBreak {
    word: u32,
}

impl TieBreak {
    /// Those of a step with this random word.
    #[inline]
    pub fn new(word: u32) -> Self {
        Self { word: word >> (u32::BITS - RANK_BITS) }
    }

    /// The rank of the move that gives a free cell one of its candidates.
    #[inline]
    pub fn rank(self, cell: u16, candidate: u8) -> u32 {
        let mut rank = (u32::from(cell) * CELL_NUMBERS + u32::from(candidate)) ^ self.word;
        for multiplier in RANK_MULTIPLIERS {
            rank ^= rank >> RANK_SHIFT;
            rank = rank.wrapping_mul(multiplier) & MASK;
        }
        rank ^ rank >> RANK_SHIFT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{GenerationRng, StreamStage};

    #[test]
    fn ranks_of_a_step_differ() {
        let mut seen = vec![false; 1 << RANK_BITS];
        for number in 0..=MASK {
            // What is no move's number is met as the word of move 0.
            let rank = TieBreak::new(number << (u32::BITS - RANK_BITS)).rank(0, 0);
            assert!(!std::mem::replace(&mut seen[rank as usize], true));
        }
    }

    /// Ties of neighbouring and of scattered cells, as many as a step meets, at every size.
    #[test]
    fn every_tied_move_wins_alike() {
        let mut draws = GenerationRng::new(5, 0).draws(StreamStage::Improve, 0);
        for side in [4u32, 9, 36, 64] {
            for (ties, is_scattered) in [(2, true), (3, true), (3, false), (12, true), (14, false)]
            {
                let mut moves: Vec<(u16, u8)> = Vec::new();
                while moves.len() < ties {
                    let range = if is_scattered { side * side } else { ties as u32 / 2 };
                    let (cell, candidate) = (draws.below(range), draws.below(side.min(6)));
                    let tied = (cell as u16, candidate as u8);
                    if !moves.contains(&tied) {
                        moves.push(tied);
                    }
                }
                let mut wins = vec![0u32; ties];
                let expected = 4_000;
                for _ in 0..expected * ties {
                    let step = TieBreak::new(draws.word());
                    let ranks = moves.iter().map(|(cell, candidate)| step.rank(*cell, *candidate));
                    let least = ranks.enumerate().min_by_key(|(_, rank)| *rank);
                    wins[least.map_or(0, |(tied, _)| tied)] += 1;
                }
                let squares = wins.iter().map(|wins| (f64::from(*wins) - expected as f64).powi(2));
                let chi_square = squares.sum::<f64>() / expected as f64;
                // Four standard deviations above what is expected.
                let freedom = (ties - 1) as f64;
                let most = freedom + 4.0 * (2.0 * freedom).sqrt();
                assert!(chi_square < most, "{side} {moves:?}: {wins:?}");
            }
        }
    }
}
