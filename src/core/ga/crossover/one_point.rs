//! One-point crossover over whole units: the values of each unit stay together.
//!
//! A cut `c` is drawn uniformly from `1..=n-1`; the units before it come from the first parent,
//! the others from the second. With boxes in row-major order and c = 4, boxes 1 to 4 come from
//! the first parent and boxes 5 to 9 from the second.
//!
//! Source: document 001 of the project, its crossover A.

use super::{BuildContext, CellMasks, ConfigError, CrossoverOperator, FromContext, OffspringBatch};
use crate::random::Draws;

/// Units after a cut.
#[derive(Clone, Debug)]
pub struct OnePoint {
    /// The cells after each cut, from cut 1 on.
    cuts: CellMasks,
}

impl FromContext for OnePoint {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        context.require_units("crossover one-point")?;
        let units = context.groups;
        let after = |cut| units[cut..].iter().flat_map(|unit| unit.blanks.iter().copied());
        let stride = context.space.geometry().stride();
        Ok(Self { cuts: CellMasks::new((1..units.len()).map(after), stride) })
    }
}

impl CrossoverOperator for OnePoint {
    #[inline(always)]
    fn cross(&self, parents: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        self.cuts.cross(parents, child, draws);
    }

    fn cross_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        self.cuts.cross_batch(self.children_per_couple(), batch, children);
    }
}
