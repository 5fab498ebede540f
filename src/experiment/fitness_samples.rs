//! A run's best and worst fitness by generation, thinned as generations pass.
//!
//! The series has all of the first 32 generations; then each doubling is cut into 16 pieces, of which it has
//! the extremes and the restarts (`store/fitness_history.rs`): some hundred generations of 10,000. The
//! last generation is always there.

use serde::{Deserialize, Serialize};

use crate::report::CurvePoint;
use crate::store::FitnessHistory;

/// Segments of each doubling of the generations, as a power of two.
const SEGMENTS: u32 = 4;

/// Best and worst fitness of some generations, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Series {
    /// Generations.
    pub generation: Vec<u32>,
    /// The lowest fitness in the population of each.
    pub best: Vec<u16>,
    /// The highest.
    pub worst: Vec<u16>,
    /// Restarts until then.
    pub restart: Vec<u32>,
}

impl Series {
    /// The history of a run that begins, from which its series is made.
    pub fn history() -> FitnessHistory {
        FitnessHistory::new(SEGMENTS)
    }

    /// The lowest fitness until each generation.
    pub fn best_so_far(&self) -> Vec<u16> {
        let lowest = |lowest: &mut u16, best: &u16| {
            *lowest = (*lowest).min(*best);
            Some(*lowest)
        };
        self.best.iter().scan(u16::MAX, lowest).collect()
    }

    /// The points of its curve.
    pub fn curve(&self) -> Vec<CurvePoint> {
        let figures = self.generation.iter().zip(self.best.iter().zip(&self.worst));
        let point = |(generation, (best, worst)): (&u32, (&u16, &u16))| CurvePoint {
            generation: *generation,
            best: *best,
            worst: *worst,
        };
        figures.map(point).collect()
    }

    /// The last generation.
    pub fn last(&self) -> Option<u32> {
        self.generation.last().copied()
    }

    /// Generations that restarted, with their best fitness.
    pub fn restarts(&self) -> impl Iterator<Item = (u32, u16)> {
        let before = [0].into_iter().chain(self.restart.iter().copied());
        let points = self.generation.iter().zip(&self.best).zip(before.zip(&self.restart));
        points.filter(|(_, (before, now))| *now > before).map(|((at, best), _)| (*at, *best))
    }

    /// Whether each generation has its figures, and each comes after the one before.
    pub(super) fn is_whole(&self) -> bool {
        let count = self.generation.len();
        (self.best.len(), self.worst.len(), self.restart.len()) == (count, count, count)
            && self.generation.is_sorted_by(|a, b| a < b)
            && self.restart.is_sorted()
    }
}

impl From<FitnessHistory> for Series {
    fn from(history: FitnessHistory) -> Self {
        let mut series = Self::default();
        for point in history.finish() {
            series.generation.push(point.generation);
            series.best.push(point.best);
            series.worst.push(point.worst);
            series.restart.push(point.restart);
        }
        series
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series() -> Series {
        Series {
            generation: vec![0, 4, 5, 9],
            best: vec![9, 2, 8, 3],
            worst: vec![30, 20, 30, 25],
            restart: vec![0, 0, 1, 1],
        }
    }

    #[test]
    fn the_best_so_far_never_rises() {
        assert_eq!(series().best_so_far(), [9, 2, 2, 2]);
        assert!(Series::default().best_so_far().is_empty());
    }

    #[test]
    fn restarts_are_told_with_their_peaks() {
        assert!(series().restarts().eq([(5, 8)]));
        assert!(series().is_whole());
        assert!(!Series { restart: vec![0, 0, 1, 0], ..series() }.is_whole());
        assert!(!Series { restart: vec![0], ..series() }.is_whole());
    }
}
