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

use super::super::distance::distance;
use super::super::state::Individuals;
use super::SelectionOperator;
use crate::random::GenerationRng;
use crate::util::named_enum::named;

/// Candidates for the second parent.
const CANDIDATES: usize = 4;

named! {
    /// Which of several candidates becomes the second parent.
    pub enum MatingPreference {
        /// The first that is selected.
        Any = "any",
        /// The one most like the first parent, but not its copy.
        Near = "near",
        /// The one least like the first parent.
        Far = "far",
    }
}

impl MatingPreference {
    /// The parents of `slot`, which may coincide; as they are selected where `selection` offers no
    /// candidates.
    pub fn parents(
        self,
        selection: &dyn SelectionOperator,
        slot: u32,
        population: &Individuals,
        seed: &GenerationRng,
    ) -> [u32; 2] {
        if self == Self::Any || !selection.draws_candidates() {
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
    use crate::board::Geometry;

    /// Selects slot 0, then counts on; offers candidates or not.
    #[derive(Clone)]
    struct Counting(bool);

    impl SelectionOperator for Counting {
        fn draw(&self, _: u32, _: &[u16], _: &GenerationRng) -> [u32; 2] {
            [0, 1]
        }

        fn select(&self, _: u32, _: &[u16], _: &GenerationRng, selected: &mut [u32]) {
            selected.iter_mut().zip(0..).for_each(|(selected, slot)| *selected = slot);
        }

        fn draws_candidates(&self) -> bool {
            self.0
        }
    }

    #[test]
    fn a_selection_without_candidates_leaves_no_choice() {
        let mut population = Individuals::new(Geometry::new(2, 2).unwrap(), 5).unwrap();
        population.boards.bytes_mut()[3 * 16] = 1;
        let mated = |mate: MatingPreference, offers| {
            mate.parents(&Counting(offers), 0, &population, &GenerationRng::new(1, 0))
        };
        assert_eq!(mated(MatingPreference::Far, true), [0, 3]);
        assert_eq!(
            (mated(MatingPreference::Far, false), mated(MatingPreference::Any, true)),
            ([0, 1], [0, 1])
        );
    }

    #[test]
    fn the_example_of_the_module() {
        let distances = [5, 0, 3, 3];
        assert_eq!(MatingPreference::Near.choice(distances), 2);
        assert_eq!(MatingPreference::Far.choice(distances), 0);
        assert_eq!(
            (MatingPreference::Any.choice(distances), MatingPreference::Near.choice([0; 4])),
            (0, 0)
        );
    }
}
