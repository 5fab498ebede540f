//! A critical-difference diagram: names around an axis of mean ranks, and bars under those that are not
//! told apart.
//!
//! J. Demšar, *Statistical comparisons of classifiers over multiple data sets*, Journal of Machine
//! Learning Research 7 (2006), 1-30, figure 1; here the best stands at the left.

use plotters::prelude::{PathElement, Text};
use plotters::style::text_anchor::{HPos, VPos};

use super::facets::{SMALL, below_words, words};
use super::style::{self, INK};
use super::{Chart, DrawArea, DrawResult, WIDTH};

/// Pixels of a name, of a bar, of what stands above the axis, and below all.
const LINE: i32 = 20;
const BAR: i32 = 8;
const ABOVE: i32 = 66;
const BELOW: i32 = 20;
/// Pixels beside the axis, which names take.
const BESIDE: i32 = 230;

/// Mean ranks of values.
pub(crate) struct CriticalDifference {
    /// The title.
    pub title: String,
    /// The caption.
    pub caption: String,
    /// Each value and its mean rank, the least first.
    pub ranks: Vec<(String, f64)>,
    /// The difference from which on two are told apart.
    pub difference: f64,
    /// The first and the last place of values that are not.
    pub alike: Vec<(usize, usize)>,
}

impl CriticalDifference {
    /// Pixels from the top to the axis.
    fn axis(&self) -> i32 {
        below_words(&self.caption) + ABOVE
    }

    /// Pixels from the left to a rank.
    fn place(&self, rank: f64) -> i32 {
        let steps = (self.ranks.len() as f64 - 1.0).max(1.0);
        let width = f64::from(WIDTH as i32 - 2 * BESIDE);
        BESIDE + ((rank - 1.0) / steps * width).round() as i32
    }

    /// Pixels of the bars.
    fn bars(&self) -> i32 {
        self.alike.len() as i32 * BAR + LINE
    }
}

impl Chart for CriticalDifference {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn height(&self) -> u32 {
        let names = self.ranks.len().div_ceil(2) as i32 * LINE;
        (self.axis() + self.bars() + names + BELOW) as u32
    }

    fn draw(&self, area: &DrawArea<'_>) -> DrawResult {
        words(area, &self.title, &self.caption)?;
        let line = |from: (i32, i32), to: (i32, i32), width: u32| {
            let style = plotters::prelude::ShapeStyle::from(&INK).stroke_width(width);
            area.draw(&PathElement::new(vec![from, to], style))
        };
        let text = |text: String, at: (i32, i32), side: HPos| {
            area.draw(&Text::new(text, at, style::text(SMALL, side, VPos::Center)))
        };
        let axis = self.axis();
        let (left, right) = (self.place(1.0), self.place(self.ranks.len() as f64));
        line((left, axis), (right, axis), 1)?;
        for rank in 1..=self.ranks.len() {
            let x = self.place(rank as f64);
            line((x, axis - 5), (x, axis), 1)?;
            text(rank.to_string(), (x, axis - 14), HPos::Center)?;
        }
        // The bar is no wider than the axis.
        let long = self.place(1.0 + self.difference).min(right);
        let y = axis - 36;
        line((left, y), (long, y), 2)?;
        [left, long].into_iter().try_for_each(|x| line((x, y - 4), (x, y + 4), 1))?;
        let named = format!("critical difference {:.2}", self.difference);
        text(named, (left, y - 14), HPos::Left)?;
        for (bar, (first, last)) in (1..).zip(&self.alike) {
            let (from, to) = (self.ranks[*first].1, self.ranks[*last].1);
            let y = axis + bar * BAR;
            line((self.place(from) - 4, y), (self.place(to) + 4, y), 4)?;
        }
        let half = self.ranks.len().div_ceil(2);
        for (place, (name, rank)) in self.ranks.iter().enumerate() {
            let is_left = place < half;
            let row = if is_left { place } else { self.ranks.len() - 1 - place };
            let (x, y) = (self.place(*rank), axis + self.bars() + row as i32 * LINE);
            line((x, axis), (x, y), 1)?;
            let (end, beside, side) = if is_left {
                (left - 10, left - 16, HPos::Right)
            } else {
                (right + 10, right + 16, HPos::Left)
            };
            line((x, y), (end, y), 1)?;
            text(format!("{name} {rank:.2}"), (beside, y), side)?;
        }
        Ok(())
    }
}
