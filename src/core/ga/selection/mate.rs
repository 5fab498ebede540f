//! Mating: whether the second parent is near to the first, far from it, or any.
//!
//! With `near` and `far` several candidates for the second parent are selected, each as the second
//! parent is. The candidate whose board has the least (the greatest) Hamming distance from the first
//! parent becomes the second parent; of equals the first drawn. A candidate that is equal to the first parent is
//! not near: it is chosen only when all are. Parents that are near have much in common, and their child is
//! near to both; far ones keep the population from becoming copies of each other.
//!
//! Distances 5, 0, 3 and 3 from the first parent: near chooses the third candidate, far the first.
//!
//! Sources: Goudet, Goupil & Hao 2021 cross each individual with its nearest; Eshelman & Schaffer,
//! *Preventing premature convergence in genetic algorithms by preventing incest*, 1991, the far.

use super::{MatingPreference, SelectionOperator};
use crate::ga::diversity::distance;
use crate::ga::state::Individuals;
use crate::random::GenerationRng;

/// Candidates for the second parent.
const CANDIDATES: usize = 4;

impl MatingPreference {
    /// Returns the parents of `slot`, which may coincide; those of [`SelectionOperator::select`] where
    /// `selection` has no candidates.
    pub fn parents(
        self,
        selection: &dyn SelectionOperator,
        slot: u32,
        population: &Individuals,
        seed: &GenerationRng,
    ) -> [u32; 2] {
        let fitness = &population.fitness;
        let selected = match self {
            Self::Any => None,
            Self::Near | Self::Far => selection.candidates(slot, fitness, seed),
        };
        let Some([first, candidates @ ..]) = selected else {
            return selection.select(slot, fitness, seed);
        };
        let board = |slot: u32| population.boards.board(slot as usize);
        let distances = candidates.map(|slot| distance(board(first), board(slot)));
        [first, candidates[self.choice(distances)]]
    }

    /// Returns the number of the candidate to choose, by the distances from the first parent.
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
    use crate::board::Geometry;

    /// Selects slots 0, 1, 2 and so on; with candidates or without.
    #[derive(Clone)]
    struct Counting(bool);

    impl SelectionOperator for Counting {
        fn select(&self, _: u32, _: &[u16], _: &GenerationRng) -> [u32; 2] {
            [0, 1]
        }

        fn candidates(&self, _: u32, _: &[u16], _: &GenerationRng) -> Option<[u32; 5]> {
            self.0.then_some([0, 1, 2, 3, 4])
        }
    }

    #[test]
    fn a_selection_without_candidates_leaves_no_choice() {
        let mut population = Individuals::new(Geometry::new(2, 2).unwrap(), 5).unwrap();
        population.boards.bytes_mut()[3 * 16] = 1;
        let parents = |mate: MatingPreference, has_candidates| {
            mate.parents(&Counting(has_candidates), 0, &population, &GenerationRng::new(1, 0))
        };
        assert_eq!(parents(MatingPreference::Far, true), [0, 3]);
        assert_eq!(parents(MatingPreference::Far, false), [0, 1]);
        assert_eq!(parents(MatingPreference::Any, true), [0, 1]);
    }

    #[test]
    fn the_example_of_the_module() {
        let distances = [5, 0, 3, 3];
        assert_eq!(MatingPreference::Near.choice(distances), 2);
        assert_eq!(MatingPreference::Far.choice(distances), 0);
        assert_eq!(MatingPreference::Any.choice(distances), 0);
        assert_eq!(MatingPreference::Near.choice([0; 4]), 0);
    }
}
