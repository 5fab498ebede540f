//! The fitness history of a run: some of its generations, so chosen that no extreme is lost.
//!
//! It has all of the first generations. From then on each doubling is cut into as many segments; of a segment it
//! has the first generation, those with the lowest and the highest best fitness and with the highest worst, and
//! the first that restarted with the one before it, and the fewest and the most different boards that were
//! estimated. So a history stays short however long its run is, and has
//! the peak of a restart at its height and in its place. It always has the last generation.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::ga::{GenerationReport, Observer};

/// Segments of each doubling, as powers of two: enough for a curve, and finer than the pixels of a plot.
const COARSE: u32 = 4;
const FINE: u32 = 8;

/// A generation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryPoint {
    /// Its number.
    pub generation: u32,
    /// The lowest fitness in the population.
    pub best: u16,
    /// The mean fitness.
    pub mean: f64,
    /// The highest fitness.
    pub worst: u16,
    /// An estimate of the number of different boards, where one was made.
    pub distinct: Option<u64>,
    /// Restarts until then.
    pub restart: u32,
}

/// Collects the history of a run, which it observes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FitnessHistory {
    /// Segments of each doubling, as a power of two.
    segments: u32,
    kept: Vec<HistoryPoint>,
    segment: Option<Segment>,
    last: Option<HistoryPoint>,
}

/// The extremes of generations that follow each other.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Segment {
    first: HistoryPoint,
    lowest: HistoryPoint,
    highest: HistoryPoint,
    worst: HistoryPoint,
    last: HistoryPoint,
    /// The first generation that restarted, and the one before it.
    restarted: Option<[HistoryPoint; 2]>,
    /// Those with the fewest and the most different boards.
    estimated: Option<[HistoryPoint; 2]>,
}

impl Segment {
    fn of(first: HistoryPoint) -> Self {
        let estimated = first.distinct.map(|_| [first; 2]);
        let (lowest, highest, worst, last) = (first, first, first, first);
        Self { first, lowest, highest, worst, last, restarted: None, estimated }
    }

    fn take(&mut self, point: HistoryPoint) {
        if point.best < self.lowest.best {
            self.lowest = point;
        }
        if point.best > self.highest.best {
            self.highest = point;
        }
        if point.worst > self.worst.worst {
            self.worst = point;
        }
        if point.restart > self.first.restart && self.restarted.is_none() {
            self.restarted = Some([self.last, point]);
        }
        if point.distinct.is_some() {
            let [fewest, most] = self.estimated.get_or_insert([point; 2]);
            if point.distinct < fewest.distinct {
                *fewest = point;
            }
            if point.distinct > most.distinct {
                *most = point;
            }
        }
        self.last = point;
    }
}

impl FitnessHistory {
    /// The history of a run that has not begun. A fine one is drawn, with the estimates of different boards.
    pub fn new(is_fine: bool) -> Self {
        let segments = if is_fine { FINE } else { COARSE };
        Self { segments, kept: Vec::new(), segment: None, last: None }
    }

    /// Whether it is fine enough to be drawn.
    pub fn is_fine(&self) -> bool {
        self.segments == FINE
    }

    /// Its generations, in order.
    pub fn finish(mut self) -> Vec<HistoryPoint> {
        self.end_segment();
        if let Some(last) = self.last.filter(|last| self.kept.last() != Some(last)) {
            self.kept.push(last);
        }
        self.kept
    }

    /// Adds the next generation.
    pub fn take(&mut self, point: HistoryPoint) {
        let step = 1 << point.generation.max(1).ilog2().saturating_sub(self.segments);
        if point.generation.is_multiple_of(step) {
            self.end_segment();
        }
        self.last = Some(point);
        match &mut self.segment {
            Some(segment) => segment.take(point),
            None => self.segment = Some(Segment::of(point)),
        }
    }

    fn end_segment(&mut self) {
        let Some(segment) = self.segment.take() else { return };
        let mut kept = vec![segment.first, segment.lowest, segment.highest, segment.worst];
        kept.extend(segment.restarted.into_iter().chain(segment.estimated).flatten());
        kept.sort_by_key(|point| point.generation);
        kept.dedup_by_key(|point| point.generation);
        self.kept.append(&mut kept);
    }
}

impl Observer for FitnessHistory {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        self.take(HistoryPoint {
            generation: report.generation,
            best: report.best,
            mean: report.sum as f64 / report.population.max(1) as f64,
            worst: report.worst,
            distinct: report.distinct,
            restart: report.restart,
        });
        ControlFlow::Continue(())
    }

    fn wants_boards(&self) -> bool {
        false
    }

    fn wants_distinct(&self) -> bool {
        self.is_fine()
    }
}

/// Best and worst fitness of some generations, ascending: a history as exports and pages have it.
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
    /// The series of these generations.
    pub fn of(history: &[HistoryPoint]) -> Self {
        Self {
            generation: history.iter().map(|point| point.generation).collect(),
            best: history.iter().map(|point| point.best).collect(),
            worst: history.iter().map(|point| point.worst).collect(),
            restart: history.iter().map(|point| point.restart).collect(),
        }
    }

    /// The lowest fitness until each generation.
    pub fn best_so_far(&self) -> Vec<u16> {
        let lowest = |lowest: &mut u16, best: &u16| {
            *lowest = (*lowest).min(*best);
            Some(*lowest)
        };
        self.best.iter().scan(u16::MAX, lowest).collect()
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
    pub fn is_whole(&self) -> bool {
        let count = self.generation.len();
        (self.best.len(), self.worst.len(), self.restart.len()) == (count, count, count)
            && self.generation.is_sorted_by(|a, b| a < b)
            && self.restart.is_sorted()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// A generation of a run that restarts every 30 and then has this best fitness.
    fn point(generation: u32, peak: u16) -> HistoryPoint {
        let since = generation % 30;
        let best = peak.saturating_sub(since.min(9) as u16);
        let (mean, worst) = (f64::from(best) + 5.0, best + 20);
        HistoryPoint { generation, best, mean, worst, distinct: None, restart: generation / 30 }
    }

    fn history(
        generations: u32,
        is_fine: bool,
        of: impl Fn(u32) -> HistoryPoint,
    ) -> Vec<HistoryPoint> {
        let mut history = FitnessHistory::new(is_fine);
        (0..generations).for_each(|generation| history.take(of(generation)));
        history.finish()
    }

    #[test]
    fn the_first_generations_and_the_last_are_kept_and_few_between() {
        for generations in [1, 5, 32, 33, 34, 1_000, 100_000] {
            let kept = history(generations, false, |generation| point(generation, 30));
            let numbers: Vec<u32> = kept.iter().map(|point| point.generation).collect();
            assert_eq!(numbers.last(), Some(&(generations - 1)));
            assert!(numbers.iter().copied().take(32).eq(0..generations.min(32)));
            assert!(numbers.is_sorted_by(|a, b| a < b));
            assert!(kept.len() <= 32 + 6 * 16 * 12, "{}", kept.len());
        }
    }

    #[test]
    fn what_does_not_change_is_kept_once_a_segment() {
        let flat = |generation| HistoryPoint { restart: 0, ..point(generation * 30, 30) };
        let flat = |generation| HistoryPoint { generation, ..flat(generation) };
        assert!(history(10_000, false, flat).len() <= 170);
    }

    #[test]
    fn no_peak_and_no_restart_is_lost() {
        let peaks = [32, 31, 33, 31, 32, 31];
        let of = |generation: u32| point(generation, peaks[generation as usize / 30 % 6]);
        for (is_fine, generations) in [(false, 180), (true, 2_000)] {
            let kept = history(generations, is_fine, of);
            assert!(kept.len() < generations as usize, "{}", kept.len());
            for restart in 1..generations / 30 {
                let found = kept.iter().find(|point| point.generation == restart * 30);
                let found = found.map(|point| (point.best, point.restart));
                assert_eq!(found, Some((peaks[restart as usize % 6], restart)));
            }
        }
    }

    #[test]
    fn no_extreme_and_no_first_restart_of_a_segment_is_lost() {
        // Values that differ within a segment, in no order, and restarts that are no extremes.
        let of = |generation: u32| {
            let value = |factor: u32| (generation * factor % 1_009) as u16;
            let (best, worst, distinct) = (value(37), value(91), Some(value(53).into()));
            HistoryPoint { generation, best, mean: 0.0, worst, distinct, restart: generation / 100 }
        };
        let extremes = |points: &[HistoryPoint]| {
            let bests = || points.iter().map(|point| point.best);
            let distinct = || points.iter().map(|point| point.distinct);
            let worst = points.iter().map(|point| point.worst).max();
            (bests().min(), bests().max(), worst, distinct().min(), distinct().max())
        };
        for (is_fine, length) in [(false, 128), (true, 8)] {
            let kept = history(4_096, is_fine, of);
            for first in (2_048..4_096).step_by(length) {
                let all: Vec<HistoryPoint> = (first..first + length as u32).map(of).collect();
                let mut some = kept.clone();
                some.retain(|point| all.contains(point));
                assert!(some.len() <= 8);
                assert_eq!(extremes(&some), extremes(&all), "{first}");
                let restarted = all.windows(2).find(|pair| pair[0].restart < pair[1].restart);
                assert!(restarted.into_iter().flatten().all(|point| some.contains(point)));
            }
        }
    }

    #[test]
    fn a_generation_has_its_mean_and_only_a_fine_history_asks_for_estimates() {
        let mut history = FitnessHistory::new(false);
        assert!(!history.wants_boards() && !history.wants_distinct());
        assert!(FitnessHistory::new(true).wants_distinct());
        let _ = history.on_generation(&GenerationReport {
            generation: 3,
            restart: 0,
            best: 4,
            best_so_far: 4,
            sum: 52,
            population: 8,
            worst: 9,
            distinct: None,
            evaluations: 8,
            moves: 0,
            times: Default::default(),
            elapsed: Duration::ZERO,
            best_board: &[],
            board: &[],
            islands: &[],
        });
        assert_eq!(history.finish()[0].mean, 6.5);
    }

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
        assert_eq!(series().last(), Some(9));
        assert!(!Series { generation: vec![0, 4, 4, 9], ..series() }.is_whole());
        assert!(series().restarts().eq([(5, 8)]));
        assert!(series().is_whole());
        assert!(!Series { restart: vec![0, 0, 1, 0], ..series() }.is_whole());
        assert!(!Series { restart: vec![0], ..series() }.is_whole());
    }
}
