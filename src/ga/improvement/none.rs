//! No improvement.

use super::super::ConfigError;
use super::super::operator::{BuildContext, FromContext};
use super::{Effort, ImprovementOperator};
use crate::random::Draws;

/// Leaves children as they are.
#[derive(Clone, Debug)]
pub struct NoImprovement;

impl FromContext for NoImprovement {
    fn build(_: &BuildContext) -> Result<Self, ConfigError> {
        Ok(Self)
    }
}

impl ImprovementOperator for NoImprovement {
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
