//! Steady state with a minimum distance: no two individuals of the population are nearly alike.
//!
//! A generation has `offspring` children, or `worst_share` as many as individuals. They are inserted
//! the best first; of equals the lower slot comes first. A child
//! - is dropped when an individual that is not worse has a Hamming distance below `distance`
//!   from it: with a distance of 1, when it is a copy;
//! - else takes the slot of the worst individual within that distance, if there is one: that one is
//!   worse than the child;
//! - else takes the slot of the worst of all, if that is not better than the child.
//!
//! Of equals the higher slot is replaced. Children that were inserted count as individuals for those
//! after them, but no child replaces another: once the worst of the old individuals that are
//! left is better than a child, neither this child nor any after it is inserted. Where several individuals are near
//! to a child and worse, it replaces one of them, and the others stay until they are the worst.
//!
//! Children are inserted in tiles of [`TILE`]. All threads compare the children of a tile with all individuals
//! and store who is near to whom as bits; then the children are inserted one after the other,
//! by these bits alone. So the memory grows with the population, not with its square; the comparisons number
//! up to children times individuals, and each ends after a few cells where boards are far apart.
//!
//! Population of fitness 2, 4, 9 and distance 3: a child of 3 that differs from the first in 2
//! cells is dropped; one that differs from it in 7 and from the second in 2 takes the slot of the
//! second; one that is far from all takes that of the third.
//!
//! Source: the pool of Goudet, Goupil & Hao, *Population-based gradient descent weight learning
//! for graph coloring problems*, 2021, has a minimum distance; here children are inserted one after
//! the other. Crowding: De Jong 1975.

use rayon::prelude::*;

use super::super::diversity::is_near;
use super::{
    BuildContext, ConfigError, FromContext, Individuals, RankOrder, Replacement,
    ReplacementOperator,
};

/// Children that are compared with all individuals before they are inserted.
pub const TILE: usize = 256;
/// Children that a thread compares at a time at most: individuals are read once for all of them.
const ROWS: usize = 8;
/// Comparisons that are worth a thread of their own.
const COMPARISONS_A_TASK: usize = 1 << 14;
/// Bits of a word.
const WORD: usize = u32::BITS as usize;
/// Words with a bit for each child of a tile.
const TILE_WORDS: usize = TILE / WORD;

/// Children replace the worst that are near to them, or the worst of all. An individual is known by its rank in the
/// old population.
#[derive(Clone, Debug)]
pub struct KeepDistance {
    distance: u32,
    offspring: usize,
    old: RankOrder,
    new: RankOrder,
    /// The rank of each slot.
    ranks: Vec<u32>,
    /// A bit a rank: whether a child of an earlier tile replaced the individual, and whether one of this tile did.
    replaced: Vec<u32>,
    replaced_now: Vec<u32>,
    /// For each child of a tile the individuals near to it, a bit a rank, then the children of the tile, a bit each.
    near: Vec<u32>,
}

impl FromContext for KeepDistance {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let (config, worst) = (context.config, context.space.geometry().worst_fitness());
        let offspring = Replacement::KeepDistance.offspring(config);
        Ok(Self::new(config.distance, config.population, offspring, worst))
    }
}

impl KeepDistance {
    fn new(distance: u32, population: u32, offspring: u32, worst: u16) -> Self {
        let words = (population as usize).div_ceil(WORD);
        Self {
            distance,
            offspring: offspring as usize,
            old: RankOrder::new(population, worst),
            new: RankOrder::new(offspring, worst),
            ranks: vec![0; population as usize],
            replaced: vec![0; words],
            replaced_now: vec![0; words],
            near: vec![0; (words + TILE_WORDS) * TILE.min(offspring as usize)],
        }
    }

    /// Compares the children of a tile, from rank `first` on, with all individuals, and with the children before
    /// them in the tile.
    fn compare(&mut self, population: &Individuals, children: &Individuals, first: usize) {
        let Self { distance, new, ranks, replaced, near, .. } = self;
        let tile = tile(new, first);
        let (words, row_words) = (replaced.len(), replaced.len() + TILE_WORDS);
        let child = |number: usize| children.boards.board(tile[number] as usize);
        // Few children are shared among threads too, where that pays.
        let comparisons = tile.len() * ranks.len();
        let tasks = (comparisons / COMPARISONS_A_TASK).min(rayon::current_num_threads());
        let count = tile.len().div_ceil(tasks.max(1)).min(ROWS);
        let rows = near[..row_words * tile.len()].par_chunks_mut(count * row_words);
        rows.enumerate().for_each(|(task, rows)| {
            rows.fill(0);
            let first = task * count;
            let mut compare = |other: &[u8], bit: usize, after: usize| {
                for (number, row) in (first..).zip(rows.chunks_exact_mut(row_words)) {
                    if number >= after && is_near(child(number), other, *distance) {
                        row[bit / WORD] |= 1 << (bit % WORD);
                    }
                }
            };
            // In the order of memory.
            for (slot, rank) in ranks.iter().enumerate() {
                compare(population.boards.board(slot), *rank as usize, 0);
            }
            for before in 0..tile.len().min(first + count) {
                compare(child(before), words * WORD + before, before + 1);
            }
        });
    }

    /// Inserts the children of a tile one after the other; false when no later child can be inserted.
    fn insert(
        &mut self,
        population: &mut Individuals,
        children: &Individuals,
        first: usize,
    ) -> bool {
        let Self { old, new, replaced, replaced_now, near, .. } = self;
        let (slots, words) = (&old.slots, replaced.len());
        let mut inserted = [0u32; TILE_WORDS];
        let rows = near.chunks_exact(words + TILE_WORDS);
        for (number, (child, row)) in tile(new, first).iter().zip(rows).enumerate() {
            let child = *child as usize;
            let fitness = children.fitness[child];
            let fitness_at = |rank: usize| population.fitness[slots[rank] as usize];
            let (near, near_children) = row.split_at(words);
            let mut is_dropped = near_children.iter().zip(&inserted).any(|(a, b)| a & b != 0);
            let [mut best_near, mut worst_near, mut worst] = [None; 3];
            for (word, near) in near.iter().enumerate() {
                let left = !(replaced[word] | replaced_now[word]);
                // A child that was inserted before is not worse.
                is_dropped |= near & replaced[word] != 0;
                best_near = best_near.or(lowest(word, near & left));
                worst_near = highest(word, near & left).or(worst_near);
                worst = highest(word, left & existing(word, slots.len())).or(worst);
            }
            let Some(worst) = worst.filter(|rank| fitness_at(*rank) >= fitness) else {
                return false;
            };
            is_dropped |= best_near.is_some_and(|rank| fitness_at(rank) <= fitness);
            if !is_dropped {
                let rank = worst_near.unwrap_or(worst);
                population.copy(slots[rank] as usize, children, child);
                replaced_now[rank / WORD] |= 1 << (rank % WORD);
                inserted[number / WORD] |= 1 << (number % WORD);
            }
        }
        for (replaced, now) in replaced.iter_mut().zip(replaced_now) {
            *replaced |= std::mem::take(now);
        }
        true
    }
}

/// The slots of the children of a tile, of which the best has the rank `first`.
fn tile(new: &RankOrder, first: usize) -> &[u32] {
    let slots = &new.slots[first..];
    &slots[..TILE.min(slots.len())]
}

/// The bits of a word that stand for one of `count` ranks.
fn existing(word: usize, count: usize) -> u32 {
    match count - word * WORD {
        bits @ 1..WORD => (1 << bits) - 1,
        _ => u32::MAX,
    }
}

/// The rank of the lowest bit of a word.
fn lowest(word: usize, bits: u32) -> Option<usize> {
    (bits != 0).then(|| word * WORD + bits.trailing_zeros() as usize)
}

/// The rank of the highest bit of a word.
fn highest(word: usize, bits: u32) -> Option<usize> {
    bits.checked_ilog2().map(|bit| word * WORD + bit as usize)
}

impl ReplacementOperator for KeepDistance {
    fn replace(&mut self, population: &mut Individuals, children: &mut Individuals) {
        self.old.rank(&population.fitness);
        self.new.rank(&children.fitness[..self.offspring]);
        self.replaced.fill(0);
        self.replaced_now.fill(0);
        for (rank, slot) in (0..).zip(&self.old.slots) {
            self.ranks[*slot as usize] = rank;
        }
        for first in (0..self.offspring).step_by(TILE) {
            self.compare(population, children, first);
            if !self.insert(population, children, first) {
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

    use super::*;
    use crate::board::Geometry;
    use crate::ga::diversity::distance;
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
        /// Children are far from all individuals that are not worse than them.
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
