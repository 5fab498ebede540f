//! Scoring measured: call after call on the same boards.

use std::time::{Duration, Instant};

use super::{BenchError, Interrupt, Patience, Sample, Samples, measure, timed};
use crate::score::Evaluator;

/// Intervals that [`sustain`] tells rates of.
const INTERVALS: u32 = 60;

/// Measures whole calls of [`Evaluator::score`], on the calling pool's threads.
///
/// # Errors
/// What the evaluator says.
pub fn score(
    evaluator: &mut dyn Evaluator,
    boards: &[u8],
    scores: &mut [u16],
    patience: Patience,
    interrupt: &Interrupt,
) -> Result<Samples, BenchError> {
    measure(patience, interrupt, || {
        let (time, phases) = timed(|| evaluator.score(boards, scores));
        Ok(Sample::scored(time, phases?))
    })
}

/// Scores without a pause for a while; tells the seconds at the end of each interval, and the
/// boards a second in it.
///
/// # Errors
/// What the evaluator says.
pub(super) fn sustain(
    evaluator: &mut dyn Evaluator,
    boards: &[u8],
    scores: &mut [u16],
    duration: Duration,
    interrupt: &Interrupt,
) -> Result<(Vec<f64>, Vec<f64>), BenchError> {
    let (mut seconds, mut rates) = (Vec::new(), Vec::new());
    let start = Instant::now();
    let mut interval = (Duration::ZERO, 0);
    while start.elapsed() < duration && !interrupt.asked() {
        evaluator.score(boards, scores)?;
        interval.1 += scores.len();
        let now = start.elapsed();
        let length = now - interval.0;
        if length >= duration / INTERVALS {
            seconds.push(now.as_secs_f64());
            rates.push(interval.1 as f64 / length.as_secs_f64());
            interval = (now, 0);
        }
    }
    Ok((seconds, rates))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Geometry, Population};
    use crate::score::{MockEvaluator, PhaseTimes};

    #[test]
    fn a_sustained_rate_is_told_interval_by_interval() {
        let geometry = Geometry::new(2, 2).unwrap();
        let boards = Population::new(geometry, 10).unwrap();
        let kernel = Duration::from_millis(2);
        let times = PhaseTimes { kernel, ..PhaseTimes::default() };
        let mut mock = MockEvaluator::new(geometry, 10, times);
        let mut scores = [0; 10];
        let length = Duration::from_millis(60);
        let interrupt = Interrupt::new();
        let (seconds, rates) =
            sustain(&mut mock, boards.bytes(), &mut scores, length, &interrupt).unwrap();
        assert_eq!(seconds.len(), rates.len());
        assert!((1..=30).contains(&rates.len()), "{seconds:?}");
        assert!(seconds.is_sorted());
        // Ten boards in no less than two milliseconds.
        assert!(rates.iter().all(|rate| *rate <= 5_000.0), "{rates:?}");
        interrupt.ask();
        let none = sustain(&mut mock, boards.bytes(), &mut scores, length, &interrupt).unwrap();
        assert!(none.0.is_empty());
    }
}
