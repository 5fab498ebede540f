//! The layers of a panel (lines, bands, dots, intervals, cells), how they are drawn, and which points of a line.

use plotters::coord::cartesian::Cartesian2d;
use plotters::element::{Drawable, PointCollection};
use plotters::prelude::{
    ChartContext, Circle, DashedLineSeries, EmptyElement, PathElement, Polygon, RGBColor,
    Rectangle, SVGBackend, ShapeStyle, TRANSPARENT, Text, TriangleMarker, WHITE,
};
use plotters::style::Color;
use plotters::style::text_anchor::{HPos, VPos};

use super::style::{self, GRID, INK, SMALL};
use super::{Axis, DrawResult};

/// A mark, and the number of its colour: the same thing has the same one in all figures.
pub(crate) type Layer = (usize, PlotMark);

/// A mark, in the values of the axes.
#[derive(Clone, Debug)]
pub(crate) enum PlotMark {
    /// Between a lower and an upper line: where, from, to.
    Band(Vec<(f64, f64, f64)>),
    /// A cell of a grid: its column and row, how dark it is from 0 to 1, and its text.
    Cells(Vec<(usize, usize, Option<f64>, String)>),
    /// A thin line.
    Thin(Vec<(f64, f64)>),
    /// A thin line, dashed.
    Dashed(Vec<(f64, f64)>),
    /// A line.
    Line(Vec<(f64, f64)>),
    /// A wide line, below others that cover it.
    Wide(Vec<(f64, f64)>),
    /// Vertical intervals: where, from, to.
    Intervals(Vec<(f64, f64, f64)>),
    /// Dots.
    Dots(Vec<(f64, f64)>),
    /// Rings, [`RING`] pixels across.
    Rings(Vec<(f64, f64)>),
}

/// Pixels that a ring takes across, with its rim: it must differ from a line where a plot as wide as a page is
/// shown on a phone.
pub(crate) const RING: u32 = 14;

pub(super) type PlotContext<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Axis, Axis>>;

/// Draws the axes of a chart of this width and height in pixels, with these names.
pub(super) fn draw_axes(
    chart: &mut PlotContext<'_, '_>,
    [width, height]: [i32; 2],
    [x_name, y_name]: [&str; 2],
) -> DrawResult {
    let text = style::text(SMALL, HPos::Left, VPos::Top);
    let mut mesh = chart.configure_mesh();
    mesh.x_labels((width / 62).max(2) as usize)
        .y_labels((height / 34).max(3) as usize)
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(INK)
        .label_style(text.clone())
        .axis_desc_style(text);
    if !x_name.is_empty() {
        mesh.x_desc(x_name);
    }
    if !y_name.is_empty() {
        mesh.y_desc(y_name);
    }
    mesh.draw()
}

/// Draws a layer.
pub(super) fn draw_layer(chart: &mut PlotContext<'_, '_>, (number, mark): &Layer) -> DrawResult {
    let number = *number;
    let stroke = |opacity: f64, width: u32| style::stroke(number, opacity, width);
    match mark {
        PlotMark::Band(band) => {
            let upper = band.iter().map(|(x, _, high)| (*x, *high));
            let lower = band.iter().rev().map(|(x, low, _)| (*x, *low));
            let outline: Vec<(f64, f64)> = upper.chain(lower).collect();
            draw_element(chart, Polygon::new(outline, stroke(0.15, 0)))
        }
        PlotMark::Cells(cells) => cells.iter().try_for_each(|it| draw_cell(chart, it)),
        PlotMark::Thin(points) => draw_line(chart, points, stroke(0.5, 1), None),
        PlotMark::Dashed(points) => draw_line(chart, points, stroke(0.8, 1), Some((4, 4))),
        PlotMark::Wide(points) => draw_line(chart, points, stroke(0.7, 6), None),
        PlotMark::Line(points) => {
            let dashes = style::is_second(number).then_some((9, 4));
            draw_line(chart, points, stroke(1.0, 2), dashes)
        }
        PlotMark::Intervals(bars) => bars.iter().try_for_each(|(x, low, high)| {
            let style = stroke(0.7, 2);
            draw_element(chart, PathElement::new(vec![(*x, *low), (*x, *high)], style))?;
            [low, high].into_iter().try_for_each(|end| {
                let cap = PathElement::new(vec![(-3, 0), (3, 0)], style);
                draw_element(chart, EmptyElement::at((*x, *end)) + cap)
            })
        }),
        PlotMark::Dots(points) => {
            points.iter().try_for_each(|point| draw_dot(chart, *point, number, 1.0))
        }
        PlotMark::Rings(points) => points.iter().try_for_each(|point| {
            // White within and around, so that the line it lies on does not hide it.
            let style = ShapeStyle { filled: false, ..stroke(1.0, 2) };
            draw_element(chart, Circle::new(*point, RING / 2, WHITE.filled()))?;
            draw_element(chart, Circle::new(*point, RING / 2 - 2, style))
        }),
    }
}

/// Draws a dot, or a triangle where the colours are used up.
pub(super) fn draw_dot(
    chart: &mut PlotContext<'_, '_>,
    point: (f64, f64),
    number: usize,
    opacity: f64,
) -> DrawResult {
    let style = style::stroke(number, opacity, 1);
    if style::is_second(number) {
        draw_element(chart, TriangleMarker::new(point, 5, style))
    } else {
        draw_element(chart, Circle::new(point, 4, style))
    }
}

/// Draws a line; `dashes` gives the lengths of dashes and gaps in pixels.
fn draw_line(
    chart: &mut PlotContext<'_, '_>,
    points: &[(f64, f64)],
    style: ShapeStyle,
    dashes: Option<(i32, i32)>,
) -> DrawResult {
    match dashes {
        None => draw_element(chart, PathElement::new(points.to_vec(), style)),
        Some((dash, gap)) => {
            let points = points.iter().copied();
            chart.draw_series(DashedLineSeries::new(points, dash, gap, style)).map(drop)
        }
    }
}

fn draw_cell(
    chart: &mut PlotContext<'_, '_>,
    (column, row, share, text): &(usize, usize, Option<f64>, String),
) -> DrawResult {
    let (left, low) = (*column as f64, *row as f64);
    let fill: RGBColor = share.map_or(GRID, style::shade);
    let corners = [(left, low), (left + 1.0, low + 1.0)];
    draw_element(chart, Rectangle::new(corners, fill.filled()))?;
    draw_element(chart, Rectangle::new(corners, WHITE))?;
    // INK turns light on a dark ground, and a cell with a share stays light.
    let ink = match share {
        Some(share) if *share > 0.45 => WHITE,
        Some(_) => RGBColor(30, 30, 30),
        None => INK,
    };
    let style = style::text(13, HPos::Center, VPos::Center).color(&ink);
    draw_element(chart, Text::new(text.clone(), (left + 0.5, low + 0.5), style))
}

/// Draws a single element.
pub(super) fn draw_element<'b, E>(chart: &mut PlotContext<'_, 'b>, element: E) -> DrawResult
where
    for<'e> &'e E: PointCollection<'e, (f64, f64)>,
    E: Drawable<SVGBackend<'b>>,
{
    chart.plotting_area().draw(&element)
}

/// Reduces a line, ascending along an axis `x` of this many pixels, to the points that are drawn: the first,
/// lowest, highest and last point of each column of pixels, so that no peak is lost (U. Jugel, Z. Jerzak,
/// G. Hackenbroich and V. Markl, *M4: a visualization-oriented time series data aggregation*, PVLDB 7 (2014),
/// 797-808).
pub(crate) fn downsample(points: &[(f64, f64)], x: &Axis, pixels: u32) -> Vec<(f64, f64)> {
    let column = |point: &(f64, f64)| (x.share(point.0) * f64::from(pixels)).round() as u32;
    let mut thinned = Vec::new();
    for points in points.chunk_by(|a, b| column(a) == column(b)) {
        let by_height = |a: &usize, b: &usize| points[*a].1.total_cmp(&points[*b].1);
        let lowest = (0..points.len()).min_by(by_height).unwrap_or(0);
        let highest = (0..points.len()).max_by(by_height).unwrap_or(0);
        let mut kept = vec![0, lowest, highest, points.len() - 1];
        kept.sort_unstable();
        kept.dedup();
        thinned.extend(kept.into_iter().map(|index| points[index]));
    }
    thinned
}

/// Keeps the highest of the rings that would cover each other.
pub(crate) fn topmost(points: &[(f64, f64)], x: &Axis, pixels: u32) -> Vec<(f64, f64)> {
    let places = f64::from(pixels) / f64::from(RING);
    let place = |point: &(f64, f64)| (x.share(point.0) * places) as u32;
    let highest = |points: &[(f64, f64)]| points.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
    points.chunk_by(|a, b| place(a) == place(b)).filter_map(highest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_and_valleys_of_a_column_stay() {
        let mut points: Vec<(f64, f64)> = (0..10_000).map(|x| (f64::from(x), 5.0)).collect();
        points[4_321].1 = 31.0;
        points[4_322].1 = 1.0;
        let thinned = downsample(&points, &Axis::linear("x", 9_999.0), 100);
        assert!(thinned.contains(&(4_321.0, 31.0)) && thinned.contains(&(4_322.0, 1.0)));
        assert!(thinned.len() <= 404, "{}", thinned.len());
        assert!(thinned.is_sorted_by(|a, b| a.0 < b.0));
        let few = &points[..50];
        assert_eq!(downsample(few, &Axis::linear("x", 49.0), 1_000), few);
    }

    #[test]
    fn of_what_lies_upon_each_other_the_highest_stays() {
        let points = [(0.0, 1.0), (5.0, 9.0), (6.0, 2.0), (50.0, 3.0), (99.0, 4.0)];
        let kept = topmost(&points, &Axis::linear("x", 100.0), 10 * RING);
        assert_eq!(kept, [(5.0, 9.0), (50.0, 3.0), (99.0, 4.0)]);
    }
}
