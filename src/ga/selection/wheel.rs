//! A wheel on which each individual's sector is as wide as its score.
//!
//! The score is `3 n² - fitness`, the number of distinct values in all units. Individuals of one
//! fitness are as wide as each other, so the wheel is kept by fitness, in at most `3 n² + 1` sums.
//! The high bits of a position find its fitness in a guide, or one near it (Chen & Asau, *On
//! generating random variates from an empirical distribution*, 1974), and a division the individual: divisions of
//! several positions are made side by side, where the circumference allows it.
//!
//! Four individuals with scores 3, 1, 1, 0: positions 0 to 2 are the first, 3 and 4 the others,
//! and the last has no sector. When all scores are 0 every sector is 1 wide.

use fearless_simd::{Level, dispatch};

use super::RankOrder;
use crate::random::Draws;

/// Positions that are looked up side by side.
const ROW: usize = 64;
/// Below this circumference a position is a word.
const NARROW: u64 = 1 << 31;

/// Sectors in order of fitness, the best first.
#[derive(Clone, Debug)]
pub struct Wheel {
    ranking: RankOrder,
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
            ranking: RankOrder::new(population, worst),
            worst: worst.into(),
            sums: vec![0; usize::from(worst) + 2],
            guide: vec![0; 1 << guide_bits(population)],
            shift: 0,
        }
    }

    /// Lays the sectors of a population.
    pub fn lay(&mut self, fitness: &[u16]) {
        self.ranking.rank(fitness);
        // Only what occurs has sectors.
        let occurring = self.ranking.occurring();
        let (best, worst) = (*occurring.start(), *occurring.end());
        let starts = &self.ranking.starts()[best..];
        self.sums[..best].fill(0);
        let mut sum = 0;
        for (fitness, begin) in (best..=worst).zip(&mut self.sums[best..]) {
            *begin = sum;
            let individuals = starts[fitness - best + 1] - starts[fitness - best];
            sum += u64::from(individuals) * (self.worst - fitness as u64);
        }
        self.sums[worst + 1..].fill(sum);
        self.shift = (u64::BITS - sum.leading_zeros()).saturating_sub(self.guide.len().ilog2());
        let entry = |position: u64| position.div_ceil(1 << self.shift) as usize;
        for fitness in best..=worst {
            let entries = entry(self.sums[fitness])..entry(self.sums[fitness + 1]);
            self.guide[entries].fill(fitness as u16);
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
        draws.range_u64(self.total())
    }

    /// The rank, from 0, whose sector holds `position`, which is below the circumference.
    #[inline]
    pub fn rank(&self, position: u64) -> u32 {
        if self.sums.last() == Some(&0) {
            return position as u32;
        }
        let fitness = self.fitness(position);
        let among = (position - self.sums[fitness]) / (self.worst - fitness as u64);
        self.ranking.starts()[fitness] + among as u32
    }

    /// Whether [`ranks`](Self::ranks) takes the positions of this wheel.
    pub fn is_narrow(&self) -> bool {
        self.total() < NARROW
    }

    /// Turns positions on a narrow wheel, which are below its circumference, into ranks, each as
    /// [`rank`](Self::rank) has it.
    pub fn ranks(&self, positions: &mut [u32]) {
        if self.sums.last() != Some(&0) {
            let rows = positions.chunks_mut(ROW);
            rows.for_each(|row| dispatch!(Level::new(), _simd => self.ranks_of_row(row)));
        }
    }

    #[inline(always)]
    fn ranks_of_row(&self, positions: &mut [u32]) {
        let [mut first, mut within, mut width] = [[0; ROW]; 3];
        let sectors = first.iter_mut().zip(&mut within).zip(&mut width);
        for (((first, within), width), position) in sectors.zip(&*positions) {
            let position = u64::from(*position);
            let fitness = self.fitness(position);
            *first = u64::from(self.ranking.starts()[fitness]);
            *within = position - self.sums[fitness];
            *width = self.worst - fitness as u64;
        }
        let sectors = first.iter().zip(&within).zip(&width);
        for (((first, within), width), position) in sectors.zip(positions) {
            *position = (first + quotient(*within, *width)) as u32;
        }
    }

    /// The fitness at a position.
    #[inline(always)]
    fn fitness(&self, position: u64) -> usize {
        let mut fitness = usize::from(self.guide[(position >> self.shift) as usize]);
        while self.sums[fitness + 1] <= position {
            fitness += 1;
        }
        fitness
    }

    /// Turns ranks into slots.
    pub fn resolve(&self, ranks: &mut [[u32; 2]]) {
        self.ranking.resolve(ranks);
    }
}

/// A quotient rounded down, by what vectors can do: they have no division of whole numbers. The divisor and the
/// quotient are below 2^32, the dividend is below 2^52.
#[inline(always)]
pub(super) fn quotient(dividend: u64, divisor: u64) -> u64 {
    // A whole number below 2^52 is the fraction of a float in which it stands behind this one.
    const WHOLE: f64 = (1u64 << 52) as f64;
    let float = |number: u64| f64::from_bits(WHOLE.to_bits() | number) - WHOLE;
    let nearest = (float(dividend) / float(divisor) + WHOLE).to_bits();
    let nearest = u64::from(nearest as u32);
    nearest - u64::from((nearest * u64::from(divisor as u32)) as i64 > dividend as i64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn quotients_are_those_of_whole_numbers(
            quotient_ in 0u64..1 << 20, divisor in 1u64..1 << 32, above in 0u64..1 << 32
        ) {
            let above = above % divisor;
            for rest in [0, above, divisor - 1] {
                let dividend = quotient_ * divisor + rest;
                if dividend < 1 << 52 {
                    prop_assert_eq!(quotient(dividend, divisor), quotient_);
                }
            }
        }

        #[test]
        fn positions_side_by_side_have_the_ranks_that_they_have_one_by_one(
            fitness in proptest::collection::vec(0u16..=48, 1..300)
        ) {
            let mut wheel = Wheel::new(fitness.len() as u32, 48);
            wheel.lay(&fitness);
            prop_assert!(wheel.is_narrow());
            let mut positions: Vec<u32> = (0..wheel.total() as u32).collect();
            let expected: Vec<u32> = (0..wheel.total()).map(|at| wheel.rank(at)).collect();
            wheel.ranks(&mut positions);
            prop_assert_eq!(positions, expected);
        }
    }

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
