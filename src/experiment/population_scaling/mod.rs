//! The law of population size: what a population is worth against as many small ones, at equal
//! work.
//!
//! Cells that differ in nothing but population, length of local search and puzzle form a *series*.
//! Each point of a series is set against **independent runs**: k
//! runs of population N/k, each with a k-th of the work W. What they would do is read off the runs
//! of population N/k that were made with all of W: if a share p of them had a solution when they
//! had spent W/k, then k of them have one with probability 1 - (1 - p)^k, and a solution costs the
//! work of all, each cut at W/k, over the successes. Both are taken puzzle by puzzle, and the mean
//! over the puzzles of the block is shown.
//!
//! For example W = 1,000,000 and population 1,000. Of ten runs of population 100 three had a
//! solution within 100,000 units: ten such runs find one with probability 1 - 0.7^10 = 97 %. If
//! seven in ten runs of population 1,000 do, then size has been of no use.
//!
//! Only cells with a bound on work are compared.

mod conclusion;
mod point;

pub use point::ScalingPoint;
pub(in crate::experiment) use point::points;

use super::cell::LENGTHS;
use super::{Cell, ExpectedWork, Method, Results};
use crate::report::{Table, dash};
use crate::util::quantity::count;
use conclusion::verdicts;

/// Points that differ in nothing but population and length of local search.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalingSeries {
    /// The block of its cells.
    pub block: String,
    /// The bound on work.
    pub work: u64,
    /// What its cells have in common and others have not: parameters and their values.
    pub common: Vec<(&'static str, String)>,
    /// Its points, in the order of the plan.
    pub points: Vec<ScalingPoint>,
}

/// All series in which the population varies; there is none in most experiments.
pub fn law(results: &Results<'_>) -> Vec<ScalingSeries> {
    let plan = results.plan();
    let parameters: Vec<&'static str> = plan
        .parameters
        .iter()
        .copied()
        .filter(|name| *name != "population" && !LENGTHS.contains(name))
        .filter(|name| varies(&plan.cells, name))
        .collect();
    // The key, and the cells of each.
    let mut series: Vec<(ScalingSeries, Vec<usize>)> = Vec::new();
    for (number, cell) in plan.cells.iter().enumerate() {
        if cell.config.max_work == 0 || !matches!(cell.method, Method::Preset(_)) {
            continue;
        }
        let mut common: Vec<(&'static str, String)> =
            parameters.iter().filter_map(|name| Some((*name, cell.value(name)?))).collect();
        if plan.cells.iter().any(|other| other.method != cell.method) {
            common.insert(0, ("method", cell.method.to_string()));
        }
        let (block, work) = (cell.block.clone(), cell.config.max_work);
        let key = ScalingSeries { block, work, common, points: Vec::new() };
        match series.iter_mut().find(|(known, _)| *known == key) {
            Some((_, cells)) => cells.push(number),
            None => series.push((key, vec![number])),
        }
    }
    series
        .into_iter()
        .map(|(key, cells)| ScalingSeries { points: point::points(results, &cells), ..key })
        .filter(|series| {
            let first = series.points.first().map(|point| point.population);
            series.points.iter().any(|point| Some(point.population) != first)
        })
        .collect()
}

fn varies(cells: &[Cell], name: &str) -> bool {
    let mut values = cells.iter().filter_map(|cell| cell.value(name));
    let first = values.next();
    values.any(|value| Some(value) != first)
}

/// The table of all series, and what it comes to.
pub fn law_table(results: &Results<'_>) -> Option<Table> {
    let series = law(results);
    let names: Vec<&'static str> = series.first()?.common.iter().map(|(name, _)| *name).collect();
    let blocks = series.iter().any(|one| one.block != series[0].block);
    let mut header = if blocks { vec!["block"] } else { Vec::new() };
    header.extend(&names);
    header.extend(["population", "length", "solved", "success (95 %)", "expected work (95 %)"]);
    header.extend(["s a solution", "independent runs", "their success", "their work (95 %)"]);
    let mut rows = Vec::new();
    for one in &series {
        for point in &one.points {
            let mut row = if blocks { vec![one.block.clone()] } else { Vec::new() };
            row.extend(one.common.iter().map(|(_, value)| value.clone()));
            row.extend([
                count(point.population.into()),
                point.length_text(),
                point.solved_text(),
                point.success.map_or_else(dash, |success| success.to_string()),
                work(&point.work),
                point.seconds.map_or_else(dash, |seconds| format!("{seconds:.3}")),
            ]);
            row.extend(match &point.independent {
                None => [dash(), dash(), dash()],
                Some(other) => [
                    format!("{} of {}", count(other.copies.into()), count(other.population.into())),
                    format!("{:.0} %", 100.0 * other.success),
                    work(&other.work),
                ],
            });
            rows.push(row);
        }
    }
    let mut notes = vec![
        "Population size at equal work. Expected work: that of all runs over solutions, its mean \
         over the puzzles of the block, with a bootstrap interval within puzzles; none where a \
         puzzle is never solved. S a solution: time likewise, with the threads each run had. \
         Independent runs: k of a k-th of the population, with a k-th of the work each, as the \
         runs of that population predict them, for the k that solves most. A blank does not pay \
         the generations asked for. The least of many figures is in part the luckiest: the \
         intervals do not know of that."
            .to_owned(),
    ];
    notes.extend(verdicts(&series));
    let title = "Population size at equal work".to_owned();
    Some(Table { title, header, rows, notes })
}

/// `12,000 (9,000-20,000)`.
fn work(work: &ExpectedWork) -> String {
    let show = |figure: Option<f64>| figure.map_or_else(dash, |f| count(f.round() as u64));
    match work.mean {
        None => dash(),
        mean => format!("{} ({} to {})", show(mean), show(work.low), show(work.high)),
    }
}
