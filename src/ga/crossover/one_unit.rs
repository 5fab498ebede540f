//! One random unit comes from the second parent, all else from the first.
//!
//! Where units are permutations, the unit is one of those that the encoding permutes: with rows,
//! row 4 of the second parent, say, in a copy of the first. Where cells are independent, it is a
//! row, a column or a box, each of the `3 n` alike.
//!
//! Sources: documents 003 (one row) and 002 (one row, column or box) of the project.

use super::super::ConfigError;
use super::super::encoding::PermutationGroup;
use super::super::offspring_batch::OffspringBatch;
use super::super::operator::{BuildContext, FromContext};
use super::{CellMask, CrossoverOperator, mask};
use crate::random::Draws;

/// A unit of the other parent.
#[derive(Clone, Debug)]
pub struct OneUnit {
    units: Vec<CellMask>,
}

impl FromContext for OneUnit {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        if context.groups.is_empty() {
            let space = context.space;
            let geometry = space.geometry();
            let units = geometry.units().map(|unit| PermutationGroup::of_unit(space, unit).blanks);
            return Ok(Self { units: CellMask::of_units(units, geometry.stride()) });
        }
        context.require_units("crossover one-unit")?;
        Ok(Self { units: CellMask::of_groups(context) })
    }
}

impl OneUnit {
    /// A mask for each unit.
    pub(super) fn units(&self) -> &[CellMask] {
        &self.units
    }
}

impl CrossoverOperator for OneUnit {
    #[inline(always)]
    fn cross(&self, parents: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        mask::cross(&self.units, parents, child, draws);
    }

    fn cross_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        mask::cross_batch(&self.units, self.children_per_couple(), batch, children);
    }
}
