//! Stochastic universal sampling: one spin for all parents.
//!
//! A generation of P children wants 2 P parents: a wheel whose sectors are the scores is spun once
//! under 2 P evenly spaced pointers. An individual that should be a parent 2.3 times is one twice
//! or three times, never once or four times. The pointers are then shuffled into couples.
//!
//! Scores 6, 3 and 3 under 4 pointers: the first is a parent twice, the others once each.
//!
//! Source: Baker, *Reducing bias and inefficiency in the selection algorithm*, 1987.

use fearless_simd::{Level, dispatch};

use super::super::ConfigError;
use super::super::operator::{BuildContext, FromContext};
use super::SelectionOperator;
use super::wheel::{Wheel, quotient};
use crate::random::{GenerationRng, SlotPermutation, StreamStage, WHOLE_POPULATION};

/// Pointers a spin has for each child.
const PARENTS: u64 = 2;

/// One spin a generation.
#[derive(Clone, Debug)]
pub struct StochasticUniversal {
    wheel: Wheel,
    population: u32,
    offset: u64,
    shuffled: SlotPermutation,
}

impl FromContext for StochasticUniversal {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let (wheel, population) = wheel(context)?;
        Ok(Self {
            wheel,
            population,
            offset: 0,
            shuffled: SlotPermutation::new(1, &GenerationRng::new(0, 0)),
        })
    }
}

/// A wheel of which every pointer's position can be computed in 64 bits.
pub(super) fn wheel(context: &BuildContext) -> Result<(Wheel, u32), ConfigError> {
    let population = context.config.population;
    let worst = context.space.geometry().worst_fitness();
    let pointers = PARENTS * u64::from(population);
    let circumference = u64::from(population) * u64::from(worst);
    if u32::try_from(pointers).is_err() || pointers.checked_mul(circumference).is_none() {
        return Err(ConfigError::Unfit(format!(
            "population {population} is too large for selection {}",
            context.config.selection
        )));
    }
    Ok((Wheel::new(population, worst), population))
}

impl StochasticUniversal {
    /// Pointers around the wheel.
    fn pointers(&self) -> u64 {
        PARENTS * u64::from(self.population)
    }

    /// The rank that a pointer shows.
    #[inline]
    fn pointed(&self, pointer: u32) -> u32 {
        let position = u64::from(pointer) * self.wheel.total() + self.offset;
        self.wheel.rank(position / self.pointers())
    }

    /// The positions of pointers around a narrow wheel.
    #[inline(always)]
    fn positions(&self, pointers: &mut [u32]) {
        let (total, all) = (self.wheel.total() as u32, self.pointers());
        for pointer in pointers {
            let position = u64::from(*pointer) * u64::from(total) + self.offset;
            *pointer = quotient(position, all) as u32;
        }
    }
}

impl SelectionOperator for StochasticUniversal {
    fn plan(&mut self, fitness: &[u16], seed: &GenerationRng) {
        self.wheel.lay(fitness);
        self.offset = self.wheel.spin(&mut seed.draws(StreamStage::Select, WHOLE_POPULATION));
        self.shuffled.redraw(self.population * PARENTS as u32, seed);
    }

    #[inline(always)]
    fn draw(&self, slot: u32, _: &[u16], _: &GenerationRng) -> [u32; 2] {
        [2 * slot, 2 * slot + 1]
    }

    fn words(&self) -> u32 {
        0
    }

    fn resolve(&self, parents: &mut [[u32; 2]]) {
        let places = parents.as_flattened_mut();
        self.shuffled.all(places);
        if self.wheel.is_narrow() && self.pointers() * self.wheel.total() < 1 << 52 {
            dispatch!(Level::new(), _simd => self.positions(places));
            self.wheel.ranks(places);
        } else {
            places.iter_mut().for_each(|place| *place = self.pointed(*place));
        }
        self.wheel.resolve(parents);
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
            population,
            offset: 0,
            shuffled: SlotPermutation::new(1, seed),
        };
        selection.plan(fitness, seed);
        selection
    }

    #[test]
    fn a_wheel_that_64_bits_do_not_hold_is_refused() {
        let space = SearchSpace::blank("3x3".parse().unwrap());
        let is_refused = |population| {
            let config = Config { population, ..Config::of(Preset::RowsSus, &space) };
            wheel(&BuildContext::new(&space, &config, &[])).is_err()
        };
        assert!(!is_refused(1_000));
        // Positions beyond 64 bits, and pointers beyond 32.
        assert!(is_refused(1 << 29) && is_refused(1 << 31));
    }

    proptest! {
        #[test]
        fn everyone_is_a_parent_as_often_as_expected_rounded_down_or_up(
            fitness in proptest::collection::vec(0u16..48, 1..80), seed: u64
        ) {
            let seed = GenerationRng::new(seed, 3);
            let selection = universal(&fitness, &seed);
            let mut batch = vec![[0; 2]; fitness.len() - 1];
            selection.select_batch((1, 1), &fitness, &seed, &mut batch);
            selection.resolve(&mut batch);
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
                let share = 2 * selection.population as u64 * u64::from(48 - fitness);
                prop_assert!(seen == share / total || seen == share.div_ceil(total));
            }
        }
    }
}
