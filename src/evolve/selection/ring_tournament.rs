//! Binary tournament among the neighbours on a ring.
//!
//! The slots form a ring. Each parent of slot `s` is the better of two slots drawn, with
//! replacement, from the `2 r + 1` slots at distance `r` or less, `s` included; ties go to the
//! first drawn. Good boards spread `r` slots a generation at most, as in a cellular genetic
//! algorithm (Alba & Dorronsoro, *Cellular Genetic Algorithms*, 2008).
//!
//! Slot 0 of 10 with r = 3 draws from 7, 8, 9, 0, 1, 2, 3; of 9 and 2 with fitness 4 and 6, slot
//! 9 becomes the parent.

use super::super::ConfigError;
use super::super::operator::{Build, Setting};
use super::SelectionOperator;
use crate::random::{Draws, Seed, Stage};

/// Tournaments of two within a radius.
#[derive(Clone, Debug)]
pub struct RingTournament {
    radius: u32,
    population: u32,
}

impl Build for RingTournament {
    fn build(setting: &Setting) -> Result<Self, ConfigError> {
        Ok(Self { radius: setting.config.radius, population: setting.config.population })
    }
}

impl RingTournament {
    fn neighbour(&self, slot: u32, draws: &mut Draws) -> u32 {
        let offset = i64::from(draws.below(2 * self.radius + 1)) - i64::from(self.radius);
        (i64::from(slot) + offset).rem_euclid(i64::from(self.population)) as u32
    }

    fn winner(&self, slot: u32, fitness: &[u16], draws: &mut Draws) -> u32 {
        let first = self.neighbour(slot, draws);
        let second = self.neighbour(slot, draws);
        if fitness[second as usize] < fitness[first as usize] { second } else { first }
    }
}

impl SelectionOperator for RingTournament {
    fn draw(&self, slot: u32, fitness: &[u16], seed: &Seed) -> [u32; 2] {
        let mut draws = seed.draws(Stage::Select, slot);
        [self.winner(slot, fitness, &mut draws), self.winner(slot, fitness, &mut draws)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_stand_near_and_the_better_wins() {
        let ring = RingTournament { radius: 3, population: 10 };
        let fitness: Vec<u16> = (0..10).collect();
        let mut seen = [0u32; 10];
        for generation in 0..2_000 {
            for parent in ring.parents(0, &fitness, &Seed::new(1, generation)) {
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
        let ring = RingTournament { radius: 3, population: 1 };
        assert_eq!(ring.parents(0, &[5], &Seed::new(1, 0)), [0, 0]);
    }
}
