//! Steady state: a few children replace the worst of the population.
//!
//! A generation has `worst_share` as many children as individuals, rounded up, or just `offspring`;
//! they take the slots of the worst, better or not, and everyone else survives. Ties go to the
//! lower slot, which survives.
//!
//! Population 1, 5, 7, 2 with a share of 0.25: one child is bred, and takes the slot of the 7.
//!
//! Source: document 002 of the project, which tried it with 10 % and children of the best 20 %;
//! Whitley, *The GENITOR algorithm and selection pressure*, 1989.

use super::super::ConfigError;
use super::super::operator::{BuildContext, FromContext};
use super::super::selection::RankOrder;
use super::super::state::Individuals;
use super::{ReplacementOperator, few};

/// The worst make room.
#[derive(Clone, Debug)]
pub struct WorstShare {
    replaced: u32,
    ranking: RankOrder,
}

impl FromContext for WorstShare {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let config = context.config;
        let worst = context.space.geometry().worst_fitness();
        Ok(Self { replaced: few(config), ranking: RankOrder::new(config.population, worst) })
    }
}

impl ReplacementOperator for WorstShare {
    fn replace(&mut self, population: &mut Individuals, children: &mut Individuals) {
        self.ranking.rank(&population.fitness);
        let worst = self.ranking.slots().iter().rev().take(self.replaced as usize);
        for (child, slot) in worst.enumerate() {
            population.copy(*slot as usize, children, child);
        }
    }

    fn offspring(&self, _: u32) -> u32 {
        self.replaced
    }
}
