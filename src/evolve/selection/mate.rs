//! Mating: whether the second parent is near to the first, far from it, or any.
//!
//! With `near` and `far` several candidates for the second parent are selected as the second
//! parent is; the one whose board has the least (the greatest) Hamming distance from the first
//! parent becomes it, ties to the first drawn. A candidate that is equal to the first parent is
//! not near: it is taken only when all are. Parents that are near share much, and their child is
//! near to both; far ones keep the population from falling into copies of each other.
//!
//! Distances 5, 0, 3 and 3 from the first parent: near takes the third candidate, far the first.
//!
//! Sources: Goudet, Goupil & Hao 2021 cross each individual with its nearest; Eshelman & Schaffer,
//! *Preventing premature convergence in genetic algorithms by preventing incest*, 1991, the far.

use super::super::Config;
use super::super::distance::distance;
use super::super::state::Individuals;
use super::{Selection, SelectionOperator};
use crate::named::named;
use crate::random::Seed;

/// Candidates for the second parent.
const CANDIDATES: usize = 4;

named! {
    /// Which of several candidates becomes the second parent.
    pub enum Mate {
        /// The first that is selected.
        Any = "any",
        /// The one most like the first parent, but not its copy.
        Near = "near",
        /// The one least like the first parent.
        Far = "far",
    }
}

impl Mate {
    /// How parents meet under `config`: where its selection offers no candidates, as they are
    /// selected.
    pub fn of(config: &Config) -> Self {
        let offers = matches!(config.selection, Selection::LocalTournament | Selection::Tournament);
        if offers { config.mate } else { Self::Any }
    }

    /// The parents of `slot`, which may coincide.
    pub fn parents(
        self,
        selection: &dyn SelectionOperator,
        slot: u32,
        population: &Individuals,
        seed: &Seed,
    ) -> [u32; 2] {
        if self == Self::Any {
            return selection.draw(slot, &population.fitness, seed);
        }
        let mut selected = [0; 1 + CANDIDATES];
        selection.select(slot, &population.fitness, seed, &mut selected);
        let [first, candidates @ ..] = selected;
        let board = |slot: u32| population.boards.board(slot as usize);
        let distances = candidates.map(|slot| distance(board(first), board(slot)));
        [first, candidates[self.choice(distances)]]
    }

    /// The candidate to take, by its distance from the first parent.
    fn choice(self, distances: [u32; CANDIDATES]) -> usize {
        let cost = |distance: u32| match (self, distance) {
            (Self::Any, _) => 0,
            (Self::Near, 0) => u32::MAX,
            (Self::Near, _) => distance,
            (Self::Far, _) => u32::MAX - distance,
        };
        (0..CANDIDATES).min_by_key(|candidate| cost(distances[*candidate])).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::{Preset, presets};

    #[test]
    fn a_selection_without_candidates_leaves_no_choice() {
        let with = |selection| {
            Mate::of(&Config { mate: Mate::Far, selection, ..presets::config(Preset::Memetic) })
        };
        assert_eq!(with(Selection::LocalTournament), Mate::Far);
        assert_eq!(with(Selection::Truncation), Mate::Any);
    }

    #[test]
    fn the_example_of_the_module() {
        let distances = [5, 0, 3, 3];
        assert_eq!(Mate::Near.choice(distances), 2);
        assert_eq!(Mate::Far.choice(distances), 0);
        assert_eq!((Mate::Any.choice(distances), Mate::Near.choice([0; 4])), (0, 0));
    }
}
