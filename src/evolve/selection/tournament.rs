//! Tournament selection: each parent is the best of `k` different individuals.
//!
//! The members are drawn from the whole population without replacement; ties go to the first
//! drawn. The two parents are selected independently and may coincide.
//!
//! Of slots 4, 9 and 2 with fitness 8, 5 and 5, slot 9 wins.
//!
//! Source: document 003 of the project; Goldberg & Deb, *A comparative analysis of selection
//! schemes used in genetic algorithms*, 1991.

use super::super::ConfigError;
use super::super::operator::{Build, Setting};
use super::SelectionOperator;
use crate::random::{Draws, Seed, Stage};

/// The most members that a tournament may have.
pub const MAX_MEMBERS: u32 = 256;
/// Members of a usual tournament at most.
const FEW: usize = 16;

/// Tournaments among all.
#[derive(Clone, Debug)]
pub struct Tournament {
    members: usize,
    population: u32,
}

impl Build for Tournament {
    fn build(setting: &Setting) -> Result<Self, ConfigError> {
        let (members, population) = (setting.config.tournament, setting.config.population);
        if members > population {
            return Err(ConfigError::Unfit(format!(
                "tournament is {members}, but a population of {population} has no {members} different individuals"
            )));
        }
        Ok(Self { members: members as usize, population })
    }
}

impl Tournament {
    #[inline]
    fn winner(&self, fitness: &[u16], draws: &mut Draws) -> u32 {
        // What holds the most members takes longer to clear than a small tournament.
        match self.members {
            0..=FEW => self.winner_of::<FEW>(fitness, draws),
            _ => self.winner_of::<{ MAX_MEMBERS as usize }>(fitness, draws),
        }
    }

    /// The winner of at most `MOST` members.
    #[inline]
    fn winner_of<const MOST: usize>(&self, fitness: &[u16], draws: &mut Draws) -> u32 {
        let mut members = [0; MOST];
        members[0] = draws.below(self.population);
        let mut best = members[0];
        for drawn in 1..self.members {
            let member = loop {
                let member = draws.below(self.population);
                if !members[..drawn].contains(&member) {
                    break member;
                }
            };
            members[drawn] = member;
            if fitness[member as usize] < fitness[best as usize] {
                best = member;
            }
        }
        best
    }
}

impl SelectionOperator for Tournament {
    #[inline]
    fn draw(&self, slot: u32, fitness: &[u16], seed: &Seed) -> [u32; 2] {
        let mut parents = [0; 2];
        self.select(slot, fitness, seed, &mut parents);
        parents
    }

    #[inline]
    fn select(&self, slot: u32, fitness: &[u16], seed: &Seed, selected: &mut [u32]) {
        let mut draws = seed.draws(Stage::Select, slot);
        for parent in selected {
            *parent = self.winner(fitness, &mut draws);
        }
    }

    fn words(&self) -> u32 {
        2 * self.members as u32
    }

    fn offers_candidates(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_of_all_wins_a_tournament_of_all() {
        let tournament = Tournament { members: 10, population: 10 };
        let fitness = [9, 8, 7, 3, 5, 4, 3, 6, 8, 9];
        let mut seen = [0; 10];
        for generation in 0..200 {
            for parent in tournament.parents(0, &fitness, &Seed::new(1, generation)) {
                seen[parent as usize] += 1;
            }
        }
        // Slots 3 and 6 tie; whichever is drawn first wins.
        assert_eq!(seen[3] + seen[6], 400);
        assert!((150..250).contains(&seen[3]), "{seen:?}");
    }

    #[test]
    fn the_winner_of_two_is_the_better_with_its_probability() {
        let tournament = Tournament { members: 2, population: 3 };
        let mut seen = [0; 3];
        for generation in 0..3_000 {
            seen[tournament.parents(0, &[1, 2, 3], &Seed::new(2, generation))[0] as usize] += 1;
        }
        // Pairs without replacement: the best is in two of three, the worst never wins.
        assert!((1_900..2_100).contains(&seen[0]), "{seen:?}");
        assert_eq!(seen[2], 0);
    }
}
