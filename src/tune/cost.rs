//! What a run costs: the less the better.
//!
//! By `work` a solved run costs its work, and one that is not `penalty` times `max_work`, which with a
//! penalty of 10 is PAR10: a configuration is worth little that fails often. By `fitness` a run costs
//! what its best board scores, for puzzles that nothing solves. `work-then-fitness` adds to the penalty
//! the share of the worst fitness that is left, so that unsolved runs are told apart too.

use crate::util::named_enum::named;

named! {
    /// What the cost of a run is made of.
    pub enum CostOf {
        /// Work to a solution, or the penalty.
        Work = "work",
        /// The best fitness.
        Fitness = "fitness",
        /// Work to a solution, or the penalty and more the worse the best board is.
        WorkThenFitness = "work-then-fitness",
    }
}

/// How runs are paid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// By what.
    pub of: CostOf,
    /// How many times `max_work` an unsolved run costs.
    pub penalty: f64,
    /// What a run may take.
    pub max_work: u64,
}

impl Cost {
    /// The cost of a run on a board of this side.
    pub fn cost(&self, solved: bool, work: u64, fitness: u16, side: usize) -> f64 {
        let failed = self.penalty * self.max_work as f64;
        // The worst that a board of this side can score.
        let share = f64::from(fitness) / (3 * side * side) as f64;
        match (self.of, solved) {
            (CostOf::Fitness, _) => fitness.into(),
            (_, true) => work as f64,
            (CostOf::Work, false) => failed,
            (CostOf::WorkThenFitness, false) => failed * (1.0 + share),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsolved_runs_cost_the_penalty_or_their_fitness() {
        let cost = |of| Cost { of, penalty: 10.0, max_work: 1_000 };
        assert_eq!(cost(CostOf::Work).cost(true, 40, 0, 9), 40.0);
        assert_eq!(cost(CostOf::Work).cost(false, 1_000, 7, 9), 10_000.0);
        assert_eq!(cost(CostOf::Fitness).cost(false, 1_000, 7, 9), 7.0);
        assert_eq!(cost(CostOf::Fitness).cost(true, 40, 0, 9), 0.0);
        let both = cost(CostOf::WorkThenFitness);
        assert!(both.cost(false, 900, 3, 9) < both.cost(false, 900, 4, 9));
        assert!(both.cost(true, 1_000, 0, 9) < both.cost(false, 0, 1, 9));
    }
}
