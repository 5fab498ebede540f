//! Tournament selection: each parent is the best of `k` different individuals.
//!
//! The members are drawn from the whole population without replacement; ties go to the first
//! drawn. The two parents are selected independently and may coincide.
//!
//! Of slots 4, 9 and 2 with fitness 8, 5 and 5, slot 9 wins.
//!
//! Source: document 003 of the project; Goldberg & Deb, *A comparative analysis of selection
//! schemes used in genetic algorithms*, 1991.

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch};

use super::super::ConfigError;
use super::super::operator::{Build, Setting};
use super::SelectionOperator;
use crate::random::{Draws, FirstBlocks, Seed, Stage, WordRows};

/// The most members that a tournament may have.
pub const MAX_MEMBERS: u32 = 256;
/// Members of a usual tournament at most.
const FEW: usize = 16;
/// Slots whose tournaments are held side by side.
const ROW: usize = FirstBlocks::ROW;
/// Words of such a slot at most.
const WORDS: usize = 16;
/// The bit of a member that is of the second tournament: no slot has it.
const SECOND: u32 = 31;

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

    /// Holds both tournaments of every slot of a row, word by word for all slots, as far as the words go that were
    /// computed ahead. Whether a member is new, and better, is no branch, which nobody would foresee, but a mask.
    #[inline(always)]
    // By place: as iterators these would be a tuple of eight.
    #[allow(clippy::needless_range_loop)]
    fn hold<S: Simd>(&self, simd: S, words: WordRows<'_>, fitness: &[u16], row: &mut Row) {
        let nobody = S::u32s::splat(simd, 0);
        let members = self.members as u32;
        let mut drawn = [[0; ROW]; WORDS];
        for word in 0..self.words().next_multiple_of(4) as usize {
            let (earlier, rest) = drawn.split_at_mut(word);
            let drawn = &mut rest[0];
            words.below(word, self.population, drawn);
            for (of_member, member) in row.of_member.iter_mut().zip(&*drawn) {
                *of_member = fitness.get(*member as usize).copied().unwrap_or(u16::MAX).into();
            }
            for (member, taken) in drawn.iter_mut().zip(&row.taken) {
                *member |= u32::from(*taken >= members) << SECOND;
            }
            // By vectors of its own, so that what is known of their slots stays in a register.
            for first in (0..ROW).step_by(S::u32s::LEN) {
                let slots = first..first + S::u32s::LEN;
                let last = S::u32s::from_slice(simd, &drawn[slots.clone()]);
                let mut is_new = S::u32s::splat(simd, u32::MAX);
                for earlier in &*earlier {
                    let is_same = S::u32s::from_slice(simd, &earlier[slots.clone()]).simd_eq(last);
                    is_new = is_same.select(nobody, is_new);
                }
                is_new.store_slice(&mut row.is_new[slots]);
            }
            // All slots of a whole row, which is known: fewer are looked at one by one.
            for slot in 0..ROW {
                let (taken, of_member) = (row.taken[slot], row.of_member[slot]);
                let is_member = row.is_new[slot] & mask(taken < 2 * members);
                let is_second = mask(taken >= members);
                let member = drawn[slot] & !(1 << SECOND);
                for (tournament, is_its) in [!is_second, is_second].into_iter().enumerate() {
                    let best = &mut row.best[tournament][slot];
                    let wins = is_member & is_its & mask(of_member < *best);
                    *best ^= (*best ^ of_member) & wins;
                    let winner = &mut row.winner[tournament][slot];
                    *winner ^= (*winner ^ member) & wins;
                }
                row.taken[slot] += is_member & 1;
                // Nobody is like what is no member.
                drawn[slot] |= !is_member;
            }
        }
    }
}

/// Tournaments of slots in a row: what is known after some words.
struct Row {
    /// Members so far, those of the first tournament before those of the second.
    taken: [u32; ROW],
    /// Who leads in each, and with which fitness.
    winner: [[u32; ROW]; 2],
    best: [[u32; ROW]; 2],
    /// Of who was drawn last: the fitness, and all ones if it is drawn for the first time.
    of_member: [u32; ROW],
    is_new: [u32; ROW],
}

impl Row {
    const NEW: Self = Self {
        taken: [0; ROW],
        winner: [[0; ROW]; 2],
        best: [[u32::MAX; ROW]; 2],
        of_member: [0; ROW],
        is_new: [0; ROW],
    };
}

/// All ones, or none.
#[inline(always)]
fn mask(holds: bool) -> u32 {
    u32::from(holds).wrapping_neg()
}

impl SelectionOperator for Tournament {
    #[inline]
    fn draw(&self, slot: u32, fitness: &[u16], seed: &Seed) -> [u32; 2] {
        let mut parents = [0; 2];
        self.select(slot, fitness, seed, &mut parents);
        parents
    }

    fn draw_row(
        &self,
        first: u32,
        words: WordRows<'_>,
        fitness: &[u16],
        seed: &Seed,
        parents: &mut [[u32; 2]],
    ) -> bool {
        let are_few = self.words() as usize <= WORDS && parents.len() <= ROW;
        if !are_few || self.population >= 1 << SECOND {
            return false;
        }
        let mut row = Row::NEW;
        dispatch!(Level::new(), simd => self.hold(simd, words, fitness, &mut row));
        for (at, parents) in parents.iter_mut().enumerate() {
            // Where members came again and again more words are wanted.
            *parents = match row.taken[at] as usize == 2 * self.members {
                true => [row.winner[0][at], row.winner[1][at]],
                false => self.draw(first + at as u32, fitness, seed),
            };
        }
        true
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
