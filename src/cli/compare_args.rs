//! What is compared: `--compare`.

use std::str::FromStr;

use anyhow::{Result, bail};
use clap::Args;

use super::named_value_parser::known;
use crate::experiment::{ComparedFactor, Comparisons, Plan};
use crate::report::{ExportFormat, ExportSet};

/// What is compared.
#[derive(Clone, Copy, Debug, Args)]
pub struct CompareArgs {
    /// Compare two at a time what differs in nothing else: method, or the values of a parameter. Tests,
    /// effects, ranks over puzzles, and how many runs would tell as much
    #[arg(long, value_name = "WHAT", value_parser = known(ComparedFactor::from_str, ComparedFactor::names()))]
    #[arg(hide_possible_values = true)]
    compare: Option<ComparedFactor>,
}

impl CompareArgs {
    /// What it is, if anything.
    pub fn aspect(self) -> Option<ComparedFactor> {
        self.compare
    }

    /// Finds that there is something to compare, if anything is to be.
    ///
    /// # Errors
    /// When there is not, or comparisons are to be exported and nothing is compared.
    pub fn check(self, exports: &ExportSet, plan: &Plan) -> Result<()> {
        match self.compare {
            Some(aspect) => Comparisons::check(plan, aspect)?,
            None if exports.have(ExportFormat::Comparisons) => {
                bail!("--export-comparisons has nothing to write without --compare")
            }
            None => {}
        }
        Ok(())
    }
}
