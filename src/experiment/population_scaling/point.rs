//! A point: one population and one length of local search, over the puzzles of a block.

use super::super::run_metrics::{RunMetrics, StopCause};
use super::super::{Cell, ExpectedWork, Results, RunCost, Skip};
use crate::report::dash;
use crate::statistics::{ShareInterval, wilson};
use crate::util::quantity::count;

/// One population and one length of local search.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalingPoint {
    /// Individuals.
    pub population: u32,
    /// How long a child is improved: the parameter and its value; nothing where a method takes its own of each
    /// puzzle.
    pub length: Option<(&'static str, String)>,
    /// Whether its work does not pay the generations asked for.
    pub blank: bool,
    /// Runs finished, of evolution.
    pub runs: usize,
    /// Runs asked for.
    pub planned: usize,
    /// Runs with a solution.
    pub solved: usize,
    /// Runs without one that ended before their work was spent, by their generations or their time.
    pub short: usize,
    /// Share of the runs with one, and its 95 % Wilson interval.
    pub success: Option<ShareInterval>,
    /// Work of all runs over solutions, its mean over the puzzles.
    pub work: ExpectedWork,
    /// Time of all runs over solutions, likewise, in seconds.
    pub seconds: Option<f64>,
    /// The best that smaller populations, running for themselves, would do with the same work.
    pub independent: Option<IndependentRuns>,
}

/// Runs of a smaller population that share the work.
#[derive(Clone, Debug, PartialEq)]
pub struct IndependentRuns {
    /// How many.
    pub copies: u32,
    /// The population of each.
    pub population: u32,
    /// Probability that one of them finds a solution: 1 - (1 - p)^k, its mean over the puzzles.
    pub success: f64,
    /// Work of all, each cut at its share, over solutions, likewise.
    pub work: ExpectedWork,
}

impl ScalingPoint {
    /// `tries 60`; a dash where nothing is improved, or for as long as the method says.
    pub fn length_text(&self) -> String {
        self.length.as_ref().map_or_else(dash, |(name, value)| {
            let value = value.parse().map_or_else(|_| value.clone(), count);
            format!("{} {value}", name.replace('_', " "))
        })
    }

    /// `7/10`, `7/10 of 30`, or `blank`.
    pub(super) fn solved_text(&self) -> String {
        match self {
            Self { blank: true, .. } => "blank".to_owned(),
            Self { runs, planned, solved, .. } if runs < planned => {
                format!("{solved}/{runs} of {planned}")
            }
            Self { runs, solved, .. } => format!("{solved}/{runs}"),
        }
    }
}

/// A point's cells, one for each puzzle, and their runs.
struct PointCells<'a> {
    first: &'a Cell,
    length: Option<(&'static str, String)>,
    runs: Vec<Vec<&'a RunMetrics>>,
    /// Whether a puzzle has no finished run yet: the others do not stand for it.
    lacking: bool,
    planned: usize,
}

impl PointCells<'_> {
    /// What the runs of each puzzle came to, given up after so much work; nothing as long as a
    /// puzzle has none.
    fn spent(&self, most: u64) -> Vec<Vec<RunCost>> {
        if self.lacking {
            return Vec::new();
        }
        let ran = self.runs.iter().filter(|runs| !runs.is_empty());
        ran.map(|runs| runs.iter().map(|run| cut(run, most)).collect()).collect()
    }
}

fn over(puzzles: &[Vec<RunCost>]) -> ExpectedWork {
    let puzzles: Vec<&[RunCost]> = puzzles.iter().map(Vec::as_slice).collect();
    ExpectedWork::over(&puzzles)
}

/// The points that these cells make.
pub(in crate::experiment) fn points(results: &Results<'_>, cells: &[usize]) -> Vec<ScalingPoint> {
    let plan = results.plan();
    let mut all: Vec<PointCells<'_>> = Vec::new();
    for number in cells {
        let cell = &plan.cells[*number];
        // What presolve alone finishes says nothing.
        let mut runs: Vec<&RunMetrics> = results.of_cell(*number).collect();
        let lacking = runs.is_empty() && cell.seeds > 0;
        runs.retain(|run| run.work > 0);
        let (population, length) = (cell.config.population, cell.length());
        // What a method takes of its own accord is the same point, whatever it is.
        let named = length.as_ref().is_some_and(|(name, _)| plan.parameters.contains(name));
        let like = |known: &PointCells<'_>| {
            known.first.config.population == population && (!named || known.length == length)
        };
        let at = all.iter().position(like).unwrap_or_else(|| {
            let (runs, lacking, planned) = (Vec::new(), false, 0);
            all.push(PointCells { first: cell, length: length.clone(), runs, lacking, planned });
            all.len() - 1
        });
        let known = &mut all[at];
        if known.length != length {
            known.length = None;
        }
        known.lacking |= lacking;
        known.planned += cell.seeds as usize;
        known.runs.push(runs);
    }
    all.iter().map(|cells| point(cells, &all)).collect()
}

fn point(cells: &PointCells<'_>, all: &[PointCells<'_>]) -> ScalingPoint {
    let runs: Vec<&RunMetrics> = cells.runs.iter().flatten().copied().collect();
    let solved = runs.iter().filter(|run| run.solved()).count();
    let early = |run: &&&RunMetrics| matches!(run.end, StopCause::Generations | StopCause::Time);
    let short = runs.iter().filter(early).count();
    let puzzles = cells.spent(u64::MAX);
    let seconds = cells.runs.iter().filter(|runs| !runs.is_empty()).map(|runs| {
        let solved = runs.iter().filter(|run| run.solved()).count() as f64;
        runs.iter().map(|run| run.seconds).sum::<f64>() / solved
    });
    let seconds = seconds.sum::<f64>() / puzzles.len() as f64;
    ScalingPoint {
        population: cells.first.config.population,
        length: cells.length.clone(),
        blank: cells.first.skip == Some(Skip::Blank),
        runs: runs.len(),
        planned: cells.planned,
        solved,
        short,
        success: wilson(solved, runs.len()),
        work: over(&puzzles),
        seconds: seconds.is_finite().then_some(seconds),
        independent: all
            .iter()
            .filter(|smaller| cells.first.skip.is_none() && smaller.length == cells.length)
            .filter_map(|smaller| independent(cells, smaller))
            .max_by(|a, b| a.success.total_cmp(&b.success).then(b.copies.cmp(&a.copies))),
    }
}

/// What runs of a smaller population would do in place of one of a larger.
fn independent(larger: &PointCells<'_>, smaller: &PointCells<'_>) -> Option<IndependentRuns> {
    let (size, population) = (larger.first.config.population, smaller.first.config.population);
    let copies = size / population;
    // Work that nothing bounds has no share.
    let bounded = larger.first.config.max_work > 0;
    if copies < 2 || !size.is_multiple_of(population) || !bounded {
        return None;
    }
    let most = larger.first.config.max_work / u64::from(copies);
    let puzzles = smaller.spent(most);
    let success = puzzles.iter().map(|spent| {
        let share = spent.iter().filter(|run| run.solved).count() as f64 / spent.len() as f64;
        1.0 - (1.0 - share).powf(copies.into())
    });
    (!puzzles.is_empty()).then(|| IndependentRuns {
        copies,
        population,
        success: success.sum::<f64>() / puzzles.len() as f64,
        work: over(&puzzles),
    })
}

/// A run that was given up after so much work.
fn cut(run: &RunMetrics, most: u64) -> RunCost {
    RunCost { work: run.work.min(most), solved: run.solved() && run.work <= most }
}
