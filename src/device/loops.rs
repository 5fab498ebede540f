//! How often the loops of a child's thread turn, and what a software driver does about it.
//!
//! llvmpipe ends every loop of a thread after 65,535 turns of all loops together, without a word
//! and with whatever values there are (`LP_MAX_TGSI_LOOP_ITERATIONS` in Mesa's source); threads
//! that run side by side in a vector count together. What could reach that is refused there.

use super::keep;
use super::search::Search;
use super::shader::COUNTERS;
use super::twins::Unsupported;
use crate::board::SearchSpace;
use crate::evolve::Config;
use crate::evolve::improvement::Improvement;
use crate::evolve::selection::Selection;
use crate::gpu::AdapterInfo;

/// Turns of all loops of a thread that software drivers allow.
pub(super) const MOST: u64 = 65_535;

/// Refuses what a software driver would cut short.
///
/// # Errors
/// [`Unsupported::Loops`].
pub(super) fn check(
    adapter: &AdapterInfo,
    space: &SearchSpace,
    config: &Config,
) -> Result<(), Unsupported> {
    let needed = turns(space, config);
    if adapter.is_software() && needed > MOST {
        let adapter = adapter.name.clone();
        return Err(Unsupported::Loops { adapter, needed, most: MOST });
    }
    Ok(())
}

/// Turns of all loops of a thread that breeds or replaces, at a high estimate.
fn turns(space: &SearchSpace, config: &Config) -> u64 {
    let cells = space.geometry().cells() as u64;
    // Crossover, mutation and counting pass over the cells, some of them in words.
    let passes = 8 * cells;
    let selection = match config.selection {
        Selection::Tournament => 2 * tournament(config.tournament, config.population),
        _ => 0,
    };
    // Four draws take the ten rounds of the generator.
    let improvement = match config.improvement {
        Improvement::ExchangeDescent => u64::from(config.tries) * 7 / 2,
        Improvement::Tabu => Search::beginning(space, config),
        Improvement::None => 0,
    };
    let breeding = passes + selection + improvement;
    breeding.max(keep::turns(space.geometry(), config, COUNTERS as u64))
}

/// Turns to draw the different members of a tournament: each draw is compared with all members.
fn tournament(members: u32, population: u32) -> u64 {
    let draws: f64 = (0..members).map(|k| f64::from(population) / f64::from(population - k)).sum();
    // Of threads side by side, the one that draws most in vain counts.
    (2.0 * draws * f64::from(members + 1)).ceil() as u64
}
