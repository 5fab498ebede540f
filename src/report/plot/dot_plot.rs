//! Rows over one axis, in groups: dots, crosses, an interval, a middle, and words at the end.

use plotters::prelude::{ChartBuilder, Cross, PathElement, Rectangle, TRANSPARENT, Text};
use plotters::style::text_anchor::{HPos, VPos};

use super::facets::{MARGIN, SMALL, below_words, words};
use super::layer::{self, one};
use super::legend::{LegendKey, legend, legend_height};
use super::style::{self, GRID, INK};
use super::{Axis, Chart, DrawArea, DrawResult, WIDTH};

/// Pixels of a line of text, of what a row has besides, and of a group's title.
const LINE: i32 = 15;
const GAP: i32 = 6;
const HEADING: i32 = 26;
/// Pixels of the axis below, and of the words at the right.
const BELOW: i32 = 44;
/// The widest labels; longer ones take several lines.
const WIDEST: i32 = 360;
/// Dots that are still told from each other in a row.
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

impl DotPlot {
    fn rows(&self) -> impl Iterator<Item = &PlotRow> {
        self.groups.iter().flat_map(|(_, rows)| rows)
    }

    /// Pixels of the labels.
    fn left(&self) -> i32 {
        let widths = self.rows().map(|row| style::width(&row.label, SMALL));
        widths.max().unwrap_or(0).clamp(40, WIDEST) + MARGIN + 14
    }

    /// Pixels of the words at the right.
    fn right(&self) -> i32 {
        self.rows().map(|row| style::width(&row.note, SMALL)).max().unwrap_or(0) + MARGIN + 14
    }

    fn row(row: &PlotRow) -> i32 {
        style::lines(&row.label, SMALL, WIDEST).len().max(1) as i32 * LINE + GAP
    }

    /// Pixels of all groups.
    fn all(&self) -> i32 {
        let rows: i32 = self.rows().map(Self::row).sum();
        rows + self.groups.iter().map(|(heading, _)| Self::heading(heading)).sum::<i32>()
    }

    fn heading(text: &str) -> i32 {
        if text.is_empty() { GAP } else { HEADING }
    }

    fn head(&self) -> i32 {
        below_words(&self.caption) + legend_height(&self.legend)
    }
}

impl Chart for DotPlot {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn height(&self) -> u32 {
        (self.head() + self.all() + BELOW + 16) as u32
    }

    fn draw(&self, area: &DrawArea<'_>) -> DrawResult {
        words(area, &self.title, &self.caption)?;
        legend(area, below_words(&self.caption), &self.legend, LegendKey::Area)?;
        let head = self.head();
        let (left, right) = (self.left(), self.right());
        let mut chart = ChartBuilder::on(area)
            .margin_top(head)
            .margin_bottom(16)
            .margin_left(left)
            .margin_right(right)
            .x_label_area_size(BELOW)
            .build_cartesian_2d(self.x.clone(), Axis::pixels(self.all() as u32))?;
        chart
            .configure_mesh()
            .x_labels(((WIDTH as i32 - left - right) / 62).max(2) as usize)
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .axis_style(INK)
            .label_style(style::text(SMALL, HPos::Left, VPos::Top))
            .axis_desc_style(style::text(SMALL, HPos::Left, VPos::Top))
            .x_desc(self.x.name())
            .draw()?;
        let mut top = 0;
        for (heading, rows) in &self.groups {
            let style = style::text(SMALL + 1, HPos::Left, VPos::Center);
            area.draw(&Text::new(heading.clone(), (MARGIN, head + top + HEADING / 2 + 2), style))?;
            top += Self::heading(heading);
            for row in rows {
                let height = Self::row(row);
                let y = top + height / 2;
                let lines = style::lines(&row.label, SMALL, WIDEST);
                let first = head + y - (lines.len() as i32 - 1) * LINE / 2;
                for (at, line) in (0..).zip(lines) {
                    let style = style::text(SMALL, HPos::Right, VPos::Center);
                    area.draw(&Text::new(line, (left - 10, first + at * LINE), style))?;
                }
                let style = style::text(SMALL, HPos::Left, VPos::Center);
                let beside = (WIDTH as i32 - right + 12, head + y);
                area.draw(&Text::new(row.note.clone(), beside, style))?;
                self.marks(&mut chart, row, f64::from(y))?;
                top += height;
            }
        }
        Ok(())
    }
}

impl DotPlot {
    fn marks(&self, chart: &mut layer::PlotContext<'_, '_>, row: &PlotRow, y: f64) -> DrawResult {
        let line = style::stroke(row.number, 0.6, 2);
        let mut from = 0.0;
        for (number, length) in &row.parts {
            let corners = [(from, y - 7.0), (from + length, y + 7.0)];
            one(chart, Rectangle::new(corners, style::stroke(*number, 1.0, 1)))?;
            from += length;
        }
        if let Some((low, high)) = row.interval {
            one(chart, PathElement::new(vec![(low, y), (high, y)], line))?;
            for end in [low, high] {
                one(chart, PathElement::new(vec![(end, y - 4.0), (end, y + 4.0)], line))?;
            }
        }
        // Where there are many, a place is the darker the more there are.
        let many = row.dots.len() + row.crosses.len() > FEW;
        let opacity = if many { 0.35 } else { 0.8 };
        for x in &row.dots {
            layer::dot(chart, (*x, y), row.number, opacity)?;
        }
        for x in &row.crosses {
            one(chart, Cross::new((*x, y), 4, style::stroke(row.number, opacity, 1)))?;
        }
        if let Some(x) = row.middle {
            let style = style::stroke(row.number, 1.0, 2);
            one(chart, PathElement::new(vec![(x, y - 7.0), (x, y + 7.0)], style))?;
        }
        Ok(())
    }
}
