//! The spread of a measured figure.

use std::fmt;

use indicatif::HumanCount;

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
    /// The spread of `figures`, or nothing if there are none.
    pub fn of(figures: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut figures: Vec<f64> = figures.into_iter().collect();
        figures.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let place = share * (figures.len() - 1) as f64;
            let (below, above) = (figures[place.floor() as usize], figures[place.ceil() as usize]);
            below + (above - below) * place.fract()
        };
        (!figures.is_empty()).then(|| Self {
            best: at(0.0),
            lower_quartile: at(0.25),
            median: at(0.5),
            upper_quartile: at(0.75),
            worst: at(1.0),
        })
    }
}

impl fmt::Display for Quantiles {
    /// `median 6 (quartiles 5 to 8, range 4 to 12)`; the precision is that of the figures, whole
    /// numbers with separators when it is 0.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(0);
        let show = |figure: f64| match digits {
            0 => HumanCount(figure.round() as u64).to_string(),
            _ => format!("{figure:.digits$}"),
        };
        write!(
            f,
            "median {} (quartiles {} to {}, range {} to {})",
            show(self.median),
            show(self.lower_quartile),
            show(self.upper_quartile),
            show(self.best),
            show(self.worst)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Quantiles;

    #[test]
    fn the_median_lies_between_the_middle_two() {
        let spread = Quantiles::of([4.0, 1.0, 2.0, 10.0]).unwrap();
        assert_eq!((spread.median, spread.worst), (3.0, 10.0));
    }
}
