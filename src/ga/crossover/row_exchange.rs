//! Two children: the parents after they exchanged one random row.
//!
//! Each child is that of [`OneUnit`] for its order of the parents, by the same draws. It needs
//! encoding `rows`.
//!
//! Row 4 of nine: the first child is the first parent with row 4 of the second, and the second
//! child the second parent with row 4 of the first.
//!
//! Source: document 004 of the project, whose text exchanges row x of one parent with row x + 1 of the
//! other. Here both have the same index: rows of different index have different givens, so that an exchange
//! of them would overwrite givens and break both permutations.

use super::super::ConfigError;
use super::super::encoding::Encoding;
use super::super::offspring_batch::OffspringBatch;
use super::super::operator::{BuildContext, FromContext};
use super::{CrossoverOperator, OneUnit, mask};
use crate::random::Draws;

/// A row of the other parent, both ways.
#[derive(Clone, Debug)]
pub struct RowExchange(OneUnit);

impl FromContext for RowExchange {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let fits = context.config.encoding == Encoding::Rows;
        context.require(fits, "crossover row-exchange", "encoding rows")?;
        Ok(Self(OneUnit::build(context)?))
    }
}

impl CrossoverOperator for RowExchange {
    #[inline(always)]
    fn cross(&self, parents: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        self.0.cross(parents, child, draws);
    }

    fn cross_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        mask::cross_batch(self.0.units(), self.children_per_couple(), batch, children);
    }

    fn children_per_couple(&self) -> u32 {
        2
    }
}
