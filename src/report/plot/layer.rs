//! The layers of a panel (lines, bands, dots, intervals, cells), and how they are drawn.

use plotters::coord::cartesian::Cartesian2d;
use plotters::prelude::{
    ChartContext, Circle, DashedLineSeries, EmptyElement, PathElement, Polygon, RGBColor,
    Rectangle, SVGBackend, ShapeStyle, Text, TriangleMarker, WHITE,
};
use plotters::style::Color;
use plotters::style::text_anchor::{HPos, VPos};

use super::style::{self, GRID, INK};
use super::{Axis, DrawResult};

/// Something drawn in the colour of a number.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    /// Number of its colour: the same thing has the same one in all figures.
    pub number: usize,
    /// The mark.
    pub mark: PlotMark,
}

/// A mark, in the values of the axes.
#[derive(Clone, Debug)]
pub(crate) enum PlotMark {
    /// Between a lower and an upper line: where, from, to.
    Band(Vec<(f64, f64, f64)>),
    /// A cell of a grid: its column and row, how dark it is from 0 to 1, and what stands in it.
    Cells(Vec<(usize, usize, Option<f64>, String)>),
    /// A thin line.
    Thin(Vec<(f64, f64)>),
    /// A thin line, dashed.
    Dashed(Vec<(f64, f64)>),
    /// A line.
    Line(Vec<(f64, f64)>),
    /// Vertical intervals: where, from, to.
    Intervals(Vec<(f64, f64, f64)>),
    /// Dots.
    Dots(Vec<(f64, f64)>),
    /// Rings, [`RING`] pixels across.
    Rings(Vec<(f64, f64)>),
}

/// Pixels that a ring takes across, with its rim: to be told from a line where a plot as wide as a
/// page is as narrow as a phone.
pub(crate) const RING: u32 = 14;

impl Layer {
    /// A mark in the colour of a number.
    pub fn new(number: usize, mark: PlotMark) -> Self {
        Self { number, mark }
    }

    /// The order of drawing: what is drawn first lies below.
    pub(super) fn depth(&self) -> u8 {
        match self.mark {
            PlotMark::Band(_) | PlotMark::Cells(_) => 0,
            PlotMark::Thin(_) => 1,
            PlotMark::Dashed(_) => 2,
            PlotMark::Line(_) => 3,
            PlotMark::Intervals(_) => 4,
            PlotMark::Dots(_) => 5,
            PlotMark::Rings(_) => 6,
        }
    }
}

pub(super) type PlotContext<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Axis, Axis>>;

/// Draws a layer.
pub(super) fn layer(chart: &mut PlotContext<'_, '_>, Layer { number, mark }: &Layer) -> DrawResult {
    let number = *number;
    match mark {
        PlotMark::Band(band) => {
            let upper = band.iter().map(|(x, _, high)| (*x, *high));
            let lower = band.iter().rev().map(|(x, low, _)| (*x, *low));
            let outline: Vec<(f64, f64)> = upper.chain(lower).collect();
            one(chart, Polygon::new(outline, style::stroke(number, 0.15, 0)))
        }
        PlotMark::Cells(cells) => cells.iter().try_for_each(|it| cell(chart, it)),
        PlotMark::Thin(points) => line(chart, points, style::stroke(number, 0.5, 1), None),
        PlotMark::Dashed(points) => {
            line(chart, points, style::stroke(number, 0.8, 1), Some((4, 4)))
        }
        PlotMark::Line(points) => {
            let dashes = style::is_second(number).then_some((9, 4));
            line(chart, points, style::stroke(number, 1.0, 2), dashes)
        }
        PlotMark::Intervals(bars) => bars.iter().try_for_each(|(x, low, high)| {
            let style = style::stroke(number, 0.7, 2);
            one(chart, PathElement::new(vec![(*x, *low), (*x, *high)], style))?;
            [low, high].into_iter().try_for_each(|end| {
                let cap = PathElement::new(vec![(-3, 0), (3, 0)], style);
                one(chart, EmptyElement::at((*x, *end)) + cap)
            })
        }),
        PlotMark::Dots(points) => {
            points.iter().try_for_each(|point| dot(chart, *point, number, 1.0))
        }
        PlotMark::Rings(points) => points.iter().try_for_each(|point| {
            // White within and around, so that the line it lies on does not hide it.
            let (white, style) = (WHITE.filled(), style::stroke(number, 1.0, 2));
            one(chart, Circle::new(*point, RING / 2, white))?;
            one(chart, Circle::new(*point, RING / 2 - 2, ShapeStyle { filled: false, ..style }))
        }),
    }
}

/// A dot, or a triangle where the colours are used up.
pub(super) fn dot(
    chart: &mut PlotContext<'_, '_>,
    point: (f64, f64),
    number: usize,
    opacity: f64,
) -> DrawResult {
    let style = style::stroke(number, opacity, 1);
    if style::is_second(number) {
        one(chart, TriangleMarker::new(point, 5, style))
    } else {
        one(chart, Circle::new(point, 4, style))
    }
}

/// A line, with dashes and gaps of so many pixels if it has any.
pub(super) fn line(
    chart: &mut PlotContext<'_, '_>,
    points: &[(f64, f64)],
    style: ShapeStyle,
    dashes: Option<(i32, i32)>,
) -> DrawResult {
    match dashes {
        None => one(chart, PathElement::new(points.to_vec(), style)),
        Some((dash, gap)) => {
            let points = points.iter().copied();
            chart.draw_series(DashedLineSeries::new(points, dash, gap, style)).map(drop)
        }
    }
}

fn cell(
    chart: &mut PlotContext<'_, '_>,
    (column, row, share, text): &(usize, usize, Option<f64>, String),
) -> DrawResult {
    let (left, low) = (*column as f64, *row as f64);
    let fill: RGBColor = share.map_or(GRID, style::shade);
    let corners = [(left, low), (left + 1.0, low + 1.0)];
    one(chart, Rectangle::new(corners, fill.filled()))?;
    one(chart, Rectangle::new(corners, WHITE))?;
    let ink = if share.is_some_and(|share| share > 0.45) { WHITE } else { INK };
    let style = style::text(13, HPos::Center, VPos::Center).color(&ink);
    one(chart, Text::new(text.clone(), (left + 0.5, low + 0.5), style))
}

/// Draws a single element.
pub(super) fn one<'b, E>(chart: &mut PlotContext<'_, 'b>, element: E) -> DrawResult
where
    for<'e> &'e E: plotters::element::PointCollection<'e, (f64, f64)>,
    E: plotters::element::Drawable<SVGBackend<'b>>,
{
    chart.plotting_area().draw(&element)
}
