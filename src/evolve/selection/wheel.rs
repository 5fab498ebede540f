//! A wheel on which each individual's sector is as wide as its score.
//!
//! The score is `3 n² - fitness`, the number of distinct values in all units. Individuals of one
//! fitness are as wide as each other, so the wheel is kept by fitness, in at most `3 n² + 1` sums.
//! The high bits of a position find its fitness in a guide, or one near it (Chen & Asau, *On
//! generating random variates from an empirical distribution*, 1974), and a division the individual.
//!
//! Four individuals with scores 3, 1, 1, 0: positions 0 to 2 are the first, 3 and 4 the others,
//! and the last has no sector. When all scores are 0 every sector is 1 wide.

use super::Ranking;
use crate::random::Draws;

/// Sectors in order of fitness, the best first.
#[derive(Clone, Debug)]
pub struct Wheel {
    ranking: Ranking,
    worst: u64,
    /// Where the sectors of each fitness begin; the last entry is the wheel's circumference.
    sums: Vec<u64>,
    /// The fitness at every position of which the bits below `shift` are zero.
    guide: Vec<u16>,
    shift: u32,
}

/// Entries of a guide, as a power of two: a few for each individual, which are filled in every generation, and
/// no more than are found quickly.
fn guide_bits(population: u32) -> u32 {
    (population.max(1).ilog2() + 2).min(10)
}

impl Wheel {
    /// A wheel for `population` individuals of fitness up to `worst`.
    pub fn new(population: u32, worst: u16) -> Self {
        Self {
            ranking: Ranking::new(population, worst),
            worst: worst.into(),
            sums: vec![0; usize::from(worst) + 2],
            guide: vec![0; 1 << guide_bits(population)],
            shift: 0,
        }
    }

    /// Lays the sectors of a population.
    pub fn lay(&mut self, fitness: &[u16]) {
        self.ranking.rank(fitness);
        let mut sum = 0;
        let ranges = self.ranking.starts().windows(2);
        for (fitness, (begin, range)) in self.sums.iter_mut().zip(ranges).enumerate() {
            *begin = sum;
            sum += u64::from(range[1] - range[0]) * (self.worst - fitness as u64);
        }
        if let Some(end) = self.sums.last_mut() {
            *end = sum;
        }
        self.shift = (u64::BITS - sum.leading_zeros()).saturating_sub(self.guide.len().ilog2());
        let mut fitness = 0;
        for (entry, guide) in self.guide.iter_mut().enumerate() {
            let position = (entry as u64) << self.shift;
            while position < sum && self.sums[fitness + 1] <= position {
                fitness += 1;
            }
            *guide = fitness as u16;
        }
    }

    /// Its circumference.
    pub fn total(&self) -> u64 {
        match self.sums.last() {
            Some(0) | None => self.ranking.slots().len() as u64,
            Some(total) => *total,
        }
    }

    /// A random position, from one word where the circumference allows it, else from two.
    #[inline]
    pub fn spin(&self, draws: &mut Draws) -> u64 {
        draws.below_wide(self.total())
    }

    /// The rank, from 0, whose sector holds `position`, which is below the circumference.
    #[inline]
    pub fn rank(&self, position: u64) -> u32 {
        if self.sums.last() == Some(&0) {
            return position as u32;
        }
        let mut fitness = usize::from(self.guide[(position >> self.shift) as usize]);
        while self.sums[fitness + 1] <= position {
            fitness += 1;
        }
        let among = (position - self.sums[fitness]) / (self.worst - fitness as u64);
        self.ranking.starts()[fitness] + among as u32
    }

    /// Turns ranks into slots.
    pub fn resolve(&self, ranks: &mut [[u32; 2]]) {
        self.ranking.resolve(ranks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot_at(wheel: &Wheel, position: u64) -> u32 {
        wheel.ranking.slots()[wheel.rank(position) as usize]
    }

    #[test]
    fn sectors_are_as_wide_as_scores() {
        let mut wheel = Wheel::new(5, 48);
        wheel.lay(&[45, 48, 47, 40, 47]);
        assert_eq!(wheel.total(), 13);
        let mut widths = [0; 5];
        (0..13).for_each(|position| widths[slot_at(&wheel, position) as usize] += 1);
        assert_eq!(widths, [3, 0, 1, 8, 1]);
    }

    #[test]
    fn the_guide_finds_what_a_search_through_all_sums_finds() {
        let mut wheel = Wheel::new(3_000, 243);
        let fitness: Vec<u16> = (0..3_000u32).map(|slot| (slot * slot % 244) as u16).collect();
        wheel.lay(&fitness);
        let mut position = 0;
        for slot in wheel.ranking.slots().to_vec() {
            let width = 243 - u64::from(fitness[slot as usize]);
            if width > 0 {
                assert_eq!(slot_at(&wheel, position), slot);
                assert_eq!(slot_at(&wheel, position + width - 1), slot);
            }
            position += width;
        }
        assert_eq!(position, wheel.total());
    }

    #[test]
    fn without_any_score_all_are_alike() {
        let mut wheel = Wheel::new(3, 48);
        wheel.lay(&[48, 48, 48]);
        assert_eq!((0..wheel.total()).map(|at| slot_at(&wheel, at)).collect::<Vec<_>>(), [0, 1, 2]);
    }
}
