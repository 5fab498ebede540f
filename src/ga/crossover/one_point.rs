//! One-point crossover over whole units: what each unit holds stays together.
//!
//! A cut `c` is drawn uniformly from `1..=n-1`; the units before it come from the first parent,
//! the others from the second. With boxes in row-major order and c = 4, boxes 1 to 4 come from
//! the first parent and boxes 5 to 9 from the second.
//!
//! Source: document 001 of the project, its crossover A.

use super::super::ConfigError;
use super::super::offspring_batch::OffspringBatch;
use super::super::operator::{BuildContext, FromContext};
use super::{CellMask, CrossoverOperator, mask};
use crate::random::Draws;

/// Units after a cut.
#[derive(Clone, Debug)]
pub struct OnePoint {
    /// The cells after each cut, from cut 1 on.
    cuts: Vec<CellMask>,
}

impl FromContext for OnePoint {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        context.require_units("crossover one-point")?;
        let stride = context.space.geometry().stride();
        let cuts = (1..context.groups.len()).map(|cut| {
            let blanks = context.groups[cut..].iter().flat_map(|unit| unit.blanks.iter().copied());
            CellMask::new(blanks, stride)
        });
        Ok(Self { cuts: cuts.collect() })
    }
}

impl CrossoverOperator for OnePoint {
    #[inline(always)]
    fn cross(&self, parents: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        mask::cross(&self.cuts, parents, child, draws);
    }

    fn cross_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        mask::cross_batch(&self.cuts, self.children_per_couple(), batch, children);
    }
}
