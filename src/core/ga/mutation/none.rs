//! No mutation.

use super::MutationOperator;
use crate::random::Draws;

/// Leaves children as they are.
#[derive(Clone, Debug, Default)]
pub struct NoMutation;

impl MutationOperator for NoMutation {
    fn mutate(&self, _: &mut [u8], _: &mut Draws) {}

    fn words(&self) -> u32 {
        0
    }
}
