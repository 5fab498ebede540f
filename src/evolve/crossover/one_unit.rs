//! One random unit comes from the second parent, all else from the first.
//!
//! Where units are permutations, the unit is one of those that the encoding permutes: with rows,
//! row 4 of the second parent, say, in a copy of the first. Where cells are independent, it is a
//! row, a column or a box, each of the `3 n` alike.
//!
//! Named `row-exchange`, both children of a couple are kept: the parents after they exchanged the
//! row. It needs encoding `rows`.
//!
//! Sources: documents 003 (one row) and 002 (one row, column or box) of the project, and 004 (the
//! exchange).

use super::super::ConfigError;
use super::super::encoding::{Encoding, Group};
use super::super::operator::{Build, Setting};
use super::{Crossover, CrossoverOperator};
use crate::random::Draws;

/// A unit of the other parent.
#[derive(Clone, Debug)]
pub struct OneUnit {
    units: Vec<Group>,
}

impl Build for OneUnit {
    fn build(setting: &Setting) -> Result<Self, ConfigError> {
        let encoding = setting.config.encoding;
        if setting.config.crossover == Crossover::RowExchange {
            setting.require(
                encoding == Encoding::Rows,
                "crossover row-exchange",
                "encoding rows",
            )?;
        }
        let units = match encoding {
            Encoding::Cells | Encoding::Candidates => {
                let space = setting.space;
                space.geometry().units().map(|unit| Group::of_unit(space, unit)).collect()
            }
            _ => {
                setting.require_units("crossover one-unit")?;
                setting.groups.to_vec()
            }
        };
        Ok(Self { units })
    }
}

impl CrossoverOperator for OneUnit {
    fn cross(&self, [first, second]: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        child.copy_from_slice(first);
        self.units[draws.below(self.units.len() as u32) as usize].copy(second, child);
    }
}
