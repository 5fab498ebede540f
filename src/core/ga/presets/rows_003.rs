//! `rows-tournament`, `rows-rank`, `rows-roulette`, `rows-sus`: document 003.

use crate::board::Presolve;
use crate::ga::Config;
use crate::ga::operator_names::*;

/// Source, algorithm and differences.
pub const ABOUT: &str = about! {
    /// A comparison of four selections (document 003). Each row is a permutation of its missing digits. Two
    /// parents are selected for each child, which is the first with one random row of the second; with
    /// probability 0.05 a pair of blanks in the same row exchanges its values, each such pair of the board
    /// with the same probability. Population 100, tournaments of 5, 500 generations, no restart, no
    /// survivors.
    ///
    /// The document runs 4x4 with these for 100 generations, 6x6 with mutation_rate=0.1, 9x9 for 100 and
    /// 500 generations, and compares selections with mutation_rate=0.1, tournament=20 for 200 generations.
    /// Two further parameters are worth a trial: crossover_rate, which it has at 1, and alike_rate, a
    /// mutation rate that adapts.
    ///
    /// Differs from the original: rows-sus is true universal sampling, one spin of a wheel with a pointer
    /// for each parent. The document spins a wheel for each parent and keeps one pointer, which is roulette
    /// in distribution: selection=sus-per-parent.
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
