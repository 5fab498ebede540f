//! Population size at equal work: success and expected work, a line for each length of
//! improvement, with what independent runs of the smallest population would do.
//!
//! Of each block the first series is drawn: the first value of all other parameters. Lines end
//! where the work does not pay the generations asked for.

use indicatif::HumanCount;

use super::super::{LawSeries, Point};
use crate::report::panel::{Axis, Curve, Panel, Stroke};

/// Two panels for each block.
pub(super) fn panels(series: &[LawSeries]) -> Vec<Panel> {
    let mut drawn: Vec<&LawSeries> = Vec::new();
    for one in series {
        let ran = one.points.iter().any(|point| point.runs > 0);
        if ran && drawn.iter().all(|other| other.block != one.block) {
            drawn.push(one);
        }
    }
    drawn.into_iter().flat_map(|one| [success(one), work(one)].into_iter().flatten()).collect()
}

fn success(series: &LawSeries) -> Option<Panel> {
    let mut lines = Vec::new();
    for (color, (label, points)) in lengths(series).into_iter().enumerate() {
        let share = |share: f64| 100.0 * share;
        let at = |point: &&Point| Some((size(point), share(point.success?.0)));
        let bar = |point: &&Point| {
            let (_, low, high) = point.success?;
            Some((size(point), share(low), share(high)))
        };
        lines.push(Curve {
            stroke: Stroke::Dots,
            bars: points.iter().filter_map(bar).collect(),
            ..Curve::new(label, color, points.iter().filter_map(at).collect())
        });
        let other =
            |point: &&Point| Some((size(point), share(point.independent.as_ref()?.success)));
        lines.push(dashed(color, points.iter().filter_map(other).collect()));
    }
    (!lines.is_empty()).then(|| Panel {
        title: title(series, "runs solved; dashed: by independent runs"),
        lines,
        x: axis(series),
        y: Axis::percent("runs solved (%)"),
    })
}

fn work(series: &LawSeries) -> Option<Panel> {
    let mut lines = Vec::new();
    let mut all = Vec::new();
    for (color, (label, points)) in lengths(series).into_iter().enumerate() {
        let at = |point: &&Point| Some((size(point), point.work.mean?));
        let other = |point: &&Point| Some((size(point), point.independent.as_ref()?.work.mean?));
        let own: Vec<(f64, f64)> = points.iter().filter_map(at).collect();
        let others: Vec<(f64, f64)> = points.iter().filter_map(other).collect();
        all.extend(own.iter().chain(&others).map(|(_, work)| *work));
        if !own.is_empty() {
            lines.push(Curve { stroke: Stroke::Dots, ..Curve::new(label, color, own) });
            lines.push(dashed(color, others));
        }
    }
    (!all.is_empty()).then(|| Panel {
        title: title(series, "expected work; dashed: of independent runs"),
        lines,
        x: axis(series),
        y: Axis::logarithmic("work for a solution", all),
    })
}

fn dashed(color: usize, points: Vec<(f64, f64)>) -> Curve {
    Curve { stroke: Stroke::Dashed, ..Curve::new(String::new(), color, points) }
}

/// The points of each length that ran, ascending by population.
fn lengths(series: &LawSeries) -> Vec<(String, Vec<&Point>)> {
    let mut lengths: Vec<(String, Vec<&Point>)> = Vec::new();
    for point in series.points.iter().filter(|point| point.runs > 0) {
        let label = point.length_text();
        match lengths.iter_mut().find(|(known, _)| *known == label) {
            Some((_, points)) => points.push(point),
            None => lengths.push((label, vec![point])),
        }
    }
    for (_, points) in &mut lengths {
        points.sort_by_key(|point| point.population);
    }
    lengths
}

fn axis(series: &LawSeries) -> Axis {
    let mut sizes: Vec<u32> = series.points.iter().map(|point| point.population).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let values = sizes.iter().copied().map(f64::from);
    Axis::logarithmic("population (individuals)", values).marked_at(&sizes)
}

fn title(series: &LawSeries, what: &str) -> String {
    let block = if series.block.is_empty() { "all puzzles" } else { &series.block };
    let blank = series.points.iter().filter(|point| point.blank).count();
    let blank = if blank > 0 { format!("; {blank} blank") } else { String::new() };
    format!("{block}, {} units of work a run{blank}: {what}", HumanCount(series.work))
}

fn size(point: &Point) -> f64 {
    point.population.into()
}
