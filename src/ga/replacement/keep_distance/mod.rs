//! Steady state with a distance kept: no two individuals of the population are nearly alike.
//!
//! A generation has `offspring` children, or `worst_share` as many as individuals. They are taken
//! the best first, ties to the lower slot. A child
//! - is dropped when an individual that is not worse stands at a Hamming distance below `distance`
//!   from it: with a distance of 1, when it is there already;
//! - else takes the slot of the worst individual at such a distance, if there is one: that one is
//!   worse than the child;
//! - else takes the slot of the worst of all, if that is not better than the child.
//!
//! Of equals the higher slot makes room. Children that were taken count as individuals for those
//! after them, but no child makes room for another: once the worst of the old individuals that are
//! left is better than a child, neither this one nor any after it finds a place. Where a child
//! would make room for several, one of them makes room, and the others stay until they are the
//! worst.
//!
//! Children are taken in tiles of [`TILE`]. Who is near to whom is found for a whole tile at once,
//! on all threads, and kept as a bit; then a tile's children get their places one after the other,
//! by bits alone. So the memory grows with the population, not with its square; the comparisons do,
//! up to children times individuals, and end after some cells where boards are far apart.
//!
//! Population of fitness 2, 4, 9 and distance 3: a child of 3 that differs from the first in 2
//! cells is dropped; one that differs from it in 7 and from the second in 2 takes the slot of the
//! second; one that is far from all takes that of the third.
//!
//! Source: the pool of Goudet, Goupil & Hao, *Population-based gradient descent weight learning
//! for graph coloring problems*, 2021, keeps a minimum distance; here children are taken one after
//! the other. Crowding: De Jong 1975.

mod survivors;

use self::survivors::SurvivorSet;
pub(crate) use self::survivors::TILE;
use super::super::ConfigError;
use super::super::operator::{BuildContext, FromContext};
use super::super::selection::RankOrder;
use super::super::state::Individuals;
use super::{ReplacementOperator, few};

/// The worst make room for those that are not near to better ones.
#[derive(Clone, Debug)]
pub struct KeepDistance {
    offspring: usize,
    old: RankOrder,
    new: RankOrder,
    places: SurvivorSet,
}

impl FromContext for KeepDistance {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let config = context.config;
        let worst = context.space.geometry().worst_fitness();
        Ok(Self::new(config.distance, config.population, few(config), worst))
    }
}

impl KeepDistance {
    fn new(distance: u32, population: u32, offspring: u32, worst: u16) -> Self {
        Self {
            offspring: offspring as usize,
            old: RankOrder::new(population, worst),
            new: RankOrder::new(offspring, worst),
            places: SurvivorSet::new(distance, population as usize, offspring as usize),
        }
    }
}

impl ReplacementOperator for KeepDistance {
    fn replace(&mut self, population: &mut Individuals, children: &mut Individuals) {
        self.old.rank(&population.fitness);
        self.new.rank(&children.fitness[..self.offspring]);
        let slots = self.old.slots();
        self.places.begin(slots);
        for tile in self.new.slots().chunks(TILE) {
            self.places.compare(population, children, tile);
            if !self.places.give(slots, population, children, tile) {
                break;
            }
        }
    }

    fn offspring(&self, _: u32) -> u32 {
        self.offspring as u32
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::distance::distance;
    use super::*;
    use crate::board::Geometry;
    use crate::random::{GenerationRng, StreamStage};

    fn keep_distance(distance: u32, population: u32, offspring: u32) -> KeepDistance {
        KeepDistance::new(distance, population, offspring, 48)
    }

    /// Individuals of this fitness, the first cells of whose boards are these.
    fn individuals(of: &[(u16, [u8; 4])]) -> Individuals {
        let mut made = Individuals::new(Geometry::new(2, 2).unwrap(), of.len()).unwrap();
        let boards = made.boards.bytes_mut().chunks_exact_mut(16);
        for ((board, kept), (fitness, cells)) in boards.zip(&mut made.fitness).zip(of) {
            board[..4].copy_from_slice(cells);
            *kept = *fitness;
        }
        made
    }

    #[test]
    fn the_example_of_the_module() {
        let old = [(2, [1, 1, 1, 1]), (4, [2, 2, 2, 2]), (9, [3, 3, 3, 3])];
        let next = |child: [u8; 4]| {
            let mut population = individuals(&old);
            let mut children = individuals(&[(3, child), (0, [9; 4]), (0, [9; 4])]);
            keep_distance(3, 3, 1).replace(&mut population, &mut children);
            population.fitness
        };
        assert_eq!(next([1, 1, 4, 4]), [2, 4, 9]);
        assert_eq!(next([2, 2, 4, 4]), [2, 3, 9]);
        assert_eq!(next([4, 4, 4, 4]), [2, 4, 3]);
    }

    #[test]
    fn children_see_those_taken_before_them_and_equals_make_room() {
        let mut population = individuals(&[(5, [1; 4]), (5, [2; 4]), (5, [3; 4])]);
        let mut children = individuals(&[(5, [4; 4]), (5, [4; 4]), (6, [5; 4])]);
        keep_distance(1, 3, 3).replace(&mut population, &mut children);
        assert_eq!(population, individuals(&[(5, [1; 4]), (5, [2; 4]), (5, [4; 4])]));
    }

    /// Who lives where after a generation, by the rules as they are written, one child and one
    /// individual at a time.
    fn by_the_rules(
        least: u32,
        population: &Individuals,
        children: &Individuals,
        count: usize,
    ) -> Individuals {
        let mut next = population.clone();
        let mut is_taken = vec![false; next.fitness.len()];
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|child| children.fitness[*child]);
        for child in order {
            let (board, fitness) = (children.boards.board(child), children.fitness[child]);
            let near = |slot: &usize| distance(next.boards.board(*slot), board) < least;
            let near: Vec<usize> = (0..next.fitness.len()).filter(near).collect();
            if near.iter().any(|slot| next.fitness[*slot] <= fitness) {
                continue;
            }
            let old = |slots: &mut dyn Iterator<Item = usize>| {
                slots
                    .filter(|slot| !is_taken[*slot])
                    .max_by_key(|slot| (next.fitness[*slot], *slot))
            };
            let worst = old(&mut near.into_iter()).or(old(&mut (0..next.fitness.len())));
            if let Some(slot) = worst.filter(|slot| next.fitness[*slot] >= fitness) {
                next.copy(slot, children, child);
                is_taken[slot] = true;
            }
        }
        next
    }

    proptest! {
        // Each takes a while.
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// Populations and generations around a tile and a word, of boards that are often near.
        #[test]
        fn tiles_change_nothing(
            seed: u64, least in 0u32..5, count in 1u32..700, share in 0.0f64..=1.0, values in 2u32..5,
        ) {
            let mut draws = GenerationRng::new(seed, 0).draws(StreamStage::Replace, 0);
            let mut random = |worst: u32| {
                let cells = |draws: &mut crate::random::Draws| {
                    std::array::from_fn(|_| 1 + draws.below(values) as u8)
                };
                let one = |_| (draws.below(worst) as u16, cells(&mut draws));
                individuals(&(0..count).map(one).collect::<Vec<_>>())
            };
            let mut population = random(48);
            let offspring = ((share * f64::from(count)) as u32).max(1);
            let mut keep = keep_distance(least, count, offspring);
            for worst in [48, 24, 40] {
                let mut children = random(worst);
                let expected = by_the_rules(least, &population, &children, offspring as usize);
                keep.replace(&mut population, &mut children);
                prop_assert!(population == expected);
            }
        }
    }

    proptest! {
        /// A population that keeps its distance goes on keeping it, but for those whom a child
        /// is near to and better than.
        #[test]
        fn the_distance_is_kept(seed: u64, least in 0u32..4, count in 1usize..12) {
            let mut draws = GenerationRng::new(seed, 0).draws(StreamStage::Replace, 0);
            let mut random = |count: usize| -> Vec<(u16, [u8; 4])> {
                let cells = |draws: &mut crate::random::Draws| {
                    std::array::from_fn(|_| 1 + draws.below(3) as u8)
                };
                (0..count).map(|_| (draws.below(6) as u16, cells(&mut draws))).collect()
            };
            let mut population = individuals(&random(count));
            let offspring = 1 + seed as usize % count;
            let mut keep = keep_distance(least, count as u32, offspring as u32);
            for _ in 0..6 {
                let old = population.clone();
                let mut children = individuals(&random(count));
                keep.replace(&mut population, &mut children);
                let is_new = |slot: &usize| (0..offspring).any(|child| {
                    children.boards.board(child) == population.boards.board(*slot)
                        && children.fitness[child] == population.fitness[*slot]
                }) && old.boards.board(*slot) != population.boards.board(*slot);
                prop_assert!(population.fitness.iter().min() <= old.fitness.iter().min());
                for new in (0..count).filter(is_new) {
                    for slot in (0..count).filter(|slot| *slot != new) {
                        let boards = &population.boards;
                        let apart = distance(boards.board(new), boards.board(slot)) >= least;
                        let is_worse = population.fitness[slot] > population.fitness[new];
                        prop_assert!(apart || is_worse, "slots {new} and {slot}");
                    }
                }
            }
        }
    }
}
