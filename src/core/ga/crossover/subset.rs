//! Crossover of a random subset of units.
//!
//! A number `m` is drawn uniformly from `1..=n-1`, then `m` distinct units (the first `m` of a
//! Fisher & Yates shuffle); these come from the second parent and the others from the first.
//!
//! Nine units, m = 2 and the draws 5, 1: the shuffle exchanges units 0 and 5, then 1 and 1, so that units 5 and 1 come
//! from the second parent.
//!
//! Source: document 001 of the project, its crossover B, which it found to be the better one.

use fearless_simd::{Level, Simd, dispatch};

use super::{BuildContext, CellMasks, ConfigError, CrossoverOperator, FromContext, OffspringBatch};
use crate::board::MAX_SIDE;
use crate::random::{BlockCache, Draws, StageDraws, StreamStage, below};

/// Children that are crossed side by side.
const ROW: usize = BlockCache::ROW;
/// Words of a block, and blocks that are computed side by side.
const BLOCK: u32 = 4;
const LANES: usize = 16;

/// Units drawn at random.
#[derive(Clone, Debug)]
pub struct Subset {
    units: CellMasks,
}

impl FromContext for Subset {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        context.require_units("crossover subset")?;
        let units = context.groups.iter().map(|unit| unit.blanks.iter().copied());
        Ok(Self { units: CellMasks::packed(units, context.space.geometry().stride()) })
    }
}

impl CrossoverOperator for Subset {
    fn words(&self) -> u32 {
        1 + self.units.count / 2
    }

    #[inline(always)]
    fn cross(&self, parents: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        let set = self.draw_set(draws);
        dispatch!(Level::new(), simd => self.units.take_any(simd, set, parents, child));
    }

    fn cross_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        match self.units.count {
            0..=MOST_ORDERED => {
                dispatch!(Level::new(), simd => self.cross_rows(simd, batch, children));
            }
            _ => self.cross_each(batch, children),
        }
    }
}

/// The most units of which an order is a word.
const MOST_ORDERED: u32 = 16;
/// Such an order, four bits a unit: the unit at place 0 has the lowest bits.
const IN_ORDER: u64 = 0xFEDC_BA98_7654_3210;

/// Makes one step of a shuffle: the unit at the `other` place comes to `place`, and joins the set if `taken` is
/// above `place`. The unit that was at `place` goes to the other place; no later step reads `place`.
#[inline(always)]
fn shuffle_step(order: &mut u64, set: &mut u64, taken: u32, [place, other]: [u32; 2]) {
    let (leaves, comes) = (*order >> (4 * place) & 15, *order >> (4 * other) & 15);
    *order ^= (leaves ^ comes) << (4 * other);
    *set |= u64::from(place < taken) << comes;
}

impl Subset {
    /// Draws a set of units, as bits.
    #[inline(always)]
    fn draw_set(&self, draws: &mut Draws) -> u64 {
        let count = self.units.count;
        let mut order: [u8; MAX_SIDE] = std::array::from_fn(|unit| unit as u8);
        let taken = 1 + draws.below(count - 1);
        let mut set = 0;
        for place in 0..taken {
            let other = (place + draws.below(count - place)) as usize % MAX_SIDE;
            set |= 1 << order[other];
            order[other] = order[place as usize];
        }
        set
    }

    /// Overwrites the children of a batch, row by row.
    #[inline(always)]
    fn cross_rows<S: Simd>(&self, simd: S, batch: OffspringBatch<'_>, children: &mut [u8]) {
        let (draws, stride) = (batch.seed.stage(StreamStage::Cross), batch.stride);
        for (row, children) in children.chunks_mut(ROW * stride).enumerate() {
            let begin = row * ROW;
            let mut sets = [0; ROW];
            let sets = &mut sets[..children.len() / stride];
            self.draw_sets(draws, batch.first + begin as u32, sets);
            for ((at, child), set) in (begin..).zip(children.chunks_exact_mut(stride)).zip(sets) {
                self.units.take_any(simd, *set, batch.couple(at), child);
            }
        }
    }

    /// Draws the sets of consecutive slots, place by place for all of them: whether a slot takes a place is then no
    /// branch, which could not be predicted.
    #[inline(always)]
    fn draw_sets(&self, draws: StageDraws<'_>, first: u32, sets: &mut [u64]) {
        let (count, slots) = (self.units.count, sets.len());
        // The cache has whole blocks; word 0 is the number of units.
        let cached = (self.words().next_multiple_of(BLOCK) - 1).min(count - 1);
        let Some(words) = draws.cached(first, slots, 1 + cached) else {
            let slots = sets.iter_mut().zip(first..);
            return slots.for_each(|(set, slot)| *set = self.draw_set(&mut draws.draws(slot)));
        };
        let (mut taken, mut others) = ([0; ROW], [0; ROW]);
        let (mut orders, mut drawn) = ([IN_ORDER; ROW], [0; ROW]);
        words.below(0, count - 1, &mut taken);
        taken.iter_mut().for_each(|taken| *taken += 1);
        for place in 0..cached {
            words.below(1 + place as usize, count - place, &mut others);
            let slots = orders.iter_mut().zip(&mut drawn).zip(&taken).zip(&others);
            for (((order, set), taken), other) in slots {
                shuffle_step(order, set, *taken, [place, place + other]);
            }
        }
        // The few slots that take more draw the other places by words that are not in the cache.
        let (mut unfinished, mut slots_of, mut found) = ([0; ROW], [0; ROW], 0);
        for (at, taken) in taken[..slots].iter().enumerate() {
            (unfinished[found], slots_of[found]) = (at, first + at as u32);
            found += usize::from(*taken > cached);
        }
        let mut blocks = [[0; BLOCK as usize]; ROW];
        for place in cached..count - 1 {
            let word = 1 + place;
            if word.is_multiple_of(BLOCK) {
                // A whole vector takes no longer than a part of it.
                let whole = found.next_multiple_of(LANES).min(ROW);
                draws.blocks_of(&slots_of[..whole], word / BLOCK, &mut blocks);
            }
            for (at, block) in unfinished[..found].iter().zip(&blocks) {
                let other = place + below(block[(word % BLOCK) as usize], count - place);
                shuffle_step(&mut orders[*at], &mut drawn[*at], taken[*at], [place, other]);
            }
        }
        sets.copy_from_slice(&drawn[..slots]);
    }
}
