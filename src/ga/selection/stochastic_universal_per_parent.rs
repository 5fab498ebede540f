//! Stochastic universal sampling with a spin for each parent.
//!
//! A wheel of P pointers is spun for each parent anew, and what one random pointer shows is kept.
//! Each parent is then drawn on its own with its share of the wheel: roulette in distribution, at a
//! higher price.
//!
//! Scores 6, 3 and 3: the first is drawn with one half, the others with one fourth each.
//!
//! Source: document 003 of the project, its variant of [`StochasticUniversal`](super::StochasticUniversal).

use super::super::ConfigError;
use super::super::operator::{BuildContext, FromContext};
use super::SelectionOperator;
use super::stochastic_universal::wheel;
use super::wheel::Wheel;
use crate::random::{GenerationRng, StreamStage};

/// A spin for each parent.
#[derive(Clone, Debug)]
pub struct StochasticUniversalPerParent {
    wheel: Wheel,
    population: u32,
}

impl FromContext for StochasticUniversalPerParent {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let (wheel, population) = wheel(context)?;
        Ok(Self { wheel, population })
    }
}

impl SelectionOperator for StochasticUniversalPerParent {
    fn plan(&mut self, fitness: &[u16], _: &GenerationRng) {
        self.wheel.lay(fitness);
    }

    #[inline(always)]
    fn draw(&self, slot: u32, _: &[u16], seed: &GenerationRng) -> [u32; 2] {
        let mut draws = seed.draws(StreamStage::Select, slot);
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
    use super::*;

    #[test]
    fn a_spin_for_each_parent_is_roulette() {
        let fitness = [36, 42, 42];
        let mut selection =
            StochasticUniversalPerParent { wheel: Wheel::new(3, 48), population: 3 };
        selection.plan(&fitness, &GenerationRng::new(1, 0));
        let mut seen = [0i32; 3];
        for slot in 0..8_000 {
            seen[selection.parents(slot, &fitness, &GenerationRng::new(1, 0))[0] as usize] += 1;
        }
        for (seen, expected) in seen.into_iter().zip([4_000, 2_000, 2_000]) {
            assert!((seen - expected).abs() < 200, "{seen} for {expected}");
        }
    }
}
