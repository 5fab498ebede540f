//! Crossover of a random subset of units.
//!
//! A number `m` is drawn uniformly from `1..=n-1`, then `m` distinct units (the first `m` of a
//! Fisher & Yates shuffle); these come from the second parent and the others from the first.
//!
//! Source: document 001 of the project, its crossover B, which it found to be the better one.

use fearless_simd::{Level, Simd, dispatch};

use super::super::ConfigError;
use super::super::offspring_batch::OffspringBatch;
use super::super::operator::{BuildContext, FromContext};
use super::{CellMask, CrossoverOperator, UnitMask, cross_each};
use crate::board::MAX_SIDE;
use crate::random::{BatchWords, BlockCache, Draws, StageDraws, StreamStage, below};

/// Units drawn at random.
#[derive(Clone, Debug)]
pub struct Subset {
    /// Units that there are.
    count: u32,
    units: Units,
}

#[derive(Clone, Debug)]
enum Units {
    /// As on boards of common sizes.
    Few(UnitMask),
    Many(Vec<CellMask>),
}

impl FromContext for Subset {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        context.require_units("crossover subset")?;
        let (groups, stride) = (context.groups, context.space.geometry().stride());
        let blanks = groups.iter().map(|group| &*group.blanks);
        let units = match groups.len() {
            0..=UnitMask::MOST => Units::Few(UnitMask::of_units(blanks, stride)),
            _ => Units::Many(CellMask::of_groups(context)),
        };
        Ok(Self { count: groups.len() as u32, units })
    }
}

impl CrossoverOperator for Subset {
    fn words(&self) -> u32 {
        1 + self.count / 2
    }

    fn cross_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        match &self.units {
            Units::Few(few) => {
                dispatch!(Level::new(), simd => self.cross_few(simd, few, batch, children));
            }
            Units::Many(_) => cross_each(self, batch, children),
        }
    }

    #[inline(always)]
    fn cross(&self, [first, second]: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        let masks = match &self.units {
            Units::Few(few) => {
                let units = self.drawn(draws);
                return dispatch!(Level::new(), simd => {
                    few.take(simd, units, [first, second], child);
                });
            }
            Units::Many(masks) => masks,
        };
        let count = self.count as usize;
        let mut order: [u8; MAX_SIDE] = std::array::from_fn(|unit| unit as u8);
        let taken = 1 + draws.below(self.count - 1) as usize;
        for place in 0..taken {
            let other = place + draws.below((count - place) as u32) as usize;
            order.swap(place, other % MAX_SIDE);
        }
        // Whichever parent gives fewer units gives them into a copy of the other.
        let (from_second, from_first) = order[..count].split_at(taken);
        let (most, least, units) = match 2 * taken <= count {
            true => (first, second, from_second),
            false => (second, first, from_first),
        };
        child.copy_from_slice(most);
        for unit in units {
            masks[usize::from(*unit)].copy(least, child);
        }
    }
}

/// Few units in any order, four bits each: that at place 0 is the lowest.
const IN_ORDER: u64 = 0xFEDC_BA98_7654_3210;

/// Draws the unit at a `place`, which stands at an `other` place from there on, for an order and a set of units so far,
/// into which it is taken if `taken` are more than `place`. What was at the place goes where the unit was; nobody looks
/// at the place again.
#[inline(always)]
fn draw(order: &mut u64, set: &mut u64, taken: u32, [place, other]: [u32; 2]) {
    let (leaves, comes) = (*order >> (4 * place) & 15, *order >> (4 * other) & 15);
    *order ^= (leaves ^ comes) << (4 * other);
    *set |= u64::from(place < taken) << comes;
}

impl Subset {
    /// Overwrites the children of a batch.
    #[inline(always)]
    fn cross_few<S: Simd>(
        &self,
        simd: S,
        few: &UnitMask,
        batch: OffspringBatch<'_>,
        children: &mut [u8],
    ) {
        let (draws, stride) = (batch.seed.of(StreamStage::Cross), batch.stride);
        for (part, children) in children.chunks_mut(BlockCache::ROW * stride).enumerate() {
            let begin = part * BlockCache::ROW;
            let mut sets = [0; BlockCache::ROW];
            let sets = &mut sets[..children.len() / stride];
            self.draw_sets(draws, batch.first + begin as u32, sets);
            for ((at, child), set) in (begin..).zip(children.chunks_exact_mut(stride)).zip(sets) {
                few.take(simd, *set, batch.couple(at), child);
            }
        }
    }

    /// Few units that are drawn, as bits.
    #[inline(always)]
    fn drawn(&self, draws: &mut Draws) -> u16 {
        let count = self.count;
        let taken = 1 + draws.below(count - 1);
        let (mut order, mut set) = (IN_ORDER, 0);
        for place in 0..taken {
            let other = place + draws.below(count - place);
            draw(&mut order, &mut set, taken, [place, other]);
        }
        set as u16
    }

    /// The same for slots in a row.
    #[inline(always)]
    fn draw_sets(&self, draws: StageDraws<'_>, first: u32, sets: &mut [u16]) {
        // Whole blocks are computed ahead.
        let ahead = (self.words().next_multiple_of(BLOCK) - 1).min(self.count - 1);
        let Some(words) = draws.ahead(first, sets.len(), 1 + ahead) else {
            let slots = sets.iter_mut().zip(first..);
            return slots.for_each(|(set, slot)| *set = self.drawn(&mut draws.draws(slot)));
        };
        let mut row = SubsetBatch::NEW;
        self.draw_ahead(words, ahead, &mut row);
        self.draw_late(draws, first, ahead, sets.len(), &mut row);
        sets.iter_mut().zip(row.sets).for_each(|(set, drawn)| *set = drawn as u16);
    }

    /// Draws how many units slots take, and which, from the first `ahead` places. Place by place for all slots:
    /// whether a place is wanted is then no branch, which nobody would foresee.
    #[inline(always)]
    fn draw_ahead(&self, words: BatchWords<'_>, ahead: u32, row: &mut SubsetBatch) {
        let (count, SubsetBatch { taken, orders, sets }) = (self.count, row);
        words.below(0, count - 1, taken);
        taken.iter_mut().for_each(|taken| *taken += 1);
        let mut others = [0; BlockCache::ROW];
        for place in 0..ahead {
            words.below(1 + place as usize, count - place, &mut others);
            let slots = orders.iter_mut().zip(&mut *sets).zip(&*taken).zip(&others);
            for (((order, set), taken), other) in slots {
                draw(order, set, *taken, [place, place + other]);
            }
        }
    }

    /// Goes on with the slots from `first` on that take more, of which there are few, by words that were not computed
    /// ahead.
    #[inline(always)]
    fn draw_late(
        &self,
        draws: StageDraws<'_>,
        first: u32,
        ahead: u32,
        count: usize,
        row: &mut SubsetBatch,
    ) {
        let (mut late, mut slots) = ([0; BlockCache::ROW], [0; BlockCache::ROW]);
        let mut found = 0;
        for at in 0..count {
            (late[found], slots[found]) = (at, first + at as u32);
            found += usize::from(row.taken[at] > ahead);
        }
        let late = &late[..found];
        let mut blocks = [[0; BLOCK as usize]; BlockCache::ROW];
        for place in ahead..self.count - 1 {
            // The first word says how many.
            let word = 1 + place;
            if word.is_multiple_of(BLOCK) {
                // A whole vector is as soon there as a part of it.
                let whole = found.next_multiple_of(LANES).min(slots.len());
                draws.blocks_of(&slots[..whole], word / BLOCK, &mut blocks);
            }
            for (at, block) in late.iter().zip(&blocks) {
                let other = place + below(block[(word % BLOCK) as usize], self.count - place);
                let SubsetBatch { taken, orders, sets } = &mut *row;
                draw(&mut orders[*at], &mut sets[*at], taken[*at], [place, other]);
            }
        }
    }
}

/// Words of a block, and blocks that are computed side by side.
const BLOCK: u32 = 4;
const LANES: usize = 16;

/// What slots in a row have drawn so far: how many units they take, an order of all and a set.
struct SubsetBatch {
    taken: [u32; BlockCache::ROW],
    orders: [u64; BlockCache::ROW],
    sets: [u64; BlockCache::ROW],
}

impl SubsetBatch {
    const NEW: Self = Self {
        taken: [0; BlockCache::ROW],
        orders: [IN_ORDER; BlockCache::ROW],
        sets: [0; BlockCache::ROW],
    };
}
