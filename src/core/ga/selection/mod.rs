//! Selection: which individuals become the parents of a slot's child.
//!
//! Fitness is a small whole number, so all that needs the population in order (ranks,
//! wheels, the best share) comes from a histogram of fitness and a counting sort
//! (`ranking.rs`), in time linear in the population.

mod mate;
mod ranking;

use super::ConfigError;
use super::operator::{BuildContext, FromContext, common_methods, family};
use crate::random::{BatchWords, GenerationRng, StreamStage};

pub use super::operator_names::{MatingPreference, Pairing, Selection, Topology};
pub(crate) use ranking::RankOrder;
use stochastic_universal::StochasticUniversalPerParent;

super::operator_names::selections!();

/// Selects the parents of every slot.
///
/// The parents of a slot depend on the fitness of the population, the seed and the slot alone:
/// they are selected in any order, on any thread. The fields of an operator that change are working memory, which
/// [`begin_generation`](Self::begin_generation) overwrites.
pub trait SelectionOperator: copies::Duplicate + Send + Sync {
    /// Reads the fitness of the whole population, before the children of a generation are bred.
    fn begin_generation(&mut self, fitness: &[u16], seed: &GenerationRng) {
        let (_, _) = (fitness, seed);
    }

    /// Returns the two parents of `slot`, which may coincide: slots, or other numbers that
    /// [`to_slots`](Self::to_slots) turns into slots, such as ranks.
    fn select(&self, slot: u32, fitness: &[u16], seed: &GenerationRng) -> [u32; 2];

    /// Overwrites `parents` with those of every `step`-th slot from `first` on, each as
    /// [`select`](Self::select) returns them. The default is enough: it is compiled for every operator by itself.
    fn select_batch(
        &self,
        (first, step): (u32, u32),
        fitness: &[u16],
        seed: &GenerationRng,
        parents: &mut [[u32; 2]],
    ) {
        let words = seed.stage(StreamStage::Select).cached(first, parents.len(), self.words());
        if let Some(words) = words.filter(|_| step == 1)
            && self.select_row(words, fitness, parents)
        {
            return;
        }
        for (at, parents) in (0..).zip(parents) {
            *parents = self.select(first + at * step, fitness, seed);
        }
    }

    /// Overwrites `parents` with those of consecutive slots, side by side, by the words that were computed ahead: at least
    /// [`words`](Self::words) a slot. Returns false where the operator selects slot by slot.
    fn select_row(&self, _: BatchWords, _: &[u16], _: &mut [[u32; 2]]) -> bool {
        false
    }

    /// Returns how many consecutive slots, from each multiple of this number on, have the same parents: at least 1.
    fn slots_per_couple(&self) -> u32 {
        1
    }

    /// Returns the first parent of `slot` and four candidates for the second ([`MatingPreference`]), each selected as
    /// a parent is; the first two are those of [`select`](Self::select). The default has no candidates.
    fn candidates(&self, _: u32, _: &[u16], _: &GenerationRng) -> Option<[u32; 5]> {
        None
    }

    /// Returns the number of words that nearly every slot draws in [`StreamStage::Select`]: these are
    /// computed side by side.
    fn words(&self) -> u32 {
        1
    }

    /// Turns the results of [`select`](Self::select) into slots, if they are other numbers. A separate step, so that it is
    /// done for many slots together, whose waits for memory overlap.
    fn to_slots(&self, _parents: &mut [[u32; 2]]) {}

    /// Returns the parents of one slot, as slots.
    fn parents(&self, slot: u32, fitness: &[u16], seed: &GenerationRng) -> [u32; 2] {
        let mut parents = [self.select(slot, fitness, seed)];
        self.to_slots(&mut parents);
        parents[0]
    }

    common_methods!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::SearchSpace;
    use crate::ga::{Config, Preset};

    #[test]
    fn parents_are_drawn_with_their_weights() {
        let space = SearchSpace::blank("3x3".parse().unwrap());
        for (selection, fitness, weights) in [
            (Selection::LinearRank, [7, 5, 9], [2, 3, 1]),
            (Selection::Harmonic, [7, 5, 9], [4, 6, 3]),
            (Selection::Roulette, [231, 237, 237], [2, 1, 1]),
            (Selection::UniversalPerParent, [231, 237, 237], [2, 1, 1]),
        ] {
            let config = Config { population: 3, ..Config::of(Preset::RowsRank, &space) };
            let mut operator = selection.build(&BuildContext::new(&space, &config, &[])).unwrap();
            let seed = GenerationRng::new(1, 0);
            operator.begin_generation(&fitness, &seed);
            let mut selected = [0; 3];
            for slot in 0..3_000 {
                for parent in operator.parents(slot, &fitness, &seed) {
                    selected[parent as usize] += 1;
                }
            }
            for (selected, weight) in selected.into_iter().zip(weights) {
                let expected = 6_000 * weight / weights.iter().sum::<i32>();
                assert!((selected - expected).abs() < 160, "{selection}: {selected}, {expected}");
            }
        }
    }
}
