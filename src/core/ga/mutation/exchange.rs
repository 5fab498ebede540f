//! Exchange mutation: two blanks of one unit exchange their values.
//!
//! With probability `mutation_rate` a unit is drawn uniformly among those with at least
//! two blanks, and two different blanks of it exchange their values, if each may hold the other's. After
//! presolve a pair may not; then the child stays as it is. With encoding `board` the board is the
//! unit.
//!
//! A box with blanks a=2, b=5, c=7 and the draw (c, a) becomes a=7, b=5, c=2.
//!
//! Source: documents 001 and 004 of the project; the swap mutation of permutation encodings (Eiben
//! & Smith, *Introduction to Evolutionary Computing*, 2015, section 4.5).

use super::{BuildContext, ConfigError, FromContext, MutationOperator};
use crate::ga::encoding::PermutationGroup;
use crate::random::{Draws, Probability};

/// One exchange in one unit.
#[derive(Clone, Debug)]
pub struct Exchange {
    rate: Probability,
    /// Groups with at least two blanks.
    groups: Vec<PermutationGroup>,
}

impl FromContext for Exchange {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        context.require_permutation("mutation exchange")?;
        let groups = context.groups.iter().filter(|group| group.blanks.len() >= 2);
        Ok(Self {
            rate: Probability::new(context.config.mutation_rate),
            groups: groups.cloned().collect(),
        })
    }
}

impl MutationOperator for Exchange {
    #[inline(always)]
    fn mutate(&self, child: &mut [u8], draws: &mut Draws) {
        if self.groups.is_empty() || !draws.bernoulli(self.rate) {
            return;
        }
        let group = &self.groups[draws.below(self.groups.len() as u32) as usize];
        let (i, j) = draws.two_distinct(group.blanks.len() as u32);
        group.exchange_if(true, i as usize, j as usize, child);
    }

    fn words(&self) -> u32 {
        if self.rate == Probability::ALWAYS { 4 } else { 1 }
    }
}
