//! A critical-difference diagram: names around an axis of mean ranks, and bars under those that do not differ
//! significantly.
//!
//! J. Demšar, *Statistical comparisons of classifiers over multiple data sets*, Journal of Machine
//! Learning Research 7 (2006), 1-30, figure 1; here the best is at the left.

use plotters::prelude::{PathElement, ShapeStyle, Text};
use plotters::style::text_anchor::{HPos, VPos};

use super::style::{self, INK, Legend, SMALL, WIDTH};
use super::{DrawArea, DrawResult, Plot};

/// Pixels of a name, of a bar, above the axis, and below all.
const LINE: i32 = 20;
const BAR: i32 = 8;
const ABOVE: i32 = 66;
const BELOW: i32 = 20;
/// Pixels of the names at each side of the axis.
const BESIDE: i32 = 230;

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
    /// Pixels from the left to a rank.
    fn place(&self, rank: f64) -> i32 {
        let steps = (self.ranks.len() as f64 - 1.0).max(1.0);
        let width = f64::from(WIDTH as i32 - 2 * BESIDE);
        BESIDE + ((rank - 1.0) / steps * width).round() as i32
    }

    /// The figure.
    pub fn plot(&self) -> Plot {
        let bars = self.alike.len() as i32 * BAR + LINE;
        let names = self.ranks.len().div_ceil(2) as i32 * LINE;
        let legend = Legend { names: &[], areas: false };
        let below = ABOVE + bars + names + BELOW;
        Plot::new(&self.title, &self.caption, &legend, below, |area| self.draw(area, ABOVE + bars))
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
        let (left, right) = (self.place(1.0), self.place(self.ranks.len() as f64));
        line((left, ABOVE), (right, ABOVE), 1)?;
        for rank in 1..=self.ranks.len() {
            let x = self.place(rank as f64);
            line((x, ABOVE - 5), (x, ABOVE), 1)?;
            text(rank.to_string(), (x, ABOVE - 14), HPos::Center)?;
        }
        // The bar is no wider than the axis.
        let long = self.place(1.0 + self.difference).min(right);
        let y = ABOVE - 36;
        line((left, y), (long, y), 2)?;
        [left, long].into_iter().try_for_each(|x| line((x, y - 4), (x, y + 4), 1))?;
        let named = format!("critical difference {:.2}", self.difference);
        text(named, (left, y - 14), HPos::Left)?;
        for (bar, (first, last)) in (1..).zip(&self.alike) {
            let (from, to) = (self.ranks[*first].1, self.ranks[*last].1);
            let y = ABOVE + bar * BAR;
            line((self.place(from) - 4, y), (self.place(to) + 4, y), 4)?;
        }
        let half = self.ranks.len().div_ceil(2);
        for (place, (name, rank)) in self.ranks.iter().enumerate() {
            let (row, end, step, side) = match place < half {
                true => (place, left - 10, -6, HPos::Right),
                false => (self.ranks.len() - 1 - place, right + 10, 6, HPos::Left),
            };
            let (x, y) = (self.place(*rank), top + row as i32 * LINE);
            line((x, ABOVE), (x, y), 1)?;
            line((x, y), (end, y), 1)?;
            text(format!("{name} {rank:.2}"), (end + step, y), side)?;
        }
        Ok(())
    }
}
