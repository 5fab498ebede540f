//! What a run costs: its work, as far as its configuration bounds it.
//!
//! 1,000 individuals of which each generation replaces all, improved by 60 moves each, for 10
//! generations: 1,000 + 10 * 1,000 * 61 = 611,000.

use crate::ga::Config;

/// The work of the first population and of so many generations after it, in which local search takes
/// `moves` a child.
pub(super) fn work(config: &Config, moves: u64, generations: u32) -> u128 {
    let children = u128::from(config.replacement.offspring(config));
    let generation = children * (1 + u128::from(moves));
    u128::from(config.population) + u128::from(generations) * generation
}

/// The work that a run does at most, if that is bounded.
pub(super) fn most_work(config: &Config, moves: u64) -> Option<u64> {
    let by_generations = (config.max_generations > 0)
        .then(|| u64::try_from(work(config, moves, config.max_generations)).unwrap_or(u64::MAX));
    let by_work = (config.max_work > 0).then_some(config.max_work);
    by_generations.into_iter().chain(by_work).min()
}

/// Whether the bound on work does not pay the first population and this many generations, in which
/// local search takes `moves` a child.
pub(super) fn too_costly(config: &Config, moves: u64, least_generations: u32) -> bool {
    let needed = work(config, moves, least_generations);
    config.max_work > 0 && least_generations > 0 && needed > config.max_work.into()
}
