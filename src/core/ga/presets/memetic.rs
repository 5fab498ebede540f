//! `memetic`, the default: a memetic algorithm whose parameters follow from the puzzle.

use crate::board::SearchSpace;
use crate::ga::operator_names::*;
use crate::ga::presets::{eviction, tabu};
use crate::ga::{Config, ConfigError, Overrides};

/// Source, algorithm and differences.
pub const ABOUT: &str = about! {
    /// Every free cell holds one of the candidates that presolve leaves. The parents of a child are two of
    /// the 8 best individuals (the 4 best if the puzzle has more than 200 free cells). The child keeps what
    /// its parents agree on, takes each other cell from either of them, and goes through a tabu search. It
    /// then replaces the worst individual. It is dropped if the worst individual is better, or if the child
    /// is nearly the same as an individual that is at least as good. The first population is 256 random
    /// boards, so the first children are independent searches, and later ones build on the best of them.
    ///
    /// Parameters that are not set follow from the puzzle after presolve: a child's tabu search has free
    /// cells x candidates / 8 steps with the tenure of the preset tabu, a generation has 8 children, or 4
    /// above 200 free cells, and individuals differ in at least 1/20 of the free cells. These numbers were
    /// chosen on every 6th line, from the first, of a list of 375 of the hardest 9x9 puzzles, and on 16
    /// boards of 25x25; docs/explanation/results.md names the boards for the tenure. If topology, radius or
    /// mate is set, parents are selected by tournaments among neighbours. A larger population has no more
    /// children: for large populations use the preset cellular.
    ///
    /// Memetic algorithms: Moscato 1989; small populations with long tabu searches: Galinier & Hao 1999; a
    /// pool that keeps its distance: Goudet, Goupil & Hao 2021.
    ///
    /// Differs from Galinier & Hao: colours are not relabelled, since the givens fix their meaning, and
    /// crossover is uniform in the cells where the parents differ.
};

/// Parameters that do not follow from the puzzle.
pub fn config(base: Config) -> Config {
    Config {
        population: 256,
        selection: Selection::Truncation,
        random_share: 0.0,
        pairing: Pairing::Random,
        encoding: Encoding::Candidates,
        crossover: Crossover::Agreement,
        local_search: LocalSearch::Tabu,
        replacement: Replacement::KeepDistance,
        restart_after: 30,
        ..base
    }
}

/// Parameters that follow from the puzzle, and from a neighbourhood that was set.
pub fn derived(space: &SearchSpace, set: &Overrides) -> Overrides {
    let free = space.free.len() as u64;
    let candidates = space.candidate_count();
    // A generation ends with its slowest child: where one may do alone, few are bred.
    let children = if free > 200 { 4 } else { 8 };
    let local = set.topology.is_some() || set.radius.is_some() || set.mate.is_some();
    Overrides {
        selection: local.then_some(Selection::LocalTournament),
        // The children of one generation are the parents of the next: a board that was never
        // searched has nothing to give.
        pool: Some(children),
        tabu_steps: Some((free * candidates / 8).clamp(100, 1_000_000) as u32),
        tenure_share: Some(tabu::tenure_share(space)),
        offspring: Some(children),
        distance: Some((free / 20).max(1) as u32),
        ..eviction::derived(space)
    }
}

/// Refuses `tries` in this preset without exchange descent, which is the only local search that uses them.
pub fn check(set: &Overrides, config: &Config) -> Result<(), ConfigError> {
    let found = config.local_search;
    if config.preset == Preset::Memetic
        && set.tries.is_some()
        && found != LocalSearch::ExchangeDescent
    {
        return Err(ConfigError::Unfit(format!(
            "tries has no effect with local_search {found}: the preset 'cellular' uses 'exchange-descent'"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Geometry, Puzzle, presolve};
    use crate::ga::breeder::Breeder;
    use crate::ga::{CustomOperators, Preset, RunSettings};

    fn config(side: usize, set: &[&str]) -> Result<(SearchSpace, Config), ConfigError> {
        let mut settings = RunSettings::of(Preset::Memetic);
        for context in set {
            settings.overrides.merge(&context.parse()?);
        }
        let puzzle = Puzzle::blank(Geometry::squarest(side).unwrap());
        let space = presolve(&puzzle, settings.presolve()).unwrap();
        let config = settings.config(&space)?;
        Breeder::new(&space, &config, CustomOperators::none())?;
        Ok((space, config))
    }

    #[test]
    fn every_choice_goes_together() {
        let choices: [&[&str]; 11] = [
            &[],
            &["population=1"],
            &["population=100000"],
            &["local_search=none"],
            &["encoding=cells"],
            &["crossover=none"],
            &["crossover=one-unit", "mutation=reset"],
            &["topology=torus"],
            &["replacement=worst-share"],
            &["presolve=none"],
            &["encoding=boxes", "crossover=subset", "mutation=exchange", "local_search=none"],
        ];
        for side in [4, 6, 9, 16, 25, 36] {
            for set in choices {
                config(side, set).unwrap_or_else(|error| panic!("{set:?}: {error}"));
            }
        }
    }

    #[test]
    fn permuting_operators_are_refused_and_the_error_names_cellular() {
        for set in [
            "local_search=exchange-descent",
            "tries=60",
            "encoding=boxes",
            "encoding=board",
            "crossover=subset",
            "crossover=pmx",
            "mutation=exchange",
            "mutation=partial-shuffle",
        ] {
            let message = config(9, &[set]).map(drop).unwrap_err().to_string();
            assert!(message.contains("the preset 'cellular' "), "{set}: {message}");
        }
    }

    #[test]
    fn steps_grow_with_the_puzzle_and_what_is_set_wins() {
        let steps = |side| config(side, &[]).unwrap().1.tabu_steps;
        assert!(steps(4) < steps(9) && steps(9) < steps(16) && steps(16) < steps(25));
        let (_, config) = config(9, &["tabu_steps=7", "radius=2"]).unwrap();
        assert_eq!((config.tabu_steps, config.radius), (7, 2));
        assert_eq!(config.selection, Selection::LocalTournament);
    }
}
