//! Replacement that keeps a distance, on the device: one workgroup decides about all children.
//!
//! It compares each child with everybody, as the host does up to [`MOST`] individuals; larger
//! populations are refused.

use crate::board::Geometry;
use crate::evolve::Config;
use crate::evolve::replacement::Replacement;

/// Individuals that the host compares with a child at most.
pub(super) const MOST: u32 = 1_024;

/// Children of a generation of `population` individuals.
pub(super) fn offspring(config: &Config, population: u32) -> u32 {
    config.replacement.offspring(&Config { population, ..config.clone() })
}

/// Words that keep the children while their slots are given away.
pub(super) fn words(geometry: Geometry, config: &Config) -> u64 {
    match config.replacement {
        Replacement::KeepDistance => {
            let child = geometry.stride() as u64 / 4 + 1;
            u64::from(offspring(config, config.population)) * child
        }
        _ => 0,
    }
}

/// Turns of all loops of a thread, `threads` of which share the slots.
pub(super) fn turns(geometry: Geometry, config: &Config, threads: u64) -> u64 {
    if config.replacement != Replacement::KeepDistance {
        return 0;
    }
    let slots = u64::from(config.population).div_ceil(threads) + 1;
    let board = geometry.stride() as u64 / 4 + 2;
    // Everybody is compared with each child, and copied at the beginning and at the end.
    let children = u64::from(offspring(config, config.population));
    children * (slots * (board + 1) + 1) + 2 * slots * board + u64::from(MOST) / threads
}
