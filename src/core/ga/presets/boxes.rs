//! `boxes`: the genetic algorithm of document 001.

use crate::board::Presolve;
use crate::ga::Config;
use crate::ga::operator_names::*;

/// Source, algorithm and differences.
pub const ABOUT: &str = about! {
    /// "Solving Sudoku puzzles with Genetic Algorithm", nidragedd 2019 (document 001). Each box is a
    /// permutation of its missing digits. The best quarter of 5,000 individuals and a quarter drawn at
    /// random are shuffled into couples of four children each; a child takes a random set of boxes from its
    /// second parent, and with probability 0.25 two blanks of one box exchange their values. After 30
    /// generations without a better best the run restarts with a new population.
    ///
    /// The document's crossover A is one-point; its crossover B, which it prefers, is subset. Its pairings
    /// are couples and random. It also uses 10,000 and 20,000 individuals, and offers a presolve that
    /// corresponds to presolve=naked. It proposes, without a trial, replacement=keep-if-not-worse and
    /// restart_elites=1.
    ///
    /// Differs from the original: the document gives no limit of generations, the preset has 10,000. Where
    /// shares are not whole numbers, counts are rounded up and surplus children are not bred.
};

/// The document's own parameters.
pub fn config(base: Config) -> Config {
    Config {
        population: 5_000,
        presolve: Presolve::None,
        encoding: Encoding::Boxes,
        selection: Selection::Truncation,
        best_share: 0.25,
        random_share: 0.25,
        pairing: Pairing::Couples,
        children: 4,
        crossover: Crossover::Subset,
        mutation: Mutation::Exchange,
        mutation_rate: 0.25,
        restart_after: 30,
        max_generations: 10_000,
        ..base
    }
}
