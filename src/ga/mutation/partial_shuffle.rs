//! Partial shuffle: most blanks keep their values, the others' are shuffled among them.
//!
//! With probability `mutation_rate` a child keeps `floor(keep_share * blanks)` of its blanks,
//! chosen at random; the values of the rest are shuffled among the rest, the identity included.
//! `shuffle` fixes the number of shuffled blanks instead. Where fewer than two are left to be
//! shuffled no child could differ from its parent, which is refused.
//!
//! 40 blanks and a share of 0.95 keep 38 and shuffle 2: with one half nothing changes.
//!
//! Source: document 000 of the project, its first approach. Its code shuffles 5 % (our default),
//! its text says two cells (`shuffle=2`).

use fearless_simd::{Level, dispatch};

use super::super::ConfigError;
use super::super::offspring_batch::OffspringBatch;
use super::super::operator::{BuildContext, FromContext};
use super::{MutationOperator, mutate_each};
use crate::board::MAX_SIDE;
use crate::random::{BatchWords, BlockCache, Draws, Probability, StreamStage};

/// Blanks that a board of a common size has at most.
const FEW: usize = 256;
/// Blanks that are shuffled without a list of all.
const SOME: usize = 8;

/// A shuffle of some blanks.
#[derive(Clone, Debug)]
pub struct PartialShuffle {
    rate: Probability,
    blanks: Vec<u16>,
    shuffled: usize,
}

impl FromContext for PartialShuffle {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let config = context.config;
        let fits = config.encoding.unit_kind().is_none() && !context.groups.is_empty();
        context.require(fits, "mutation partial-shuffle", "encoding board")?;
        let blanks = &context.space.free;
        let kept = (config.keep_share * blanks.len() as f64 + 1e-9).floor() as usize;
        let shuffled = match config.shuffle {
            0 => blanks.len() - kept.min(blanks.len()),
            count => blanks.len().min(count as usize),
        };
        if shuffled < 2 {
            return Err(ConfigError::Unfit(format!(
                "keep_share {} of {} blanks leaves {shuffled} to be shuffled, so that no child could differ from its parent: set shuffle=2, or keep less",
                config.keep_share,
                blanks.len()
            )));
        }
        Ok(Self {
            rate: Probability::new(config.mutation_rate),
            blanks: blanks.iter().map(|cell| *cell as u16).collect(),
            shuffled,
        })
    }
}

impl MutationOperator for PartialShuffle {
    #[inline(always)]
    fn mutate(&self, child: &mut [u8], draws: &mut Draws) {
        if !draws.bernoulli(self.rate) {
            return;
        }
        // What holds the most cells takes longer to clear than a small board to shuffle.
        match (self.shuffled, self.blanks.len()) {
            (0..=SOME, _) => self.shuffle_some(child, draws),
            (_, 0..=FEW) => self.shuffle::<FEW>(child, draws),
            _ => self.shuffle::<{ MAX_SIDE * MAX_SIDE }>(child, draws),
        }
    }

    fn mutate_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        let draws = batch.seed.of(StreamStage::Mutate);
        let words = draws.ahead(batch.first, batch.parents.len(), self.words());
        let are_few = self.shuffled <= SOME && batch.parents.len() <= BlockCache::ROW;
        match words.filter(|_| are_few && self.rate == Probability::ALWAYS) {
            Some(words) => {
                dispatch!(Level::new(), _simd => self.shuffle_row(words, batch.stride, children));
            }
            None => mutate_each(self, batch, children),
        }
    }

    fn words(&self) -> u32 {
        if self.rate == Probability::ALWAYS { 2 * self.shuffled as u32 } else { 1 }
    }
}

/// A number of four bits for each of some places: that of place 0 is the lowest.
const IN_ORDER: u64 = 0x7654_3210;

impl PartialShuffle {
    /// Shuffles some blanks of all children of a row, step by step for all of them.
    #[inline(always)]
    fn shuffle_row(&self, words: BatchWords<'_>, stride: usize, children: &mut [u8]) {
        const ROW: usize = BlockCache::ROW;
        let (all, shuffled) = (self.blanks.len() as u32, self.shuffled);
        // The first word says whether a child is changed.
        let mut others = [[0; ROW]; SOME];
        let mut cells = [[0; ROW]; SOME];
        for place in 0..shuffled {
            words.below(1 + place, all - place as u32, &mut others[place]);
            others[place].iter_mut().for_each(|other| *other += place as u32);
            cells[place] = others[place];
            // What comes to a place is what an earlier step left there, back to the first.
            for earlier in (0..place).rev() {
                for (cell, other) in cells[place].iter_mut().zip(&others[earlier]) {
                    *cell = if *cell == *other { earlier as u32 } else { *cell };
                }
            }
        }
        let (mut orders, mut drawn) = ([IN_ORDER; ROW], [0; ROW]);
        for (step, last) in (1..shuffled).rev().enumerate() {
            words.below(1 + shuffled + step, last as u32 + 1, &mut drawn);
            for (order, other) in orders.iter_mut().zip(&drawn) {
                let (last, other) = (4 * last as u64, 4 * u64::from(*other));
                let both = (*order >> last ^ *order >> other) & 15;
                *order ^= both << last;
                *order ^= both << other;
            }
        }
        for (at, (child, order)) in children.chunks_exact_mut(stride).zip(orders).enumerate() {
            let mut drawn = [0; SOME];
            for (cell, cells) in drawn.iter_mut().zip(&cells[..shuffled]) {
                *cell = usize::from(self.blanks[cells[at] as usize]);
            }
            let drawn = &drawn[..shuffled];
            let values = drawn
                .iter()
                .rev()
                .fold(0, |values, cell| values << u8::BITS | u64::from(child[*cell]));
            for (place, cell) in drawn.iter().enumerate() {
                let from = order >> (4 * place) & 15;
                child[*cell] = (values >> (u64::from(u8::BITS) * from)) as u8;
            }
        }
    }

    /// Shuffles; there are at most `MOST` blanks.
    fn shuffle<const MOST: usize>(&self, child: &mut [u8], draws: &mut Draws) {
        // The first places of a Fisher & Yates shuffle choose the cells.
        let mut cells = [0u16; MOST];
        let cells = &mut cells[..self.blanks.len()];
        cells.copy_from_slice(&self.blanks);
        for place in 0..self.shuffled {
            let other = place + draws.below((cells.len() - place) as u32) as usize;
            cells.swap(place, other);
        }
        permute(&cells[..self.shuffled], child, draws);
    }

    /// The same of at most `SOME` blanks: of the list only its first places are there, and what exchanges with
    /// them left in others, so that nothing as long as a board is written.
    #[inline(always)]
    fn shuffle_some(&self, child: &mut [u8], draws: &mut Draws) {
        let mut cells = [0u16; SOME];
        let cells = &mut cells[..self.shuffled];
        cells.copy_from_slice(&self.blanks[..self.shuffled]);
        // Nobody is at place 0 of the others, which is among the first.
        let (mut others, mut left) = ([0; SOME], [0u16; SOME]);
        for place in 0..cells.len() {
            let other = place + draws.below((self.blanks.len() - place) as u32) as usize;
            if other < cells.len() {
                cells.swap(place, other);
                continue;
            }
            let mut comes = self.blanks[other];
            for earlier in 0..place {
                comes = if others[earlier] == other { left[earlier] } else { comes };
            }
            (others[place], left[place]) = (other, cells[place]);
            cells[place] = comes;
        }
        permute(cells, child, draws);
    }
}

/// Puts the values of some cells in random order.
#[inline(always)]
fn permute(cells: &[u16], child: &mut [u8], draws: &mut Draws) {
    for last in (1..cells.len()).rev() {
        let other = draws.below(last as u32 + 1) as usize;
        child.swap(cells[last].into(), cells[other].into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{GenerationRng, StreamStage};

    #[test]
    fn some_are_shuffled_as_with_a_list_of_all() {
        for (blanks, shuffled) in [(2, 2), (3, 3), (8, 8), (9, 7), (73, 4), (200, 8)] {
            let blanks = (0..blanks).map(|cell| 2 * cell).collect();
            let rate = Probability::ALWAYS;
            let mutation = PartialShuffle { rate, blanks, shuffled };
            for slot in 0..200 {
                let mut draws = GenerationRng::new(1, 0).draws(StreamStage::Mutate, slot);
                let [mut one, mut other] = [std::array::from_fn(|cell| cell as u8); 2];
                let (one, other): (&mut [u8; 400], &mut [u8; 400]) = (&mut one, &mut other);
                mutation.shuffle_some(one, &mut draws.clone());
                mutation.shuffle::<FEW>(other, &mut draws);
                assert_eq!(one, other, "{shuffled}, slot {slot}");
            }
        }
    }
}
