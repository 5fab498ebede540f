//! Results: the runs that are finished, in the order of the plan.

use super::record::{EvolvedRun, ExactRun};
use super::run_metrics::{RunMetrics, StopCause};
use super::summary::CellSummary;
use super::{Cell, CellFilter, ComparedFactor, Plan, Series, Shard};
use crate::exact::{ExactMethod, MethodEnd, MethodOutcome};
use crate::report::{AxisScale, RunRecord};
use crate::store::json_line;

/// A finished run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    /// Its record as one line of JSON with its checksum, which is what is exported.
    pub line: String,
    /// What cells are summed up from.
    pub figures: RunMetrics,
}

impl RunResult {
    /// Of an exact method's run in `cell`, counted from 0; nothing if it was interrupted.
    pub fn exact(
        cell: usize,
        plan: &Cell,
        method: ExactMethod,
        outcome: &MethodOutcome,
    ) -> Option<Self> {
        let end = match outcome.ended {
            MethodEnd::Solved => StopCause::Solved,
            MethodEnd::NoSolution => StopCause::NoSolution,
            MethodEnd::Time => StopCause::Time,
            MethodEnd::Interrupted => return None,
            MethodEnd::NotBuilt | MethodEnd::Failed => StopCause::Failed,
        };
        let record = ExactRun::of(cell, plan, method, outcome, end);
        let (seconds, fault) = (record.seconds, record.fault.clone());
        Some(Self {
            line: json_line(&record),
            figures: RunMetrics { end, seconds, fault, ..RunMetrics::none() },
        })
    }

    /// Of a run in `cell`, counted from 0.
    pub fn new(cell: usize, record: &RunRecord, series: Series) -> Self {
        Self {
            line: json_line(&EvolvedRun::of(cell, record, &series)),
            figures: RunMetrics {
                end: record.stop_reason.into(),
                fitness: record.fitness,
                generations: record.generations,
                evaluations: record.evaluations,
                work: record.work,
                seconds: record.seconds,
                fault: record.fault.clone(),
                series,
            },
        }
    }
}

/// What is shown of results beyond the summary of each cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultsView {
    /// Which cells plots show and are compared; all if nothing is named.
    pub only: Vec<CellFilter>,
    /// How axes of generations are divided.
    pub scaling: AxisScale,
    /// What is compared, if anything is.
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

    /// The same, of which this is shown.
    pub fn viewed(self, view: ResultsView) -> Self {
        Self { view, ..self }
    }

    /// What is shown of them.
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
