//! Order statistics of a figure that some runs never reached.
//!
//! A run without a solution would have needed more than it spent, nobody knows how much: it is
//! *censored*. It counts as larger than every run with one, so that a figure which falls among
//! such runs is not known. Of 3, 5, 9 and two censored runs the median is 9 and the worst is not
//! known; left out, they would make a method look better the more often it fails.

/// The spread of a figure over all runs; a statistic that falls among censored runs is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Censored {
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

impl Censored {
    /// The spread of `figures`, and of as many more as are `censored`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_lie_between_neighbours() {
        let spread = Censored::of([7.0, 1.0, 3.0, 2.0], 0);
        let expected = Censored {
            best: Some(1.0),
            lower_quartile: Some(1.75),
            median: Some(2.5),
            upper_quartile: Some(4.0),
            ninth_decile: Some(3.0 + 4.0 * 2.7_f64.fract()),
            worst: Some(7.0),
        };
        assert_eq!(spread, expected);
    }

    #[test]
    fn what_falls_among_censored_runs_is_not_known() {
        let spread = Censored::of([9.0, 3.0, 5.0], 2);
        assert_eq!((spread.median, spread.upper_quartile, spread.worst), (Some(9.0), None, None));
        assert_eq!(Censored::of([4.0], 3).best, Some(4.0));
        assert_eq!(Censored::of([4.0], 3).median, None);
        assert_eq!(Censored::of([], 3), Censored::default());
        assert_eq!(Censored::of([], 0), Censored::default());
    }
}
