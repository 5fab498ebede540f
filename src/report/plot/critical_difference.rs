//! A critical-difference diagram: names around an axis of mean ranks, and bars under those that do not differ
//! significantly.
//!
//! J. Demšar, *Statistical comparisons of classifiers over multiple data sets*, Journal of Machine
//! Learning Research 7 (2006), 1-30, figure 1; here the best is at the left.

use plotters::prelude::{PathElement, ShapeStyle, Text};
use plotters::style::text_anchor::{HPos, VPos};

use super::style::{self, INK, Legend, MARGIN, SMALL};
use super::{DrawArea, DrawResult, Plot};

/// Pixels of a name, of a bar, above the axis, and below all.
const LINE: i32 = 20;
const BAR: i32 = 8;
const ABOVE: i32 = 66;
const BELOW: i32 = 20;

/// Mean ranks of values.
pub(crate) struct CriticalDifference {
    /// The title.
    pub title: String,
    /// The caption.
    pub caption: String,
    /// Each value and its mean rank, the least first.
    pub ranks: Vec<(String, f64)>,
    /// The difference from which on two differ significantly.
    pub difference: f64,
    /// The first and the last place of values that do not.
    pub alike: Vec<(usize, usize)>,
}

impl CriticalDifference {
    /// Pixels from the left to a rank; names take a quarter of the width at each side.
    fn place(&self, rank: f64, width: i32) -> i32 {
        let steps = (self.ranks.len() as f64 - 1.0).max(1.0);
        width / 4 + ((rank - 1.0) / steps * f64::from(width / 2)).round() as i32
    }

    /// The figure.
    pub fn plot(&self) -> Plot {
        let bars = self.alike.len() as i32 * BAR + LINE;
        let names = self.ranks.len().div_ceil(2) as i32 * LINE;
        let legend = Legend { names: &[], areas: false };
        let below = ABOVE + bars + names + BELOW;
        let draw = |area: &DrawArea<'_>| self.draw(area, ABOVE + bars);
        Plot::new(&self.title, &self.caption, &legend, |_| below, draw)
    }

    /// Draws it, with names from `top` on.
    fn draw(&self, area: &DrawArea<'_>, top: i32) -> DrawResult {
        let line = |from: (i32, i32), to: (i32, i32), width: u32| {
            let style = ShapeStyle::from(&INK).stroke_width(width);
            area.draw(&PathElement::new(vec![from, to], style))
        };
        let text = |text: String, at: (i32, i32), side: HPos| {
            area.draw(&Text::new(text, at, style::text(SMALL, side, VPos::Center)))
        };
        let width = area.dim_in_pixel().0 as i32;
        let place = |rank| self.place(rank, width);
        let (left, right) = (place(1.0), place(self.ranks.len() as f64));
        line((left, ABOVE), (right, ABOVE), 1)?;
        for rank in 1..=self.ranks.len() {
            let x = place(rank as f64);
            line((x, ABOVE - 5), (x, ABOVE), 1)?;
            text(rank.to_string(), (x, ABOVE - 14), HPos::Center)?;
        }
        // The bar is no wider than the axis.
        let long = place(1.0 + self.difference).min(right);
        let y = ABOVE - 36;
        line((left, y), (long, y), 2)?;
        [left, long].into_iter().try_for_each(|x| line((x, y - 4), (x, y + 4), 1))?;
        let named = format!("critical difference {:.2}", self.difference);
        text(named, (left, y - 14), HPos::Left)?;
        for (bar, (first, last)) in (1..).zip(&self.alike) {
            let (from, to) = (self.ranks[*first].1, self.ranks[*last].1);
            let y = ABOVE + bar * BAR;
            line((place(from) - 4, y), (place(to) + 4, y), 4)?;
        }
        let half = self.ranks.len().div_ceil(2);
        for (at, (name, rank)) in self.ranks.iter().enumerate() {
            let (row, end, step, side) = match at < half {
                true => (at, left - 10, -6, HPos::Right),
                false => (self.ranks.len() - 1 - at, right + 10, 6, HPos::Left),
            };
            let (x, y) = (place(*rank), top + row as i32 * LINE);
            line((x, ABOVE), (x, y), 1)?;
            line((x, y), (end, y), 1)?;
            // A name that is too long is cut: the table has it.
            let named = style::lines(&format!("{name} {rank:.2}"), SMALL, width / 4 - MARGIN);
            text(named.into_iter().next().unwrap_or_default(), (end + step, y), side)?;
        }
        Ok(())
    }
}
