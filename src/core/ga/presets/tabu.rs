//! `tabu`: tabu search on one individual.

use crate::board::SearchSpace;
use crate::ga::operator_names::*;
use crate::ga::{Config, Overrides};

/// Source, algorithm and differences.
pub const ABOUT: &str = about! {
    /// One individual, whose free cells hold any of the candidates that presolve leaves. A generation is a
    /// tabu search of 100,000 steps. It starts from the best board of the search before, with an empty tabu
    /// list. There is no selection, no crossover and no mutation. After 100 searches without a better best
    /// a new board is drawn. In a larger population, each individual is a search of its own, and all restart
    /// together. Islands copy better boards from each other; if no population is set, each has one individual.
    ///
    /// A cell that gave up a value may not take it back for some steps: a random number below 10, plus share x
    /// the number of cells in conflict.
    /// Parameters that are not set follow from the puzzle after presolve: the share is 200 x free cells /
    /// (candidates per free cell)^3 thousandths, at least 300 and at most 800.
    ///
    /// The search is that of Hertz & de Werra 1987 with the tenure of Galinier & Hao 1999, on lists of
    /// candidates.
    ///
    /// Differs from Galinier & Hao: their share is 600. Differs from Sudoku-LS (Han et al. 2026), which
    /// also restarts its search every 100,000 steps: Sudoku-LS starts from a pool of the 50 best boards,
    /// learns weights of conflicts, and alternates this search with a cheaper choice of cells.
};

/// One slot, which is its own parent.
pub fn config(base: Config) -> Config {
    Config {
        population: 1,
        encoding: Encoding::Candidates,
        selection: Selection::LocalTournament,
        radius: 0,
        local_search: LocalSearch::Tabu,
        restart_after: 100,
        max_generations: 10_000,
        ..base
    }
}

/// Parameters that follow from the puzzle.
pub fn derived(space: &SearchSpace) -> Overrides {
    Overrides { tenure_share: Some(tenure_share(space)), ..Overrides::default() }
}

/// Scales [`tenure_share`]: 567 free cells with 5.4 candidates each take 720 thousandths.
const SHARE: u128 = 200;

/// The share of conflicting cells that a tenure grows by, in thousandths: with the free cells, and against the cube of the
/// candidates that each has.
///
/// Longer tenures are a higher temperature. More cells in conflict make for longer ones, and these
/// for more cells in conflict: where cells have many candidates (7.6 at 49x49 and 52 % givens) a
/// share of 600 feeds on itself and solves little, and one of 500 solves most. Where they have few, a short tenure does
/// not get a large board out of a local minimum: at 36x36 and 52 % (5.4) these shares, 540 to 790, need as little work as
/// 650 and less than 900. The limits are 300 and 800 because nothing else was tried at length.
pub fn tenure_share(space: &SearchSpace) -> u32 {
    let free = space.free.len() as u128;
    let candidates = u128::from(space.candidate_count()).max(1);
    // In whole numbers, the same on every machine.
    (SHARE * free.pow(4) / candidates.pow(3)).clamp(300, 800) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::presolve;
    use crate::format::shipped;
    use crate::ga::{Preset, RunSettings};

    #[test]
    fn islands_have_one_individual_each_unless_a_population_is_set() {
        let space = SearchSpace::blank(crate::board::Geometry::new(3, 3).unwrap());
        let population = |set: &[&str]| {
            let mut settings = RunSettings::of(Preset::Tabu);
            set.iter().for_each(|set| settings.overrides.merge(&set.parse().unwrap()));
            settings.config(&space).unwrap().population
        };
        assert_eq!(population(&[]), 1);
        assert_eq!(population(&["islands=8"]), 8);
        assert_eq!(population(&["islands=8", "population=24"]), 24);
    }

    #[test]
    fn the_share_rises_with_free_cells_and_falls_with_their_candidates() {
        let level = RunSettings::of(Preset::Tabu).presolve();
        let share = |name| tenure_share(&presolve(&shipped::puzzle(name), level).unwrap());
        // 60 free cells with 4.1 candidates each, 319 with 5.7, 621 with 6.2.
        assert_eq!(["coly013", "large-25-45", "large-36-50"].map(share), [300, 349, 511]);
    }
}
