//! Replacement that keeps a distance, on the device: one workgroup decides about all children.
//!
//! It compares each child with everybody, as the host does up to [`MOST`] individuals; larger
//! populations are refused.

use super::workgroups::COUNTERS;
use crate::board::Geometry;
use crate::evolve::Config;
use crate::evolve::replacement::{COMPARED, Replacement};
use crate::gpu::constants;

/// Individuals that the host compares with a child at most.
pub(super) const MOST: u32 = COMPARED as u32;

/// Children of a generation of `population` individuals.
pub(super) fn offspring(config: &Config, population: u32) -> u32 {
    config.replacement.offspring(&Config { population, ..config.clone() })
}

/// Words of a waiting child: its fitness, and its board.
fn child_words(geometry: Geometry) -> usize {
    1 + geometry.stride() / 4
}

/// What the kernel is told: how many it compares, slots of a thread, and words of a child.
pub(super) fn keeping_constants(geometry: Geometry) -> String {
    constants(
        "Individuals and children at most, those of a thread, and words of a child.",
        &[
            ("MOST_KEPT", COMPARED),
            ("KEEPER_SLOTS", COMPARED.div_ceil(COUNTERS)),
            ("CHILD_SIZE", child_words(geometry)),
        ],
    )
}

/// Words that keep the children while their slots are given away.
pub(super) fn words(geometry: Geometry, config: &Config) -> u64 {
    match config.replacement {
        Replacement::KeepDistance => {
            u64::from(offspring(config, config.population)) * child_words(geometry) as u64
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
