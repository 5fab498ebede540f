//! Exchange mutation: two blanks of one unit exchange their values.
//!
//! With probability `mutation_rate` a child has a unit drawn uniformly among those with at least
//! two blanks, and two different blanks of it exchange, if each may hold the other's value: after
//! presolve a pair that may not leaves the child as it is.
//!
//! A box with blanks a=2, b=5, c=7 and the draw (c, a) becomes a=7, b=5, c=2.
//!
//! Source: document 001 of the project; the swap mutation of permutation encodings (Eiben &
//! Smith, *Introduction to Evolutionary Computing*, 2015, section 4.5).

use super::super::ConfigError;
use super::super::encoding::UnitBlanks;
use super::super::operator::{Build, Setting};
use super::MutationOperator;
use crate::board::SearchSpace;
use crate::random::{Draws, Probability};

/// One exchange in one unit.
#[derive(Clone, Debug)]
pub struct Exchange {
    rate: Probability,
    space: SearchSpace,
    /// Units with at least two blanks.
    units: Vec<UnitBlanks>,
}

impl Build for Exchange {
    fn build(setting: &Setting) -> Result<Self, ConfigError> {
        let units = setting.units.iter().filter(|unit| unit.blanks.len() >= 2);
        Ok(Self {
            rate: Probability::new(setting.config.mutation_rate),
            space: setting.space.clone(),
            units: units.cloned().collect(),
        })
    }
}

impl MutationOperator for Exchange {
    fn mutate(&self, child: &mut [u8], draws: &mut Draws) {
        if self.units.is_empty() || !draws.chance(self.rate) {
            return;
        }
        let unit = &self.units[draws.below(self.units.len() as u32) as usize];
        let (a, b) = draws.pair_below(unit.blanks.len() as u32);
        let (a, b) = (unit.blanks[a as usize], unit.blanks[b as usize]);
        if self.space.allows(a, child[b]) && self.space.allows(b, child[a]) {
            child.swap(a, b);
        }
    }
}
