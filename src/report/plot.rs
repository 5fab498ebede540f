//! A plot: a figure with a title, as SVG that stands by itself.
//!
//! It has a `viewBox` and no ids, its text is text, and it paints its own white ground, so that it looks the
//! same wherever it is put.

use super::figure::{Figure, svg};
use super::panel::WIDTH;

/// A figure as SVG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// The whole of it: text that begins with `<svg`.
    pub svg: String,
    /// Its height in pixels; all are as wide.
    height: u32,
}

impl Plot {
    /// A figure, drawn.
    pub(crate) fn of(figure: &dyn Figure) -> Self {
        Self { title: figure.title(), svg: svg(figure), height: figure.height() }
    }

    /// Plots below each other, as one SVG.
    pub fn below_each_other(plots: &[Self]) -> String {
        let height: u32 = plots.iter().map(|plot| plot.height).sum();
        let mut text = format!(
            "<svg width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
             xmlns=\"http://www.w3.org/2000/svg\">\n"
        );
        let mut top = 0;
        for plot in plots {
            // What is within another needs its place there.
            text += &plot.svg.replacen("<svg ", &format!("<svg y=\"{top}\" "), 1);
            top += plot.height;
        }
        text + "</svg>\n"
    }
}
