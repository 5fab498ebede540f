//! The places of a population in order of fitness, and who gets one.

use rayon::prelude::*;

use crate::ga::Individuals;
use crate::ga::distance::is_near;

/// Children that are compared with everybody before they get their places.
pub(crate) const TILE: usize = 256;
/// Children that a thread compares at a time at most: individuals are read once for all of them.
const ROWS: usize = 8;
/// Comparisons that are worth a thread of their own.
const WORTHWHILE: usize = 1 << 14;
/// Bits of a word.
const WORD: usize = u32::BITS as usize;

/// A bit for each place of the old ranking, the best first.
#[derive(Clone, Debug)]
pub(super) struct SurvivorSet {
    distance: u32,
    /// The place of each slot.
    of_slots: Vec<u32>,
    /// Those whose slot a child took before this tile, and those that children of this tile took.
    taken: Vec<u32>,
    taking: Vec<u32>,
    /// Of each child of a tile, to whom it is near: words of places, then words of children of the
    /// tile.
    near: Vec<u32>,
}

impl SurvivorSet {
    /// Those of `count` individuals, for which `offspring` children come.
    pub fn new(distance: u32, count: usize, offspring: usize) -> Self {
        let words = count.div_ceil(WORD);
        let near = vec![0; (words + TILE / WORD) * TILE.min(offspring)];
        let (taken, taking) = (vec![0; words], vec![0; words]);
        Self { distance, of_slots: vec![0; count], taken, taking, near }
    }

    /// Begins with the `slots` of a ranking, of which none is taken yet.
    pub fn begin(&mut self, slots: &[u32]) {
        self.taken.fill(0);
        self.taking.fill(0);
        for (place, slot) in slots.iter().enumerate() {
            self.of_slots[*slot as usize] = place as u32;
        }
    }

    /// Words of places, and words of a child of a tile.
    fn words(&self) -> (usize, usize) {
        (self.taken.len(), self.taken.len() + TILE / WORD)
    }

    /// Compares the children of a tile with whoever is in the population, and with those before them
    /// in the tile.
    pub fn compare(&mut self, population: &Individuals, children: &Individuals, tile: &[u32]) {
        let (words, row_words) = self.words();
        let Self { distance, of_slots, near, .. } = self;
        let child = |number: usize| children.boards.board(tile[number] as usize);
        // Few children are shared out too, where that pays.
        let tasks = (tile.len() * of_slots.len() / WORTHWHILE).min(rayon::current_num_threads());
        let count = tile.len().div_ceil(tasks.max(1)).min(ROWS);
        let rows = near[..row_words * tile.len()].par_chunks_mut(count * row_words);
        rows.enumerate().for_each(|(part, rows)| {
            rows.fill(0);
            let first = part * count;
            let mut compare = |other: &[u8], at: usize, after: usize| {
                for (number, row) in (first..).zip(rows.chunks_exact_mut(row_words)) {
                    if number >= after && is_near(child(number), other, *distance) {
                        row[at / WORD] |= 1 << (at % WORD);
                    }
                }
            };
            // In the order of memory.
            for (slot, place) in of_slots.iter().enumerate() {
                compare(population.boards.board(slot), *place as usize, 0);
            }
            for before in 0..tile.len().min(first + count) {
                compare(child(before), words * WORD + before, before + 1);
            }
        });
    }

    /// Gives the children of a tile their places, one after the other; false when there is none
    /// left for any that comes later.
    pub fn give(
        &mut self,
        slots: &[u32],
        population: &mut Individuals,
        children: &Individuals,
        tile: &[u32],
    ) -> bool {
        let (words, row_words) = self.words();
        let mut placed = [0u32; TILE / WORD];
        for (number, child) in tile.iter().enumerate() {
            let child = *child as usize;
            let fitness = children.fitness[child];
            let fitness_at = |place: usize| population.fitness[slots[place] as usize];
            let (near, near_children) =
                self.near[number * row_words..][..row_words].split_at(words);
            let mut is_blocked = near_children.iter().zip(&placed).any(|(a, b)| a & b != 0);
            let [mut best_near, mut worst_near, mut worst] = [None; 3];
            for (word, near) in near.iter().enumerate() {
                let old = !(self.taken[word] | self.taking[word]);
                // Whoever took a place before is not worse.
                is_blocked |= near & self.taken[word] != 0;
                best_near = best_near.or(lowest(word, near & old));
                worst_near = highest(word, near & old).or(worst_near);
                worst = highest(word, old & self.existing(word)).or(worst);
            }
            let Some(worst) = worst.filter(|place| fitness_at(*place) >= fitness) else {
                return false;
            };
            is_blocked |= best_near.is_some_and(|place| fitness_at(place) <= fitness);
            if !is_blocked {
                let place = worst_near.unwrap_or(worst);
                population.copy(slots[place] as usize, children, child);
                self.taking[place / WORD] |= 1 << (place % WORD);
                placed[number / WORD] |= 1 << (number % WORD);
            }
        }
        for (taken, taking) in self.taken.iter_mut().zip(&mut self.taking) {
            *taken |= std::mem::take(taking);
        }
        true
    }

    /// The bits of a word that stand for a place.
    fn existing(&self, word: usize) -> u32 {
        match self.of_slots.len() - word * WORD {
            bits @ 1..WORD => (1 << bits) - 1,
            _ => u32::MAX,
        }
    }
}

/// The place of the lowest bit of a word.
fn lowest(word: usize, bits: u32) -> Option<usize> {
    (bits != 0).then(|| word * WORD + bits.trailing_zeros() as usize)
}

/// The place of the highest bit of a word.
fn highest(word: usize, bits: u32) -> Option<usize> {
    bits.checked_ilog2().map(|bit| word * WORD + bit as usize)
}
