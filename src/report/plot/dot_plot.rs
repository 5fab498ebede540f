//! Rows over one axis, in groups: dots, crosses, an interval, a middle, and words at the end.

use plotters::prelude::{ChartBuilder, Cross, PathElement, Rectangle, Text};
use plotters::style::text_anchor::{HPos, VPos};

use super::layer::{PlotContext, draw_axes, draw_dot, draw_element};
use super::style::{self, Legend, MARGIN, SMALL, WIDTH};
use super::{Axis, DrawArea, DrawResult, Plot};

/// Pixels of a line of text, of what a row has besides, and of a group's title.
const LINE: i32 = 15;
const GAP: i32 = 6;
const HEADING: i32 = 26;
/// Pixels of the axis, and below it.
const BELOW: i32 = 44;
const END: i32 = 16;
/// The widest labels; longer ones take several lines.
const WIDEST: i32 = 360;
/// Dots that can be distinguished in a row.
const FEW: usize = 30;

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
    fn height(&self) -> i32 {
        style::lines(&self.label, SMALL, WIDEST).len().max(1) as i32 * LINE + GAP
    }
}

impl DotPlot {
    /// The figure.
    pub fn plot(&self) -> Plot {
        let rows = || self.groups.iter().flat_map(|(_, rows)| rows);
        let widest = |of: fn(&PlotRow) -> &str| {
            rows().map(|row| style::width(of(row), SMALL)).max().unwrap_or(0)
        };
        let left = widest(|row| &row.label).clamp(40, WIDEST) + MARGIN + 14;
        let right = widest(|row| &row.note) + MARGIN + 14;
        let height = rows().map(PlotRow::height).sum::<i32>()
            + self.groups.iter().map(|(text, _)| heading(text)).sum::<i32>();
        let legend = Legend { names: &self.legend, areas: true };
        Plot::new(&self.title, &self.caption, &legend, height + BELOW + END, |area| {
            self.draw(area, height as u32, left, WIDTH as i32 - right)
        })
    }

    /// Draws it, with the axis from `left` to `right`.
    fn draw(&self, area: &DrawArea<'_>, height: u32, left: i32, right: i32) -> DrawResult {
        let mut chart = ChartBuilder::on(area)
            .margin_bottom(END)
            .margin_left(left)
            .margin_right(WIDTH as i32 - right)
            .x_label_area_size(BELOW)
            .build_cartesian_2d(self.x.clone(), Axis::pixels(height))?;
        draw_axes(&mut chart, [right - left, 0], [&self.x.name, ""])?;
        let mut top = 0;
        for (title, rows) in &self.groups {
            let style = style::text(SMALL + 1, HPos::Left, VPos::Center);
            area.draw(&Text::new(title.clone(), (MARGIN, top + HEADING / 2 + 2), style))?;
            top += heading(title);
            for row in rows {
                let y = top + row.height() / 2;
                let lines = style::lines(&row.label, SMALL, WIDEST);
                let first = y - (lines.len() as i32 - 1) * LINE / 2;
                let style = style::text(SMALL, HPos::Right, VPos::Center);
                style::draw_lines(area, lines, (left - 10, first), LINE, &style)?;
                let style = style::text(SMALL, HPos::Left, VPos::Center);
                area.draw(&Text::new(row.note.clone(), (right + 12, y), style))?;
                draw_marks(&mut chart, row, f64::from(y))?;
                top += row.height();
            }
        }
        Ok(())
    }
}

fn heading(text: &str) -> i32 {
    if text.is_empty() { GAP } else { HEADING }
}

fn draw_marks(chart: &mut PlotContext<'_, '_>, row: &PlotRow, y: f64) -> DrawResult {
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
    for x in &row.dots {
        draw_dot(chart, (*x, y), row.number, opacity)?;
    }
    for x in &row.crosses {
        draw_element(chart, Cross::new((*x, y), 4, style::stroke(row.number, opacity, 1)))?;
    }
    row.middle.map_or(Ok(()), |x| draw_element(chart, line((x, y - 7.0), (x, y + 7.0), 1.0)))
}
