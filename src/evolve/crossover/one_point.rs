//! One-point crossover over whole units: what each unit holds stays together.
//!
//! A cut `c` is drawn uniformly from `1..=n-1`; the units before it come from the first parent,
//! the others from the second. With boxes in row-major order and c = 4, boxes 1 to 4 come from
//! the first parent and boxes 5 to 9 from the second.
//!
//! Source: document 001 of the project, its crossover A.

use super::super::ConfigError;
use super::super::encoding::Group;
use super::super::operator::{Build, Setting};
use super::CrossoverOperator;
use crate::random::Draws;

/// Units up to a cut.
#[derive(Clone, Debug)]
pub struct OnePoint {
    units: Vec<Group>,
}

impl Build for OnePoint {
    fn build(setting: &Setting) -> Result<Self, ConfigError> {
        setting.require_units("crossover one-point")?;
        Ok(Self { units: setting.groups.to_vec() })
    }
}

impl CrossoverOperator for OnePoint {
    fn cross(&self, [first, second]: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        child.copy_from_slice(first);
        let cut = 1 + draws.below(self.units.len() as u32 - 1) as usize;
        for unit in &self.units[cut..] {
            unit.copy(second, child);
        }
    }
}
