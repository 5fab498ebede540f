//! Steady state: a few children replace the worst of the population.
//!
//! A generation has `worst_share` as many children as individuals, rounded up, or exactly `offspring`;
//! they take the slots of the worst, better or not, and all other individuals survive. Of equals the
//! lower slot survives.
//!
//! Population 1, 5, 7, 2 with a share of 0.25: one child is bred, and takes the slot of the 7.
//!
//! Source: document 002 of the project, which tried it with 10 % and children of the best 20 %;
//! Whitley, *The GENITOR algorithm and selection pressure*, 1989.

use super::{
    BuildContext, ConfigError, FromContext, Individuals, RankOrder, Replacement,
    ReplacementOperator,
};

/// Children take the slots of the worst.
#[derive(Clone, Debug)]
pub struct WorstShare {
    offspring: u32,
    ranking: RankOrder,
}

impl FromContext for WorstShare {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let offspring = Replacement::WorstShare.offspring(context.config);
        Ok(Self { offspring, ranking: context.rank_order() })
    }
}

impl ReplacementOperator for WorstShare {
    fn replace(&mut self, population: &mut Individuals, children: &mut Individuals) {
        self.ranking.rank(&population.fitness);
        let worst = self.ranking.slots.iter().rev().take(self.offspring as usize);
        for (child, slot) in worst.enumerate() {
            population.copy(*slot as usize, children, child);
        }
    }

    fn offspring(&self, _: u32) -> u32 {
        self.offspring
    }
}
