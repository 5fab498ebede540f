//! Tournament selection: each parent is the best of `k` different individuals.
//!
//! The members are drawn from the whole population without replacement; ties go to the first
//! drawn. The two parents are selected independently and may coincide.
//!
//! Of slots 4, 9 and 2 with fitness 8, 5 and 5, slot 9 wins.
//!
//! Source: document 003 of the project; Goldberg & Deb, *A comparative analysis of selection
//! schemes used in genetic algorithms*, 1991.

// Index loops keep vectors out of closures and iterator adaptors, which may be compiled without the level's
// instructions.
#![allow(clippy::needless_range_loop)]

use std::cell::RefCell;
use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch};

use super::super::ConfigError;
use super::super::operator::{BuildContext, FromContext};
use super::SelectionOperator;
use crate::random::{BatchWords, BlockCache, Draws, GenerationRng, StreamStage};

/// The most members that a tournament may have.
pub const MAX_MEMBERS: u32 = 256;
/// Members of a usual tournament at most.
const FEW: usize = 16;
/// Slots whose tournaments are held side by side.
const ROW: usize = BlockCache::ROW;
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

impl FromContext for Tournament {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let (members, population) = (context.config.tournament, context.config.population);
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

    /// Holds both tournaments of the slots of a row, as far as the words go that were computed ahead.
    #[inline(always)]
    fn hold<S: Simd>(
        &self,
        simd: S,
        words: BatchWords<'_>,
        fitness: &[u16],
        row: &mut TournamentBatch,
    ) {
        let count = words.blocks_of(0).len();
        let words_each = self.words().next_multiple_of(4) as usize;
        for word in 0..words_each {
            let (drawn, of_drawn) = (&mut row.drawn[word], &mut row.of_drawn[word]);
            words.below(word, self.population, drawn);
            for (fitness_of, member) in of_drawn[..count].iter_mut().zip(&*drawn) {
                *fitness_of = fitness[*member as usize].into();
            }
        }
        for first in (0..count).step_by(S::u32s::LEN) {
            self.hold_vector(simd, words_each, first..first + S::u32s::LEN, row);
        }
    }

    /// The same of as many slots as a vector has lanes, word by word, so that what is known of them stays in registers.
    /// Whether a member is new, and better, is no branch, which nobody would foresee, but a mask.
    #[inline(always)]
    fn hold_vector<S: Simd>(
        &self,
        simd: S,
        words: usize,
        slots: Range<usize>,
        row: &mut TournamentBatch,
    ) {
        let number = |number| S::u32s::splat(simd, number);
        let (none, members) = (number(0), number(self.members as u32));
        let (all, second, nobody) = (members + members, number(1 << SECOND), number(u32::MAX));
        let (mut taken, mut winner, mut best) = (none, [none; 2], [nobody; 2]);
        let mut earlier = [none; WORDS];
        for word in 0..words {
            let drawn = S::u32s::from_slice(simd, &row.drawn[word][slots.clone()]);
            let fitness = S::u32s::from_slice(simd, &row.of_drawn[word][slots.clone()]);
            let is_second = taken.simd_ge(members);
            let member = drawn | is_second.select(second, none);
            let mut is_member = taken.simd_lt(all);
            for other in 0..word {
                is_member &= earlier[other].simd_ne(member);
            }
            for (tournament, is_its) in [(0, !is_second), (1, is_second)] {
                let wins = is_member & is_its & fitness.simd_lt(best[tournament]);
                best[tournament] = wins.select(fitness, best[tournament]);
                winner[tournament] = wins.select(drawn, winner[tournament]);
            }
            taken += is_member.select(number(1), none);
            // Nobody is like what is no member.
            earlier[word] = is_member.select(member, nobody);
        }
        taken.store_slice(&mut row.taken[slots.clone()]);
        for tournament in 0..2 {
            winner[tournament].store_slice(&mut row.winner[tournament][slots.clone()]);
        }
    }
}

/// Tournaments of slots in a row.
struct TournamentBatch {
    /// Who is drawn by each word, and the fitness of whom.
    drawn: [[u32; ROW]; WORDS],
    of_drawn: [[u32; ROW]; WORDS],
    /// Members that were found, those of the first tournament before those of the second.
    taken: [u32; ROW],
    /// Who leads in each.
    winner: [[u32; ROW]; 2],
}

thread_local! {
    // Nobody clears it.
    static LAST: RefCell<TournamentBatch> = const {
        RefCell::new(TournamentBatch {
            drawn: [[0; ROW]; WORDS],
            of_drawn: [[0; ROW]; WORDS],
            taken: [0; ROW],
            winner: [[0; ROW]; 2],
        })
    };
}

impl SelectionOperator for Tournament {
    #[inline]
    fn draw(&self, slot: u32, fitness: &[u16], seed: &GenerationRng) -> [u32; 2] {
        let mut parents = [0; 2];
        self.select(slot, fitness, seed, &mut parents);
        parents
    }

    fn select_row(
        &self,
        first: u32,
        words: BatchWords<'_>,
        fitness: &[u16],
        seed: &GenerationRng,
        parents: &mut [[u32; 2]],
    ) -> bool {
        let are_few = self.words() as usize <= WORDS && parents.len() <= ROW;
        if !are_few || self.population >= 1 << SECOND {
            return false;
        }
        LAST.with_borrow_mut(|row| {
            dispatch!(Level::new(), simd => self.hold(simd, words, fitness, row));
            for (at, parents) in parents.iter_mut().enumerate() {
                // Where members came again and again more words are wanted.
                *parents = match row.taken[at] as usize == 2 * self.members {
                    true => [row.winner[0][at], row.winner[1][at]],
                    false => self.draw(first + at as u32, fitness, seed),
                };
            }
        });
        true
    }

    #[inline]
    fn select(&self, slot: u32, fitness: &[u16], seed: &GenerationRng, selected: &mut [u32]) {
        let mut draws = seed.draws(StreamStage::Select, slot);
        for parent in selected {
            *parent = self.winner(fitness, &mut draws);
        }
    }

    fn words(&self) -> u32 {
        2 * self.members as u32
    }

    fn draws_candidates(&self) -> bool {
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
            for parent in tournament.parents(0, &fitness, &GenerationRng::new(1, generation)) {
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
            seen[tournament.parents(0, &[1, 2, 3], &GenerationRng::new(2, generation))[0]
                as usize] += 1;
        }
        // Pairs without replacement: the best is in two of three, the worst never wins.
        assert!((1_900..2_100).contains(&seen[0]), "{seen:?}");
        assert_eq!(seen[2], 0);
    }
}
