//! Random reset: each blank is given a random value with a small probability.
//!
//! Each blank, independently with probability `mutation_rate`, gets a random candidate, possibly
//! the value it has. The number of such blanks is binomial: one word and a table
//! of the distribution give it, then as many different blanks are drawn. The result is the same, with a
//! fraction of the draws.
//!
//! 52 blanks at 1/81: none with probability 0.524, one with 0.341, two with 0.109.
//!
//! Source: document 002 of the project; random resetting (Eiben & Smith, *Introduction to
//! Evolutionary Computing*, 2015, section 4.3).

use fearless_simd::{Level, dispatch};

use super::{BuildContext, ConfigError, FromContext, MutationOperator, OffspringBatch};
use crate::board::MAX_SIDE;
use crate::ga::encoding::Candidates;
use crate::random::{BlockCache, Draws, StreamStage};

/// Cells in a word of a set of cells.
const WORD: usize = u64::BITS as usize;
/// The most free cells of a board of a common size, whose set of cells takes a few words.
const FEW: usize = 256;

/// New values for a binomial number of cells.
#[derive(Clone, Debug)]
pub struct Reset {
    cells: Candidates,
    /// At `k`: the probability of at most `k` cells, times 2^32, up to the last that is not certain.
    at_most: Vec<u64>,
}

impl FromContext for Reset {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        context.require_cells("mutation reset")?;
        let cells = Candidates::build(context)?;
        let at_most = binomial(cells.free.len(), context.config.mutation_rate);
        Ok(Self { cells, at_most })
    }
}

/// The cumulative binomial distribution of `trials` at `p`, times 2^32, up to `trials - 1`.
pub fn binomial(trials: usize, p: f64) -> Vec<u64> {
    // Probabilities are built trial by trial, so that no power underflows to a wrong zero.
    let mut exactly = vec![0.0; trials + 1];
    exactly[0] = 1.0;
    for trial in 1..=trials {
        for k in (1..=trial).rev() {
            exactly[k] = exactly[k] * (1.0 - p) + exactly[k - 1] * p;
        }
        exactly[0] *= 1.0 - p;
    }
    let mut sum = 0.0;
    let cumulative = exactly[..trials].iter().map(|probability| {
        sum += probability;
        (sum * 2f64.powi(32)).round() as u64
    });
    cumulative.collect()
}

impl MutationOperator for Reset {
    #[inline(always)]
    fn mutate(&self, child: &mut [u8], draws: &mut Draws) {
        let word = u64::from(draws.word());
        let count = self.at_most.iter().take_while(|bound| word >= **bound).count();
        self.redraw(count, child, draws);
    }

    fn mutate_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        // Vector levels have an instruction that counts bits.
        dispatch!(Level::new(), _simd => {
            let rows = children.chunks_mut(BlockCache::ROW * batch.stride);
            for (row, children) in rows.enumerate() {
                self.mutate_row(batch, row * BlockCache::ROW, children);
            }
        });
    }
}

impl Reset {
    /// Changes consecutive children: first finds the number of cells for each, then visits the children with any. A
    /// branch on the number cannot be predicted, and a misprediction takes as long as to redraw a cell.
    #[inline(always)]
    fn mutate_row(&self, batch: OffspringBatch<'_>, from: usize, children: &mut [u8]) {
        let draws = batch.seed.stage(StreamStage::Mutate);
        let mut counts = [0; BlockCache::ROW];
        let counts = &mut counts[..children.len() / batch.stride];
        let first = batch.first + from as u32;
        let mut words = [0; BlockCache::ROW];
        for (word, slot) in words.iter_mut().zip(first..first + counts.len() as u32) {
            *word = draws.first_word(slot);
        }
        // The bounds ascend: no word reaches 2^32, nor any bound after it.
        for bound in self.at_most.iter().map_while(|bound| u32::try_from(*bound).ok()) {
            for (count, word) in counts.iter_mut().zip(&words) {
                *count += u32::from(*word >= bound);
            }
        }
        let (mut changed, mut len) = ([0; BlockCache::ROW], 0);
        for (at, count) in counts.iter().enumerate() {
            changed[len] = at;
            len += usize::from(*count > 0);
        }
        for at in &changed[..len] {
            let mut draws = draws.draws(first + *at as u32);
            draws.word();
            let child = &mut children[at * batch.stride..(at + 1) * batch.stride];
            self.redraw(counts[*at] as usize, child, &mut draws);
        }
    }

    /// Redraws `count` different cells.
    #[inline(always)]
    fn redraw(&self, count: usize, child: &mut [u8], draws: &mut Draws) {
        // It takes longer to clear a set for the largest board than to change a small board.
        match self.cells.free.len() {
            0..=FEW => self.redraw_some::<{ FEW / WORD }>(count, child, draws),
            _ => self.redraw_some::<{ MAX_SIDE * MAX_SIDE / WORD }>(count, child, draws),
        }
    }

    /// The same, where `WORDS` words hold a set of the free cells.
    #[inline(always)]
    fn redraw_some<const WORDS: usize>(&self, count: usize, child: &mut [u8], draws: &mut Draws) {
        let free = &self.cells.free;
        let mut drawn = [0u64; WORDS];
        for _ in 0..count {
            let at = loop {
                let at = draws.below(free.len() as u32) as usize;
                if drawn[at / WORD] >> (at % WORD) & 1 == 0 {
                    break at;
                }
            };
            drawn[at / WORD] |= 1 << (at % WORD);
            self.cells.redraw(free[at], child, draws);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_binomial_distribution() {
        let table = binomial(52, 1.0 / 81.0);
        let at_most = |k: usize| table[k] as f64 / 2f64.powi(32);
        assert!((at_most(0) - 0.5241).abs() < 1e-4);
        assert!((at_most(1) - at_most(0) - 0.3407).abs() < 1e-4);
        assert!(binomial(10, 0.0).iter().all(|bound| *bound == 1 << 32));
        assert!(binomial(10, 1.0).iter().all(|bound| *bound == 0));
    }
}
