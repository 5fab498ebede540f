//! `memetic`, the default: a memetic algorithm whose parameters follow from the puzzle.

use crate::board::SearchSpace;
use crate::evolve::crossover::Crossover;
use crate::evolve::encoding::Encoding;
use crate::evolve::improvement::Improvement;
use crate::evolve::mutation::Mutation;
use crate::evolve::presets::tabu;
use crate::evolve::replacement::Replacement;
use crate::evolve::selection::{Pairing, Selection};
use crate::evolve::{Config, ParameterSet, Settings};

/// Source and differences.
pub const ABOUT: &str = "\
Every free cell holds one of its candidates from naked and hidden singles. The parents of a child \
are two of the best of the population, as many of which breed as a generation has children; it \
keeps what they agree on, takes each other cell from either, and goes through a tabu search. It \
then takes the slot of the worst, unless it is no better than that, or nearly the same as an \
individual that is at least as good. At first the population is 256 random boards, so that the \
first children are searches of their own and later ones build on the best of these.

What is not set follows from the puzzle after presolve: a child's tabu search has \
free cells x candidates / 8 steps with the tenure of the preset tabu, a generation has 8 children, \
or 4 above 200 free cells, and individuals differ in one of 20 free cells at least. These numbers \
were chosen on every 4th line, from the second, of a list of 375 of the hardest 9x9 puzzles, of \
which platinum-blonde is one, on 25x25 boards of odd number and on 36x36 boards from number 12 on. \
Setting topology, \
radius or mate chooses parents by tournaments among neighbours. Setting \
improvement=exchange-descent or tries, an encoding that permutes, or a crossover or a mutation of \
permutations gives the cellular algorithm on box permutations: 100,000 individuals on a ring, bands \
or stacks from the parent that is better there, one exchange with one half, 60 tries of exchange \
descent, and the child takes the slot if it is not worse. What is set always wins.

Memetic algorithms: Moscato 1989; small populations with long tabu searches: Galinier & Hao 1999; \
a pool that keeps its distance: Goudet, Goupil & Hao 2021. Bands and stacks: Sato & Inoue 2010; the \
ring: Alba & Dorronsoro 2008.

Differs from Galinier & Hao: colours are not relabelled, since the givens fix what a value is, and \
crossover is uniform on what differs. Differs from Sato & Inoue, where it permutes boxes: there two \
parents have two children, one by bands and one by stacks, here a coin chooses for each child; their \
local search keeps the best of several mutants (mutants here), this one descends.";

/// The defaults of every parameter are those of exchange descent on a ring.
pub fn config(base: Config) -> Config {
    base
}

/// What follows from the puzzle where it is not set.
pub const DERIVED: ParameterSet = ParameterSet {
    population: true,
    encoding: true,
    selection: true,
    pool: true,
    random_share: true,
    pairing: true,
    crossover: true,
    mutation: true,
    improvement: true,
    tabu_steps: true,
    tenure_share: true,
    replacement: true,
    offspring: true,
    distance: true,
    restart_after: true,
    max_generations: true,
    ..ParameterSet::NONE
};

/// What memetic chooses for a puzzle.
pub fn derive(space: &SearchSpace, settings: &Settings) -> Config {
    let given = settings.given().clone();
    let set = settings.set_parameters();
    if !searches_candidates(settings) {
        return given;
    }
    let free = space.free.len() as u64;
    let candidates: u64 =
        space.free.iter().map(|cell| u64::from(space.candidates[*cell].count_ones())).sum();
    // A generation ends with its slowest child: where one may do alone, few are bred.
    let children = if free > 200 { 4 } else { 8 };
    let local = set.topology || set.radius || set.mate;
    Config {
        population: 256,
        encoding: Encoding::Candidates,
        selection: if local { Selection::LocalTournament } else { Selection::Truncation },
        // The children of one generation are the parents of the next: a board that was never
        // searched has nothing to give.
        pool: children,
        random_share: 0.0,
        pairing: Pairing::Random,
        crossover: Crossover::Agreement,
        mutation: Mutation::None,
        improvement: Improvement::Tabu,
        tabu_steps: (free * candidates / 8).clamp(100, 1_000_000) as u32,
        tenure_share: tabu::tenure_share(space),
        replacement: Replacement::KeepDistance,
        offspring: children,
        distance: (free / 20).max(1) as u32,
        restart_after: 30,
        max_generations: 10_000,
        ..given
    }
}

/// Whether what was set leaves room for tabu search on candidates: not where something was set
/// that works on permutations.
fn searches_candidates(settings: &Settings) -> bool {
    let (given, set) = (settings.given(), settings.set_parameters());
    let descends = set.improvement && given.improvement == Improvement::ExchangeDescent;
    let permutes =
        set.encoding && !matches!(given.encoding, Encoding::Candidates | Encoding::Cells);
    let crosses_units = set.crossover
        && !matches!(given.crossover, Crossover::Agreement | Crossover::Uniform | Crossover::None);
    let exchanges = set.mutation
        && !matches!(given.mutation, Mutation::Reset | Mutation::RedrawTwo | Mutation::None);
    !(descends || permutes || crosses_units || exchanges || set.tries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::presolve;
    use crate::board::{Geometry, Puzzle};
    use crate::evolve::Preset;
    use crate::evolve::breeder::Breeder;

    fn derived(side: usize, set: &[(&str, &str)]) -> (SearchSpace, Config) {
        let mut settings = Settings::of(Preset::Memetic);
        for (name, value) in set {
            settings.set(name, value).unwrap();
        }
        let puzzle = Puzzle::blank(Geometry::squarest(side).unwrap());
        let space = presolve(&puzzle, settings.presolve()).unwrap();
        let config = settings.config(&space);
        (space, config)
    }

    #[test]
    fn every_choice_goes_together() {
        let choices: [&[(&str, &str)]; 12] = [
            &[],
            &[("population", "1")],
            &[("population", "100000")],
            &[("improvement", "none")],
            &[("improvement", "exchange-descent")],
            &[("tries", "5")],
            &[("encoding", "cells")],
            &[("encoding", "boxes"), ("presolve", "none")],
            &[("crossover", "none")],
            &[("mutation", "exchange")],
            &[("topology", "torus")],
            &[("replacement", "worst-share")],
        ];
        for side in [4, 6, 9, 16, 25, 36] {
            for set in choices {
                let (space, config) = derived(side, set);
                Breeder::new(&space, &config).unwrap_or_else(|error| panic!("{set:?}: {error}"));
            }
        }
    }

    #[test]
    fn exchange_descent_is_the_cellular_algorithm() {
        for set in [("improvement", "exchange-descent"), ("tries", "60"), ("encoding", "boxes")] {
            assert_eq!(derived(9, &[set]).1, Config::of(Preset::Memetic));
        }
    }

    #[test]
    fn steps_grow_with_the_puzzle_and_what_is_set_wins() {
        let steps = |side| derived(side, &[]).1.tabu_steps;
        assert!(steps(4) < steps(9) && steps(9) < steps(16) && steps(16) < steps(25));
        let (_, config) = derived(9, &[("tabu_steps", "7"), ("radius", "2")]);
        assert_eq!((config.tabu_steps, config.radius), (7, 2));
        assert_eq!(config.selection, Selection::LocalTournament);
    }
}
