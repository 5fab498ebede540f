//! Results: the runs that are finished, in the order of the plan.

use super::record::RunResult;
use super::run_metrics::RunMetrics;
use super::summary::CellSummary;
use super::{CellFilter, ComparedFactor, Plan, Shard};
use crate::report::AxisScale;

/// The parts of results that are shown beyond the summary of each cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultsView {
    /// Which cells plots show and are compared; all if nothing is named.
    pub only: Vec<CellFilter>,
    /// How axes of generations are divided.
    pub scaling: AxisScale,
    /// The factor that is compared, if any is.
    pub compare: Option<ComparedFactor>,
}

/// All runs of a plan that are finished.
#[derive(Clone, Debug)]
pub struct Results<'a> {
    plan: &'a Plan,
    shard: Option<Shard>,
    view: ResultsView,
    runs: Vec<Option<RunResult>>,
    /// The summary of each cell, where nothing was added since.
    summaries: Vec<Option<CellSummary>>,
}

impl<'a> Results<'a> {
    /// Nothing finished yet.
    pub fn new(plan: &'a Plan) -> Self {
        let (runs, summaries) = (vec![None; plan.runs()], vec![None; plan.cells.len()]);
        Self { plan, shard: None, view: ResultsView::default(), runs, summaries }
    }

    /// The same, of a shard.
    pub fn of(self, shard: Option<Shard>) -> Self {
        Self { shard, ..self }
    }

    /// The same with this view.
    pub fn viewed(self, view: ResultsView) -> Self {
        Self { view, ..self }
    }

    /// Their view.
    pub fn view(&self) -> &ResultsView {
        &self.view
    }

    /// The shard that they are of, if not of the whole plan.
    pub fn shard(&self) -> Option<Shard> {
        self.shard
    }

    /// The plan.
    pub fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// Takes a finished run in, by its number in the plan.
    pub fn insert(&mut self, run: usize, result: RunResult) {
        self.summaries[self.plan.run(run).0] = None;
        self.runs[run] = Some(result);
    }

    /// A run, if it is finished.
    pub fn run(&self, run: usize) -> Option<&RunResult> {
        self.runs.get(run)?.as_ref()
    }

    /// All finished runs, in order.
    pub fn finished(&self) -> impl Iterator<Item = &RunResult> {
        self.runs.iter().flatten()
    }

    /// The finished runs of a cell, in order.
    pub fn of_cell(&self, cell: usize) -> impl Iterator<Item = &RunMetrics> {
        let cell = &self.plan.cells[cell];
        let runs = &self.runs[cell.first_run..cell.first_run + cell.seeds as usize];
        runs.iter().flatten().map(|run| &run.figures)
    }

    /// Numbers of the runs that are missing, in order.
    pub fn missing(&self) -> Vec<usize> {
        (0..self.runs.len()).filter(|run| self.runs[*run].is_none()).collect()
    }

    /// The summary of each cell.
    pub fn summaries(&mut self) -> Vec<CellSummary> {
        for cell in 0..self.summaries.len() {
            if self.summaries[cell].is_none() {
                let runs: Vec<&RunMetrics> = self.of_cell(cell).collect();
                self.summaries[cell] = Some(CellSummary::of(&self.plan.cells[cell], &runs));
            }
        }
        self.summaries.iter().flatten().cloned().collect()
    }
}
