//! A legend: what has which colour, in as many lines as it takes.

use plotters::prelude::{Circle, PathElement, Rectangle, Text, TriangleMarker};
use plotters::style::text_anchor::{HPos, VPos};

use super::facets::{MARGIN, SMALL};
use super::{DrawArea, DrawResult, WIDTH, style};

/// Pixels of a line.
const ROW: i32 = 20;

/// The sample beside the words of a legend.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LegendKey {
    Line,
    /// A line with a dot.
    Dot,
    Area,
}

/// Pixels of a legend's entry.
fn entry(label: &str) -> i32 {
    style::width(label, SMALL) + 58
}

/// The entries of each line of a legend; one that is too long for a line takes several.
fn rows(legend: &[(usize, String)]) -> Vec<Vec<(usize, String)>> {
    const ALL: i32 = WIDTH as i32 - 2 * MARGIN;
    let mut rows: Vec<Vec<(usize, String)>> = Vec::new();
    let mut left = 0;
    let lines = legend.iter().flat_map(|(number, label)| {
        style::lines(label, SMALL, ALL - entry("")).into_iter().map(|line| (*number, line))
    });
    for one in lines {
        let width = entry(&one.1);
        match rows.last_mut() {
            Some(row) if width <= left => {
                row.push(one);
                left -= width;
            }
            _ => {
                rows.push(vec![one]);
                left = ALL - width;
            }
        }
    }
    rows
}

/// Pixels that a legend takes.
pub(super) fn legend_height(legend: &[(usize, String)]) -> i32 {
    rows(legend).len() as i32 * ROW
}

/// Draws a legend whose first line begins at `top`.
pub(super) fn legend(
    area: &DrawArea<'_>,
    top: i32,
    legend: &[(usize, String)],
    key: LegendKey,
) -> DrawResult {
    for (row, entries) in (0..).zip(rows(legend)) {
        let (mut x, y) = (MARGIN, top + row * ROW + ROW / 2);
        for (number, label) in entries {
            let style = style::stroke(number, 1.0, 2);
            let line = |from: i32, to: i32| {
                area.draw(&PathElement::new([(x + from, y), (x + to, y)], style))
            };
            match (key, style::is_second(number)) {
                (LegendKey::Area, _) => {
                    area.draw(&Rectangle::new([(x + 8, y - 6), (x + 22, y + 6)], style))?;
                }
                (_, false) => line(0, 30)?,
                (_, true) => [(0, 9), (13, 22), (26, 30)]
                    .into_iter()
                    .try_for_each(|(from, to)| line(from, to))?,
            }
            match (key, style::is_second(number)) {
                (LegendKey::Dot, false) => area.draw(&Circle::new((x + 15, y), 4, style))?,
                (LegendKey::Dot, true) => area.draw(&TriangleMarker::new((x + 15, y), 5, style))?,
                _ => {}
            }
            let beside = style::text(SMALL, HPos::Left, VPos::Center);
            area.draw(&Text::new(label.clone(), (x + 36, y), beside))?;
            x += entry(&label);
        }
    }
    Ok(())
}
