//! A run's best and worst fitness by generation, thinned to a bounded number of points.
//!
//! Every generation is kept until there are [`MOST`] points; then every other is dropped and only
//! every second generation is taken from there on, and so forth. The last generation is always
//! there. What is kept depends on the number of generations alone.

use serde::{Deserialize, Serialize};

use crate::evolve::{GenerationReport, Observer};

/// Points kept, the last generation aside.
const MOST: usize = 64;

/// Best and worst fitness of some generations, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

    /// The last generation.
    pub fn last(&self) -> Option<u32> {
        self.generation.last().copied()
    }

    fn push(&mut self, (generation, best, worst): (u32, u16, u16)) {
        self.generation.push(generation);
        self.best.push(best);
        self.worst.push(worst);
    }
}

/// Collects a series while its run goes on.
#[derive(Debug)]
pub(super) struct Collector {
    series: Series,
    every: u32,
    /// The last generation, when it is not a point of the series.
    pending: Option<(u32, u16, u16)>,
}

impl Collector {
    /// Of a run that has not begun.
    pub fn new() -> Self {
        Self { series: Series::default(), every: 1, pending: None }
    }

    /// The series of a finished run.
    pub fn finish(mut self) -> Series {
        if let Some(point) = self.pending {
            self.series.push(point);
        }
        self.series
    }

    fn take(&mut self, point: (u32, u16, u16)) {
        self.pending = Some(point);
        if !point.0.is_multiple_of(self.every) {
            return;
        }
        if self.series.generation.len() == MOST {
            let all = std::mem::take(&mut self.series);
            for point in (0..MOST).step_by(2) {
                self.series.push((all.generation[point], all.best[point], all.worst[point]));
            }
            self.every *= 2;
        }
        if point.0.is_multiple_of(self.every) {
            self.series.push(point);
            self.pending = None;
        }
    }
}

impl Observer for Collector {
    fn generation(&mut self, report: &GenerationReport<'_>) {
        self.take((report.generation, report.best, report.worst));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stay_even_and_few_and_end_with_the_last() {
        for generations in [1, 5, 64, 65, 66, 1_000, 9_999] {
            let mut collector = Collector::new();
            (0..generations).for_each(|generation| collector.take((generation, 3, 9)));
            let series = collector.finish();
            assert!(series.generation.len() <= MOST + 1);
            assert_eq!(series.last(), Some(generations - 1));
            assert_eq!(series.generation[0], 0);
            let inner = &series.generation[..series.generation.len() - 1];
            let step = inner.get(1).copied().unwrap_or(1);
            assert!(inner.iter().enumerate().all(|(i, point)| *point == i as u32 * step));
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
