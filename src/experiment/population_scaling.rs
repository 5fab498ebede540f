//! The law of population size: what a population is worth against as many small ones, at equal
//! work.
//!
//! Cells that differ in nothing but population, length of local search and puzzle form a *series*.
//! Each point of a series is set against **independent runs**: k
//! runs of population N/k, each with a k-th of the work W. Their success is read off the runs
//! of population N/k that were made with all of W: if a share p of them had a solution when they
//! reached W/k, with at most a tenth more, then k of them have one with probability 1 - (1 - p)^k, and a
//! solution costs the work of all, each cut at the end of the generation that reaches W/k, over the
//! successes. Both are taken puzzle by puzzle, and the mean over the puzzles of the block is shown.
//!
//! For example W = 1,000,000 and population 1,000. Of ten runs of population 100 three had a
//! solution within 100,000 units: ten such runs find one with probability 1 - 0.7^10 = 97 %. If
//! seven in ten runs of population 1,000 do, then size has been of no use.
//!
//! Only cells with a bound on work are compared.

use std::collections::BTreeSet;

use super::cell::{LENGTHS, differ, grouped};
use super::cell_filter::all_hold;
use super::run_metrics::{ALIKE, RunMetrics};
use super::summary::{solved_text, spread, three_digits};
use super::{Cell, ExpectedWork, Method, Results, RunCost, Skip};
use crate::report::{Table, dash};
use crate::statistics::{ShareInterval, wilson};
use crate::util::quantity::{count, counted};

/// Points that differ in nothing but population and length of local search.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalingSeries {
    /// The block of its cells.
    pub block: String,
    /// The bound on work.
    pub work: u64,
    /// The parameters that its cells share and other series do not, and their values.
    pub common: Vec<(&'static str, String)>,
    /// Its points, in the order of the plan.
    pub points: Vec<ScalingPoint>,
}

/// All series in which the population varies; there is none in most experiments.
pub fn law(results: &Results<'_>) -> Vec<ScalingSeries> {
    let plan = results.plan;
    let mut parameters = plan.varying();
    parameters.retain(|name| *name != "population" && !LENGTHS.contains(name));
    let methods = differ(plan.cells.iter().map(|cell| cell.method));
    let keyed = |(number, cell): (usize, &Cell)| {
        let mut common = cell.values(&parameters);
        if methods {
            common.insert(0, ("method", cell.method.to_string()));
        }
        let bounded = cell.config.max_work > 0 && matches!(cell.method, Method::Preset(_));
        let is_shown = all_hold(&results.view.only, cell);
        (bounded && is_shown).then(|| ((cell.block.clone(), cell.config.max_work, common), number))
    };
    grouped(plan.cells.iter().enumerate().filter_map(keyed))
        .into_iter()
        .map(|((block, work, common), cells)| {
            let points = points(results, &cells);
            ScalingSeries { block, work, common, points }
        })
        .filter(|series| differ(series.points.iter().map(|point| point.population)))
        .collect()
}

/// The table of all series, with a conclusion below it.
pub fn law_table(results: &Results<'_>) -> Option<Table> {
    let series = law(results);
    let names: Vec<&'static str> = series.first()?.common.iter().map(|(name, _)| *name).collect();
    let blocks = differ(series.iter().map(|one| &one.block));
    let mut header = if blocks { vec!["block"] } else { Vec::new() };
    header.extend(&names);
    header.extend(["population", "length", "solved", "success (95 %)", "expected work (95 %)"]);
    header.extend(["s per solution", "independent runs", "independent success (95 %)"]);
    header.push("independent work (95 %)");
    let mut rows = Vec::new();
    for one in &series {
        for point in &one.points {
            let mut row = if blocks { vec![one.block.clone()] } else { Vec::new() };
            let solved = match point.blank {
                true => "blank".to_owned(),
                false => solved_text(point.solved, [point.runs, point.planned], point.late),
            };
            row.extend(one.common.iter().map(|(_, value)| value.clone()));
            row.extend([
                point.population.to_string(),
                point.length_text(),
                solved,
                point.success.map_or_else(dash, |success| success.to_string()),
                work(&point.work),
                point.seconds.map_or_else(dash, three_digits),
            ]);
            row.extend(match &point.independent {
                None => [dash(), dash(), dash()],
                Some(other) => [
                    format!("{} of {}", count(other.copies.into()), count(other.population.into())),
                    other.success.to_string(),
                    work(&other.work),
                ],
            });
            rows.push(row);
        }
    }
    let text = "Success: share of runs solved; late runs are not. Expected work: work of all runs divided by the number of solutions, late ones included, \
         averaged over the puzzles of the block; - if a puzzle was never solved. With five or more runs of each \
         puzzle, expected work has a 95 % bootstrap interval, which resamples the runs of each puzzle. Length: \
         steps or tries of local search per child. S per solution: expected seconds, with the threads of each run. \
         Independent runs: k runs instead of one, each with 1/k of the population and 1/k of the work; k is the \
         number that solves most. The success of independent runs is predicted from the runs of the smaller \
         population, puzzle by puzzle. Blank: max_work is too small for least_generations. Runs that \
         max_generations or time_limit ended did less work than max_work allows. The lowest of many figures is low \
         partly by luck; the intervals do not include this effect.";
    let mut notes = vec![text.to_owned()];
    notes.extend(verdicts(&series));
    Some(Table { title: "Population size at equal work".to_owned(), header, rows, notes })
}

/// `12,000 (9,000 to 20,000)`.
fn work(work: &ExpectedWork) -> String {
    spread([work.mean, work.low, work.high])
}

/// One population and one length of local search.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalingPoint {
    /// Individuals.
    pub population: u32,
    /// How long a child is improved: the parameter and its value; nothing where a method takes its own of each
    /// puzzle.
    pub length: Option<(&'static str, String)>,
    /// Whether its work does not pay the `least_generations` of the spec.
    pub blank: bool,
    /// Runs finished, of evolution.
    pub runs: usize,
    /// Runs in the plan, of evolution.
    pub planned: usize,
    /// Names of the puzzles that presolve leaves to evolution.
    pub evolved: BTreeSet<String>,
    /// Runs that are solved.
    pub solved: usize,
    /// Runs that found a solution with more than 1.1 times `max_work`.
    pub late: usize,
    /// Share of the runs that are solved, and its 95 % Wilson interval.
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
    /// Probability that one of them finds a solution: 1 - (1 - p)^k, its mean over the puzzles. The ends are those of
    /// the Wilson interval of p, which is too wide for the mean of several puzzles.
    pub success: ShareInterval,
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
}

/// A point's cells, one for each puzzle, and their runs.
struct PointCells<'a> {
    first: &'a Cell,
    length: Option<(&'static str, String)>,
    runs: Vec<Vec<&'a RunMetrics>>,
    /// Whether a puzzle has no finished run yet, which the runs of others do not replace.
    lacking: bool,
    /// Without the runs that presolve alone finishes.
    planned: usize,
    evolved: BTreeSet<String>,
}

impl<'a> PointCells<'a> {
    /// These cells, of which there is one at least.
    fn of(results: &'a Results<'_>, numbers: &[usize]) -> Self {
        let cells = || numbers.iter().map(|number| &results.plan.cells[*number]);
        let first = &results.plan.cells[numbers[0]];
        let lacks = |number: &usize| {
            results.plan.cells[*number].seeds > 0 && results.of_cell(*number).next().is_none()
        };
        let evolved = |number: &usize| results.of_cell(*number).filter(|run| run.is_evolved());
        let evolves = |number: &&usize| lacks(number) || evolved(number).next().is_some();
        let left = numbers.iter().filter(evolves).map(|number| &results.plan.cells[*number]);
        Self {
            first,
            length: first.length().filter(|_| !differ(cells().map(Cell::length))),
            runs: numbers.iter().map(|number| evolved(number).collect()).collect(),
            lacking: numbers.iter().any(lacks),
            planned: left.clone().map(|cell| cell.seeds as usize).sum(),
            evolved: left.map(|cell| cell.puzzle.name.clone()).collect(),
        }
    }

    /// The costs of the runs of each puzzle, each stopped after this much work; nothing as long as a
    /// puzzle has none.
    fn spent(&self, most: u64) -> Vec<Vec<RunCost>> {
        if self.lacking {
            return Vec::new();
        }
        let ran = self.runs.iter().filter(|runs| !runs.is_empty());
        ran.map(|runs| runs.iter().map(|run| cut(run, most)).collect()).collect()
    }
}

/// The points that these cells make.
pub(super) fn points(results: &Results<'_>, cells: &[usize]) -> Vec<ScalingPoint> {
    let keyed = cells.iter().map(|number| {
        let cell = &results.plan.cells[*number];
        // A length that the method chooses by itself is the same point, whatever it is.
        let named = cell.length().filter(|(name, _)| results.plan.parameters.contains(name));
        ((cell.config.population, named), *number)
    });
    let all: Vec<PointCells<'_>> =
        grouped(keyed).iter().map(|(_, numbers)| PointCells::of(results, numbers)).collect();
    all.iter().map(|cells| point(cells, &all)).collect()
}

fn point(cells: &PointCells<'_>, all: &[PointCells<'_>]) -> ScalingPoint {
    let runs: Vec<&RunMetrics> = cells.runs.iter().flatten().copied().collect();
    let solved = runs.iter().filter(|run| run.solved()).count();
    let puzzles = cells.spent(u64::MAX);
    let seconds = cells.runs.iter().filter(|runs| !runs.is_empty()).map(|runs| {
        let solved = runs.iter().filter(|run| run.cost().solved).count() as f64;
        runs.iter().map(|run| run.seconds).sum::<f64>() / solved
    });
    let seconds = seconds.sum::<f64>() / puzzles.len() as f64;
    ScalingPoint {
        population: cells.first.config.population,
        length: cells.length.clone(),
        blank: cells.first.skip == Some(Skip::Blank),
        runs: runs.len(),
        planned: cells.planned,
        evolved: cells.evolved.clone(),
        solved,
        late: runs.iter().filter(|run| run.late).count(),
        success: wilson(solved, runs.len()),
        work: ExpectedWork::over(&puzzles),
        seconds: seconds.is_finite().then_some(seconds),
        independent: all
            .iter()
            .filter(|smaller| cells.first.skip.is_none() && smaller.length == cells.length)
            .filter_map(|smaller| independent(cells, smaller))
            .max_by(|a, b| {
                a.success.share.total_cmp(&b.success.share).then(b.copies.cmp(&a.copies))
            }),
    }
}

/// The success and cost of runs of a smaller population in place of one of a larger.
fn independent(larger: &PointCells<'_>, smaller: &PointCells<'_>) -> Option<IndependentRuns> {
    let (size, population) = (larger.first.config.population, smaller.first.config.population);
    let copies = size.checked_div(population)?;
    // Work that nothing bounds has no share.
    let bounded = larger.first.config.max_work > 0;
    if copies < 2 || !size.is_multiple_of(population) || !bounded {
        return None;
    }
    let most = larger.first.config.max_work / u64::from(copies);
    let puzzles = smaller.spent(most);
    // A late solution is no success.
    let is_solved = |run: &&RunCost| run.solved && run.work as f64 <= ALIKE * most as f64;
    let shares = puzzles
        .iter()
        .filter_map(|spent| wilson(spent.iter().filter(is_solved).count(), spent.len()));
    let shares: Vec<ShareInterval> = shares.collect();
    let any = |share: fn(&ShareInterval) -> f64| {
        let of = shares.iter().map(|of| 1.0 - (1.0 - share(of)).powf(copies.into()));
        of.sum::<f64>() / shares.len() as f64
    };
    let (share, low, high) = (any(|of| of.share), any(|of| of.low), any(|of| of.high));
    let success = ShareInterval { share, low, high };
    let work = ExpectedWork::over(&puzzles);
    (!puzzles.is_empty()).then_some(IndependentRuns { copies, population, success, work })
}

/// The cost of a run with this `max_work`, which ends with the generation that reaches it. The mean work of a generation
/// stands for that of each.
fn cut(run: &RunMetrics, most: u64) -> RunCost {
    let RunCost { work, solved } = run.cost();
    let generation = (work / (u64::from(run.generations) + 1)).max(1);
    let end = most.div_ceil(generation).saturating_mul(generation);
    RunCost { work: work.min(end), solved: solved && work <= end }
}

/// A sentence for each block and bound on work.
fn verdicts(series: &[ScalingSeries]) -> Vec<String> {
    let keyed = series.iter().map(|one| ((one.block.as_str(), one.work), one));
    let sentence = |((block, bound), own): ((&str, u64), Vec<&ScalingSeries>)| {
        let name = if block.is_empty() { "All puzzles" } else { block };
        format!("{name}, max_work {}: {}", count(bound), verdict(&own))
    };
    grouped(keyed).into_iter().map(sentence).collect()
}

/// The cheapest point of some series, and the next.
fn verdict(series: &[&ScalingSeries]) -> String {
    // A parameter is named if its values differ: not if all series share it, or only some have it.
    let varies = |name: &str| {
        let of =
            |one: &&ScalingSeries| one.common.iter().find(|(known, _)| *known == name).cloned();
        differ(series.iter().filter_map(of))
    };
    let all = || series.iter().flat_map(|one| one.points.iter().map(move |point| (*one, point)));
    let lengths = differ(all().filter_map(|(_, point)| point.length.as_ref()));
    let named = |one: &ScalingSeries, point: &ScalingPoint| {
        let common = one.common.iter().filter(|(name, _)| varies(name));
        let mut parts: Vec<String> = common
            .map(|(name, value)| match *name {
                "method" => value.clone(),
                name => format!("{} {value}", name.replace('_', " ")),
            })
            .collect();
        parts.push(format!("population {}", count(point.population.into())));
        parts.extend(lengths.then(|| point.length_text()));
        parts.join(", ")
    };
    let mut costs: Vec<_> =
        all().filter_map(|(one, point)| Some((point.work.mean?, one, point))).collect();
    costs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let [(_, one, point), others @ ..] = &costs[..] else {
        return "no population solved every puzzle, so costs are not compared.".to_owned();
    };
    if others.iter().any(|(_, _, other)| other.evolved != point.evolved) {
        return "the rows evolve different puzzles, so costs are not compared.".to_owned();
    }
    let is_alike = |other: &ScalingPoint| {
        point.work.high.zip(other.work.low).is_none_or(|(high, low)| low <= high)
    };
    let alike = others.iter().skip(1).filter(|(_, _, other)| is_alike(other)).count();
    let next = others.first().map_or(String::new(), |(_, next, other)| {
        let verb = if is_alike(other) { "does not clearly cost more" } else { "costs more" };
        format!(" {} {verb}: {}.", named(next, other), work(&other.work))
    });
    let more = match alike {
        0 => String::new(),
        some => format!(" Not shown to cost more either: {}.", counted(some as u64, "other row")),
    };
    let cheapest = named(one, point);
    format!(
        "the cheapest is {cheapest}, at {} units of work per solution.{next}{more}",
        work(&point.work)
    )
}
