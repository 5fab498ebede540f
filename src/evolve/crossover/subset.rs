//! Crossover of a random subset of units.
//!
//! A number `m` is drawn uniformly from `1..=n-1`, then `m` distinct units (the first `m` of a
//! Fisher & Yates shuffle); these come from the second parent and the others from the first.
//!
//! Source: document 001 of the project, its crossover B, which it found to be the better one.

use super::super::ConfigError;
use super::super::encoding::Group;
use super::super::operator::{Build, Setting};
use super::CrossoverOperator;
use crate::board::MAX_SIDE;
use crate::random::Draws;

/// Units drawn at random.
#[derive(Clone, Debug)]
pub struct Subset {
    units: Vec<Group>,
}

impl Build for Subset {
    fn build(setting: &Setting) -> Result<Self, ConfigError> {
        setting.require_units("crossover subset")?;
        Ok(Self { units: setting.groups.to_vec() })
    }
}

impl CrossoverOperator for Subset {
    fn cross(&self, [first, second]: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        child.copy_from_slice(first);
        let count = self.units.len();
        let mut order: [u8; MAX_SIDE] = std::array::from_fn(|unit| unit as u8);
        let taken = 1 + draws.below(count as u32 - 1) as usize;
        for place in 0..taken {
            let other = place + draws.below((count - place) as u32) as usize;
            order.swap(place, other);
            self.units[usize::from(order[place])].copy(second, child);
        }
    }
}
