//! Facets: small panels in rows with the same axes; and the figure of runs solved against work.

use plotters::prelude::ChartBuilder;
use plotters::style::text_anchor::{HPos, VPos};

use super::layer::{draw_axes, draw_layer};
use super::style::{self, LINE, Legend, MARGIN, SMALL, WIDTH};
use super::{Axis, DrawArea, DrawResult, Layer, Plot, PlotMark};
use crate::report::RunCost;

/// Pixels of the labels left of a panel and below it, and above it and right of it.
const LEFT: i32 = 72;
const BELOW: i32 = 44;
const ABOVE: i32 = 8;
const RIGHT: i32 = 22;
/// Pixels left of the labels.
const EDGE: i32 = 6;
/// Pixels above all panels, and below them.
const GAP: i32 = 6;
const END: i32 = 12;

/// Panels with the same axes.
pub(crate) struct Facets {
    /// The title.
    pub title: String,
    /// The meaning of lines and marks.
    pub caption: String,
    /// The axes of all panels.
    pub x: Axis,
    pub y: Axis,
    /// One for each puzzle.
    pub panels: Vec<Panel>,
    /// Numbers of colours and their names; empty where there is one colour.
    pub legend: Vec<(usize, String)>,
}

/// A pair of axes with its layers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Panel {
    /// The title.
    pub title: String,
    /// The layers.
    pub layers: Vec<Layer>,
    /// A remark, such as why it is empty.
    pub note: String,
}

impl Facets {
    /// Pixels of a panel's horizontal axis.
    pub fn pixels(panels: usize) -> u32 {
        (WIDTH / columns(panels, WIDTH as i32) as u32).saturating_sub((LEFT + RIGHT) as u32)
    }

    /// The figure.
    pub fn plot(&self) -> Plot {
        let grid = |width: i32| {
            let columns = columns(self.panels.len(), width);
            let rows = self.panels.len().div_ceil(columns);
            let across = width / columns as i32 - 2 * MARGIN;
            let lines = |panel: &Panel| style::lines(&panel.title, SMALL, across).len() as i32;
            let titled = self.panels.iter().filter(|panel| !panel.title.is_empty());
            (columns, rows, titled.map(lines).max().unwrap_or(0) * LINE)
        };
        let legend = Legend { names: &self.legend, areas: false };
        let below = |width: i32| {
            let (columns, rows, titles) = grid(width);
            let height = [330, 280, 230][columns - 1].min(width * 3 / 4);
            GAP + rows as i32 * (titles + height) + END
        };
        Plot::new(&self.title, &self.caption, &legend, below, |area| {
            let (columns, rows, titles) = grid(area.dim_in_pixel().0 as i32);
            let areas = area.margin(GAP, END, 0, 0).split_evenly((rows, columns));
            for (at, (panel, area)) in self.panels.iter().zip(areas).enumerate() {
                // Axes are the same in all panels, and named where they begin; below a panel without one the
                // axis has its name too.
                let y_name = if at % columns == 0 { &self.y.name } else { "" };
                let is_last = at + columns >= self.panels.len();
                let x_name = if is_last { &self.x.name } else { "" };
                self.draw_panel(&area, panel, titles, [x_name, y_name])?;
            }
            Ok(())
        })
    }

    fn draw_panel(
        &self,
        area: &DrawArea<'_>,
        panel: &Panel,
        titles: i32,
        names: [&str; 2],
    ) -> DrawResult {
        let (width, height) = area.dim_in_pixel();
        let (width, height) = (width as i32, height as i32);
        let (inner, across) = (width - LEFT - RIGHT, width - 2 * MARGIN);
        let middle = LEFT + inner / 2;
        if !panel.title.is_empty() {
            let above = style::text(SMALL, HPos::Center, VPos::Top);
            let lines = style::lines(&panel.title, SMALL, across);
            style::draw_lines(area, lines, (middle, 2), LINE, &above)?;
        }
        let mut chart = ChartBuilder::on(area)
            .margin_top(titles + ABOVE)
            .margin_left(EDGE)
            .margin_right(RIGHT)
            .x_label_area_size(BELOW)
            .y_label_area_size(LEFT - EDGE)
            .build_cartesian_2d(self.x.clone(), self.y.clone())?;
        draw_axes(&mut chart, [inner, height - titles - BELOW], names)?;
        let mut layers: Vec<&Layer> = panel.layers.iter().collect();
        // Bands lie below, rings above lines, and dots, which a ring would hide, above all.
        layers.sort_by_key(|(_, mark)| match mark {
            PlotMark::Band(_) => 0,
            PlotMark::Rings(_) => 2,
            PlotMark::Dots(_) => 3,
            _ => 1,
        });
        layers.into_iter().try_for_each(|layer| draw_layer(&mut chart, layer))?;
        let centred = style::text(SMALL, HPos::Center, VPos::Center);
        let lines = style::lines(&panel.note, SMALL, across - LEFT);
        style::draw_lines(area, lines, (middle, height / 2 - 10), LINE, &centred)
    }
}

/// The number of columns for this many panels in a figure of this width.
fn columns(panels: usize, width: i32) -> usize {
    match panels {
        _ if width < WIDTH as i32 => 1,
        0 | 1 => 1,
        2..=4 => 2,
        _ => 3,
    }
}

/// Lists of runs, each with the number of its colour.
type Numbered = Vec<(usize, Vec<RunCost>)>;

/// Steps that are drawn of a line.
const STEPS: usize = 2_000;

/// Runs solved against work: how many of all runs had found a solution when they had spent as much (an empirical
/// distribution of the work to a solution, where runs without one would have taken more).
///
/// A panel for each list of lists of runs, each with the number of its colour, after the panel's title. Nothing
/// where no run is.
pub(crate) fn work_ecdf(
    panels: &[(String, Numbered)],
    legend: Vec<(usize, String)>,
) -> Option<Plot> {
    let all = || panels.iter().flat_map(|(_, lists)| lists).flat_map(|(_, runs)| runs);
    all().next()?;
    let drawn = panels.iter().map(|(title, lists)| Panel {
        title: title.clone(),
        layers: lists
            .iter()
            .filter(|(_, runs)| !runs.is_empty())
            .map(|(number, runs)| (*number, PlotMark::Line(steps(runs))))
            .collect(),
        note: String::new(),
    });
    let figure = Facets {
        title: "Runs solved within a given work".to_owned(),
        caption:
            "Share of runs that found a solution within this work. A line ends at the work of the longest run."
                .to_owned(),
        x: Axis::logarithmic("work (evaluations + moves)", all().map(|run| run.work as f64)),
        y: Axis::linear("runs solved (%)", 100.0),
        panels: drawn.collect(),
        legend,
    };
    Some(figure.plot())
}

/// A step up at the work of each solution, up to the work of the longest run; of more solutions than can be
/// distinguished, at some of them.
fn steps(runs: &[RunCost]) -> Vec<(f64, f64)> {
    let percent = |count: usize| 100.0 * count as f64 / runs.len() as f64;
    let mut solved: Vec<u64> = runs.iter().filter(|run| run.solved).map(|run| run.work).collect();
    solved.sort_unstable();
    let every = solved.len().div_ceil(STEPS).max(1);
    let mut points = vec![(0.0, 0.0)];
    for count in (every..=solved.len()).step_by(every) {
        let work = solved[count - 1] as f64;
        points.extend([(work, percent(count - every)), (work, percent(count))]);
    }
    let most = runs.iter().map(|run| run.work).max().unwrap_or(0);
    points.push((most as f64, percent(solved.len())));
    points
}
