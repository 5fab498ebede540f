//! Tournament selection: each parent is the best of `k` different individuals.
//!
//! The members are drawn from the whole population without replacement; of equals the first
//! drawn wins. The two parents are selected independently and may coincide.
//!
//! Of slots 4, 9 and 2 with fitness 8, 5 and 5, slot 9 wins.
//!
//! Source: document 003 of the project; Goldberg & Deb, *A comparative analysis of selection
//! schemes used in genetic algorithms*, 1991.

// Index loops keep vectors out of closures and iterator adaptors, which may be compiled without the level's
// instructions.
#![allow(clippy::needless_range_loop)]

use std::cell::RefCell;

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch};

use super::{BuildContext, ConfigError, FromContext, SelectionOperator};
use crate::ga::config::MAX_MEMBERS;
use crate::random::{BatchWords, BlockCache, Draws, GenerationRng, StreamStage};

/// The most members of a usual tournament, of which a list takes little time.
const FEW_MEMBERS: usize = 16;
/// Slots whose tournaments are computed side by side.
const ROW: usize = BlockCache::ROW;
/// The most words of such a slot.
const WORDS: usize = 16;
/// The bit that marks members of the second tournament: no slot has it.
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
                "tournament is {members}, but the population has only {population} individuals"
            )));
        }
        Ok(Self { members: members as usize, population })
    }
}

thread_local! {
    /// For each word, the individual that it draws for each slot of a row, and the fitness of that individual. It is never
    /// cleared.
    static MEMBERS: RefCell<[[[u32; ROW]; 2]; WORDS]> = const { RefCell::new([[[0; ROW]; 2]; WORDS]) };
}

impl Tournament {
    /// Selects `N` parents of a slot.
    #[inline]
    fn winners<const N: usize>(&self, fitness: &[u16], draws: &mut Draws) -> [u32; N] {
        [(); N].map(|()| self.winner(fitness, draws))
    }

    #[inline]
    fn winner(&self, fitness: &[u16], draws: &mut Draws) -> u32 {
        // It takes longer to clear a list of the most members than to hold a small tournament.
        match self.members {
            0..=FEW_MEMBERS => self.winner_of::<FEW_MEMBERS>(fitness, draws),
            _ => self.winner_of::<{ MAX_MEMBERS as usize }>(fitness, draws),
        }
    }

    /// Returns the winner of at most `MOST` members.
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

    /// Selects the parents of consecutive slots side by side. A slot for which the words that were computed ahead do not
    /// suffice, because members were drawn repeatedly, is selected by itself.
    #[inline(always)]
    fn select_vectors<S: Simd>(
        &self,
        simd: S,
        words: BatchWords,
        fitness: &[u16],
        drawn: &mut [[[u32; ROW]; 2]],
        parents: &mut [[u32; 2]],
    ) {
        for (word, [members, of_members]) in drawn.iter_mut().enumerate() {
            words.below(word, self.population, members);
            for (fitness_of, member) in of_members[..parents.len()].iter_mut().zip(&*members) {
                *fitness_of = fitness[*member as usize].into();
            }
        }
        let (mut taken, mut winners) = ([0; ROW], [[0; ROW]; 2]);
        for first in (0..parents.len()).step_by(S::u32s::LEN) {
            let slots = first..first + S::u32s::LEN;
            let (count, winner) = self.select_vector(simd, drawn, first);
            count.store_slice(&mut taken[slots.clone()]);
            for tournament in 0..2 {
                winner[tournament].store_slice(&mut winners[tournament][slots.clone()]);
            }
        }
        for (at, parents) in parents.iter_mut().enumerate() {
            *parents = match taken[at] as usize == 2 * self.members {
                true => [winners[0][at], winners[1][at]],
                false => self.winners(fitness, &mut words.draws(at)),
            };
        }
    }

    /// Returns the number of members that the words of a vector of slots give, those of the first tournament before those
    /// of the second, and the winners of both. It works word by word, so that the state of the slots stays in registers.
    /// Whether a member is new, and better, is a mask and no branch, which could not be predicted.
    #[inline(always)]
    fn select_vector<S: Simd>(
        &self,
        simd: S,
        drawn: &[[[u32; ROW]; 2]],
        first: usize,
    ) -> (S::u32s, [S::u32s; 2]) {
        let splat = |number| S::u32s::splat(simd, number);
        let (zero, members) = (splat(0), splat(self.members as u32));
        let (all, second, none) = (members + members, splat(1 << SECOND), splat(u32::MAX));
        let (mut taken, mut winner, mut best) = (zero, [zero; 2], [none; 2]);
        let mut earlier = [zero; WORDS];
        for word in 0..drawn.len() {
            let slots = first..first + S::u32s::LEN;
            let slot = S::u32s::from_slice(simd, &drawn[word][0][slots.clone()]);
            let fitness = S::u32s::from_slice(simd, &drawn[word][1][slots]);
            let is_second = taken.simd_ge(members);
            let member = slot | is_second.select(second, zero);
            let mut is_new = taken.simd_lt(all);
            for other in 0..word {
                is_new &= earlier[other].simd_ne(member);
            }
            for (tournament, is_its) in [(0, !is_second), (1, is_second)] {
                let wins = is_new & is_its & fitness.simd_lt(best[tournament]);
                best[tournament] = wins.select(fitness, best[tournament]);
                winner[tournament] = wins.select(slot, winner[tournament]);
            }
            taken += is_new.select(splat(1), zero);
            // No later member equals a draw that is none.
            earlier[word] = is_new.select(member, none);
        }
        (taken, winner)
    }
}

impl SelectionOperator for Tournament {
    #[inline]
    fn select(&self, slot: u32, fitness: &[u16], seed: &GenerationRng) -> [u32; 2] {
        self.winners(fitness, &mut seed.draws(StreamStage::Select, slot))
    }

    fn select_row(&self, words: BatchWords, fitness: &[u16], parents: &mut [[u32; 2]]) -> bool {
        let count = self.words().next_multiple_of(4) as usize;
        if count > WORDS || parents.len() > ROW || self.population >= 1 << SECOND {
            return false;
        }
        MEMBERS.with_borrow_mut(|drawn| {
            let drawn = &mut drawn[..count];
            dispatch!(Level::new(), simd => self.select_vectors(simd, words, fitness, drawn, parents));
        });
        true
    }

    fn candidates(&self, slot: u32, fitness: &[u16], seed: &GenerationRng) -> Option<[u32; 5]> {
        Some(self.winners(fitness, &mut seed.draws(StreamStage::Select, slot)))
    }

    fn words(&self) -> u32 {
        2 * self.members as u32
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
