//! Binary tournament among neighbours.
//!
//! Each parent of slot `s` is the better of two slots drawn, with replacement, from the
//! neighbourhood of `s` in the population's [`Topology`](super::Topology), `s` included; ties go
//! to the first drawn. Good boards spread a neighbourhood a generation at most, as in a cellular
//! genetic algorithm (Alba & Dorronsoro, *Cellular Genetic Algorithms*, 2008); where everybody is
//! a neighbour this is the usual binary tournament, with replacement.
//!
//! Where a generation has fewer children than individuals, a child has no slot of its own: the
//! place whose neighbours compete is drawn for it.
//!
//! Slot 0 of a ring of 10 with r = 3 draws from 7, 8, 9, 0, 1, 2, 3; of 9 and 2 with fitness 4 and
//! 6, slot 9 becomes the parent.

use super::super::ConfigError;
use super::super::operator::{BuildContext, FromContext};
use super::SelectionOperator;
use super::topology::Neighbourhood;
use crate::random::{Draws, GenerationRng, StreamStage};

/// Tournaments of two neighbours.
#[derive(Clone, Debug)]
pub struct LocalTournament {
    neighbourhood: Neighbourhood,
    /// Slots among which a child's place is drawn, or nothing where it is its own slot.
    places: Option<u32>,
}

impl FromContext for LocalTournament {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let config = context.config;
        let population = config.population;
        let all = context.offspring == population;
        Ok(Self {
            neighbourhood: Neighbourhood::new(config.topology, config.radius, population),
            places: (!all).then_some(population),
        })
    }
}

impl LocalTournament {
    #[inline]
    fn winner(&self, place: u32, fitness: &[u16], draws: &mut Draws) -> u32 {
        let first = self.neighbourhood.draw(place, draws);
        let second = self.neighbourhood.draw(place, draws);
        if fitness[second as usize] < fitness[first as usize] { second } else { first }
    }
}

impl SelectionOperator for LocalTournament {
    #[inline(always)]
    fn draw(&self, slot: u32, fitness: &[u16], seed: &GenerationRng) -> [u32; 2] {
        let mut parents = [0; 2];
        self.select(slot, fitness, seed, &mut parents);
        parents
    }

    #[inline]
    fn select(&self, slot: u32, fitness: &[u16], seed: &GenerationRng, selected: &mut [u32]) {
        let mut draws = seed.draws(StreamStage::Select, slot);
        let place = self.places.map_or(slot, |places| draws.below(places));
        for parent in selected {
            *parent = self.winner(place, fitness, &mut draws);
        }
    }

    fn words(&self) -> u32 {
        u32::from(self.places.is_some()) + 4 * self.neighbourhood.words()
    }

    fn draws_candidates(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::Topology;
    use super::*;

    fn tournament(topology: Topology, population: u32, places: Option<u32>) -> LocalTournament {
        LocalTournament { neighbourhood: Neighbourhood::new(topology, 3, population), places }
    }

    #[test]
    fn parents_stand_near_and_the_better_wins() {
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
    fn few_children_have_places_all_over() {
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
