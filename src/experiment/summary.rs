//! The summary of a cell: how often its method succeeds, and what a success costs.

use super::run_metrics::{RunMetrics, StopCause};
use super::{Cell, ExpectedWork, Method, RunCost, Skip};
use crate::statistics::{CensoredQuantiles, ShareInterval, wilson};
use crate::util::named_enum::named;

named! {
    /// What has come of a cell.
    pub enum Status {
        /// All its runs are finished.
        Done = "done",
        /// Some runs are missing.
        Unfinished = "unfinished",
        /// Presolve left nothing to evolve, which is no success of evolution.
        Presolved = "presolved",
        /// Its puzzle has no solution.
        Contradictory = "contradictory",
        /// The program was built without its method.
        NotBuilt = "not built",
        /// Its bound on work does not pay the generations that were asked for.
        Blank = "blank",
        /// Its method does not fit its puzzle or parameters.
        RejectedRecord = "unfit",
    }
}

/// A cell's runs, summed up.
#[derive(Clone, Debug, PartialEq)]
pub struct CellSummary {
    /// What has come of it.
    pub status: Status,
    /// What more there is to say: why the puzzle is contradictory, how many solutions it has.
    pub remark: String,
    /// Runs finished.
    pub runs: usize,
    /// Runs asked for.
    pub planned: usize,
    /// Runs in which evolution found a solution.
    pub solved: usize,
    /// Share of the runs that did, and its 95 % Wilson interval.
    pub success: Option<ShareInterval>,
    /// Generations to a solution.
    pub generations: CensoredQuantiles,
    /// Evaluations plus moves to a solution.
    pub work: CensoredQuantiles,
    /// Work of all runs, or the most that there is a number for.
    pub total_work: u64,
    /// Work of all runs over successes.
    pub expected_work: ExpectedWork,
    /// Mean fitness of the best boards of runs without a solution.
    pub unsolved_fitness: Option<f64>,
    /// Wall time of all runs, in seconds.
    pub seconds: f64,
    /// Half the runs took no longer, in seconds.
    pub median_seconds: Option<f64>,
    /// Boards scored over wall time: the rate of one run, several of which may go on at a time.
    pub children_per_second: Option<f64>,
}

impl CellSummary {
    /// Of a cell and its finished runs.
    pub(super) fn of(cell: &Cell, runs: &[&RunMetrics]) -> Self {
        let (status, remark) = status(cell, runs);
        let evolved = matches!(status, Status::Done | Status::Unfinished) && !runs.is_empty();
        let solved: Vec<_> = runs.iter().filter(|run| run.solved()).collect();
        let unsolved = runs.len() - solved.len();
        // An exact method neither breeds nor prices boards: it has none of these figures.
        let evolution = matches!(cell.method, Method::Preset(_));
        let censored = |figure: fn(&RunMetrics) -> f64| {
            CensoredQuantiles::of(solved.iter().map(|run| figure(run)), unsolved)
        };
        let spent: Vec<RunCost> = runs.iter().map(|run| RunCost::of(run)).collect();
        let fitness: f64 =
            runs.iter().filter(|run| !run.solved()).map(|run| f64::from(run.fitness)).sum();
        let seconds: f64 = runs.iter().map(|run| run.seconds).sum();
        let evaluations: f64 = runs.iter().map(|run| run.evaluations as f64).sum();
        Self {
            status,
            remark,
            runs: runs.len(),
            planned: cell.seeds as usize,
            solved: solved.len(),
            // One run that is the same whenever it is made is no sample.
            success: wilson(solved.len(), runs.len()).filter(|_| evolved && evolution),
            generations: if evolution {
                censored(|run| run.generations.into())
            } else {
                CensoredQuantiles::default()
            },
            work: if evolution {
                censored(|run| run.work as f64)
            } else {
                CensoredQuantiles::default()
            },
            total_work: runs.iter().fold(0, |all, run| all.saturating_add(run.work)),
            expected_work: if evolution {
                ExpectedWork::of(&spent)
            } else {
                ExpectedWork::default()
            },
            unsolved_fitness: (evolved && evolution && unsolved > 0)
                .then(|| fitness / unsolved as f64),
            seconds,
            median_seconds: CensoredQuantiles::of(runs.iter().map(|run| run.seconds), 0).median,
            children_per_second: (evaluations > 0.0).then(|| evaluations / seconds.max(1e-9)),
        }
    }
}

impl RunCost {
    pub(super) fn of(run: &RunMetrics) -> Self {
        Self { work: run.work, solved: run.solved() }
    }
}

fn status(cell: &Cell, runs: &[&RunMetrics]) -> (Status, String) {
    let presolved = |run: &&RunMetrics| run.end == StopCause::Presolved;
    match &cell.skip {
        Some(Skip::Contradictory(what)) => (Status::Contradictory, what.clone()),
        Some(Skip::NotBuilt) => (Status::NotBuilt, cell.remark.clone()),
        Some(Skip::Blank) => (Status::Blank, cell.remark.clone()),
        Some(Skip::RejectedRecord(what)) => (Status::RejectedRecord, what.clone()),
        None if runs.iter().any(|run| run.end == StopCause::NoSolution) => {
            (Status::Contradictory, format!("{} finds none", cell.method))
        }
        None if runs.len() < cell.seeds as usize => (Status::Unfinished, cell.remark.clone()),
        None if !runs.is_empty() && runs.iter().all(presolved) => {
            (Status::Presolved, cell.remark.clone())
        }
        None => (Status::Done, cell.remark.clone()),
    }
}
