//! Partial shuffle: most blanks keep their values, the others' are shuffled among them.
//!
//! With probability `mutation_rate` a child keeps the values of `floor(keep_share * blanks)` blanks,
//! chosen at random; the values of the others are shuffled among them, the identity included.
//! `shuffle` sets the number of shuffled blanks instead. A number below two is
//! refused, since no child could differ from its parent.
//!
//! 40 blanks and a share of 0.95 keep 38 and shuffle 2: nothing changes with probability one half.
//!
//! Source: document 000 of the project, its first approach. Its code shuffles 5 % (our default),
//! its text says two cells (`shuffle=2`).

use fearless_simd::{Level, dispatch};

use super::{BuildContext, ConfigError, FromContext, MutationOperator, OffspringBatch};
use crate::board::MAX_SIDE;
use crate::random::{BatchWords, BlockCache, Draws, Probability, StreamStage};

/// The most blanks of a board of a common size, of which a list takes little time.
const FEW_BLANKS: usize = 256;
/// The most shuffled blanks of children that are mutated side by side.
const MOST_SHUFFLED: usize = 8;
/// Children that are mutated side by side.
const ROW: usize = BlockCache::ROW;

/// A shuffle of some blanks.
#[derive(Clone, Debug)]
pub struct PartialShuffle {
    rate: Probability,
    blanks: Vec<u16>,
    shuffled: usize,
}

impl FromContext for PartialShuffle {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let (config, blanks) = (context.config, &context.space.free);
        let fits = config.encoding.unit_kind().is_none() && !context.groups.is_empty();
        context.require(fits, "mutation partial-shuffle", "encoding board")?;
        let kept = (config.keep_share * blanks.len() as f64 + 1e-9).floor() as usize;
        let shuffled = match config.shuffle {
            0 => blanks.len() - kept.min(blanks.len()),
            count => blanks.len().min(count as usize),
        };
        if shuffled < 2 {
            let remedy = match (blanks.len(), config.shuffle) {
                (0 | 1, _) => "use another mutation",
                (_, 0) => "set shuffle=2, or a smaller keep_share",
                _ => "set shuffle=2",
            };
            return Err(ConfigError::Unfit(format!(
                "only {shuffled} of {} blanks would be shuffled, so children equal their parents: {remedy}",
                blanks.len()
            )));
        }
        let blanks = blanks.iter().map(|cell| *cell as u16).collect();
        Ok(Self { rate: Probability::new(config.mutation_rate), blanks, shuffled })
    }
}

impl MutationOperator for PartialShuffle {
    #[inline(always)]
    fn mutate(&self, child: &mut [u8], draws: &mut Draws) {
        if !draws.bernoulli(self.rate) {
            return;
        }
        // It takes longer to clear a list for the largest board than to shuffle a small board.
        match self.blanks.len() {
            0..=FEW_BLANKS => self.shuffle::<FEW_BLANKS>(child, draws),
            _ => self.shuffle::<{ MAX_SIDE * MAX_SIDE }>(child, draws),
        }
    }

    fn mutate_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        let draws = batch.seed.stage(StreamStage::Mutate);
        let words = draws.cached(batch.first, batch.parents.len(), self.words());
        let is_small = self.shuffled <= MOST_SHUFFLED && batch.parents.len() <= ROW;
        match words.filter(|_| is_small && self.rate == Probability::ALWAYS) {
            Some(words) => {
                dispatch!(Level::new(), _simd => self.shuffle_row(words, batch.stride, children));
            }
            None => self.mutate_each(batch, children),
        }
    }

    fn words(&self) -> u32 {
        if self.rate == Probability::ALWAYS { 2 * self.shuffled as u32 } else { 1 }
    }
}

/// An order of some places, four bits each: place 0 has the lowest bits.
const IN_ORDER: u64 = 0x7654_3210;

impl PartialShuffle {
    /// Shuffles some blanks of at most `MOST`.
    fn shuffle<const MOST: usize>(&self, child: &mut [u8], draws: &mut Draws) {
        // The first places of a Fisher & Yates shuffle choose the cells.
        let mut cells = [0u16; MOST];
        let cells = &mut cells[..self.blanks.len()];
        cells.copy_from_slice(&self.blanks);
        for place in 0..self.shuffled {
            let other = place + draws.below((cells.len() - place) as u32) as usize;
            cells.swap(place, other);
        }
        for last in (1..self.shuffled).rev() {
            let other = draws.below(last as u32 + 1) as usize;
            child.swap(cells[last].into(), cells[other].into());
        }
    }

    /// Does the same for consecutive children, each step for all of them before the next.
    #[inline(always)]
    fn shuffle_row(&self, words: BatchWords<'_>, stride: usize, children: &mut [u8]) {
        let (all, shuffled) = (self.blanks.len() as u32, self.shuffled);
        // Word 0 decides whether a child is changed.
        let mut others = [[0; ROW]; MOST_SHUFFLED];
        let mut cells = [[0; ROW]; MOST_SHUFFLED];
        for place in 0..shuffled {
            words.below(1 + place, all - place as u32, &mut others[place]);
            others[place].iter_mut().for_each(|other| *other += place as u32);
            cells[place] = others[place];
            // The other place may hold what an earlier step left there, back to the first step.
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
            let mut drawn = [0; MOST_SHUFFLED];
            for (cell, cells) in drawn.iter_mut().zip(&cells[..shuffled]) {
                *cell = usize::from(self.blanks[cells[at] as usize]);
            }
            let drawn = &drawn[..shuffled];
            let value = |values: u64, cell: &usize| values << u8::BITS | u64::from(child[*cell]);
            let values = drawn.iter().rev().fold(0, value);
            for (place, cell) in drawn.iter().enumerate() {
                let from = order >> (4 * place) & 15;
                child[*cell] = (values >> (u64::from(u8::BITS) * from)) as u8;
            }
        }
    }
}
