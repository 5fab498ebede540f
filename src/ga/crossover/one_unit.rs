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

/// A unit of the other parent.
#[derive(Clone, Debug)]
pub struct OneUnit {
    units: CellMasks,
}

impl FromContext for OneUnit {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        if !context.groups.is_empty() {
            context.require_units("crossover one-unit")?;
            return Ok(Self { units: permuted_units(context) });
        }
        let (space, geometry) = (context.space, context.space.geometry());
        let units = geometry.units().map(|unit| PermutationGroup::of_unit(space, unit).blanks);
        Ok(Self { units: CellMasks::new(units.map(Vec::into_iter), geometry.stride()) })
    }
}

/// The blanks of each unit that the encoding permutes.
fn permuted_units(context: &BuildContext) -> CellMasks {
    let units = context.groups.iter().map(|unit| unit.blanks.iter().copied());
    CellMasks::new(units, context.space.geometry().stride())
}

impl CrossoverOperator for OneUnit {
    #[inline(always)]
    fn cross(&self, parents: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        self.units.cross(parents, child, draws);
    }

    fn cross_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        self.units.cross_batch(self.children_per_couple(), batch, children);
    }
}

/// A row of the other parent, for both children of a couple.
#[derive(Clone, Debug)]
pub struct RowExchange {
    rows: CellMasks,
}

impl FromContext for RowExchange {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let fits = context.config.encoding == Encoding::Rows;
        context.require(fits, "crossover row-exchange", "encoding rows")?;
        Ok(Self { rows: permuted_units(context) })
    }
}

impl CrossoverOperator for RowExchange {
    #[inline(always)]
    fn cross(&self, parents: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        self.rows.cross(parents, child, draws);
    }

    fn cross_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        self.rows.cross_batch(self.children_per_couple(), batch, children);
    }

    fn children_per_couple(&self) -> u32 {
        2
    }
}
