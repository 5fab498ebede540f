//! All slots in order of fitness, the best first; of equals the lower slot comes first.
//!
//! A counting sort: the histogram of fitness has at most `3 n² + 1` bins, its running sums are the
//! first rank of each fitness, and one more pass writes every slot to its rank.
//!
//! Fitness 5, 1, 7, 5 ranks the slots 1, 0, 3, 2.

use std::ops::RangeInclusive;

/// Slots in order of fitness.
#[derive(Clone, Debug)]
pub struct RankOrder {
    /// Slots, the best first.
    pub slots: Vec<u32>,
    /// The number of individuals of each fitness in either half of the population, then the rank of the next one. Halves,
    /// since an addition waits for the one before it to the same number, and many individuals have the same fitness.
    places: [Vec<u32>; 2],
    /// The first rank of each fitness, and the number of individuals at the end.
    pub starts: Vec<u32>,
    /// The best fitness and the worst.
    pub occurring: RangeInclusive<usize>,
}

impl RankOrder {
    /// Room for the order of `population` individuals of fitness up to `worst`.
    pub fn new(population: u32, worst: u16) -> Self {
        let bins = usize::from(worst) + 1;
        Self {
            slots: vec![0; population as usize],
            places: [vec![0; bins], vec![0; bins]],
            starts: vec![0; bins + 1],
            occurring: 0..=0,
        }
    }

    /// Sorts a population.
    pub fn rank(&mut self, fitness: &[u16]) {
        // Most values of fitness do not occur in a small population: those outside of its range are skipped.
        let best = usize::from(fitness.iter().copied().min().unwrap_or(0));
        let worst = usize::from(fitness.iter().copied().max().unwrap_or(0));
        let [firsts, seconds] = &mut self.places;
        firsts[best..=worst].fill(0);
        seconds[best..=worst].fill(0);
        let (half, other) = fitness.split_at(fitness.len() / 2);
        let pairs = half.iter().zip(other);
        for (first, second) in pairs.clone() {
            firsts[usize::from(*first)] += 1;
            seconds[usize::from(*second)] += 1;
        }
        // The second half may have one more.
        let last = other.get(half.len()).map(|last| usize::from(*last));
        last.iter().for_each(|last| seconds[*last] += 1);
        self.starts[..best].fill(0);
        let mut start = 0;
        let places = firsts[best..=worst].iter_mut().zip(&mut seconds[best..=worst]);
        for ((first, second), begin) in places.zip(&mut self.starts[best..]) {
            *begin = start;
            start += std::mem::replace(first, start);
            start += std::mem::replace(second, start);
        }
        self.starts[worst + 1..].fill(start);
        let mut put = |places: &mut [u32], fitness: usize, slot: usize| {
            let place = &mut places[fitness];
            self.slots[*place as usize] = slot as u32;
            *place += 1;
        };
        for (slot, (first, second)) in pairs.enumerate() {
            put(firsts, usize::from(*first), slot);
            put(seconds, usize::from(*second), half.len() + slot);
        }
        last.iter().for_each(|last| put(seconds, *last, fitness.len() - 1));
        self.occurring = best..=worst;
    }

    /// Turns ranks, from 0, into slots.
    pub fn to_slots(&self, ranks: &mut [[u32; 2]]) {
        for rank in ranks.as_flattened_mut() {
            *rank = self.slots[*rank as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_stable_sort(fitness in proptest::collection::vec(0u16..=48, 1..300)) {
            let mut ranking = RankOrder::new(fitness.len() as u32, 48);
            ranking.rank(&fitness);
            let mut expected: Vec<u32> = (0..fitness.len() as u32).collect();
            expected.sort_by_key(|slot| fitness[*slot as usize]);
            prop_assert_eq!(&ranking.slots, &expected);
            for (value, range) in ranking.starts.windows(2).enumerate() {
                let slots = &ranking.slots[range[0] as usize..range[1] as usize];
                prop_assert!(slots.iter().all(|slot| usize::from(fitness[*slot as usize]) == value));
            }
        }
    }
}
