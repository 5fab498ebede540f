//! Plots: figures with a title, each as SVG that stands by itself.
//!
//! A figure is made of panels with the same axes ([`Facets`]) or of rows over one axis ([`DotPlot`]). Its SVG
//! has a `viewBox` and no ids, its text is text, and it paints its own white ground, so that it looks the
//! same wherever it is put.

mod axis;
mod critical_difference;
mod dot_plot;
mod downsample;
mod ecdf;
mod facets;
mod layer;
mod legend;
mod style;

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea, SVGBackend, WHITE};

pub(crate) use axis::Axis;
pub(crate) use critical_difference::CriticalDifference;
pub(crate) use dot_plot::{DotPlot, PlotRow};
pub(crate) use downsample::{downsample, topmost};
pub(crate) use ecdf::work_ecdf;
pub(crate) use facets::{Facets, Panel};
pub(crate) use layer::{Layer, PlotMark, RING};

/// Width of a figure in pixels.
const WIDTH: u32 = 900;
/// Height of what stands where nothing can be drawn.
const EMPTY: u32 = 60;

type DrawArea<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// The result of drawing.
type DrawResult = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// A figure as SVG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    /// The title.
    pub title: String,
    /// The whole of it: text that begins with `<svg`.
    pub svg: String,
    /// Its height in pixels; all are as wide.
    pub height: u32,
}

/// Something that can be drawn, as wide as all others.
pub(crate) trait Chart {
    /// The title.
    fn title(&self) -> String;

    /// Its height in pixels.
    fn height(&self) -> u32;

    /// Draws it into an area of its height.
    fn draw(&self, area: &DrawArea<'_>) -> DrawResult;
}

impl Plot {
    /// A figure, drawn.
    pub(crate) fn of(figure: &dyn Chart) -> Self {
        let height = figure.height();
        let mut svg = String::new();
        {
            let root = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
            let drawn = root.fill(&WHITE).and_then(|()| figure.draw(&root));
            // Drawing into a string does not fail.
            let drawn = drawn.and_then(|()| root.present());
            debug_assert!(drawn.is_ok(), "{drawn:?}");
        }
        Self { title: figure.title(), svg, height }
    }

    /// Plots below each other, as one SVG.
    pub fn stacked(plots: &[Self]) -> String {
        let all: u32 = plots.iter().map(|plot| plot.height).sum();
        let height = if plots.is_empty() { EMPTY } else { all };
        let mut text = format!(
            "<svg width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
             xmlns=\"http://www.w3.org/2000/svg\">\n"
        );
        if plots.is_empty() {
            text += "<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n\
                     <text x=\"20\" y=\"36\" font-family=\"sans-serif\" font-size=\"13\">\
                     There is nothing to draw: no run has evolved.</text>\n";
        }
        let mut top = 0;
        for plot in plots {
            // An SVG within another needs its place there.
            text += &plot.svg.replacen("<svg ", &format!("<svg y=\"{top}\" "), 1);
            top += plot.height;
        }
        text + "</svg>\n"
    }
}

#[cfg(test)]
pub(crate) mod tests;
