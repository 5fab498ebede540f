//! Plots: figures with a title, each as SVG that needs no other file.
//!
//! A figure is made of panels with the same axes ([`Facets`]) or of rows over one axis ([`DotPlot`]). Its SVG
//! has a `viewBox` and no ids, its text is text, and it paints its own ground, white or dark as the reader's
//! settings say. It is drawn twice: for a page, and for a phone.

mod axis;
mod critical_difference;
mod dot_plot;
mod facets;
mod layer;
mod style;

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea, SVGBackend, WHITE};
use plotters::style::text_anchor::{HPos, VPos};

pub(crate) use axis::Axis;
pub(crate) use critical_difference::CriticalDifference;
pub(crate) use dot_plot::{DotPlot, PlotRow};
pub(crate) use facets::{Facets, Panel, work_ecdf};
pub(crate) use layer::{Layer, PlotMark, downsample, topmost};
use style::{BIG, LINE, Legend, MARGIN, NARROW, SMALL, WIDTH};

/// Height of an SVG in which nothing can be drawn.
const EMPTY: u32 = 60;
/// Pixels above the title, and of each of its lines.
const ABOVE: i32 = 10;
const TITLE: i32 = 24;
/// Round joins, so that no tip of a line reaches a value that it does not have; other colours for a dark ground, where
/// lines keep theirs. Paper stays white.
const STYLE: &str = "<style>svg polyline{stroke-linejoin:round}@media screen and (prefers-color-scheme:dark){\
    svg rect[fill='#FFFFFF'],svg circle[fill='#FFFFFF']{fill:#15181c}\
    svg text[fill='#282828']{fill:#e4e7eb}svg [stroke='#282828']{stroke:#e4e7eb}\
    svg [fill='#E2E2E2']{fill:#363c44}svg [stroke='#E2E2E2']{stroke:#363c44}\
    svg [fill='#000000']{fill:#fff}svg [stroke='#000000']{stroke:#fff}}</style>\n";

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
    /// The same, as wide as a phone.
    pub narrow: String,
    /// The height of the wide one in pixels; all are as wide.
    pub height: u32,
}

impl Plot {
    /// A figure: a title, a caption and a legend, and below them an area into which `draw` draws; `below` gives its
    /// height in pixels for its width.
    fn new(
        title: &str,
        caption: &str,
        legend: &Legend<'_>,
        below: impl Fn(i32) -> i32,
        draw: impl Fn(&DrawArea<'_>) -> DrawResult,
    ) -> Self {
        let drawn = |width: u32| {
            let inner = width as i32 - 2 * MARGIN;
            let wrapped = |text: &str, size| match text {
                "" => Vec::new(),
                text => style::lines(text, size, inner),
            };
            let (titles, captions) = (wrapped(title, BIG), wrapped(caption, SMALL));
            let first = ABOVE + titles.len() as i32 * TITLE;
            let top = first + captions.len() as i32 * LINE;
            let head = top + legend.height(inner);
            let height = (head + below(width as i32)) as u32;
            let mut svg = String::new();
            let root = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
            let all = || {
                root.fill(&WHITE)?;
                let text = |size| style::text(size, HPos::Left, VPos::Top);
                style::draw_lines(&root, titles, (MARGIN, ABOVE), TITLE, &text(BIG))?;
                style::draw_lines(&root, captions, (MARGIN, first), LINE, &text(SMALL))?;
                legend.draw(&root, top)?;
                draw(&root.split_vertically(head).1)?;
                root.present()
            };
            // Drawing into a string does not fail.
            let drawn = all();
            debug_assert!(drawn.is_ok(), "{drawn:?}");
            drop(root);
            (svg.replacen(">\n", &format!(">\n{STYLE}"), 1), height)
        };
        let ((svg, height), (narrow, _)) = (drawn(WIDTH), drawn(NARROW));
        Self { title: title.to_owned(), svg, narrow, height }
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
                     There is nothing to draw: no run has evolved, or nothing was compared.</text>\n";
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
