//! Rows over one axis, in groups: dots, crosses, an interval, a middle, and words at the end.

use plotters::prelude::{ChartBuilder, Cross, PathElement, Rectangle, Text};
use plotters::style::text_anchor::{HPos, VPos};

use super::layer::{PlotContext, draw_axes, draw_dot, draw_element};
use super::style::{self, Legend, MARGIN, SMALL};
use super::{Axis, DrawArea, DrawResult, Plot};

/// Pixels of a line of text, of what a row has besides, and of a group's title.
const LINE: i32 = 15;
const GAP: i32 = 6;
const HEADING: i32 = 26;
/// Pixels of the axis, and below it.
const BELOW: i32 = 44;
const END: i32 = 16;
/// Dots that can be distinguished in a row.
const FEW: usize = 30;
/// The share of an axis within which dots cover each other, and the pixels by which they are moved aside.
const NEAR: f64 = 0.008;
const ASIDE: [f64; 3] = [0.0, -4.0, 4.0];

/// Rows in groups.
pub(crate) struct DotPlot {
    /// The title.
    pub title: String,
    /// The meaning of marks.
    pub caption: String,
    /// The axis of all rows.
    pub x: Axis,
    /// Numbers of the colours of parts, and what has them.
    pub legend: Vec<(usize, String)>,
    /// Rows by what they have in common.
    pub groups: Vec<(String, Vec<PlotRow>)>,
}

/// A row.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlotRow {
    /// The label.
    pub label: String,
    /// Number of its colour.
    pub number: usize,
    /// Dots.
    pub dots: Vec<f64>,
    /// Crosses: what ended before it got there.
    pub crosses: Vec<f64>,
    /// A line from one value to another.
    pub interval: Option<(f64, f64)>,
    /// A stroke across it.
    pub middle: Option<f64>,
    /// Parts of a bar, one after the other: the colour of each, and how long it is.
    pub parts: Vec<(usize, f64)>,
    /// The text at its right.
    pub note: String,
}

impl PlotRow {
    /// Its pixels in a figure of this width.
    fn height(&self, width: i32) -> i32 {
        let label = style::lines(&self.label, SMALL, widest_label(width)).len();
        let note = style::lines(&self.note, SMALL, width / 4).len();
        label.max(note).max(1) as i32 * LINE + GAP
    }
}

impl DotPlot {
    /// The figure.
    pub fn plot(&self) -> Plot {
        let rows = || self.groups.iter().flat_map(|(_, rows)| rows);
        let widest = |of: fn(&PlotRow) -> &str| {
            rows().map(|row| style::width(of(row), SMALL)).max().unwrap_or(0)
        };
        let (labels, notes) = (widest(|row| &row.label), widest(|row| &row.note));
        let height = |width: i32| {
            rows().map(|row| row.height(width)).sum::<i32>()
                + self.groups.iter().map(|(text, _)| heading(text)).sum::<i32>()
        };
        let legend = Legend { names: &self.legend, areas: true };
        let below = |width| height(width) + BELOW + END;
        Plot::new(&self.title, &self.caption, &legend, below, |area| {
            let width = area.dim_in_pixel().0 as i32;
            let left = labels.clamp(40, widest_label(width)) + MARGIN + 14;
            let right = notes.min(width / 4) + MARGIN + 14;
            self.draw(area, height(width) as u32, [left, width - right, width])
        })
    }

    /// Draws it, with the axis from `left` to `right` of `width` pixels.
    fn draw(&self, area: &DrawArea<'_>, height: u32, [left, right, width]: [i32; 3]) -> DrawResult {
        let mut chart = ChartBuilder::on(area)
            .margin_bottom(END)
            .margin_left(left)
            .margin_right(width - right)
            .x_label_area_size(BELOW)
            .build_cartesian_2d(self.x.clone(), Axis::pixels(height))?;
        draw_axes(&mut chart, [right - left, 0], [&self.x.name, ""])?;
        let mut top = 0;
        for (title, rows) in &self.groups {
            let style = style::text(SMALL + 1, HPos::Left, VPos::Center);
            area.draw(&Text::new(title.clone(), (MARGIN, top + HEADING / 2 + 2), style))?;
            top += heading(title);
            for row in rows {
                let y = top + row.height(width) / 2;
                let words = |text: &str, most, x, side| {
                    let lines = style::lines(text, SMALL, most);
                    let first = y - (lines.len() as i32 - 1) * LINE / 2;
                    let style = style::text(SMALL, side, VPos::Center);
                    style::draw_lines(area, lines, (x, first), LINE, &style)
                };
                words(&row.label, widest_label(width), left - 10, HPos::Right)?;
                words(&row.note, width / 4, right + 12, HPos::Left)?;
                draw_marks(&mut chart, row, f64::from(y), &self.x)?;
                top += row.height(width);
            }
        }
        Ok(())
    }
}

/// The dots in order, each with how far it is moved aside so that those near each other are all seen.
fn spread(dots: &[f64], x: &Axis) -> Vec<(f64, f64)> {
    let mut dots = dots.to_vec();
    dots.sort_by(f64::total_cmp);
    let is_near = |a: &f64, b: &f64| x.share(*b) - x.share(*a) < NEAR;
    let asides = dots.chunk_by(is_near).flat_map(|near| (0..near.len()).map(|at| ASIDE[at % 3]));
    let asides: Vec<f64> = asides.collect();
    dots.into_iter().zip(asides).collect()
}

/// Pixels of the widest labels in a figure of this width; longer ones take several lines.
fn widest_label(width: i32) -> i32 {
    if width < 600 { width * 3 / 10 } else { width * 2 / 5 }
}

fn heading(text: &str) -> i32 {
    if text.is_empty() { GAP } else { HEADING }
}

fn draw_marks(chart: &mut PlotContext<'_, '_>, row: &PlotRow, y: f64, x: &Axis) -> DrawResult {
    let mut from = 0.0;
    for (number, length) in &row.parts {
        let corners = [(from, y - 7.0), (from + length, y + 7.0)];
        draw_element(chart, Rectangle::new(corners, style::stroke(*number, 1.0, 1)))?;
        from += length;
    }
    let line = |from: (f64, f64), to: (f64, f64), opacity: f64| {
        PathElement::new(vec![from, to], style::stroke(row.number, opacity, 2))
    };
    if let Some((low, high)) = row.interval {
        draw_element(chart, line((low, y), (high, y), 0.6))?;
        for end in [low, high] {
            draw_element(chart, line((end, y - 4.0), (end, y + 4.0), 0.6))?;
        }
    }
    // Where there are many, a place is the darker the more there are.
    let many = row.dots.len() + row.crosses.len() > FEW;
    let opacity = if many { 0.35 } else { 0.8 };
    for (at, aside) in spread(&row.dots, x) {
        draw_dot(chart, (at, y + aside), row.number, opacity)?;
    }
    for (at, aside) in spread(&row.crosses, x) {
        draw_element(chart, Cross::new((at, y + aside), 4, style::stroke(row.number, opacity, 1)))?;
    }
    row.middle.map_or(Ok(()), |x| draw_element(chart, line((x, y - 7.0), (x, y + 7.0), 1.0)))
}
