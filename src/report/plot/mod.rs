//! Plots: figures with a title, each as SVG that needs no other file.
//!
//! A figure is made of panels with the same axes ([`Facets`]) or of rows over one axis ([`DotPlot`]). Its SVG
//! has a `viewBox` and no ids, its text is text, and it paints its own white ground, so that it looks the
//! same wherever it is put.

mod axis;
mod critical_difference;
mod dot_plot;
mod facets;
mod layer;
mod style;

use plotters::coord::Shift;
use plotters::prelude::{
    DrawingArea, DrawingAreaErrorKind, IntoDrawingArea, SVGBackend, Text, WHITE,
};
use plotters::style::text_anchor::{HPos, VPos};

pub(crate) use axis::Axis;
pub(crate) use critical_difference::CriticalDifference;
pub(crate) use dot_plot::{DotPlot, PlotRow};
pub(crate) use facets::{Facets, Panel, work_ecdf};
pub(crate) use layer::{Layer, PlotMark, RING, downsample, topmost};
use style::{BIG, LINE, Legend, MARGIN, SMALL, WIDTH};

/// Height of an SVG in which nothing can be drawn.
const EMPTY: u32 = 60;
/// Pixels of the title.
const TITLE: i32 = 34;

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

impl Plot {
    /// A figure: a title, a caption and a legend, and below them an area of `below` pixels into which `draw` draws.
    fn new(
        title: &str,
        caption: &str,
        legend: &Legend<'_>,
        below: i32,
        draw: impl FnOnce(&DrawArea<'_>) -> DrawResult,
    ) -> Self {
        let caption = match caption {
            "" => Vec::new(),
            text => style::lines(text, SMALL, WIDTH as i32 - 2 * MARGIN),
        };
        let top = TITLE + caption.len() as i32 * LINE;
        let head = top + legend.height();
        let height = (head + below) as u32;
        let mut svg = String::new();
        let root = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        let all = || {
            root.fill(&WHITE)?;
            let big = style::text(BIG, HPos::Left, VPos::Top);
            root.draw(&Text::new(title.to_owned(), (MARGIN, 10), big))?;
            for (at, line) in (0..).zip(caption) {
                let small = style::text(SMALL, HPos::Left, VPos::Top);
                root.draw(&Text::new(line, (MARGIN, TITLE + at * LINE), small))?;
            }
            legend.draw(&root, top)?;
            draw(&root.split_vertically(head).1)?;
            root.present()
        };
        // Drawing into a string does not fail.
        let drawn = all();
        debug_assert!(drawn.is_ok(), "{drawn:?}");
        drop(root);
        Self { title: title.to_owned(), svg, height }
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
