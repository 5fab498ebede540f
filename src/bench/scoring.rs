//! Scoring measured: call after call on the same boards.

use std::time::{Duration, Instant};

use super::{BenchError, Sample, Samples, StoppingRule, measure, timed};
use crate::fitness::{Evaluator, EvaluatorError, PhaseTimes};
use crate::util::interrupt::Interrupt;

/// Chunks that are scored before anybody looks whether the user wants to stop.
const PART: usize = 64;
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
    patience: StoppingRule,
    interrupt: &Interrupt,
) -> Result<Samples, BenchError> {
    measure(patience, interrupt, || {
        let (time, phases) = timed(|| pass(evaluator, boards, scores, interrupt));
        Ok(phases?.map(|phases| Sample::scored(time, phases)))
    })
}

/// Scores all boards once; nothing when the user wants to stop before the last of them.
///
/// # Errors
/// What the evaluator says.
pub(super) fn pass(
    evaluator: &mut dyn Evaluator,
    boards: &[u8],
    scores: &mut [u16],
    interrupt: &Interrupt,
) -> Result<Option<PhaseTimes>, EvaluatorError> {
    let part = evaluator.chunk_len().saturating_mul(PART).max(1);
    let bytes = part.saturating_mul(evaluator.geometry().stride());
    let mut times = PhaseTimes::default();
    for (boards, scores) in boards.chunks(bytes).zip(scores.chunks_mut(part)) {
        if interrupt.is_requested() {
            return Ok(None);
        }
        times += evaluator.score(boards, scores)?;
    }
    Ok(Some(times))
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
    while start.elapsed() < duration && !interrupt.is_requested() {
        if pass(evaluator, boards, scores, interrupt)?.is_none() {
            break;
        }
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
    use crate::fitness::{CpuEvaluator, FakeDevice};

    #[test]
    fn a_sustained_rate_is_told_interval_by_interval() {
        let geometry = Geometry::new(2, 2).unwrap();
        let boards = Population::new(geometry, 10).unwrap();
        let kernel = Duration::from_millis(2);
        let mut device = FakeDevice::new(geometry, 10, kernel, usize::MAX);
        let mut scores = [0; 10];
        let length = Duration::from_millis(60);
        let interrupt = Interrupt::new();
        let (seconds, rates) =
            sustain(&mut device, boards.bytes(), &mut scores, length, &interrupt).unwrap();
        assert_eq!(seconds.len(), rates.len());
        assert!((1..=30).contains(&rates.len()), "{seconds:?}");
        assert!(seconds.is_sorted());
        // Ten boards in no less than two milliseconds.
        assert!(rates.iter().all(|rate| *rate <= 5_000.0), "{rates:?}");
        let mut cpu = CpuEvaluator::new(geometry, Some(1));
        assert!(pass(&mut cpu, boards.bytes(), &mut scores, &interrupt).unwrap().is_some());
        assert_eq!(scores, [geometry.worst_fitness(); 10]);
        interrupt.request();
        assert!(pass(&mut cpu, boards.bytes(), &mut scores, &interrupt).unwrap().is_none());
        let none = sustain(&mut device, boards.bytes(), &mut scores, length, &interrupt).unwrap();
        assert!(none.0.is_empty());
    }
}
