//! No local search.

use super::super::ConfigError;
use super::super::operator::{BuildContext, FromContext};
use super::{Effort, LocalSearchOperator};
use crate::random::Draws;

/// Leaves children as they are.
#[derive(Clone, Debug)]
pub struct NoLocalSearch;

impl FromContext for NoLocalSearch {
    fn build(_: &BuildContext) -> Result<Self, ConfigError> {
        Ok(Self)
    }
}

impl LocalSearchOperator for NoLocalSearch {
    fn improve(
        &self,
        _: &mut [u8],
        _: &mut [u32],
        _: &mut Draws,
        _: &(dyn Fn() -> bool + Sync),
    ) -> Option<Effort> {
        Some(Effort::default())
    }
}
