//! No mutation.

use super::super::ConfigError;
use super::super::operator::{BuildContext, FromContext};
use super::MutationOperator;
use crate::random::Draws;

/// Leaves children as they are.
#[derive(Clone, Debug)]
pub struct NoMutation;

impl FromContext for NoMutation {
    fn build(_: &BuildContext) -> Result<Self, ConfigError> {
        Ok(Self)
    }
}

impl MutationOperator for NoMutation {
    fn mutate(&self, _: &mut [u8], _: &mut Draws) {}

    fn words(&self) -> u32 {
        0
    }
}
