//! `rows-tournament`, `rows-rank`, `rows-roulette`, `rows-sus`: document 003.

use crate::board::Presolve;
use crate::ga::Config;
use crate::ga::operator_names::*;

/// Source, algorithm and differences.
pub const ABOUT: &str = about! {
    /// A comparison of four selections (document 003). Each row is a permutation of its missing digits. Two
    /// parents are selected for each child, which is the first with one random row of the second; with
    /// probability 0.05 two blanks of the same row exchange their values, each such pair of the board with
    /// the same probability. Population 100, tournaments of 5, 500 generations, no restart, no
    /// survivors.
    ///
    /// With these parameters the document runs 4x4 boards for 100 generations, 6x6 with mutation_rate=0.1,
    /// and 9x9 for 100 and 500 generations. It compares selections with mutation_rate=0.1 and tournament=20
    /// for 200 generations. Two more parameters are worth a trial: crossover_rate, which the document has
    /// at 1, and alike_rate, which adapts the mutation rate.
    ///
    /// Differs from the original: rows-sus is stochastic universal sampling, one spin of a wheel with a
    /// pointer for each parent. The document spins a wheel for each parent and uses one pointer, which has
    /// the same distribution as roulette: selection=sus-per-parent does that.
};

/// The document's own parameters, with one of its selections.
pub fn config(base: Config, selection: Selection) -> Config {
    Config {
        population: 100,
        presolve: Presolve::None,
        encoding: Encoding::Rows,
        selection,
        tournament: 5,
        crossover: Crossover::OneUnit,
        mutation: Mutation::PairExchange,
        mutation_rate: 0.05,
        max_generations: 500,
        ..base
    }
}
