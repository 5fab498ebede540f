//! The limit of loop iterations of software drivers: a high estimate of how often the loops of a
//! thread turn, and a refusal of what would be cut short.
//!
//! The estimate follows the text of the kernels and asks their layouts.

use super::distance_replacement;
use super::local_search::{self, MOST_TURNS};
use super::operator_support::UnsupportedConfig;
use crate::board::SearchSpace;
use crate::ga::Config;
use crate::ga::local_search::LocalSearch;
use crate::ga::selection::Selection;
use crate::gpu::AdapterInfo;
use crate::random::philox::ROUNDS;

/// Words that the generator draws at a time.
const DRAWN: u64 = 4;

/// Refuses what a software driver would cut short.
///
/// # Errors
/// [`UnsupportedConfig::Loops`].
pub(super) fn check(
    adapter: &AdapterInfo,
    space: &SearchSpace,
    config: &Config,
) -> Result<(), UnsupportedConfig> {
    let needed = turns(space, config);
    if adapter.is_software() && needed > MOST_TURNS {
        let adapter = adapter.name.clone();
        return Err(UnsupportedConfig::Loops { adapter, needed, most: MOST_TURNS });
    }
    Ok(())
}

/// Turns of all loops of a thread that breeds, searches or replaces.
fn turns(space: &SearchSpace, config: &Config) -> u64 {
    let cells = space.geometry().cells() as u64;
    // Crossover, mutation and counting pass over the cells, some of them in words.
    let passes = 8 * cells;
    let selection = match config.selection {
        Selection::Tournament => 2 * tournament(config.tournament, config.population),
        _ => 0,
    };
    let local_search = match config.local_search {
        // A try draws a word.
        LocalSearch::ExchangeDescent => {
            u64::from(config.tries) * (DRAWN + u64::from(ROUNDS)) / DRAWN
        }
        LocalSearch::Tabu | LocalSearch::Eviction => local_search::beginning(space),
        LocalSearch::None => 0,
    };
    let breeding = passes + selection + local_search;
    let searching = local_search::least_round(space, config.local_search);
    breeding.max(searching).max(distance_replacement::turns(space.geometry(), config))
}

/// Turns to draw the different members of a tournament: each draw is compared with all members.
fn tournament(members: u32, population: u32) -> u64 {
    let draws: f64 = (0..members).map(|k| f64::from(population) / f64::from(population - k)).sum();
    // Of threads side by side, the one that draws most in vain counts.
    (2.0 * draws * f64::from(members + 1)).ceil() as u64
}
