//! `permutation`: document 000, first approach.

use crate::board::Presolve;
use crate::ga::Config;
use crate::ga::operator_names::*;

/// Source, algorithm and differences.
pub const ABOUT: &str = about! {
    /// The first of two approaches in a notebook (document 000). The missing digits of the whole board are
    /// permuted over all blanks. Of 500 individuals the 10 fittest are parents. A child copies one of them,
    /// keeps 95 % of the blanks and shuffles the rest. When the best equals that of each of the 10
    /// iterations before, the run restarts with a new population, which does not count as an iteration.
    /// 1,000 iterations.
    ///
    /// The document's text shuffles 2 cells, its code 5 % of the blanks. The default follows the code;
    /// shuffle=2 follows the text.
    ///
    /// Differs from the original: every random draw is reproducible, and the run ends as soon as a board is
    /// solved and checked.
};

/// The document's own parameters.
pub fn config(base: Config) -> Config {
    Config {
        population: 500,
        presolve: Presolve::None,
        encoding: Encoding::Board,
        selection: Selection::Truncation,
        pool: 10,
        random_share: 0.0,
        pairing: Pairing::Random,
        mutation: Mutation::PartialShuffle,
        mutation_rate: 1.0,
        keep_share: 0.95,
        restart_after: 10,
        restart_rule: RestartRule::UnchangedBest,
        max_generations: 1_000,
        ..base
    }
}
