//! Exchange of a pair drawn uniformly from all pairs of blanks that share a unit.
//!
//! With probability `mutation_rate` a pair is drawn from a list of all pairs, and the two exchange their values. The
//! original draws a unit and two of its cells until both are blanks, which has the same distribution. A
//! unit with many blanks is chosen more often than in [`Exchange`](super::Exchange). After presolve
//! one of a pair may not hold the other's value; then the child stays as it is.
//!
//! Rows with 4 and 2 blanks have 6 pairs and 1: the first is drawn 6 times of 7.
//!
//! Source: document 003 of the project.

use super::{BuildContext, ConfigError, FromContext, MutationOperator};
use crate::ga::encoding::PermutationGroup;
use crate::random::{Draws, Probability};

/// One exchange of any pair.
#[derive(Clone, Debug)]
pub struct PairExchange {
    rate: Probability,
    groups: Vec<PermutationGroup>,
    /// The number of a group, and two of its blanks.
    pairs: Vec<[u16; 3]>,
}

impl FromContext for PairExchange {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        context.require_units("mutation pair-exchange")?;
        let groups = context.groups.to_vec();
        let pairs = (0..).zip(&groups).flat_map(|(number, group)| {
            let blanks = group.blanks.len() as u16;
            (0..blanks).flat_map(move |i| (i + 1..blanks).map(move |j| [number, i, j]))
        });
        let (rate, pairs) = (Probability::new(context.config.mutation_rate), pairs.collect());
        Ok(Self { rate, groups, pairs })
    }
}

impl MutationOperator for PairExchange {
    #[inline(always)]
    fn mutate(&self, child: &mut [u8], draws: &mut Draws) {
        if self.pairs.is_empty() || !draws.bernoulli(self.rate) {
            return;
        }
        let [group, i, j] = self.pairs[draws.below(self.pairs.len() as u32) as usize];
        self.groups[usize::from(group)].exchange_if(true, i.into(), j.into(), child);
    }

    fn words(&self) -> u32 {
        if self.rate == Probability::ALWAYS { 2 } else { 1 }
    }
}
