//! `cells`: the genetic algorithm of document 002.

use crate::board::Presolve;
use crate::ga::Config;
use crate::ga::operator_names::*;

/// Source, algorithm and differences.
pub const ABOUT: &str = about! {
    /// The second question of a coursework on the 8-puzzle and Sudoku (document 002). Any blank may hold any
    /// digit. Of 1,000 individuals the best half are parents, drawn two at a time; each cell of a child
    /// comes from either with probability 1/2, and then each blank takes a random digit with probability
    /// 1/81. 10,000 generations, no restart.
    ///
    /// The document also tries crossover=one-unit (a row, a column or a box of the other parent),
    /// mutation=redraw-two, and replacement=worst-share with worst_share=0.1 and best_share=0.2.
    ///
    /// Differs from the original: the original continues when a board is solved; the preset stops. The
    /// original also mutates givens and restores them; the preset never changes them.
};

/// The document's own parameters.
pub fn config(base: Config) -> Config {
    Config {
        population: 1_000,
        presolve: Presolve::None,
        encoding: Encoding::Cells,
        selection: Selection::Truncation,
        best_share: 0.5,
        random_share: 0.0,
        pairing: Pairing::Random,
        crossover: Crossover::Uniform,
        mutation: Mutation::Reset,
        mutation_rate: 0.0123,
        max_generations: 10_000,
        ..base
    }
}
