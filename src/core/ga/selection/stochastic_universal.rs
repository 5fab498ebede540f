//! Stochastic universal sampling: one spin for all parents.
//!
//! A generation of P children needs 2 P parents: a wheel whose sectors are the scores is spun once
//! under 2 P evenly spaced pointers. An individual that should be a parent 2.3 times is a parent twice
//! or three times, never once or four times. The pointers are then shuffled into couples.
//!
//! Scores 6, 3 and 3 under 4 pointers: the first is a parent twice, the others once each.
//!
//! `sus-per-parent` spins a wheel of P pointers for each parent, and one random pointer of it shows the parent.
//! Each parent is then drawn by itself, with its share of the wheel: the distribution is that of the roulette wheel,
//! at a higher price. Scores 6, 3 and 3: the first is drawn with probability one half, the others with one fourth each.
//!
//! Sources: Baker, *Reducing bias and inefficiency in the selection algorithm*, 1987; document 003 of the project
//! for the spin for each parent.

use fearless_simd::{Level, dispatch};

use super::roulette::{Wheel, quotient};
use super::{BuildContext, ConfigError, FromContext, SelectionOperator};
use crate::random::{GenerationRng, SlotPermutation, StreamStage, WHOLE_POPULATION};

/// Parents of a child, each of which has a pointer.
const PARENTS: u64 = 2;

/// One spin a generation.
#[derive(Clone, Debug)]
pub struct StochasticUniversal {
    wheel: Wheel,
    /// Pointers around the wheel.
    pointers: u64,
    offset: u64,
    shuffled: SlotPermutation,
}

impl FromContext for StochasticUniversal {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let (wheel, pointers) = wheel_and_pointers(context)?;
        Ok(Self { wheel, pointers, offset: 0, shuffled: SlotPermutation::default() })
    }
}

/// A wheel and twice as many pointers as individuals, so that every pointer's position can be computed in 64 bits.
fn wheel_and_pointers(context: &BuildContext) -> Result<(Wheel, u64), ConfigError> {
    let (population, worst) = (context.config.population, context.space.geometry().worst_fitness());
    let pointers = PARENTS * u64::from(population);
    let circumference = u64::from(population) * u64::from(worst);
    if u32::try_from(pointers).is_err() || pointers.checked_mul(circumference).is_none() {
        return Err(ConfigError::Unfit(format!(
            "population {population} is too large for selection {}",
            context.config.selection
        )));
    }
    Ok((Wheel::new(population, worst), pointers))
}

impl StochasticUniversal {
    /// Turns pointers around a narrow wheel into positions.
    #[inline(always)]
    fn to_positions(&self, pointers: &mut [u32]) {
        let circumference = self.wheel.circumference() as u32;
        for pointer in pointers {
            let position = u64::from(*pointer) * u64::from(circumference) + self.offset;
            *pointer = quotient(position, self.pointers) as u32;
        }
    }
}

impl SelectionOperator for StochasticUniversal {
    fn begin_generation(&mut self, fitness: &[u16], seed: &GenerationRng) {
        self.wheel.rebuild(fitness);
        let mut draws = seed.draws(StreamStage::Select, WHOLE_POPULATION);
        self.offset = self.wheel.random_position(&mut draws);
        self.shuffled.redraw(self.pointers as u32, seed);
    }

    /// Returns numbers of pointers before they are shuffled.
    #[inline(always)]
    fn select(&self, slot: u32, _: &[u16], _: &GenerationRng) -> [u32; 2] {
        [2 * slot, 2 * slot + 1]
    }

    fn words(&self) -> u32 {
        0
    }

    fn to_slots(&self, parents: &mut [[u32; 2]]) {
        let (circumference, pointers) = (self.wheel.circumference(), parents.as_flattened_mut());
        self.shuffled.apply(pointers);
        if self.wheel.is_narrow() && self.pointers * circumference < 1 << 52 {
            dispatch!(Level::new(), _simd => self.to_positions(pointers));
            self.wheel.positions_to_ranks(pointers);
        } else {
            for pointer in pointers {
                let position = u64::from(*pointer) * circumference + self.offset;
                *pointer = self.wheel.rank(position / self.pointers);
            }
        }
        self.wheel.ranking.to_slots(parents);
    }
}

/// A spin for each parent.
#[derive(Clone, Debug)]
pub struct StochasticUniversalPerParent {
    wheel: Wheel,
    population: u32,
}

impl FromContext for StochasticUniversalPerParent {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let (wheel, _) = wheel_and_pointers(context)?;
        Ok(Self { wheel, population: context.config.population })
    }
}

impl SelectionOperator for StochasticUniversalPerParent {
    fn begin_generation(&mut self, fitness: &[u16], _: &GenerationRng) {
        self.wheel.rebuild(fitness);
    }

    #[inline(always)]
    fn select(&self, slot: u32, _: &[u16], seed: &GenerationRng) -> [u32; 2] {
        let mut draws = seed.draws(StreamStage::Select, slot);
        [(); 2].map(|()| {
            let offset = self.wheel.random_position(&mut draws);
            let pointer = u64::from(draws.below(self.population));
            let position = pointer * self.wheel.circumference() + offset;
            self.wheel.rank(position / u64::from(self.population))
        })
    }

    fn to_slots(&self, parents: &mut [[u32; 2]]) {
        self.wheel.ranking.to_slots(parents);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::SearchSpace;
    use crate::ga::{Config, Preset};

    fn universal(fitness: &[u16], seed: &GenerationRng) -> StochasticUniversal {
        let population = fitness.len() as u32;
        let mut selection = StochasticUniversal {
            wheel: Wheel::new(population, 48),
            pointers: PARENTS * u64::from(population),
            offset: 0,
            shuffled: SlotPermutation::default(),
        };
        selection.begin_generation(fitness, seed);
        selection
    }

    #[test]
    fn a_population_whose_positions_exceed_64_bits_is_refused() {
        let space = SearchSpace::blank("3x3".parse().unwrap());
        let is_refused = |population| {
            let config = Config { population, ..Config::of(Preset::RowsSus, &space) };
            wheel_and_pointers(&BuildContext::new(&space, &config, &[])).is_err()
        };
        assert!(!is_refused(1_000));
        // Positions beyond 64 bits, and pointers beyond 32.
        assert!(is_refused(1 << 29) && is_refused(1 << 31));
    }

    proptest! {
        #[test]
        fn each_is_a_parent_as_often_as_expected_rounded_down_or_up(
            fitness in proptest::collection::vec(0u16..48, 1..80), seed: u64
        ) {
            let seed = GenerationRng::new(seed, 3);
            let selection = universal(&fitness, &seed);
            let mut batch = vec![[0; 2]; fitness.len() - 1];
            selection.select_batch((1, 1), &fitness, &seed, &mut batch);
            selection.to_slots(&mut batch);
            for (slot, parents) in (1..).zip(&batch) {
                prop_assert_eq!(*parents, selection.parents(slot, &fitness, &seed));
            }
            let mut seen = vec![0u64; fitness.len()];
            for slot in 0..fitness.len() as u32 {
                for parent in selection.parents(slot, &fitness, &seed) {
                    seen[parent as usize] += 1;
                }
            }
            let total: u64 = fitness.iter().map(|fitness| u64::from(48 - fitness)).sum();
            for (seen, fitness) in seen.into_iter().zip(&fitness) {
                let share = selection.pointers * u64::from(48 - fitness);
                prop_assert!(seen == share / total || seen == share.div_ceil(total));
            }
        }
    }
}
