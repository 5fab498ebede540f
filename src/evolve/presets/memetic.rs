//! `memetic`, the default: a cellular memetic algorithm on box permutations.

use crate::board::SearchSpace;
use crate::evolve::{Config, ParameterSet, Settings};

/// Source and differences.
pub const ABOUT: &str = "\
Candidates from naked and hidden singles; parents by binary tournament within three slots on a \
ring; bands or stacks from the parent that is better there; one exchange with one half; 60 tries of \
exchange descent; the child takes the slot if it is not worse.

The crossover is that of Sato & Inoue 2010. Memetic algorithms: Moscato 1989; the ring is the \
neighbourhood of a cellular genetic algorithm (Alba & Dorronsoro 2008).

Differs from Sato & Inoue: there two parents have two children, one by bands and one by stacks; \
here a coin chooses for each child. Their local search keeps the best of several mutants \
(mutants here); this one descends.";

/// The defaults of every parameter are those of this preset.
pub fn config(base: Config) -> Config {
    base
}

/// What follows from the puzzle where it is not set.
pub const DERIVED: ParameterSet = ParameterSet::NONE;

/// What memetic chooses for a puzzle.
pub fn derive(_space: &SearchSpace, settings: &Settings) -> Config {
    settings.given().clone()
}
