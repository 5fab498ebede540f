//! Selection: which individuals become the parents of a slot's child.
//!
//! Fitness is a small whole number, so everything that needs an order of the population (ranks,
//! wheels, the best share) comes from a histogram of fitness and a counting sort
//! (`ranking.rs`), in time linear in the population.

mod mate;
mod pairing;
mod ranking;
mod topology;
mod wheel;

use super::ConfigError;
use super::operator::{BuildContext, family, type_name};
use crate::random::{BatchWords, GenerationRng, StreamStage};

pub use mate::MatingPreference;
pub use pairing::Pairing;
pub(crate) use ranking::RankOrder;
pub(crate) use topology::Neighbourhood;
pub use topology::Topology;
pub(crate) use tournament::MAX_MEMBERS;
#[cfg(feature = "gpu")]
pub(crate) use truncation::pool;

family! {
    /// How parents are found.
    pub enum Selection: SelectionOperator {
        /// Each parent is the better of two drawn from the neighbours of the child's slot.
        LocalTournament = "local-tournament" => local_tournament::LocalTournament,
        /// The best of the population and a random share of it, paired.
        Truncation = "truncation" => truncation::Truncation,
        /// Each parent is the best of several different individuals drawn from all.
        Tournament = "tournament" => tournament::Tournament,
        /// Parents are drawn with weights from 1 for the worst to P for the best.
        LinearRank = "linear-rank" => linear_rank::LinearRank,
        /// Parents are drawn with weights 1/2, 1/3, 1/4 and so on from the best on.
        Harmonic = "harmonic" => harmonic::Harmonic,
        /// Parents are drawn with weights that are their scores.
        Roulette = "roulette" => roulette::Roulette,
        /// One spin of a wheel with evenly spaced pointers, one for each parent.
        Universal = "sus" => stochastic_universal::StochasticUniversal,
        /// A spin of such a wheel for each parent, of which one pointer is kept.
        UniversalPerParent = "sus-per-parent" => stochastic_universal_per_parent::StochasticUniversalPerParent,
    }
}

/// Finds the parents of every slot.
///
/// The parents of a slot depend on the fitness of the population, the seed and the slot alone:
/// they are asked for in any order, on any thread. What the operator keeps from one generation to
/// the next is working memory, which [`plan`](Self::plan) fills anew.
pub trait SelectionOperator: copies::Duplicate + Send + Sync {
    /// Looks at the whole population once, before the children of a generation are bred.
    fn plan(&mut self, fitness: &[u16], seed: &GenerationRng) {
        let (_, _) = (fitness, seed);
    }

    /// The two parents of `slot`, which may coincide, as places that [`resolve`](Self::resolve)
    /// turns into slots.
    fn draw(&self, slot: u32, fitness: &[u16], seed: &GenerationRng) -> [u32; 2];

    /// Overwrites `parents` with those of the slots from `first` on, of every `step`-th, each as
    /// [`draw`](Self::draw) has them. Nobody needs to write another: it is here to be compiled for every
    /// operator by itself.
    fn select_batch(
        &self,
        (first, step): (u32, u32),
        fitness: &[u16],
        seed: &GenerationRng,
        parents: &mut [[u32; 2]],
    ) {
        let words = seed.of(StreamStage::Select).ahead(first, parents.len(), self.words());
        if let Some(words) = words.filter(|_| step == 1)
            && self.select_row(first, words, fitness, seed, parents)
        {
            return;
        }
        for (at, parents) in (0..).zip(parents) {
            *parents = self.draw(first + at * step, fitness, seed);
        }
    }

    /// Does the same for slots in a row side by side, by their `words` that were computed ahead: whole blocks of
    /// at least [`words`](Self::words) each. Says whether it did.
    fn select_row(
        &self,
        _first: u32,
        _words: BatchWords<'_>,
        _fitness: &[u16],
        _seed: &GenerationRng,
        _parents: &mut [[u32; 2]],
    ) -> bool {
        false
    }

    /// How many slots in a row, from each multiple of this on, have the same parents: at least 1.
    fn slots_per_couple(&self) -> u32 {
        1
    }

    /// Overwrites `selected` with slots that are each selected as a parent of `slot` is, of which
    /// the first two are those of [`draw`](Self::draw). Unless it [offers](Self::draws_candidates)
    /// candidates, that is all there is.
    fn select(&self, slot: u32, fitness: &[u16], seed: &GenerationRng, selected: &mut [u32]) {
        let parents = self.draw(slot, fitness, seed);
        for (selected, parent) in selected.iter_mut().zip(parents.into_iter().cycle()) {
            *selected = parent;
        }
    }

    /// Whether [`select`](Self::select) draws each of its slots anew, so that one of several may
    /// become the second parent ([`MatingPreference`]).
    fn draws_candidates(&self) -> bool {
        false
    }

    /// Words that nearly every slot draws by [`StreamStage::Select`], or none: those are
    /// computed side by side.
    fn words(&self) -> u32 {
        1
    }

    /// Turns places in an order of the operator's own, such as ranks, into slots. Apart from
    /// [`draw`](Self::draw), so that many are shuffled side by side, and their waits for memory overlap.
    fn resolve(&self, _parents: &mut [[u32; 2]]) {}

    /// The parents of one slot.
    fn parents(&self, slot: u32, fitness: &[u16], seed: &GenerationRng) -> [u32; 2] {
        let mut parents = [self.draw(slot, fitness, seed)];
        self.resolve(&mut parents);
        parents[0]
    }

    /// Name in reports.
    fn name(&self) -> &str {
        type_name::<Self>()
    }

    /// Prepares a custom operator for the puzzle and configuration, before the run.
    ///
    /// # Errors
    /// Why it cannot work there.
    fn prepare(&mut self, context: &BuildContext) -> Result<(), ConfigError> {
        let _ = context;
        Ok(())
    }
}
