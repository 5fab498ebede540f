//! `rows-pmx`, `rows-exchange`: document 004.

use crate::board::Presolve;
use crate::ga::Config;
use crate::ga::operator_names::*;

/// Source, algorithm and differences.
pub const ABOUT: &str = about! {
    /// Group work from a course in optimisation, 2021 (document 004). Each row is a permutation of its
    /// missing digits. Of 3,000 individuals the best quarter are parents, drawn at random, two children per
    /// couple: by PMX in every row, or by exchanging one row. With probability 0.1 two blanks of a random
    /// row exchange their values. After 500 generations without a better best the run restarts with a new
    /// population. 10,000 generations.
    ///
    /// The document tried and abandoned selection=harmonic (weights 1/2, 1/3, 1/4 over the whole ranking)
    /// and pairing=neighbours with best_share=1 and children=2 (neighbours in rank order, each used once).
    ///
    /// Differs from the original: no known difference.
};

/// The document's own parameters, with one of its crossovers.
pub fn config(base: Config, crossover: Crossover) -> Config {
    Config {
        population: 3_000,
        presolve: Presolve::None,
        encoding: Encoding::Rows,
        selection: Selection::Truncation,
        best_share: 0.25,
        random_share: 0.0,
        pairing: Pairing::Random,
        crossover,
        mutation: Mutation::Exchange,
        mutation_rate: 0.1,
        restart_after: 500,
        max_generations: 10_000,
        ..base
    }
}
