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
//! after them, but no child makes room for another.
//!
//! Every child is compared with the best 1,024 individuals of the old population and with the
//! children taken before it, the first 1,024 of them at most, so that a child costs no more than
//! 2,048 comparisons; in a population up to that size nothing is overlooked. Where a child would
//! make room for several, one of them makes room, and the others stay until they are the worst.
//!
//! Population of fitness 2, 4, 9 and distance 3: a child of 3 that differs from the first in 2
//! cells is dropped; one that differs from it in 7 and from the second in 2 takes the slot of the
//! second; one that is far from all takes that of the third.
//!
//! Source: the pool of Goudet, Goupil & Hao, *Population-based gradient descent weight learning
//! for graph coloring problems*, 2021, keeps a minimum distance; here children are taken one after
//! the other. Crowding: De Jong 1975.

use super::super::ConfigError;
use super::super::distance::distance;
use super::super::operator::{Build, Setting};
use super::super::selection::Ranking;
use super::super::state::Individuals;
use super::{ReplacementOperator, few};

/// Individuals, and children, that a child is compared with at most.
pub(crate) const COMPARED: usize = 1_024;

/// The worst make room for those that are not near to better ones.
#[derive(Clone, Debug)]
pub struct KeepDistance {
    distance: u32,
    offspring: usize,
    old: Ranking,
    new: Ranking,
    /// Slots that children were taken into.
    taken: Vec<u32>,
    /// Of each slot, whether a child was taken into it.
    is_taken: Vec<bool>,
}

impl Build for KeepDistance {
    fn build(setting: &Setting) -> Result<Self, ConfigError> {
        let config = setting.config;
        let offspring = few(config);
        let worst = setting.space.geometry().worst_fitness();
        Ok(Self {
            distance: config.distance,
            offspring: offspring as usize,
            old: Ranking::new(config.population, worst),
            new: Ranking::new(offspring, worst),
            taken: Vec::with_capacity(offspring as usize),
            is_taken: vec![false; config.population as usize],
        })
    }
}

impl KeepDistance {
    /// The slot that a child takes, if it takes any; `last` is the worst place in the old ranking
    /// that may not have made room yet.
    fn place(
        &self,
        population: &Individuals,
        board: &[u8],
        fitness: u16,
        last: &mut usize,
    ) -> Option<u32> {
        let boards = &population.boards;
        let fitness_of = |slot: u32| population.fitness[slot as usize];
        let is_near = |slot: &&u32| distance(boards.board(**slot as usize), board) < self.distance;
        let is_worse = |slot: &u32| fitness_of(*slot) > fitness;
        let best = &self.old.slots()[..COMPARED.min(self.old.slots().len())];
        let old = best.iter().filter(|slot| !self.is_taken[**slot as usize]);
        let mut near = old.rev().filter(is_near);
        let worst_near = near.next();
        let taken = self.taken.iter().take(COMPARED).filter(is_near);
        if !worst_near.into_iter().chain(near).chain(taken).all(is_worse) {
            return None;
        }
        if let Some(slot) = worst_near {
            return Some(*slot);
        }
        while self.is_taken[self.old.slots()[*last] as usize] {
            *last = last.checked_sub(1)?;
        }
        let slot = self.old.slots()[*last];
        (fitness_of(slot) >= fitness).then_some(slot)
    }
}

impl ReplacementOperator for KeepDistance {
    fn replace(&mut self, population: &mut Individuals, children: &mut Individuals) {
        self.old.rank(&population.fitness);
        self.new.rank(&children.fitness[..self.offspring]);
        let mut last = population.fitness.len() - 1;
        for child in 0..self.offspring {
            let child = self.new.slots()[child] as usize;
            let (board, fitness) = (children.boards.board(child), children.fitness[child]);
            if let Some(slot) = self.place(population, board, fitness, &mut last) {
                population.copy(slot as usize, children, child);
                self.is_taken[slot as usize] = true;
                self.taken.push(slot);
            }
        }
        for slot in self.taken.drain(..) {
            self.is_taken[slot as usize] = false;
        }
    }

    fn offspring(&self, _: u32) -> u32 {
        self.offspring as u32
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::Geometry;
    use crate::random::{Seed, Stage};

    fn keep_distance(distance: u32, population: u32, offspring: u32) -> KeepDistance {
        KeepDistance {
            distance,
            offspring: offspring as usize,
            old: Ranking::new(population, 48),
            new: Ranking::new(offspring, 48),
            taken: Vec::new(),
            is_taken: vec![false; population as usize],
        }
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

    proptest! {
        /// A population that keeps its distance goes on keeping it, but for those whom a child
        /// is near to and better than.
        #[test]
        fn the_distance_is_kept(seed: u64, least in 0u32..4, count in 1usize..12) {
            let mut draws = Seed::new(seed, 0).draws(Stage::Replace, 0);
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
                prop_assert!(population.best() <= old.best());
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
