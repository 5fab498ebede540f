//! Validation: the winner against the default configuration on puzzles that it was not tuned on.
//!
//! Told is the ratio of their mean costs, below 1 where the winner costs less, with the percentile
//! bootstrap of B. Efron, *Bootstrap methods: another look at the jackknife*, Annals of Statistics 7
//! (1979), 1-26: puzzles are drawn with replacement, and of each the runs of both. So the interval
//! tells of other puzzles of the kind, as far as these are a sample of them.

use crate::random::{Draws, GenerationRng, StreamStage};

/// How often puzzles and runs are drawn.
const RESAMPLES: usize = 2_000;

/// The runs of a configuration on a puzzle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigRuns {
    /// The cost of each.
    pub costs: Vec<f64>,
    /// Runs with a solution.
    pub solved: usize,
}

/// Both configurations on a puzzle.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidationPair {
    /// The puzzle's name.
    pub puzzle: String,
    /// The default's runs.
    pub default: ConfigRuns,
    /// The winner's.
    pub winner: ConfigRuns,
}

/// The ratio of mean costs, winner to default, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// The ratio.
    pub ratio: f64,
    /// Lower end of its interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl ConfigRuns {
    /// The mean cost.
    pub fn mean(&self) -> f64 {
        self.costs.iter().sum::<f64>() / self.costs.len() as f64
    }
}

/// What is gained over all puzzles, each of which weighs alike; nothing without any, or where nothing
/// costs anything.
pub fn gain(puzzles: &[ValidationPair]) -> Option<Gain> {
    let ratio = |sums: (f64, f64)| sums.1 / sums.0;
    let whole = puzzles.iter().fold((0.0, 0.0), |(default, winner), puzzle| {
        (default + puzzle.default.mean(), winner + puzzle.winner.mean())
    });
    let told = ratio(whole);
    if !told.is_finite() {
        return None;
    }
    let mut draws = GenerationRng::new(0, 0).draws(StreamStage::Plan, 0);
    let mut all: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            ratio((0..puzzles.len()).fold((0.0, 0.0), |(default, winner), _| {
                let puzzle = &puzzles[draws.below(puzzles.len() as u32) as usize];
                let first = resampled(&puzzle.default.costs, &mut draws);
                (default + first, winner + resampled(&puzzle.winner.costs, &mut draws))
            }))
        })
        .collect();
    // Draws in which nothing costs anything are the largest of all.
    all.sort_by(f64::total_cmp);
    let beyond = RESAMPLES / 40;
    Some(Gain { ratio: told, low: all[beyond], high: all[RESAMPLES - 1 - beyond] })
}

fn resampled(costs: &[f64], draws: &mut Draws) -> f64 {
    let sum: f64 = costs.iter().map(|_| costs[draws.below(costs.len() as u32) as usize]).sum();
    sum / costs.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn puzzle(default: &[f64], winner: &[f64]) -> ValidationPair {
        let tried = |costs: &[f64]| ConfigRuns { costs: costs.to_vec(), solved: 0 };
        ValidationPair { puzzle: String::new(), default: tried(default), winner: tried(winner) }
    }

    #[test]
    fn equal_costs_gain_nothing_and_half_the_cost_half() {
        let same = [puzzle(&[4.0; 5], &[4.0; 5]), puzzle(&[9.0; 5], &[9.0; 5])];
        assert_eq!(gain(&same), Some(Gain { ratio: 1.0, low: 1.0, high: 1.0 }));
        let half = [puzzle(&[4.0, 6.0, 5.0], &[2.0, 3.0, 2.5]), puzzle(&[9.0; 3], &[4.5; 3])];
        let found = gain(&half).unwrap();
        assert!((found.ratio - 0.5).abs() < 1e-12);
        assert!(found.low < 0.5 && found.high > 0.5 && found.high < 0.8, "{found:?}");
        assert_eq!(gain(&[]), None);
        assert_eq!(gain(&[puzzle(&[0.0], &[0.0])]), None);
    }

    #[test]
    fn the_interval_holds_the_true_ratio_about_as_often_as_it_says() {
        let mut held = 0;
        for sample in 0..100 {
            let mut draws = GenerationRng::new(7, sample).draws(StreamStage::Plan, 1);
            let mut cost =
                |scale: f64| scale * (0.5 + f64::from(draws.word()) / f64::from(u32::MAX));
            let puzzles: Vec<ValidationPair> = (0..10)
                .map(|_| {
                    let default: Vec<f64> = (0..8).map(|_| cost(10.0)).collect();
                    let winner: Vec<f64> = (0..8).map(|_| cost(7.0)).collect();
                    puzzle(&default, &winner)
                })
                .collect();
            let found = gain(&puzzles).unwrap();
            held += usize::from((found.low..=found.high).contains(&0.7));
        }
        assert!((85..=100).contains(&held), "{held}");
    }
}
