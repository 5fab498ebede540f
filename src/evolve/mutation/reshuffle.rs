//! Two values of one unit are taken out and put back in random order.
//!
//! With probability `mutation_rate` a unit is drawn uniformly, and two of its blanks; a coin
//! decides whether they exchange, so that with one half nothing changes. A unit with fewer than
//! two blanks is left as it is. After presolve so is a pair of which one may not hold the other's
//! value.
//!
//! Source: document 000 of the project, its second approach, in which the unit is a column. The
//! original writes into the parent; here the child is a copy.

use super::super::ConfigError;
use super::super::encoding::Group;
use super::super::operator::{Build, Setting};
use super::MutationOperator;
use crate::random::{Draws, Probability};

/// Two values in random order.
#[derive(Clone, Debug)]
pub struct Reshuffle {
    rate: Probability,
    groups: Vec<Group>,
}

impl Build for Reshuffle {
    fn build(setting: &Setting) -> Result<Self, ConfigError> {
        setting.require_permutation("mutation reshuffle")?;
        Ok(Self {
            rate: Probability::new(setting.config.mutation_rate),
            groups: setting.groups.to_vec(),
        })
    }
}

impl MutationOperator for Reshuffle {
    fn mutate(&self, child: &mut [u8], draws: &mut Draws) {
        if !draws.chance(self.rate) {
            return;
        }
        let group = &self.groups[draws.below(self.groups.len() as u32) as usize];
        if group.blanks.len() < 2 {
            return;
        }
        let (i, j) = draws.pair_below(group.blanks.len() as u32);
        if draws.coin() {
            group.exchange(i as usize, j as usize, child);
        }
    }
}
