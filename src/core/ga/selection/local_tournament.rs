//! Binary tournament among neighbours, as in a cellular genetic algorithm.
//!
//! Each parent of slot `s` is the better of two slots drawn, with replacement, from the
//! neighbourhood of `s`, which includes `s`; of equals the first drawn. Good boards spread a
//! neighbourhood a generation at most (Alba & Dorronsoro, *Cellular Genetic Algorithms*, 2008). Where
//! all are neighbours this is the usual binary tournament, with replacement.
//!
//! Where a generation has fewer children than individuals, a child has no slot of its own: the
//! slot whose neighbours compete is drawn.
//!
//! Slot 0 of a ring of 10 with r = 3 draws from 7, 8, 9, 0, 1, 2, 3; of 9 and 2 with fitness 4 and
//! 6, slot 9 becomes the parent.
//!
//! # Topologies
//!
//! - `ring`: the slots form a ring; neighbours of a slot are at distance `r` or less on it.
//! - `torus`: the slots are in rows of `ceil(sqrt(population))`, the last of which may be short,
//!   and both rows and columns wrap around; neighbours are at most `r` rows and at most `r`
//!   columns away (a Moore neighbourhood). Where the last row has no slot there is no neighbour.
//! - `panmictic`: all slots are neighbours.
//!
//! To be a neighbour is mutual. The farther apart slots are, the
//! longer a good board takes from one to the other: on a ring of P slots P / 2r generations, on a
//! torus sqrt(P) / 2r, in a panmictic population one (Alba & Dorronsoro 2008; Sarma & De Jong 1996).
//!
//! Ten slots on a torus are in rows of 4, 4 and 2. With r = 1 slot 0 has the neighbours 0, 1, 4,
//! 5, 7, 3, 8 and 9: left of it, across the edge, are 3 and 7, and above it 8 and 9; where the
//! last row ends there would be 11.

use super::{BuildContext, ConfigError, FromContext, SelectionOperator, Topology};
use crate::random::{Draws, GenerationRng, StreamStage};

/// Tournaments of two neighbours.
#[derive(Clone, Debug)]
pub struct LocalTournament {
    neighbourhood: Neighbourhood,
    /// The number of slots of which one is drawn whose neighbours compete; none where it is the child's own slot.
    drawn_from: Option<u32>,
}

impl FromContext for LocalTournament {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let (config, population) = (context.config, context.config.population);
        let neighbourhood = Neighbourhood::new(config.topology, config.radius, population);
        let drawn_from = (context.offspring != population).then_some(population);
        Ok(Self { neighbourhood, drawn_from })
    }
}

impl LocalTournament {
    /// Selects `N` parents of a slot.
    #[inline]
    fn winners<const N: usize>(
        &self,
        slot: u32,
        fitness: &[u16],
        seed: &GenerationRng,
    ) -> [u32; N] {
        let mut draws = seed.draws(StreamStage::Select, slot);
        let centre = self.drawn_from.map_or(slot, |slots| draws.below(slots));
        [(); N].map(|()| {
            let [first, second] = [(); 2].map(|()| self.neighbourhood.draw(centre, &mut draws));
            if fitness[second as usize] < fitness[first as usize] { second } else { first }
        })
    }
}

impl SelectionOperator for LocalTournament {
    #[inline(always)]
    fn select(&self, slot: u32, fitness: &[u16], seed: &GenerationRng) -> [u32; 2] {
        self.winners(slot, fitness, seed)
    }

    fn candidates(&self, slot: u32, fitness: &[u16], seed: &GenerationRng) -> Option<[u32; 5]> {
        Some(self.winners(slot, fitness, seed))
    }

    fn words(&self) -> u32 {
        u32::from(self.drawn_from.is_some()) + 4 * self.neighbourhood.words()
    }
}

/// The neighbours of every slot.
#[derive(Clone, Copy, Debug)]
pub struct Neighbourhood {
    topology: Topology,
    radius: u32,
    population: u32,
    /// Slots in a row of the torus; the last row may have fewer.
    pub width: u32,
}

impl Neighbourhood {
    /// The neighbours within `radius` among `population` slots.
    pub fn new(topology: Topology, radius: u32, population: u32) -> Self {
        let root = population.isqrt();
        let width = root + u32::from(root * root < population);
        Self { topology, radius, population, width }
    }

    /// Draws a neighbour of `slot`, with replacement.
    #[inline]
    pub fn draw(&self, slot: u32, draws: &mut Draws) -> u32 {
        match self.topology {
            Topology::Ring => {
                let offset = i64::from(draws.below(2 * self.radius + 1)) - i64::from(self.radius);
                (i64::from(slot) + offset).rem_euclid(i64::from(self.population)) as u32
            }
            // At least half of the places in a neighbourhood are slots.
            Topology::Torus => loop {
                let rows = self.population.div_ceil(self.width);
                let row = self.near(slot / self.width, rows, draws);
                let column = self.near(slot % self.width, self.width, draws);
                let drawn = row * self.width + column;
                if drawn < self.population {
                    break drawn;
                }
            },
            Topology::Panmictic => draws.below(self.population),
        }
    }

    /// Returns the words of a draw whose first place is a slot.
    pub fn words(&self) -> u32 {
        if self.topology == Topology::Torus { 2 } else { 1 }
    }

    /// Draws a place at most the radius away from `at` on a circle; any place where the radius reaches around.
    #[inline]
    fn near(&self, at: u32, length: u32, draws: &mut Draws) -> u32 {
        let span = 2 * self.radius + 1;
        if span >= length {
            return draws.below(length);
        }
        (at + length - self.radius + draws.below(span)) % length
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::random::{GenerationRng, StreamStage};

    /// Whether two slots are neighbours, by their distance.
    fn holds(neighbourhood: &Neighbourhood, slot: u32, other: u32) -> bool {
        let circle = |a: u32, b: u32, length: u32| a.abs_diff(b).min(length - a.abs_diff(b));
        let Neighbourhood { topology, radius, population, width, .. } = *neighbourhood;
        match topology {
            Topology::Ring => circle(slot, other, population) <= radius,
            Topology::Torus => {
                let rows = circle(slot / width, other / width, population.div_ceil(width));
                rows <= radius && circle(slot % width, other % width, width) <= radius
            }
            Topology::Panmictic => true,
        }
    }

    fn neighbours(neighbourhood: &Neighbourhood, slot: u32) -> Vec<u32> {
        (0..neighbourhood.population).filter(|other| holds(neighbourhood, slot, *other)).collect()
    }

    proptest! {
        #[test]
        fn neighbours_are_mutual_and_all_are_drawn(
            topology in select(Topology::ALL), radius in 0u32..4, population in 1u32..60,
        ) {
            let neighbourhood = Neighbourhood::new(topology, radius, population);
            for slot in 0..population {
                let expected = neighbours(&neighbourhood, slot);
                prop_assert!(expected.contains(&slot));
                prop_assert!(expected.iter().all(|other| holds(&neighbourhood, *other, slot)));
                let mut draws = GenerationRng::new(1, 0).draws(StreamStage::Select, slot);
                let mut drawn: Vec<u32> =
                    (0..2_000).map(|_| neighbourhood.draw(slot, &mut draws)).collect();
                drawn.sort_unstable();
                drawn.dedup();
                prop_assert_eq!(drawn, expected);
            }
        }

        #[test]
        fn a_neighbourhood_has_its_size(radius in 0u32..4, side in 1u32..12) {
            let size = |topology, population| {
                neighbours(&Neighbourhood::new(topology, radius, population), 0).len() as u32
            };
            let across = (2 * radius + 1).min(side);
            prop_assert_eq!(size(Topology::Torus, side * side), across * across);
            prop_assert_eq!(size(Topology::Ring, side), across);
            prop_assert_eq!(size(Topology::Panmictic, side), side);
        }
    }

    #[test]
    fn the_example_of_the_module() {
        let torus = Neighbourhood::new(Topology::Torus, 1, 10);
        assert_eq!(neighbours(&torus, 0), [0, 1, 3, 4, 5, 7, 8, 9]);
        let (mut draws, mut seen) =
            (GenerationRng::new(2, 0).draws(StreamStage::Select, 0), [0u32; 10]);
        for _ in 0..8_000 {
            seen[torus.draw(0, &mut draws) as usize] += 1;
        }
        assert!(
            neighbours(&torus, 0).iter().all(|slot| (850..1_150).contains(&seen[*slot as usize]))
        );
    }

    #[test]
    fn the_largest_population_has_neighbours() {
        for topology in Topology::ALL {
            let torus = Neighbourhood::new(*topology, 1_000_000, u32::MAX - 1);
            let mut draws = GenerationRng::new(3, 0).draws(StreamStage::Select, 0);
            assert!((0..1_000).all(|_| torus.draw(u32::MAX - 2, &mut draws) < u32::MAX - 1));
        }
    }

    fn tournament(topology: Topology, population: u32, drawn_from: Option<u32>) -> LocalTournament {
        LocalTournament { neighbourhood: Neighbourhood::new(topology, 3, population), drawn_from }
    }

    #[test]
    fn parents_are_near_and_the_better_wins() {
        let ring = tournament(Topology::Ring, 10, None);
        let fitness: Vec<u16> = (0..10).collect();
        let mut seen = [0u32; 10];
        for generation in 0..2_000 {
            for parent in ring.parents(0, &fitness, &GenerationRng::new(1, generation)) {
                seen[parent as usize] += 1;
            }
        }
        assert_eq!(seen[4..7], [0, 0, 0]);
        // Of 49 equally likely pairs the best slot wins 13, the worst 1.
        assert!((950..1_180).contains(&seen[0]), "{seen:?}");
        assert!((50..120).contains(&seen[9]), "{seen:?}");
    }

    #[test]
    fn a_ring_smaller_than_its_radius_wraps_around() {
        let ring = tournament(Topology::Ring, 1, None);
        assert_eq!(ring.parents(0, &[5], &GenerationRng::new(1, 0)), [0, 0]);
    }

    #[test]
    fn the_neighbours_of_any_slot_compete_for_few_children() {
        let ring = tournament(Topology::Ring, 100, Some(100));
        let mut seen = [false; 100];
        for generation in 0..2_000 {
            for parent in ring.parents(0, &[5; 100], &GenerationRng::new(1, generation)) {
                seen[parent as usize] = true;
            }
        }
        assert!(seen.iter().all(|seen| *seen));
    }
}
