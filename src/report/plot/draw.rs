//! Draws the marks of a panel into its chart.

use plotters::coord::cartesian::Cartesian2d;
use plotters::prelude::{
    ChartContext, Circle, DashedLineSeries, EmptyElement, PathElement, Polygon, RGBColor,
    Rectangle, SVGBackend, ShapeStyle, Text, TriangleMarker, WHITE,
};
use plotters::style::Color;
use plotters::style::text_anchor::{HPos, VPos};

use super::style::{self, GRID, INK};
use super::{Axis, Drawn, Layer, Mark, RING};

pub(super) type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Axis, Axis>>;

/// Draws a layer.
pub(super) fn layer(chart: &mut Chart<'_, '_>, Layer { number, mark }: &Layer) -> Drawn {
    let number = *number;
    match mark {
        Mark::Band(band) => {
            let upper = band.iter().map(|(x, _, high)| (*x, *high));
            let lower = band.iter().rev().map(|(x, low, _)| (*x, *low));
            let outline: Vec<(f64, f64)> = upper.chain(lower).collect();
            one(chart, Polygon::new(outline, style::stroke(number, 0.15, 0)))
        }
        Mark::Cells(cells) => cells.iter().try_for_each(|it| cell(chart, it)),
        Mark::Thin(points) => line(chart, points, style::stroke(number, 0.5, 1), None),
        Mark::Dashed(points) => line(chart, points, style::stroke(number, 0.8, 1), Some((4, 4))),
        Mark::Line(points) => {
            let dashes = style::is_second(number).then_some((9, 4));
            line(chart, points, style::stroke(number, 1.0, 2), dashes)
        }
        Mark::Intervals(bars) => bars.iter().try_for_each(|(x, low, high)| {
            let style = style::stroke(number, 0.7, 2);
            one(chart, PathElement::new(vec![(*x, *low), (*x, *high)], style))?;
            [low, high].into_iter().try_for_each(|end| {
                let cap = PathElement::new(vec![(-3, 0), (3, 0)], style);
                one(chart, EmptyElement::at((*x, *end)) + cap)
            })
        }),
        Mark::Dots(points) => points.iter().try_for_each(|point| dot(chart, *point, number, 1.0)),
        Mark::Rings(points) => points.iter().try_for_each(|point| {
            // White within and around, so that the line it lies on does not hide it.
            let (white, style) = (WHITE.filled(), style::stroke(number, 1.0, 2));
            one(chart, Circle::new(*point, RING / 2, white))?;
            one(chart, Circle::new(*point, RING / 2 - 2, ShapeStyle { filled: false, ..style }))
        }),
    }
}

/// A dot, or a triangle where the colours are used up.
pub(super) fn dot(
    chart: &mut Chart<'_, '_>,
    point: (f64, f64),
    number: usize,
    opacity: f64,
) -> Drawn {
    let style = style::stroke(number, opacity, 1);
    if style::is_second(number) {
        one(chart, TriangleMarker::new(point, 5, style))
    } else {
        one(chart, Circle::new(point, 4, style))
    }
}

/// A line, with dashes and gaps of so many pixels if it has any.
pub(super) fn line(
    chart: &mut Chart<'_, '_>,
    points: &[(f64, f64)],
    style: ShapeStyle,
    dashes: Option<(i32, i32)>,
) -> Drawn {
    match dashes {
        None => one(chart, PathElement::new(points.to_vec(), style)),
        Some((dash, gap)) => {
            let points = points.iter().copied();
            chart.draw_series(DashedLineSeries::new(points, dash, gap, style)).map(drop)
        }
    }
}

fn cell(
    chart: &mut Chart<'_, '_>,
    (column, row, share, text): &(usize, usize, Option<f64>, String),
) -> Drawn {
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
pub(super) fn one<'b, E>(chart: &mut Chart<'_, 'b>, element: E) -> Drawn
where
    for<'e> &'e E: plotters::element::PointCollection<'e, (f64, f64)>,
    E: plotters::element::Drawable<SVGBackend<'b>>,
{
    chart.plotting_area().draw(&element)
}
