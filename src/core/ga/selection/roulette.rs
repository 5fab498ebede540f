//! Roulette wheel selection: parents are drawn with weights that are their scores.
//!
//! The score is `3 n² - fitness`, the number of distinct values in all units, unscaled, so that there is hardly any
//! pressure: of 9x9 boards of fitness 20 and 10 the better is drawn only 233 times for 223 of the other.
//!
//! Each individual has a sector of the [`Wheel`] as wide as its score. Individuals of equal fitness have equal sectors, so
//! the wheel is stored by fitness, in at most `3 n² + 1` sums. The high bits of a position are the index of a guide table, which
//! holds its fitness or one near it (Chen & Asau, *On generating random variates from an empirical distribution*, 1974);
//! a division gives the individual. The divisions of several positions are computed side by side, where the circumference
//! allows it.
//!
//! Four individuals with scores 3, 1, 1, 0: positions 0 to 2 are the first, 3 and 4 the others,
//! and the last has no sector. When all scores are 0 every sector is 1 wide.
//!
//! Source: document 003 of the project; fitness-proportionate selection (Holland, *Adaptation in
//! Natural and Artificial Systems*, 1975).

use fearless_simd::{Level, dispatch};

use super::{BuildContext, ConfigError, FromContext, RankOrder, SelectionOperator};
use crate::random::{BatchWords, Draws, GenerationRng, StreamStage, below};

/// Parents by score.
#[derive(Clone, Debug)]
pub struct Roulette {
    wheel: Wheel,
}

impl FromContext for Roulette {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let worst = context.space.geometry().worst_fitness();
        Ok(Self { wheel: Wheel::new(context.config.population, worst) })
    }
}

impl SelectionOperator for Roulette {
    fn begin_generation(&mut self, fitness: &[u16], _: &GenerationRng) {
        self.wheel.rebuild(fitness);
    }

    /// Returns positions on a narrow wheel, ranks on others.
    #[inline(always)]
    fn select(&self, slot: u32, _: &[u16], seed: &GenerationRng) -> [u32; 2] {
        let mut draws = seed.draws(StreamStage::Select, slot);
        [(); 2].map(|()| match self.wheel.random_position(&mut draws) {
            position if self.wheel.is_narrow() => position as u32,
            position => self.wheel.rank(position),
        })
    }

    fn select_row(&self, words: BatchWords, _: &[u16], parents: &mut [[u32; 2]]) -> bool {
        let circumference = self.wheel.circumference() as u32;
        for (parents, [one, other, ..]) in parents.iter_mut().zip(words.blocks_of(0)) {
            *parents = [below(*one, circumference), below(*other, circumference)];
        }
        self.wheel.is_narrow()
    }

    fn words(&self) -> u32 {
        2
    }

    fn to_slots(&self, parents: &mut [[u32; 2]]) {
        if self.wheel.is_narrow() {
            self.wheel.positions_to_ranks(parents.as_flattened_mut());
        }
        self.wheel.ranking.to_slots(parents);
    }
}

/// Positions that are looked up side by side.
const ROW: usize = 64;
/// Below this circumference a position is a word.
const NARROW: u64 = 1 << 31;

/// Sectors as wide as scores, in order of fitness, the best first.
#[derive(Clone, Debug)]
pub struct Wheel {
    /// The individuals in the order of their sectors.
    pub ranking: RankOrder,
    worst: u64,
    /// The position where the sectors of each fitness begin; the last entry is the circumference.
    sums: Vec<u64>,
    /// The fitness at every position of which the bits below `shift` are zero.
    guide: Vec<u16>,
    shift: u32,
}

impl Wheel {
    /// A wheel for `population` individuals of fitness up to `worst`.
    pub fn new(population: u32, worst: u16) -> Self {
        // A few entries for each individual, which are written in every generation, and no more than are written quickly.
        let guide_bits = (population.max(1).ilog2() + 2).min(10);
        Self {
            ranking: RankOrder::new(population, worst),
            worst: worst.into(),
            sums: vec![0; usize::from(worst) + 2],
            guide: vec![0; 1 << guide_bits],
            shift: 0,
        }
    }

    /// Computes the sectors of a population.
    pub fn rebuild(&mut self, fitness: &[u16]) {
        self.ranking.rank(fitness);
        // A fitness outside of the range of the population has no sectors.
        let (best, worst) = self.ranking.occurring.clone().into_inner();
        let starts = &self.ranking.starts[best..];
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

    /// Returns the sum of the widths of all sectors.
    pub fn circumference(&self) -> u64 {
        match self.sums.last() {
            Some(0) | None => self.ranking.slots.len() as u64,
            Some(sum) => *sum,
        }
    }

    /// Draws a position, from one word where the circumference allows it, else from two.
    #[inline]
    pub fn random_position(&self, draws: &mut Draws) -> u64 {
        draws.range_u64(self.circumference())
    }

    /// Returns the rank, from 0, whose sector contains `position`, which is below the circumference.
    #[inline]
    pub fn rank(&self, position: u64) -> u32 {
        if self.sums.last() == Some(&0) {
            return position as u32;
        }
        let fitness = self.fitness(position);
        let among = (position - self.sums[fitness]) / (self.worst - fitness as u64);
        self.ranking.starts[fitness] + among as u32
    }

    /// Whether every position is a word, which [`positions_to_ranks`](Self::positions_to_ranks) requires.
    pub fn is_narrow(&self) -> bool {
        self.circumference() < NARROW
    }

    /// Turns positions on a narrow wheel, which are below its circumference, into ranks, each as
    /// [`rank`](Self::rank) does.
    pub fn positions_to_ranks(&self, positions: &mut [u32]) {
        if self.sums.last() != Some(&0) {
            let rows = positions.chunks_mut(ROW);
            rows.for_each(|row| dispatch!(Level::new(), _simd => self.row_to_ranks(row)));
        }
    }

    #[inline(always)]
    fn row_to_ranks(&self, positions: &mut [u32]) {
        let [mut first, mut within, mut width] = [[0; ROW]; 3];
        let sectors = first.iter_mut().zip(&mut within).zip(&mut width);
        for (((first, within), width), position) in sectors.zip(&*positions) {
            let position = u64::from(*position);
            let fitness = self.fitness(position);
            *first = u64::from(self.ranking.starts[fitness]);
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
}

/// A quotient rounded down, by vector instructions, which have no division of whole numbers. The divisor and the
/// quotient are below 2^32, the dividend is below 2^52.
#[inline(always)]
pub(super) fn quotient(dividend: u64, divisor: u64) -> u64 {
    // A whole number below 2^52 is the fraction of the float that is larger by 2^52.
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
            wheel.rebuild(&fitness);
            prop_assert!(wheel.is_narrow());
            let mut positions: Vec<u32> = (0..wheel.circumference() as u32).collect();
            let expected: Vec<u32> =
                (0..wheel.circumference()).map(|position| wheel.rank(position)).collect();
            wheel.positions_to_ranks(&mut positions);
            prop_assert_eq!(positions, expected);
        }
    }

    fn slot_at(wheel: &Wheel, position: u64) -> u32 {
        wheel.ranking.slots[wheel.rank(position) as usize]
    }

    #[test]
    fn sectors_are_as_wide_as_scores() {
        let mut wheel = Wheel::new(5, 48);
        wheel.rebuild(&[45, 48, 47, 40, 47]);
        assert_eq!(wheel.circumference(), 13);
        let mut widths = [0; 5];
        (0..13).for_each(|position| widths[slot_at(&wheel, position) as usize] += 1);
        assert_eq!(widths, [3, 0, 1, 8, 1]);
    }

    #[test]
    fn the_guide_finds_what_a_search_through_all_sums_finds() {
        let mut wheel = Wheel::new(3_000, 243);
        let fitness: Vec<u16> = (0..3_000u32).map(|slot| (slot * slot % 244) as u16).collect();
        wheel.rebuild(&fitness);
        let mut position = 0;
        for slot in wheel.ranking.slots.clone() {
            let width = 243 - u64::from(fitness[slot as usize]);
            if width > 0 {
                assert_eq!(slot_at(&wheel, position), slot);
                assert_eq!(slot_at(&wheel, position + width - 1), slot);
            }
            position += width;
        }
        assert_eq!(position, wheel.circumference());
    }

    #[test]
    fn where_all_scores_are_0_the_sectors_are_equal() {
        let mut wheel = Wheel::new(3, 48);
        wheel.rebuild(&[48, 48, 48]);
        assert_eq!(
            (0..wheel.circumference()).map(|at| slot_at(&wheel, at)).collect::<Vec<_>>(),
            [0, 1, 2]
        );
    }
}
