//! The report of `solve`, whose runs are written one by one as they end, and its plots: the fitness of one run by
//! generation, and the work of all.

use std::collections::BTreeMap;

use super::plot::{
    Axis, DotPlot, Facets, Layer, Panel, PlotMark, PlotRow, downsample, topmost, work_ecdf,
};
use crate::ga::StopReason;
use crate::report::{
    BoardView, HistoryPoint, MOST_RUN_VIEWS, OnDemand, Plot, Report, ReportRow, RunCost, RunRecord,
    RunView, RunViews, Series, TidyTable, device_text,
};
use crate::statistics::Quantiles;
use crate::util::quantity::{count, counted};

/// Puzzles that have a row each in a plot; of more there is one line of all.
const APART: usize = 40;

/// All runs so far: the cost of each, and of the first ones all that a page shows.
#[derive(Clone, Debug, Default)]
pub struct SolveSummary {
    runs: Vec<RunCost>,
    /// Runs that presolve left nothing of, which are no success of evolution.
    presolved: usize,
    /// The runs of each puzzle by its name and its givens, until there are too many puzzles.
    puzzles: BTreeMap<(String, String), Vec<RunCost>>,
    /// The first run of one puzzle: its name and seed, and its history.
    pub(crate) history: Option<(String, u64, Vec<HistoryPoint>)>,
    kept: Vec<RunView>,
    /// Puzzles that were not run.
    pub(crate) not_run: usize,
}

impl SolveSummary {
    /// Adds a run, with its board and its curve.
    pub fn note(&mut self, record: &RunRecord, board: BoardView, curve: Series) {
        if self.kept.len() < MOST_RUN_VIEWS {
            self.kept.push(RunView::of(record, Some(board), curve));
        }
        let spent = RunCost { work: record.work, solved: record.solved };
        self.presolved += usize::from(record.stop_reason == StopReason::Presolved);
        self.runs.push(spent);
        if self.puzzles.len() <= APART {
            let puzzle = (record.name.clone(), record.puzzle.clone());
            self.puzzles.entry(puzzle).or_default().push(spent);
        }
    }

    /// The report of these runs.
    pub fn report(&self) -> Report<'_> {
        Report {
            kind: "solve",
            title: "evodoku solve".to_owned(),
            question: OnDemand::new(|| self.question()),
            answer: OnDemand::new(|| self.answer()),
            list: "runs",
            rows: OnDemand::new(|| TidyTable { names: ReportRow::columns(), rows: Vec::new() }),
            run_views: OnDemand::new(|| self.run_views()),
            plots: OnDemand::new(|| self.plots()),
            ..Report::default()
        }
    }

    fn question(&self) -> String {
        let preset = self.kept.first().map_or("evodoku", |run| run.method.as_str());
        match self.kept.first() {
            Some(run) if self.puzzles.len() == 1 && self.not_run == 0 => {
                format!("Does {preset} solve {}, and at what cost?", run.puzzle)
            }
            _ => format!("Which of these puzzles does {preset} solve, and at what cost?"),
        }
    }

    fn answer(&self) -> Vec<String> {
        let solved: Vec<&RunCost> = self.runs.iter().filter(|run| run.solved).collect();
        let runs = counted(self.runs.len() as u64, "run");
        let mut answer = vec![format!("{} of {runs} solved.", count(solved.len() as u64))];
        if self.presolved > 0 {
            let presolved = counted(self.presolved as u64, "run");
            answer.push(format!("Presolve alone solved {presolved}: nothing was left to evolve."));
        }
        let work = evolved(solved).map(|run| run.work as f64);
        answer.extend(Quantiles::of(work).map(|spread| match spread.best == spread.worst {
            true => format!("Work of the solved runs: {}.", count(spread.median as u64)),
            false => format!("Work of the solved runs: {spread}."),
        }));
        if self.not_run > 0 {
            let puzzles = counted(self.not_run as u64, "puzzle");
            answer.push(format!("Not completed (failed, or no solution exists): {puzzles}."));
        }
        answer
    }

    fn run_views(&self) -> RunViews {
        RunViews { runs: self.kept.clone(), of: self.runs.len(), which: "the first that ended" }
    }

    fn plots(&self) -> Vec<Plot> {
        let mut plots = Vec::new();
        if let Some((puzzle, seed, history)) = &self.history {
            plots.extend(fitness_plots(puzzle, *seed, history));
        }
        if self.runs.len() > 1 {
            let apart = self.puzzles.len() <= APART;
            plots.extend(work_plots(&self.runs, apart.then_some(&self.puzzles)));
        }
        plots
    }
}

impl RunView {
    /// A run of a preset, with its board and its curve.
    pub fn of(record: &RunRecord, board: Option<BoardView>, curve: Series) -> Self {
        Self {
            puzzle: record.name.clone(),
            shape: record.shape.clone(),
            method: record.preset.to_string(),
            labels: Vec::new(),
            seed: record.seed,
            solved: record.solved,
            end: record.stop_reason.to_string(),
            fitness: Some(record.fitness),
            generations: Some(record.generations),
            work: Some(record.work),
            seconds: record.seconds,
            device: Some(device_text(record)),
            config: Some(record.config.clone()),
            curve,
            board,
        }
    }
}

/// The runs that presolve left something of.
fn evolved<'a>(runs: impl IntoIterator<Item = &'a RunCost>) -> impl Iterator<Item = RunCost> {
    runs.into_iter().filter(|run| run.work > 0).copied()
}

/// Numbers of colours.
const BEST_SO_FAR: usize = 0;
const WORST: usize = 1;
const MEAN: usize = 2;
const BEST: usize = 5;
const RESTART: usize = 6;

/// Fitness of a run by generation, and its different boards, where these were estimated.
fn fitness_plots(puzzle: &str, seed: u64, history: &[HistoryPoint]) -> Vec<Plot> {
    let Some(last) = history.last() else { return Vec::new() };
    let x = Axis::generations(last.generation, last.restart > 0);
    let pixels = Facets::pixels(1);
    let figure = |title: &str, caption: String, y: Axis, layers: Vec<Layer>, legend: &[_]| {
        let panels = vec![Panel { layers, ..Panel::default() }];
        let title = format!("{title} by generation: {puzzle}, seed {seed}");
        Facets { title, caption, x: x.clone(), y, panels, legend: legend.to_vec() }.plot()
    };
    let at = |point: &HistoryPoint| f64::from(point.generation);
    let line = |of: &mut dyn FnMut(&HistoryPoint) -> Option<f64>| -> Vec<(f64, f64)> {
        let points = history.iter().filter_map(|point| Some((at(point), of(point)?)));
        downsample(&points.collect::<Vec<_>>(), &x, pixels)
    };
    let mut lowest = u16::MAX;
    let mut so_far = |point: &HistoryPoint| {
        lowest = lowest.min(point.best);
        Some(lowest.into())
    };
    let restarts = history.windows(2).filter(|pair| pair[1].restart > pair[0].restart);
    let rings: Vec<(f64, f64)> =
        restarts.map(|pair| (at(&pair[1]), f64::from(pair[1].best))).collect();
    let layers = vec![
        (WORST, PlotMark::Line(line(&mut |point| Some(point.worst.into())))),
        (MEAN, PlotMark::Line(line(&mut |point| Some(point.mean)))),
        (BEST, PlotMark::Wide(line(&mut |point| Some(point.best.into())))),
        (BEST_SO_FAR, PlotMark::Line(line(&mut so_far))),
        (RESTART, PlotMark::Rings(topmost(&rings, &x, pixels))),
    ];
    let legend = [
        (WORST, "worst"),
        (MEAN, "mean"),
        (BEST, "best of the generation"),
        (BEST_SO_FAR, "best so far"),
    ];
    let legend = legend.map(|(number, name)| (number, name.to_owned()));
    let caption = match last.restart {
        0 => String::new(),
        restarts => format!("A ring marks a restart; there were {}.", count(restarts.into())),
    };
    let highest = history.iter().map(|point| point.worst).max().unwrap_or(0);
    let y = Axis::linear("fitness (0 is solved)", f64::from(highest) * 1.02);
    let mut plots = vec![figure("Fitness", caption, y, layers, &legend)];
    let estimates = history.iter().filter(|point| point.distinct.is_some());
    let estimates: Vec<&HistoryPoint> = estimates.collect();
    let most = estimates.iter().filter_map(|point| point.distinct).max();
    if let (Some(most), 2..) = (most, estimates.len()) {
        let y = Axis::linear("distinct boards", most as f64 * 1.05);
        let caption = "Number of distinct boards, estimated every few generations. A line ends where the population restarted.";
        let mut layers = Vec::new();
        for since_restart in estimates.chunk_by(|one, next| one.restart == next.restart) {
            let points = since_restart.iter().filter_map(|it| Some((at(it), it.distinct? as f64)));
            let points = downsample(&points.collect::<Vec<_>>(), &x, pixels);
            layers.push((BEST_SO_FAR, PlotMark::Thin(points.clone())));
            layers.push((BEST_SO_FAR, PlotMark::Dots(points)));
        }
        plots.push(figure("Distinct boards", caption.to_owned(), y, layers, &[]));
    }
    plots
}

/// The work of runs: a row for each puzzle, where these are few, and all runs by their work.
fn work_plots(
    runs: &[RunCost],
    puzzles: Option<&BTreeMap<(String, String), Vec<RunCost>>>,
) -> Vec<Plot> {
    let row = |((name, _), runs): (&(String, String), &Vec<RunCost>)| {
        let of = |solved: bool| -> Vec<f64> {
            evolved(runs).filter(|run| run.solved == solved).map(|run| run.work as f64).collect()
        };
        let (label, dots, crosses) = (name.clone(), of(true), of(false));
        let all = dots.len() + crosses.len();
        let note = format!("{}/{all}", dots.len());
        (all > 0).then(|| PlotRow { label, dots, crosses, note, ..PlotRow::default() })
    };
    let rows: Vec<PlotRow> = puzzles.into_iter().flatten().filter_map(row).collect();
    let mut plots = Vec::new();
    if !rows.is_empty() {
        let all = rows.iter().flat_map(|row| row.dots.iter().chain(&row.crosses)).copied();
        let figure = DotPlot {
            title: "Work of each run".to_owned(),
            caption: "Dots: solved runs; their number is at the right. Crosses: unsolved runs, which would need more work."
                .to_owned(),
            x: Axis::logarithmic("work (evaluations + moves)", all),
            legend: Vec::new(),
            groups: vec![(String::new(), rows)],
        };
        plots.push(figure.plot());
    }
    let evolved: Vec<RunCost> = evolved(runs).collect();
    let title = format!("all {} runs", count(evolved.len() as u64));
    plots.extend(work_ecdf(&[(title, vec![(0, evolved)])], Vec::new()));
    plots
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::plot::tests::{attributes, lines, strokes, texts};

    #[test]
    fn every_restart_has_a_ring_at_its_peak() {
        let peaks = [32, 31, 33, 31, 32, 31];
        let point = |generation: u32| {
            let best = peaks[generation as usize / 30] - (generation % 30).min(9) as u16;
            let (mean, worst, restart) = (f64::from(best) + 5.0, best + 20, generation / 30);
            HistoryPoint { generation, best, mean, worst, distinct: None, restart }
        };
        let moments: Vec<HistoryPoint> = (0..180).map(point).collect();
        let plots = fitness_plots("mine", 7, &moments);
        assert_eq!(plots.len(), 1, "no boards were counted");
        let svg = &plots[0].svg;
        // Below each ring is a white one.
        let circles = attributes(svg, "circle", "cy").into_iter().step_by(2);
        let tops: Vec<i32> = circles.map(|y| y.parse().unwrap()).collect();
        assert_eq!(tops.len(), 5, "the first population is no restart");
        let best = lines(svg, "#56B4E9").concat();
        let peak_of = |height: usize| tops[height - 1];
        // 33 is above 32, and 32 above 31; equal peaks are at the same height.
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
        // Two files of one name are two puzzles.
        let of = |givens: &str| ("a".to_owned(), givens.to_owned());
        let puzzles = BTreeMap::from([
            (of("1..."), vec![solved(100), solved(3_000)]),
            (of("2..."), vec![RunCost { work: 9_000, solved: false }]),
        ]);
        let runs: Vec<RunCost> = puzzles.values().flatten().copied().collect();
        let plots = work_plots(&runs, Some(&puzzles));
        assert_eq!(plots.len(), 2);
        assert_eq!(attributes(&plots[0].svg, "circle", "cx").len(), 2);
        assert_eq!(strokes(&plots[0].svg), 2, "one run ended without a solution");
        let of_rows = texts(&plots[0].svg);
        assert!(of_rows.contains(&"2/2") && of_rows.contains(&"0/1"), "{of_rows:?}");
    }
}
