//! How figures look: colours, text and how wide it is, legends.

use plotters::prelude::{Color, IntoFont, PathElement, RGBColor, Rectangle, ShapeStyle, Text};
use plotters::style::TextStyle;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{DrawArea, DrawResult};

/// Width of a figure in pixels on a page and on a phone, and pixels left of its words and right of them.
pub(super) const WIDTH: u32 = 900;
pub(super) const NARROW: u32 = 380;
pub(super) const MARGIN: i32 = 20;
/// Pixels of a line of text.
pub(super) const LINE: i32 = 17;
/// Sizes of text.
pub(super) const BIG: i32 = 18;
pub(super) const SMALL: i32 = 14;
/// Pixels of a line of a legend, and of the sample before a name.
const ROW: i32 = 20;
const KEY: i32 = 58;

pub(super) const INK: RGBColor = RGBColor(40, 40, 40);
pub(super) const GRID: RGBColor = RGBColor(226, 226, 226);

/// Colours that people with any colour vision can tell apart: M. Okabe and K. Ito, *Color
/// universal design*, 2008; its yellow, too light for a line on white, is brown here.
const COLORS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(130, 90, 44),
];

/// Whether the colours are used up: a line of this number is dashed, its dots are triangles.
pub(super) fn is_second(number: usize) -> bool {
    (number / COLORS.len()) % 2 == 1
}

/// A line of this number's colour, or an area filled with it.
pub(super) fn stroke(number: usize, opacity: f64, width: u32) -> ShapeStyle {
    let color = COLORS[number % COLORS.len()].mix(opacity);
    ShapeStyle { color, filled: true, stroke_width: width }
}

/// The style of text of this size in pixels, aligned to its point.
pub(super) fn text(size: i32, horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&INK).pos(Pos::new(horizontal, vertical))
}

/// Pixels that a text takes at most, about.
pub(super) fn width(text: &str, size: i32) -> i32 {
    text.chars().count() as i32 * size * 53 / 100
}

/// Wraps a text to lines of at most `most` pixels.
pub(super) fn lines(text: &str, size: i32, most: i32) -> Vec<String> {
    let letters = (most * 100 / (size * 53)).max(8) as usize;
    textwrap::wrap(text, letters).into_iter().map(|line| line.into_owned()).collect()
}

/// A shade for a share: from nearly white to dark blue, lightness alone telling more from less.
pub(super) fn shade(share: f64) -> RGBColor {
    let share = share.clamp(0.0, 1.0);
    let between = |from: f64, to: f64| (from + share * (to - from)).round() as u8;
    RGBColor(between(240.0, 8.0), between(246.0, 48.0), between(252.0, 107.0))
}

/// Draws lines of text, `step` pixels apart.
pub(super) fn draw_lines(
    area: &DrawArea<'_>,
    lines: Vec<String>,
    (x, top): (i32, i32),
    step: i32,
    style: &TextStyle<'_>,
) -> DrawResult {
    (0..)
        .zip(lines)
        .try_for_each(|(at, line)| area.draw(&Text::new(line, (x, top + at * step), style.clone())))
}

/// The names of colours, in as many lines as they take.
pub(super) struct Legend<'a> {
    /// Numbers of colours and their names.
    pub names: &'a [(usize, String)],
    /// Whether the samples before the names are areas, not lines.
    pub areas: bool,
}

impl Legend<'_> {
    /// The entries of each line of `all` pixels; one that is too long for a line takes several.
    fn rows(&self, all: i32) -> Vec<Vec<(usize, String)>> {
        let mut rows: Vec<Vec<(usize, String)>> = Vec::new();
        let mut left = 0;
        let entries = self.names.iter().flat_map(|(number, label)| {
            lines(label, SMALL, all - KEY).into_iter().map(|line| (*number, line))
        });
        for entry in entries {
            let width = width(&entry.1, SMALL) + KEY;
            match rows.last_mut() {
                Some(row) if width <= left => {
                    row.push(entry);
                    left -= width;
                }
                _ => {
                    rows.push(vec![entry]);
                    left = all - width;
                }
            }
        }
        rows
    }

    /// Pixels that it takes, with lines of `all` pixels.
    pub fn height(&self, all: i32) -> i32 {
        self.rows(all).len() as i32 * ROW
    }

    /// Draws it; its first line begins at `top`.
    pub fn draw(&self, area: &DrawArea<'_>, top: i32) -> DrawResult {
        let all = area.dim_in_pixel().0 as i32 - 2 * MARGIN;
        for (row, entries) in (0..).zip(self.rows(all)) {
            let (mut x, y) = (MARGIN, top + row * ROW + ROW / 2);
            for (number, label) in entries {
                let style = stroke(number, 1.0, 2);
                let line = |(from, to): (i32, i32)| {
                    area.draw(&PathElement::new([(x + from, y), (x + to, y)], style))
                };
                match (self.areas, is_second(number)) {
                    (true, _) => {
                        area.draw(&Rectangle::new([(x + 8, y - 6), (x + 22, y + 6)], style))?;
                    }
                    (false, false) => line((0, 30))?,
                    (false, true) => [(0, 9), (13, 22), (26, 30)].into_iter().try_for_each(line)?,
                }
                let beside = text(SMALL, HPos::Left, VPos::Center);
                area.draw(&Text::new(label.clone(), (x + 36, y), beside))?;
                x += width(&label, SMALL) + KEY;
            }
        }
        Ok(())
    }
}
