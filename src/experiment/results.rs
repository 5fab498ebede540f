//! Results: the runs that are finished, in the order of the plan.

use super::record::RunResult;
use super::run_metrics::RunMetrics;
use super::summary::CellSummary;
use super::{CellFilter, ComparedFactor, Plan, Shard};

/// The parts of results that are shown beyond the summary of each cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultsView {
    /// Filters of the cells that plots show and that are compared; without a filter these are all.
    pub only: Vec<CellFilter>,
    /// The factor that is compared, if any is.
    pub compare: Option<ComparedFactor>,
}

/// All runs of a plan that are finished.
#[derive(Clone, Debug)]
pub struct Results<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The shard that they are of, if not of the whole plan.
    pub shard: Option<Shard>,
    /// The parts that are shown.
    pub view: ResultsView,
    runs: Vec<Option<RunResult>>,
    /// The summary of each cell, unless a run was added since it was made.
    summaries: Vec<Option<CellSummary>>,
}

impl<'a> Results<'a> {
    /// Results without a finished run.
    pub fn new(plan: &'a Plan) -> Self {
        let (runs, summaries) = (vec![None; plan.runs()], vec![None; plan.cells.len()]);
        Self { plan, shard: None, view: ResultsView::default(), runs, summaries }
    }

    /// These results with another view.
    pub fn viewed(self, view: ResultsView) -> Self {
        Self { view, ..self }
    }

    /// Adds a finished run under its number in the plan.
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
        self.seeded(cell).map(|(_, run)| run)
    }

    /// The finished runs of a cell with their seeds, in order.
    pub(super) fn seeded(&self, cell: usize) -> impl Iterator<Item = (u64, &RunMetrics)> {
        let cell = &self.plan.cells[cell];
        let runs = (0..cell.seeds).zip(&self.runs[cell.first_run..]);
        runs.filter_map(|(number, run)| Some((cell.seed(number), &run.as_ref()?.figures)))
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
