//! How things look: colours, text, and how wide text is.

use plotters::prelude::{Color, IntoFont, RGBColor, ShapeStyle};
use plotters::style::TextStyle;
use plotters::style::text_anchor::{HPos, Pos, VPos};

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

/// The colour of this number.
pub(super) fn color(number: usize) -> RGBColor {
    COLORS[number % COLORS.len()]
}

/// Whether the colours are used up: a line of this number is dashed, its dots are triangles.
pub(super) fn is_second(number: usize) -> bool {
    (number / COLORS.len()) % 2 == 1
}

/// A line of this number's colour, or an area filled with it.
pub(super) fn stroke(number: usize, opacity: f64, width: u32) -> ShapeStyle {
    ShapeStyle { color: color(number).mix(opacity), filled: true, stroke_width: width }
}

/// Text of about so many pixels, where it stands against its point.
pub(super) fn text(size: i32, horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&INK).pos(Pos::new(horizontal, vertical))
}

/// Pixels that a text takes at most, about.
pub(super) fn width(text: &str, size: i32) -> i32 {
    text.chars().count() as i32 * size * 53 / 100
}

/// A text in lines of at most so many pixels; what has no blank stays whole.
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
