//! Tournament selection: each parent is the best of `k` different individuals.
//!
//! The members are drawn from the whole population without replacement; ties go to the first
//! drawn. The two parents are selected independently and may coincide.
//!
//! Of slots 4, 9 and 2 with fitness 8, 5 and 5, slot 9 wins.
//!
//! Source: document 003 of the project; Goldberg & Deb, *A comparative analysis of selection
//! schemes used in genetic algorithms*, 1991.

use fearless_simd::{Level, dispatch};

use super::super::ConfigError;
use super::super::operator::{Build, Setting};
use super::{SelectionOperator, draw_each};
use crate::random::{Draws, FirstBlocks, Seed, Stage, WordRows};

/// The most members that a tournament may have.
pub const MAX_MEMBERS: u32 = 256;
/// Members of a usual tournament at most.
const FEW: usize = 16;
/// Members of tournaments that are held side by side, at most.
const ROWS: usize = 8;
/// Tournaments that are.
const ROW: usize = FirstBlocks::ROW;

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

    /// Holds a tournament for every slot of a row by its words from `word` on: writes who won, and notes where a
    /// member was drawn twice, so that words of later ones are wanted.
    #[inline(always)]
    fn hold(
        &self,
        words: WordRows<'_>,
        word: usize,
        fitness: &[u16],
        winners: &mut [u32],
        is_repeated: &mut [u32],
    ) {
        let (mut members, mut best) = ([[0; ROW]; ROWS], [u64::MAX; ROW]);
        let best = &mut best[..winners.len()];
        for place in 0..self.members {
            let (earlier, rest) = members.split_at_mut(place);
            let drawn = &mut rest[0][..winners.len()];
            words.below(word + place, self.population, drawn);
            for earlier in earlier {
                let pairs = earlier.iter().zip(&*drawn);
                for (is_repeated, (one, other)) in is_repeated.iter_mut().zip(pairs) {
                    *is_repeated |= u32::from(one == other);
                }
            }
            for (best, member) in best.iter_mut().zip(&*drawn) {
                let fitness = fitness.get(*member as usize).copied().unwrap_or(u16::MAX);
                // Who is better is no branch, which nobody would foresee: the least of these wins.
                let key = u64::from(fitness) << 40 | (place as u64) << 32 | u64::from(*member);
                *best = key.min(*best);
            }
        }
        for (winner, best) in winners.iter_mut().zip(best) {
            *winner = *best as u32;
        }
    }
}

impl SelectionOperator for Tournament {
    #[inline]
    fn draw(&self, slot: u32, fitness: &[u16], seed: &Seed) -> [u32; 2] {
        let mut parents = [0; 2];
        self.select(slot, fitness, seed, &mut parents);
        parents
    }

    fn draw_brood(
        &self,
        (first, step): (u32, u32),
        fitness: &[u16],
        seed: &Seed,
        parents: &mut [[u32; 2]],
    ) {
        let words = seed.of(Stage::Select).ahead(first, parents.len(), self.words());
        let are_few = step == 1 && self.members <= ROWS && parents.len() <= ROW;
        let Some(words) = words.filter(|_| are_few) else {
            return draw_each(self, (first, step), fitness, seed, parents);
        };
        let mut rows = [[0; ROW]; 3];
        let [one, other, is_repeated] = rows.each_mut().map(|row| &mut row[..parents.len()]);
        dispatch!(Level::new(), _simd => {
            self.hold(words, 0, fitness, one, is_repeated);
            self.hold(words, self.members, fitness, other, is_repeated);
        });
        let winners = one.iter().zip(other).zip(is_repeated);
        for ((slot, parents), ((one, other), is_repeated)) in (first..).zip(parents).zip(winners) {
            *parents = match is_repeated {
                0 => [*one, *other],
                _ => self.draw(slot, fitness, seed),
            };
        }
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
