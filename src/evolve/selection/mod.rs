//! Selection: which individuals become the parents of a slot's child.

mod pairing;
mod ring_tournament;
mod truncation;

pub use pairing::Pairing;
pub use ring_tournament::RingTournament;
pub use truncation::Truncation;

use super::operator::family;
use crate::random::Seed;

family! {
    /// How parents are found.
    pub enum Selection: SelectionOperator {
        /// Each parent is the better of two drawn from the slots near the child's.
        RingTournament = "ring-tournament" => RingTournament,
        /// The best of the population and a random share of it, paired.
        Truncation = "truncation" => Truncation,
    }
}

/// Finds the parents of every slot.
pub trait SelectionOperator: Send + Sync {
    /// Looks at the whole population once, before the children of a generation are bred.
    fn plan(&mut self, fitness: &[u16], seed: &Seed) {
        let (_, _) = (fitness, seed);
    }

    /// The two parents of `slot`, which may coincide.
    fn parents(&self, slot: u32, fitness: &[u16], seed: &Seed) -> [u32; 2];
}
