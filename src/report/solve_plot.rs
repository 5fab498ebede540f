//! Plots of `solve`: the fitness of one run by generation, and the work of all.

use crate::report::plot::{
    Axis, DotPlot, Facets, Layer, Panel, PlotMark, PlotRow, RING, downsample, topmost, work_ecdf,
};
use crate::report::{AxisScale, HistoryPoint, Plot, RunCost};

/// Numbers of colours.
const BEST_SO_FAR: usize = 0;
const WORST: usize = 1;
const MEAN: usize = 2;
const BEST: usize = 5;
const RESTART: usize = 6;

/// Fitness of a run by generation, and its different boards, where these were estimated.
pub(super) fn fitness(
    puzzle: &str,
    seed: u64,
    history: &[HistoryPoint],
    scaling: AxisScale,
) -> Vec<Plot> {
    let Some(last) = history.last() else { return Vec::new() };
    let x = Axis::generations(last.generation, scaling);
    let pixels = Facets::pixels(1);
    let line = |of: &dyn Fn(&HistoryPoint) -> f64| -> Vec<(f64, f64)> {
        let points = history.iter().map(|moment| (f64::from(moment.generation), of(moment)));
        downsample(&points.collect::<Vec<_>>(), &x, pixels)
    };
    let mut lowest = u16::MAX;
    let mut so_far: Vec<(f64, f64)> = Vec::new();
    for moment in history {
        if moment.best < lowest {
            // It was as before until then.
            so_far.extend(so_far.last().map(|(_, best)| (f64::from(moment.generation), *best)));
            lowest = moment.best;
        }
        so_far.push((f64::from(moment.generation), lowest.into()));
    }
    let before = history.iter().map(|moment| moment.restart);
    let restarts = history.iter().skip(1).zip(before).filter(|(now, before)| now.restart > *before);
    let rings = restarts.map(|(now, _)| (f64::from(now.generation), f64::from(now.best)));
    let rings: Vec<(f64, f64)> = rings.collect();
    let highest = history.iter().map(|moment| moment.worst).max().unwrap_or(0);
    let restarted = match last.restart {
        0 => "It never restarted.".to_owned(),
        1 => "A ring marks the restart.".to_owned(),
        count => {
            format!("Rings mark the restarts, {} in all.", indicatif::HumanCount(count.into()))
        }
    };
    let layers = vec![
        Layer::new(WORST, PlotMark::Line(line(&|moment| moment.worst.into()))),
        Layer::new(MEAN, PlotMark::Line(line(&|moment| moment.mean))),
        Layer::new(BEST, PlotMark::Line(line(&|moment| moment.best.into()))),
        Layer::new(BEST_SO_FAR, PlotMark::Line(so_far)),
        Layer::new(RESTART, PlotMark::Rings(topmost(&rings, &x, pixels, RING))),
    ];
    let names = [
        (WORST, "worst"),
        (MEAN, "mean"),
        (BEST, "best of the generation"),
        (BEST_SO_FAR, "best so far"),
    ];
    let fitness = Facets {
        title: format!("Fitness by generation: {puzzle}, seed {seed}"),
        caption: restarted,
        x: x.clone(),
        y: Axis::linear("fitness (0 is solved)", f64::from(highest) * 1.02),
        panels: vec![Panel { layers, ..Panel::default() }],
        legend: names.map(|(number, name)| (number, name.to_owned())).into(),
    };
    let distinct: Vec<(f64, f64)> = history
        .iter()
        .filter_map(|moment| Some((f64::from(moment.generation), moment.distinct? as f64)))
        .collect();
    let most = distinct.iter().map(|(_, distinct)| *distinct).fold(0.0, f64::max);
    let points = downsample(&distinct, &x, pixels);
    let boards = (!distinct.is_empty()).then(|| Facets {
        title: format!("Different boards by generation: {puzzle}, seed {seed}"),
        caption: "An estimate, at most the population.".to_owned(),
        y: Axis::linear("different boards", most * 1.05),
        panels: vec![Panel {
            layers: vec![Layer::new(BEST_SO_FAR, PlotMark::Line(points))],
            ..Panel::default()
        }],
        legend: Vec::new(),
        x,
    });
    [Some(fitness), boards].iter().flatten().map(|figure| Plot::of(figure)).collect()
}

/// The work of runs: a row for each puzzle, where these are few, and all runs by their work.
pub(super) fn work(runs: &[RunCost], puzzles: &[(String, Vec<RunCost>)]) -> Vec<Plot> {
    // A run that presolve alone solves has no work.
    let evolved = |runs: &[RunCost]| -> Vec<RunCost> {
        runs.iter().filter(|run| run.work > 0).copied().collect()
    };
    let row = |(name, runs): &(String, Vec<RunCost>)| {
        let runs = evolved(runs);
        let of = |solved: bool| -> Vec<f64> {
            runs.iter().filter(|run| run.solved == solved).map(|run| run.work as f64).collect()
        };
        let note = format!("{}/{}", of(true).len(), runs.len());
        let (label, dots, crosses) = (name.clone(), of(true), of(false));
        (!runs.is_empty()).then(|| PlotRow { label, dots, crosses, note, ..PlotRow::default() })
    };
    let mut rows: Vec<PlotRow> = puzzles.iter().filter_map(row).collect();
    // They ended in whatever order.
    rows.sort_by(|a, b| a.label.cmp(&b.label));
    let all: Vec<f64> =
        rows.iter().flat_map(|row| row.dots.iter().chain(&row.crosses)).copied().collect();
    let of_puzzles = (!rows.is_empty()).then(|| DotPlot {
        title: "Work of each run".to_owned(),
        caption:
            "Dots: runs with a solution, which are counted at the right. Crosses: runs that ended \
                  without one, which would have cost more."
                .to_owned(),
        x: Axis::logarithmic("work (evaluations + moves)", all),
        legend: Vec::new(),
        groups: vec![(String::new(), rows)],
    });
    let evolved = evolved(runs);
    let title = format!("all {} runs", indicatif::HumanCount(evolved.len() as u64));
    let list = vec![(title, vec![(0, evolved)])];
    let by_work = work_ecdf(&list, Vec::new());
    let by_work = by_work.map(|figure| Plot::of(&figure));
    of_puzzles.map(|figure| Plot::of(&figure)).into_iter().chain(by_work).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::plot::tests::{attributes, lines, strokes, texts};
    use crate::store::fitness_history::tests::point;

    #[test]
    fn every_restart_has_a_ring_at_its_peak() {
        let peaks = [32, 31, 33, 31, 32, 31];
        let moments: Vec<HistoryPoint> =
            (0..180).map(|at| point(at, peaks[at as usize / 30])).collect();
        let plots = fitness("mine", 7, &moments, AxisScale::Linear);
        assert_eq!(plots.len(), 1, "no boards were counted");
        let svg = &plots[0].svg;
        // Below each ring is a white one.
        let circles = attributes(svg, "circle", "cy").into_iter().step_by(2);
        let tops: Vec<i32> = circles.map(|y| y.parse().unwrap()).collect();
        assert_eq!(tops.len(), 5, "the first population is no restart");
        let best = lines(svg, "#56B4E9").concat();
        let peak_of = |height: usize| tops[height - 1];
        // 33 stands above 32, and 32 above 31, which are at the same height.
        assert!(peak_of(2) < peak_of(4) && peak_of(4) < peak_of(1), "{tops:?}");
        assert_eq!((peak_of(1), peak_of(1)), (peak_of(3), peak_of(5)));
        for top in &tops {
            assert!(best.iter().any(|(_, y)| y == top), "the line reaches {top}");
        }
        let texts = texts(svg);
        for text in ["best so far", "worst", "mean", "generation"] {
            assert!(texts.contains(&text), "{text}: {texts:?}");
        }
    }

    #[test]
    fn puzzles_of_a_list_have_rows_and_all_runs_a_line() {
        let solved = |work| RunCost { work, solved: true };
        let puzzles = vec![
            ("a".to_owned(), vec![solved(100), solved(3_000)]),
            ("b".to_owned(), vec![RunCost { work: 9_000, solved: false }]),
        ];
        let runs: Vec<RunCost> = puzzles.iter().flat_map(|(_, runs)| runs.clone()).collect();
        let plots = work(&runs, &puzzles);
        assert_eq!(plots.len(), 2);
        assert_eq!(attributes(&plots[0].svg, "circle", "cx").len(), 2);
        assert_eq!(strokes(&plots[0].svg), 2, "one run ended without a solution");
        let of_rows = texts(&plots[0].svg);
        assert!(of_rows.contains(&"2/2") && of_rows.contains(&"0/1"), "{of_rows:?}");
    }
}
