//! Crossover of a random subset of units.
//!
//! A number `m` is drawn uniformly from `1..=n-1`, then `m` distinct units (the first `m` of a
//! Fisher & Yates shuffle); these come from the second parent and the others from the first.
//!
//! Source: document 001 of the project, its crossover B, which it found to be the better one.

use super::super::ConfigError;
use super::super::operator::{Build, Setting};
use super::{CrossoverOperator, Mask, UnitBits};
use crate::board::MAX_SIDE;
use crate::random::Draws;

/// Units drawn at random.
#[derive(Clone, Debug)]
pub struct Subset {
    units: Vec<Mask>,
    /// The same of few units, as on boards of common sizes.
    few: Option<UnitBits>,
}

impl Build for Subset {
    fn build(setting: &Setting) -> Result<Self, ConfigError> {
        setting.require_units("crossover subset")?;
        let (groups, stride) = (setting.groups, setting.space.geometry().stride());
        let few = (groups.len() <= UnitBits::MOST)
            .then(|| UnitBits::of_units(groups.iter().map(|group| &*group.blanks), stride));
        Ok(Self { units: Mask::of_groups(setting), few })
    }
}

impl CrossoverOperator for Subset {
    fn words(&self) -> u32 {
        1 + self.units.len() as u32 / 2
    }

    #[inline(always)]
    fn cross(&self, [first, second]: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        let count = self.units.len();
        if let Some(few) = &self.few {
            return few.take(self.drawn(draws), [first, second], child);
        }
        let mut order: [u8; MAX_SIDE] = std::array::from_fn(|unit| unit as u8);
        let taken = 1 + draws.below(count as u32 - 1) as usize;
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
            self.units[usize::from(*unit)].copy(least, child);
        }
    }
}

impl Subset {
    /// Few units that are drawn, as bits.
    #[inline(always)]
    fn drawn(&self, draws: &mut Draws) -> u16 {
        let count = self.units.len();
        let mut order: [u8; UnitBits::MOST] = std::array::from_fn(|unit| unit as u8);
        let taken = 1 + draws.below(count as u32 - 1) as usize;
        // All words are there that were computed ahead. Whether one of them is wanted is no branch, which
        // nobody would foresee.
        let ahead = self.words().next_multiple_of(4) as usize - 1;
        let mut units = 0;
        for place in 0..taken.max(ahead.min(count - 1)) {
            let other = place + draws.below((count - place) as u32) as usize;
            order.swap(place % UnitBits::MOST, other % UnitBits::MOST);
            units |= u16::from(place < taken) << order[place % UnitBits::MOST];
        }
        units
    }
}
