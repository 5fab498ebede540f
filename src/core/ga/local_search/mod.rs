//! Local search: improvement that a child goes through before it is scored.

mod candidate_graph;

use std::iter::Sum;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::ConfigError;
use super::offspring_batch::OffspringBatch;
use super::operator::{BuildContext, FromContext, common_methods, family};
use crate::random::{Draws, StreamStage};

pub use super::operator_names::LocalSearch;

super::operator_names::local_searches!();

/// Improves children.
///
/// The result depends on the child and its draws alone, and keeps what the encoding
/// promises: fixed cells stay, and permuted units stay permutations.
pub trait LocalSearchOperator: copies::Duplicate + Send + Sync {
    /// Words of working memory that [`improve`](Self::improve) wants.
    fn scratch_len(&self) -> usize {
        0
    }

    /// Moves that a child may take, roughly: few children whose search is long make a task.
    fn moves_a_child(&self) -> u64 {
        0
    }

    /// Improves `child` in place; nothing when `stop`, which a long search asks now and then, said
    /// so before the end. `child` is a full packed board of `stride` bytes; `scratch` has at least
    /// `scratch_len` words, of no particular value.
    fn improve(
        &self,
        child: &mut [u8],
        scratch: &mut [u32],
        draws: &mut Draws,
        stop: StopCheck<'_>,
    ) -> Option<Effort>;

    /// Improves the children of a batch, each as [`improve`](Self::improve) does, to the first that `stop` ended.
    /// The default is enough: it is here to be compiled for every operator by itself.
    fn improve_batch(
        &self,
        batch: OffspringBatch<'_>,
        children: &mut [u8],
        scratch: &mut [u32],
        stop: StopCheck<'_>,
    ) -> Option<Effort> {
        let each = batch.slots(children).map(|(slot, child)| {
            self.improve(child, scratch, &mut batch.seed.draws(StreamStage::Improve, slot), stop)
        });
        each.sum()
    }

    common_methods!();
}

/// Says, when it is asked now and then, whether to abandon the current generation. Hidden, since the pages of
/// `evodoku` show it in full.
#[doc(hidden)]
pub type StopCheck<'a> = &'a (dyn Fn() -> bool + Sync);

/// What local search cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Moves evaluated, made or not.
    pub moves: u64,
    /// Changes that were made.
    pub steps: u64,
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        self.moves += other.moves;
        self.steps += other.steps;
    }
}

impl Sum for Effort {
    fn sum<I: Iterator<Item = Self>>(efforts: I) -> Self {
        efforts.fold(Self::default(), |mut total, effort| {
            total += effort;
            total
        })
    }
}
