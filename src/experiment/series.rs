//! A run's best and worst fitness by generation, thinned as generations go on.
//!
//! The first 32 generations are all kept, then every second to 64, every fourth to 128, and so
//! forth: at most 16 points for each doubling, 160 for 10,000 generations. The last generation is
//! always there.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::evolve::{GenerationReport, Observer};
use crate::report::CurvePoint;

/// Points of each doubling of the generations, as a power of two.
const POINTS: u32 = 4;

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
}

impl Series {
    /// Best and worst fitness at a generation: those of the last point that is not after it.
    pub fn at(&self, generation: u32) -> Option<(u16, u16)> {
        let after = self.generation.partition_point(|point| *point <= generation);
        Some((*self.best.get(after.checked_sub(1)?)?, *self.worst.get(after - 1)?))
    }

    /// The points as they are shown.
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

    /// Whether each generation has its figures, and each comes after the one before.
    pub(super) fn is_whole(&self) -> bool {
        let count = self.generation.len();
        (self.best.len(), self.worst.len()) == (count, count)
            && self.generation.is_sorted_by(|a, b| a < b)
    }

    fn push(&mut self, (generation, best, worst): (u32, u16, u16)) {
        self.generation.push(generation);
        self.best.push(best);
        self.worst.push(worst);
    }
}

/// Collects a series while its run goes on.
#[derive(Debug, Default)]
pub struct Collector {
    series: Series,
    /// The last generation, when it is not a point of the series.
    pending: Option<(u32, u16, u16)>,
}

impl Collector {
    /// The series of a finished run.
    pub fn finish(mut self) -> Series {
        if let Some(point) = self.pending {
            self.series.push(point);
        }
        self.series
    }

    fn take(&mut self, point: (u32, u16, u16)) {
        let step = 1 << point.0.max(1).ilog2().saturating_sub(POINTS);
        self.pending = Some(point);
        if point.0.is_multiple_of(step) {
            self.series.push(point);
            self.pending = None;
        }
    }
}

impl Observer for Collector {
    fn generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        self.take((report.generation, report.best, report.worst));
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_generations_and_the_last_are_kept_and_few_between() {
        for generations in [1, 5, 32, 33, 34, 1_000, 10_000] {
            let mut collector = Collector::default();
            (0..generations).for_each(|generation| collector.take((generation, 3, 9)));
            let series = collector.finish();
            assert_eq!(series.last(), Some(generations - 1));
            assert!(series.generation.iter().copied().take(32).eq(0..generations.min(32)));
            assert!(series.generation.is_sorted_by(|a, b| a < b));
            assert!(series.generation.len() <= 170, "{}", series.generation.len());
        }
    }

    #[test]
    fn between_points_the_earlier_counts() {
        let series = Series { generation: vec![0, 4], best: vec![9, 2], worst: vec![30, 20] };
        assert_eq!(series.at(3), Some((9, 30)));
        assert_eq!(series.at(4), Some((2, 20)));
        assert_eq!(series.at(99), Some((2, 20)));
        assert_eq!(Series::default().at(3), None);
    }
}
