//! No local search.

use super::{Effort, LocalSearchOperator, StopCheck};
use crate::random::Draws;

/// Leaves children as they are.
#[derive(Clone, Debug, Default)]
pub struct NoLocalSearch;

impl LocalSearchOperator for NoLocalSearch {
    fn improve(
        &self,
        _: &mut [u8],
        _: &mut [u32],
        _: &mut Draws,
        _: StopCheck<'_>,
    ) -> Option<Effort> {
        Some(Effort::default())
    }
}
