//! `memetic`, the default: a cellular memetic algorithm on box permutations.
//!
//! Candidates from naked and hidden singles; parents by binary tournament within three slots on a
//! ring; bands or stacks from the parent that is better there; one exchange with one half; 60
//! tries of exchange descent; the child takes the slot if it is not worse.
//!
//! The crossover is that of Sato & Inoue 2010; memetic algorithms are Moscato's (*On evolution,
//! search, optimization, genetic algorithms and martial arts*, 1989).

use crate::evolve::Config;

/// The defaults of every parameter are those of this preset.
pub fn config(base: Config) -> Config {
    base
}
