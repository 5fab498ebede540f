//! The plan: every cell of an experiment, and the runs of each.
//!
//! Runs are numbered through the whole plan, cell by cell.

mod builder;
mod combinations;
pub(super) mod json;
mod ladder;

use super::{Cell, Fingerprint, Spec, SpecError};
use builder::PlanBuilder;

/// The most cells that an experiment has.
pub(super) const MOST_CELLS: usize = 100_000;
/// The most runs: what is known of each is kept in memory, a few kilobytes.
pub(super) const MOST_RUNS: usize = 1_000_000;

/// All cells of an experiment.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The experiment's name.
    pub name: String,
    /// What the results of this plan are recognised by.
    pub fingerprint: String,
    /// Parameters that the spec names.
    pub parameters: Vec<&'static str>,
    /// Its cells, in order.
    pub cells: Vec<Cell>,
}

/// What is done about a cell whose method does not fit its puzzle or parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MisfitPolicy {
    /// Nothing is run.
    #[default]
    Refused,
    /// It is left out, and the others are run.
    Skipped,
}

impl Plan {
    /// The cells of a spec, each found to be possible.
    ///
    /// # Errors
    /// [`SpecError`] when parameters do not go together or a population does not fit into memory.
    pub fn new(spec: &Spec) -> Result<Self, SpecError> {
        Self::with(spec, MisfitPolicy::Refused)
    }

    /// The cells of a spec, where `misfits` are refused or skipped.
    ///
    /// # Errors
    /// [`SpecError`] when a population does not fit into memory, and on a misfit that is refused.
    pub fn with(spec: &Spec, misfits: MisfitPolicy) -> Result<Self, SpecError> {
        let mut maker = PlanBuilder::new(misfits);
        let mut parameters: Vec<&'static str> = Vec::new();
        for block in &spec.blocks {
            maker.block(block)?;
            for factor in &block.factors {
                if !parameters.contains(&factor.name) {
                    parameters.push(factor.name);
                }
            }
        }
        Ok(Self::of(spec.name.clone(), parameters, maker.done()))
    }

    /// A plan of these cells.
    pub(crate) fn of(name: String, parameters: Vec<&'static str>, cells: Vec<Cell>) -> Self {
        let mut fingerprint = Fingerprint::new();
        cells.iter().for_each(|cell| cell.note(&mut fingerprint));
        Self { name, fingerprint: fingerprint.text(), parameters, cells }
    }

    /// Runs of all cells.
    pub fn runs(&self) -> usize {
        self.cells.last().map_or(0, |cell| cell.first_run + cell.seeds as usize)
    }

    /// The cell of a run, and which of its runs it is.
    pub fn run(&self, number: usize) -> (usize, u32) {
        let cell = self.cells.partition_point(|cell| cell.first_run <= number) - 1;
        (cell, (number - self.cells[cell].first_run) as u32)
    }

    /// The most memory that one run takes, in bytes.
    pub fn memory(&self) -> u64 {
        self.cells.iter().map(|cell| cell.memory).max().unwrap_or(0)
    }
}
