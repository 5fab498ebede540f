//! Selection: which individuals become the parents of a slot's child.
//!
//! Fitness is a small whole number, so everything that needs an order of the population (ranks,
//! wheels, the best share) comes from a histogram of fitness and a counting sort
//! ([`Ranking`]), in time linear in the population.

mod harmonic;
mod linear_rank;
mod local_tournament;
mod mate;
mod pairing;
mod ranking;
mod roulette;
mod topology;
mod tournament;
mod truncation;
mod universal;
mod wheel;

pub use harmonic::Harmonic;
pub use linear_rank::LinearRank;
pub use local_tournament::LocalTournament;
pub use mate::Mate;
pub use pairing::Pairing;
pub use ranking::Ranking;
pub use roulette::Roulette;
pub use topology::{Neighbourhood, Topology};
pub use tournament::{MAX_MEMBERS, Tournament};
pub use truncation::Truncation;
#[cfg(feature = "gpu")]
pub(crate) use truncation::pool;
pub use universal::{Universal, UniversalPerParent};

use super::operator::family;
use crate::random::Seed;

family! {
    /// How parents are found.
    pub enum Selection: SelectionOperator {
        /// Each parent is the better of two drawn from the neighbours of the child's slot.
        LocalTournament = "local-tournament" => LocalTournament,
        /// The best of the population and a random share of it, paired.
        Truncation = "truncation" => Truncation,
        /// Each parent is the best of several different individuals drawn from all.
        Tournament = "tournament" => Tournament,
        /// Parents are drawn with weights from 1 for the worst to P for the best.
        LinearRank = "linear-rank" => LinearRank,
        /// Parents are drawn with weights 1/2, 1/3, 1/4 and so on from the best on.
        Harmonic = "harmonic" => Harmonic,
        /// Parents are drawn with weights that are their scores.
        Roulette = "roulette" => Roulette,
        /// One spin of a wheel with evenly spaced pointers, one for each parent.
        Universal = "sus" => Universal,
        /// A spin of such a wheel for each parent, of which one pointer is kept.
        UniversalPerParent = "sus-per-parent" => UniversalPerParent,
    }
}

/// Finds the parents of every slot.
pub trait SelectionOperator: Send + Sync {
    /// Looks at the whole population once, before the children of a generation are bred.
    fn plan(&mut self, fitness: &[u16], seed: &Seed) {
        let (_, _) = (fitness, seed);
    }

    /// The two parents of `slot`, which may coincide, as places that [`resolve`](Self::resolve)
    /// turns into slots.
    fn draw(&self, slot: u32, fitness: &[u16], seed: &Seed) -> [u32; 2];

    /// How many slots in a row, from each multiple of this on, have the same parents.
    fn litter(&self) -> u32 {
        1
    }

    /// Overwrites `selected` with slots that are each selected as a parent of `slot` is, of which
    /// the first two are those of [`draw`](Self::draw). Where [`Mate::of`] allows no choice, that
    /// is all there is.
    fn select(&self, slot: u32, fitness: &[u16], seed: &Seed, selected: &mut [u32]) {
        let parents = self.draw(slot, fitness, seed);
        for (selected, parent) in selected.iter_mut().zip(parents.into_iter().cycle()) {
            *selected = parent;
        }
    }

    /// Turns places in an order of the operator's own, such as ranks, into slots. Apart from
    /// [`draw`](Self::draw), so that the waits for memory of many children overlap.
    fn resolve(&self, _parents: &mut [[u32; 2]]) {}

    /// The parents of one slot.
    fn parents(&self, slot: u32, fitness: &[u16], seed: &Seed) -> [u32; 2] {
        let mut parents = [self.draw(slot, fitness, seed)];
        self.resolve(&mut parents);
        parents[0]
    }
}
