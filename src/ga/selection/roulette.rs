//! Roulette wheel selection: parents are drawn with weights that are their scores.
//!
//! The score is `3 n² - fitness`, unscaled, so that there is hardly any pressure: of 9x9 boards of
//! fitness 20 and 10 the better is drawn only 233 times for 223 of the other.
//!
//! Source: document 003 of the project; fitness-proportionate selection (Holland, *Adaptation in
//! Natural and Artificial Systems*, 1975).

use super::super::ConfigError;
use super::super::operator::{BuildContext, FromContext};
use super::SelectionOperator;
use super::wheel::Wheel;
use crate::random::{BatchWords, GenerationRng, StreamStage, below};

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
    fn plan(&mut self, fitness: &[u16], _: &GenerationRng) {
        self.wheel.lay(fitness);
    }

    /// The positions of a slot's parents on a narrow wheel, on others their ranks.
    #[inline(always)]
    fn draw(&self, slot: u32, _: &[u16], seed: &GenerationRng) -> [u32; 2] {
        let mut draws = seed.draws(StreamStage::Select, slot);
        if self.wheel.is_narrow() {
            return [(); 2].map(|()| draws.below(self.wheel.total() as u32));
        }
        [(); 2].map(|()| self.wheel.rank(self.wheel.spin(&mut draws)))
    }

    fn select_row(
        &self,
        _: u32,
        words: BatchWords<'_>,
        _: &[u16],
        _: &GenerationRng,
        parents: &mut [[u32; 2]],
    ) -> bool {
        let total = self.wheel.total() as u32;
        for (parents, [one, other, ..]) in parents.iter_mut().zip(words.blocks_of(0)) {
            *parents = [below(*one, total), below(*other, total)];
        }
        self.wheel.is_narrow()
    }

    fn words(&self) -> u32 {
        2
    }

    fn resolve(&self, parents: &mut [[u32; 2]]) {
        if self.wheel.is_narrow() {
            self.wheel.ranks(parents.as_flattened_mut());
        }
        self.wheel.resolve(parents);
    }
}
