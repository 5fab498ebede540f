//! Exchange of a pair drawn uniformly from all pairs of blanks that share a unit.
//!
//! With probability `mutation_rate` a unit and two of its cells are drawn, again and again until
//! both cells are blanks; then they exchange. That is a uniform pair over all units, in which a
//! unit with many blanks comes up more often than in [`Exchange`](super::Exchange). After presolve
//! a pair of which one may not hold the other's value leaves the child as it is.
//!
//! Rows with 4 and 2 blanks have 6 pairs and 1: the first is drawn 6 times of 7.
//!
//! Source: document 003 of the project.

use super::super::ConfigError;
use super::super::encoding::PermutationGroup;
use super::super::operator::{BuildContext, FromContext};
use super::MutationOperator;
use crate::random::{Draws, Probability};

/// One exchange of any pair.
#[derive(Clone, Debug)]
pub struct PairExchange {
    rate: Probability,
    groups: Vec<PermutationGroup>,
    /// Group, and two of its blanks.
    pairs: Vec<[u16; 3]>,
}

impl FromContext for PairExchange {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        context.require_units("mutation pair-exchange")?;
        let pairs = context.groups.iter().enumerate().flat_map(
            |(group, PermutationGroup { blanks, .. })| {
                let blanks = blanks.len() as u16;
                (0..blanks).flat_map(move |i| (i + 1..blanks).map(move |j| [group as u16, i, j]))
            },
        );
        Ok(Self {
            rate: Probability::new(context.config.mutation_rate),
            groups: context.groups.to_vec(),
            pairs: pairs.collect(),
        })
    }
}

impl MutationOperator for PairExchange {
    #[inline(always)]
    fn mutate(&self, child: &mut [u8], draws: &mut Draws) {
        if self.pairs.is_empty() || !draws.bernoulli(self.rate) {
            return;
        }
        let [group, i, j] = self.pairs[draws.below(self.pairs.len() as u32) as usize];
        self.groups[usize::from(group)].exchange(i.into(), j.into(), child);
    }

    fn words(&self) -> u32 {
        if self.rate == Probability::ALWAYS { 2 } else { 1 }
    }
}
