//! Quantiles of a measured figure, of which some values may be censored.
//!
//! A run without a solution would have needed more than it spent, and how much is unknown: its work is
//! *censored*. It counts as larger than that of every run with a solution, so that a quantile that falls
//! among such runs is unknown. Of 3, 5, 9 and two censored values the median is 9, and the largest is
//! unknown; were they left out, a method would look better the more often it fails.

mod sampler;

pub use sampler::{Sample, Samples, StoppingRule, break_even, measure};

use std::fmt;

use crate::util::quantity::count;

/// Order statistics of a figure over several runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantiles {
    /// The smallest.
    pub best: f64,
    /// A quarter is no larger (linear between neighbours).
    pub lower_quartile: f64,
    /// Half is no larger.
    pub median: f64,
    /// Three quarters are no larger.
    pub upper_quartile: f64,
    /// The largest.
    pub worst: f64,
}

impl Quantiles {
    /// The quantiles of `figures`; `None` if there are none.
    pub fn of(figures: impl IntoIterator<Item = f64>) -> Option<Self> {
        let all = CensoredQuantiles::of(figures, 0);
        Some(Self {
            best: all.best?,
            lower_quartile: all.lower_quartile?,
            median: all.median?,
            upper_quartile: all.upper_quartile?,
            worst: all.worst?,
        })
    }
}

impl fmt::Display for Quantiles {
    /// `median 6 (quartiles 5 to 8, range 4 to 12)`; the precision is that of the figures, whole
    /// numbers with separators when it is 0.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(0);
        let show = |figure: f64| match digits {
            0 => count(figure.round() as u64),
            _ => format!("{figure:.digits$}"),
        };
        let [median, lower, upper] =
            [self.median, self.lower_quartile, self.upper_quartile].map(show);
        let [best, worst] = [self.best, self.worst].map(show);
        write!(f, "median {median} (quartiles {lower} to {upper}, range {best} to {worst})")
    }
}

/// Order statistics of a figure that some runs never reached; one that falls among censored runs is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CensoredQuantiles {
    /// The smallest.
    pub best: Option<f64>,
    /// A quarter is no larger (linear between neighbours).
    pub lower_quartile: Option<f64>,
    /// Half is no larger.
    pub median: Option<f64>,
    /// Three quarters are no larger.
    pub upper_quartile: Option<f64>,
    /// Nine in ten are no larger.
    pub ninth_decile: Option<f64>,
    /// The largest.
    pub worst: Option<f64>,
}

impl CensoredQuantiles {
    /// The quantiles of `figures` and of this many `censored` ones.
    pub fn of(figures: impl IntoIterator<Item = f64>, censored: usize) -> Self {
        let mut figures: Vec<f64> = figures.into_iter().collect();
        figures.sort_by(f64::total_cmp);
        let all = figures.len() + censored;
        let at = |share: f64| {
            let place = share * (all.max(1) - 1) as f64;
            let below = *figures.get(place.floor() as usize)?;
            let above = *figures.get(place.ceil() as usize)?;
            Some(below + (above - below) * place.fract())
        };
        Self {
            best: at(0.0),
            lower_quartile: at(0.25),
            median: at(0.5),
            upper_quartile: at(0.75),
            ninth_decile: at(0.9),
            worst: at(1.0),
        }
    }
}
