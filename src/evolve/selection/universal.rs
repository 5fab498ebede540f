//! Stochastic universal sampling: one spin for all parents.
//!
//! A generation of P children wants 2 P parents: a wheel whose sectors are the scores is spun once
//! under 2 P evenly spaced pointers. An individual that should be a parent 2.3 times is one twice
//! or three times, never once or four times. The pointers are then shuffled into couples.
//!
//! Scores 6, 3 and 3 under 4 pointers: the first is a parent twice, the others once each.
//!
//! [`UniversalPerParent`] is the variant of document 003 of the project, which spins such a wheel
//! of P pointers for each parent anew and keeps what one random pointer shows. Each parent is then
//! drawn on its own with its share of the wheel: roulette in distribution, at a higher price.
//!
//! Source: Baker, *Reducing bias and inefficiency in the selection algorithm*, 1987; document 003.

use super::super::ConfigError;
use super::super::operator::{Build, Setting};
use super::SelectionOperator;
use super::wheel::Wheel;
use crate::random::{Seed, SlotPermutation, Stage, WHOLE_POPULATION};

/// Pointers a spin has for each child.
const PARENTS: u64 = 2;

/// One spin a generation.
#[derive(Clone, Debug)]
pub struct Universal {
    wheel: Wheel,
    population: u32,
    offset: u64,
    shuffled: SlotPermutation,
}

impl Build for Universal {
    fn build(setting: &Setting) -> Result<Self, ConfigError> {
        let (wheel, population) = wheel(setting)?;
        Ok(Self {
            wheel,
            population,
            offset: 0,
            shuffled: SlotPermutation::new(1, &Seed::new(0, 0)),
        })
    }
}

/// A wheel of which every pointer's position can be computed in 64 bits.
fn wheel(setting: &Setting) -> Result<(Wheel, u32), ConfigError> {
    let population = setting.config.population;
    let worst = setting.space.geometry().worst_fitness();
    let pointers = PARENTS * u64::from(population);
    let circumference = u64::from(population) * u64::from(worst);
    if u32::try_from(pointers).is_err() || pointers.checked_mul(circumference).is_none() {
        return Err(ConfigError::Unfit(format!(
            "population {population} is too large for selection {}",
            setting.config.selection
        )));
    }
    Ok((Wheel::new(population, worst), population))
}

impl Universal {
    /// The rank that a pointer shows.
    fn pointed(&self, pointer: u32) -> u32 {
        let pointers = PARENTS * u64::from(self.population);
        let position = u64::from(pointer) * self.wheel.total() + self.offset;
        self.wheel.rank(position / pointers)
    }
}

impl SelectionOperator for Universal {
    fn plan(&mut self, fitness: &[u16], seed: &Seed) {
        self.wheel.lay(fitness);
        self.offset = self.wheel.spin(&mut seed.draws(Stage::Select, WHOLE_POPULATION));
        self.shuffled = SlotPermutation::new(self.population * PARENTS as u32, seed);
    }

    fn draw(&self, slot: u32, _: &[u16], _: &Seed) -> [u32; 2] {
        [2 * slot, 2 * slot + 1].map(|place| self.pointed(self.shuffled.at(place)))
    }

    fn resolve(&self, parents: &mut [[u32; 2]]) {
        self.wheel.resolve(parents);
    }
}

/// A spin for each parent.
#[derive(Clone, Debug)]
pub struct UniversalPerParent {
    wheel: Wheel,
    population: u32,
}

impl Build for UniversalPerParent {
    fn build(setting: &Setting) -> Result<Self, ConfigError> {
        let (wheel, population) = wheel(setting)?;
        Ok(Self { wheel, population })
    }
}

impl SelectionOperator for UniversalPerParent {
    fn plan(&mut self, fitness: &[u16], _: &Seed) {
        self.wheel.lay(fitness);
    }

    fn draw(&self, slot: u32, _: &[u16], seed: &Seed) -> [u32; 2] {
        let mut draws = seed.draws(Stage::Select, slot);
        [(); 2].map(|()| {
            let offset = self.wheel.spin(&mut draws);
            let pointer = u64::from(draws.below(self.population));
            let pointers = u64::from(self.population);
            self.wheel.rank((pointer * self.wheel.total() + offset) / pointers)
        })
    }

    fn resolve(&self, parents: &mut [[u32; 2]]) {
        self.wheel.resolve(parents);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn universal(fitness: &[u16], seed: &Seed) -> Universal {
        let population = fitness.len() as u32;
        let mut selection = Universal {
            wheel: Wheel::new(population, 48),
            population,
            offset: 0,
            shuffled: SlotPermutation::new(1, seed),
        };
        selection.plan(fitness, seed);
        selection
    }

    proptest! {
        #[test]
        fn everyone_is_a_parent_as_often_as_expected_rounded_down_or_up(
            fitness in proptest::collection::vec(0u16..48, 1..80), seed: u64
        ) {
            let seed = Seed::new(seed, 3);
            let selection = universal(&fitness, &seed);
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

    #[test]
    fn a_spin_for_each_parent_is_roulette() {
        let fitness = [36, 42, 42];
        let mut selection = UniversalPerParent { wheel: Wheel::new(3, 48), population: 3 };
        selection.plan(&fitness, &Seed::new(1, 0));
        let mut seen = [0i32; 3];
        for slot in 0..8_000 {
            seen[selection.parents(slot, &fitness, &Seed::new(1, 0))[0] as usize] += 1;
        }
        for (seen, expected) in seen.into_iter().zip([4_000, 2_000, 2_000]) {
            assert!((seen - expected).abs() < 200, "{seen} for {expected}");
        }
    }
}
