//! The work that a solution is expected to cost, when runs without one are followed by others.
//!
//! Work of all runs / successes: runs of 100 and 300 with a solution and one of 500 without make
//! 450. Its interval is the percentile bootstrap of B. Efron, *Bootstrap methods: another look at
//! the jackknife*, Annals of Statistics 7 (1979), 1-26: the runs are drawn with replacement
//! [`RESAMPLES`] times, by fixed draws, and 2.5 % of the results lie beyond either end.

use crate::report::RunCost;
use crate::statistics::{FEWEST, bootstrap};

/// How often the runs are drawn.
const RESAMPLES: usize = 1_000;

/// Expected work and its 95 % interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ExpectedWork {
    /// Work of all runs over successes; nothing without a success.
    pub mean: Option<f64>,
    /// The interval's lower end.
    pub low: Option<f64>,
    /// Its upper end; nothing where too many resamples hold no success.
    pub high: Option<f64>,
}

impl ExpectedWork {
    /// Of a cell's runs.
    pub fn of(runs: &[RunCost]) -> Self {
        Self::over(&[runs])
    }

    /// The mean over several puzzles, given the runs of each, which are drawn from the puzzle's
    /// own. Where a puzzle has no success there is none: runs of one that is soon solved do not
    /// make up for another that never is. Of fewer than [`FEWEST`] runs of a puzzle there is no interval.
    pub fn over(puzzles: &[impl AsRef<[RunCost]>]) -> Self {
        let finite = |work: f64| work.is_finite().then_some(work);
        let over = |of: &mut dyn FnMut(&[RunCost]) -> f64| {
            puzzles.iter().map(|runs| of(runs.as_ref())).sum::<f64>() / puzzles.len() as f64
        };
        let Some(mean) = finite(over(&mut |runs| expected(runs.iter()))) else {
            return Self::default();
        };
        // All resamples of a single run are equal, so the interval would have no width.
        if puzzles.iter().any(|runs| runs.as_ref().len() < FEWEST) {
            return Self { mean: Some(mean), ..Self::default() };
        }
        let [low, high] = bootstrap(RESAMPLES, |draws| {
            over(&mut |runs| {
                expected(runs.iter().map(|_| &runs[draws.below(runs.len() as u32) as usize]))
            })
        });
        Self { mean: Some(mean), low: finite(low), high: finite(high) }
    }
}

fn expected<'a>(runs: impl Iterator<Item = &'a RunCost>) -> f64 {
    let (work, solved) = runs.fold((0.0, 0.0), |(work, solved), run| {
        (work + run.work as f64, solved + f64::from(u8::from(run.solved)))
    });
    if solved == 0.0 { f64::INFINITY } else { work / solved }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent(work: u64, solved: bool) -> RunCost {
        RunCost { work, solved }
    }

    #[test]
    fn unsolved_runs_are_paid_by_solved_ones() {
        let runs = [spent(100, true), spent(300, true)].into_iter();
        let runs: Vec<RunCost> = runs.chain([spent(500, false); 3]).collect();
        let expected = ExpectedWork::of(&runs);
        assert_eq!(expected.mean, Some(950.0));
        let low = expected.low.unwrap();
        assert!((100.0..950.0).contains(&low), "{low}");
        // (3/5)^5 of the resamples hold unsolved runs alone, more than 2.5 %.
        assert_eq!(expected.high, None);
        // Four runs say nothing about their spread.
        let few = ExpectedWork { mean: Some(700.0), ..ExpectedWork::default() };
        assert_eq!(ExpectedWork::of(&runs[..4]), few);
    }

    #[test]
    fn equal_runs_have_no_width_and_none_solved_no_figure() {
        let expected = ExpectedWork::of(&[spent(70, true); 5]);
        assert_eq!(expected, ExpectedWork { mean: Some(70.0), low: Some(70.0), high: Some(70.0) });
        assert_eq!(ExpectedWork::of(&[spent(70, false)]), ExpectedWork::default());
        assert_eq!(ExpectedWork::of(&[]), ExpectedWork::default());
    }

    #[test]
    fn every_puzzle_weighs_alike_and_needs_a_success() {
        let easy = [spent(10, true); 9];
        let hard = [spent(500, true), spent(500, false)];
        // 10 and 1,000.
        assert_eq!(ExpectedWork::over(&[&easy[..], &hard]).mean, Some(505.0));
        let never = [spent(500, false)];
        assert_eq!(ExpectedWork::over(&[&easy[..], &never]), ExpectedWork::default());
        // Two runs of a puzzle say little about its spread, however many another has.
        assert_eq!(ExpectedWork::over(&[&easy[..], &hard]).low, None);
        assert_eq!(ExpectedWork::over(&[[spent(10, true)]; 9]).low, None);
    }
}
