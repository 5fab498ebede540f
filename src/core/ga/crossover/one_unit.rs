//! One random unit comes from the second parent, all other cells from the first.
//!
//! Where units are permutations, the unit is one of those that the encoding permutes: with rows,
//! row 4 of the second parent, say, in a copy of the first. Where cells are independent, it is a
//! row, a column or a box, each of the `3 n` with equal probability.
//!
//! `row-exchange` has two children: the parents after they exchanged one random row. It needs encoding `rows`. Each child is
//! that of `one-unit` for its order of the parents, by the same draws. Row 4 of nine: the first child is the first parent with
//! row 4 of the second, and the second child the second parent with row 4 of the first.
//!
//! Sources: documents 003 (one row), 002 (one row, column or box) and 004 (exchange of rows) of the project. The text
//! of document 004 exchanges row x of one parent with row x + 1 of the other. Here both have the same index: rows of
//! different index have different givens, so that an exchange of them would overwrite givens and break both permutations.

use super::{BuildContext, CellMasks, ConfigError, CrossoverOperator, FromContext, OffspringBatch};
use crate::ga::encoding::{Encoding, PermutationGroup};
use crate::random::Draws;

/// One child with a unit of the other parent.
pub type OneUnit = UnitExchange<1>;
/// Two children, each of which has a row of the other parent.
pub type RowExchange = UnitExchange<2>;

/// A unit of the other parent, for all children of a couple.
#[derive(Clone, Debug)]
pub struct UnitExchange<const CHILDREN: u32> {
    units: CellMasks,
}

impl<const CHILDREN: u32> FromContext for UnitExchange<CHILDREN> {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let (space, geometry) = (context.space, context.space.geometry());
        if CHILDREN > 1 {
            let fits = context.config.encoding == Encoding::Rows;
            context.require(fits, "crossover row-exchange", "encoding rows")?;
        } else if !context.groups.is_empty() {
            context.require_units("crossover one-unit")?;
        }
        let units: Vec<PermutationGroup> = match context.groups {
            [] => geometry.units().map(|unit| PermutationGroup::of_unit(space, unit)).collect(),
            permuted => permuted.to_vec(),
        };
        let units = units.into_iter().map(|unit| unit.blanks.into_iter());
        Ok(Self { units: CellMasks::new(units, geometry.stride()) })
    }
}

impl<const CHILDREN: u32> CrossoverOperator for UnitExchange<CHILDREN> {
    #[inline(always)]
    fn cross(&self, parents: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        self.units.cross(parents, child, draws);
    }

    fn cross_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        self.units.cross_batch(CHILDREN, batch, children);
    }

    fn children_per_couple(&self) -> u32 {
        CHILDREN
    }
}
