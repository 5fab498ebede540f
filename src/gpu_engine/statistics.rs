//! The block: the statistics of a generation of a deme, the only data that are read back.
//!
//! Six words, the histogram of fitness and the best board; where the number of different boards
//! is estimated, the registers for that follow. The lowest and the highest fitness and the sum are
//! those of the histogram, and its total is the number of individuals that were written.

use crate::board::Geometry;
use crate::fitness::EvaluatorError;
use crate::ga::GenerationStats;
use crate::ga::diversity::{INDEX_BITS, REGISTERS};
use crate::ga::local_search::Effort;
use crate::gpu::constants;

/// The words before the histogram. Moves and steps take two each, the low one first.
const BEST: usize = 0;
const UNWRITTEN: usize = 1;
const MOVES: usize = 2;
const STEPS: usize = 4;
const HISTOGRAM: usize = 6;

/// The places of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct StatsLayout {
    /// The number of values of fitness.
    pub bins: usize,
    /// Words of a board.
    pub board_words: usize,
    best_board: usize,
    registers: usize,
}

impl StatsLayout {
    /// The block of a shape.
    pub(super) fn new(geometry: Geometry) -> Self {
        let bins = usize::from(geometry.worst_fitness()) + 1;
        let best_board = HISTOGRAM + bins;
        let board_words = geometry.stride() / 4;
        Self { bins, board_words, best_board, registers: best_board + board_words }
    }

    /// Words that are read back, with the registers or without.
    pub(super) fn words(&self, registers: bool) -> usize {
        self.registers + if registers { REGISTERS } else { 0 }
    }

    /// The places as constants for kernels.
    pub(super) fn constants(&self) -> String {
        constants(&[
            ("BEST", BEST),
            ("UNWRITTEN", UNWRITTEN),
            ("MOVES", MOVES),
            ("STEPS", STEPS),
            ("HISTOGRAM", HISTOGRAM),
            ("BEST_BOARD", self.best_board),
            ("REGISTERS", self.registers),
            ("REGISTER_BITS", INDEX_BITS as usize),
            ("BINS", self.bins),
        ])
    }

    /// Adds an island of `population` individuals to the statistics of a generation. Islands are added
    /// in order: ties go to the lower one.
    ///
    /// # Errors
    /// [`EvaluatorError::Unwritten`] when the fitness of a slot is missing.
    pub(super) fn add(
        &self,
        words: &[u32],
        population: u32,
        summary: &mut GenerationStats,
    ) -> Result<(), EvaluatorError> {
        let histogram = &words[HISTOGRAM..self.best_board];
        let total: u64 = histogram.iter().map(|count| u64::from(*count)).sum();
        // Both words are complements, and 0 if they were never written.
        let unwritten = words[UNWRITTEN];
        if unwritten != 0 || total != u64::from(population) {
            let slot = if unwritten == 0 { 0 } else { !unwritten as usize };
            return Err(EvaluatorError::Unwritten { slot });
        }
        let best = (!words[BEST] / population) as u16;
        summary.islands.push(best);
        if best < summary.best || summary.best_board.is_empty() {
            summary.best = best;
            summary.best_board.clear();
            let board = &words[self.best_board..][..self.board_words];
            summary.best_board.extend(board.iter().flat_map(|word| word.to_le_bytes()));
        }
        for (fitness, count) in histogram.iter().enumerate().filter(|(_, count)| **count > 0) {
            summary.worst = summary.worst.max(fitness as u16);
            summary.sum += fitness as u64 * u64::from(*count);
        }
        summary.effort += self.effort(words);
        Ok(())
    }

    /// The effort of a generation, as far as it came.
    pub(super) fn effort(&self, words: &[u32]) -> Effort {
        let wide = |at: usize| u64::from(words[at + 1]) << 32 | u64::from(words[at]);
        Effort { moves: wide(MOVES), steps: wide(STEPS) }
    }

    /// Merges an island's registers into those of a generation.
    pub(super) fn merge_registers(&self, words: &[u32], registers: &mut [u8]) {
        for (register, word) in registers.iter_mut().zip(&words[self.registers..]) {
            *register = (*register).max(*word as u8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The block of three boards of fitness 5, 2 and 2, in which slot 1 is the best.
    fn filled(block: &StatsLayout) -> Vec<u32> {
        let mut words = vec![0; block.words(true)];
        (words[HISTOGRAM + 5], words[HISTOGRAM + 2]) = (1, 2);
        words[0] = !(2 * 3 + 1);
        words[2..HISTOGRAM].copy_from_slice(&[7, 1, 3, 0]);
        words[block.best_board] = 0x0403_0201;
        words
    }

    #[test]
    fn a_block_is_summed_up() {
        let block = StatsLayout::new(Geometry::new(2, 2).unwrap());
        let mut summary = GenerationStats::default();
        block.add(&filled(&block), 3, &mut summary).unwrap();
        assert_eq!((summary.best, summary.worst, summary.sum), (2, 5, 9));
        assert_eq!(summary.effort, Effort { moves: (1 << 32) + 7, steps: 3 });
        assert_eq!(summary.best_board[..5], [1, 2, 3, 4, 0]);
        // Another island is best only if it is better.
        let mut other = filled(&block);
        other[block.best_board] = 9;
        block.add(&other, 3, &mut summary).unwrap();
        assert_eq!((summary.best_board[0], summary.sum), (1, 18));
        assert_eq!(summary.islands, [2, 2]);
    }

    #[test]
    fn fitness_that_is_missing_is_found() {
        let block = StatsLayout::new(Geometry::new(2, 2).unwrap());
        let add = |words: &[u32], count| block.add(words, count, &mut GenerationStats::default());
        let mut words = filled(&block);
        assert_eq!(add(&words, 4), Err(EvaluatorError::Unwritten { slot: 0 }));
        words[1] = !3;
        assert_eq!(add(&words, 4), Err(EvaluatorError::Unwritten { slot: 3 }));
        // Nothing ran at all.
        words.fill(0);
        assert_eq!(add(&words, 4), Err(EvaluatorError::Unwritten { slot: 0 }));
    }
}
