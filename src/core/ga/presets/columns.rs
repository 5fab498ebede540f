//! `columns`: document 000, second approach.

use crate::ga::Config;
use crate::ga::operator_names::*;

/// Source, algorithm and differences.
pub const ABOUT: &str = about! {
    /// The second of two approaches in a notebook (document 000). Each column is a permutation of its missing
    /// digits. Of 50 individuals the 10 fittest are parents. A child copies one of them and puts two digits
    /// of one column back in random order, so that half of the children are exact copies.
    /// When the best equals that of each of the 100 iterations before, the run restarts with a new
    /// population. 1,000 iterations.
    ///
    /// The document asks how many columns to keep and how many values to shuffle: see changed_units and
    /// shuffle.
    ///
    /// Differs from the original: the original writes into the parent, so that later children of the same
    /// parent inherit the change; here the child is a copy.
};

/// The document's own parameters.
pub fn config(base: Config) -> Config {
    Config {
        population: 50,
        encoding: Encoding::Columns,
        mutation: Mutation::Reshuffle,
        restart_after: 100,
        ..super::permutation::config(base)
    }
}
