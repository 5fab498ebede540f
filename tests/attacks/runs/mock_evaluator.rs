//! An evaluator with given phase times and faults.
//!
//! It waits for nothing: its phases take time on a simulated clock, which the host advances for what it does
//! itself. Each phase works on one chunk at a time, as on a device with copy engines. With phases that take 2
//! and a host that submits at 0 and 1, then collects:
//!
//! ```text
//! time      0  1  2  3  4  5  6  7  8
//! upload    [ 0 ] [ 1 ]
//! kernel          [ 0 ] [ 1 ]
//! readback              [ 0 ] [ 1 ]
//! collected                   0     1
//! ```
//!
//! Its scores are correct.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use evodoku::board::Geometry;
use evodoku::fitness::IN_FLIGHT;
use evodoku::fitness::{Evaluator, EvaluatorError, PhaseTimes, ScoredChunk, UNWRITTEN, fitness};

/// The time on a simulated clock.
pub type Clock = Arc<Mutex<Duration>>;

/// A chunk in flight.
#[derive(Debug)]
struct InFlight {
    /// Counted from 0 over the life of the device.
    number: usize,
    range: Range<usize>,
    scores: Vec<u16>,
    /// When its readback ends.
    ready: Duration,
}

/// A device that exists only in tests.
#[derive(Debug)]
pub struct MockEvaluator {
    geometry: Geometry,
    chunk_len: usize,
    times: PhaseTimes,
    faults: Vec<(usize, EvaluatorError)>,
    recoveries: usize,
    fault: Option<EvaluatorError>,
    /// The ranges that were submitted, in order.
    log: Arc<Mutex<Vec<Range<usize>>>>,
    collected: Vec<u16>,
    in_flight: VecDeque<InFlight>,
    clock: Clock,
    /// When upload, kernel and readback are free for the next chunk.
    free_at: [Duration; 3],
}

impl MockEvaluator {
    /// Creates a device without faults whose phases take `times` per chunk of `chunk_len` boards.
    pub fn new(geometry: Geometry, chunk_len: usize, times: PhaseTimes) -> Self {
        Self {
            geometry,
            chunk_len,
            times,
            faults: Vec::new(),
            recoveries: 0,
            fault: None,
            log: Arc::default(),
            collected: Vec::new(),
            in_flight: VecDeque::new(),
            clock: Clock::default(),
            free_at: [Duration::ZERO; 3],
        }
    }

    /// Makes the device fail with `error` from the time when chunk number `chunk` is collected, counted from
    /// 0 over the life of the device. An [`EvaluatorError::Unwritten`] fault leaves its scores
    /// unwritten instead.
    pub fn failing(mut self, chunk: usize, error: EvaluatorError) -> Self {
        self.faults.push((chunk, error));
        self
    }

    /// Sets how many times it can restart after an error.
    pub fn recovering(mut self, times: usize) -> Self {
        self.recoveries = times;
        self
    }

    /// Returns the submitted ranges, in order, which outlive the evaluator.
    #[allow(dead_code, reason = "the fuzzer does not read it")]
    pub fn log(&self) -> Arc<Mutex<Vec<Range<usize>>>> {
        self.log.clone()
    }

    /// Returns its clock, which begins at zero.
    #[allow(dead_code, reason = "the fuzzer does not read it")]
    pub fn clock(&self) -> Clock {
        self.clock.clone()
    }

    /// Takes each phase for a chunk that is submitted now; returns when the last one ends.
    fn schedule_phases(&mut self) -> Duration {
        let times = [self.times.upload, self.times.kernel, self.times.readback];
        let mut now = *self.clock.lock().unwrap();
        for (free_at, time) in self.free_at.iter_mut().zip(times) {
            now = now.max(*free_at) + time;
            *free_at = now;
        }
        now
    }
}

impl Evaluator for MockEvaluator {
    fn geometry(&self) -> Geometry {
        self.geometry
    }

    fn chunk_len(&self) -> usize {
        self.chunk_len
    }

    fn submit(&mut self, range: Range<usize>, boards: &[u8]) -> Result<(), EvaluatorError> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        if self.in_flight.len() == IN_FLIGHT || range.len() > self.chunk_len {
            return Err(EvaluatorError::Driver("too many chunks, or too long a one".into()));
        }
        let boards = boards.chunks_exact(self.geometry.stride());
        let scores = boards.map(|board| fitness(self.geometry, board)).collect();
        let ready = self.schedule_phases();
        let mut log = self.log.lock().unwrap();
        self.in_flight.push_back(InFlight {
            number: log.len(),
            range: range.clone(),
            scores,
            ready,
        });
        log.push(range);
        Ok(())
    }

    fn collect(&mut self) -> Result<ScoredChunk<'_>, EvaluatorError> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let InFlight { number, range, scores, ready } =
            self.in_flight.pop_front().ok_or(EvaluatorError::Nothing)?;
        let mut clock = self.clock.lock().unwrap();
        *clock = ready.max(*clock);
        self.collected = scores;
        match self.faults.iter().find(|(chunk, _)| *chunk == number) {
            Some((_, EvaluatorError::Unwritten { .. })) => self.collected.fill(UNWRITTEN),
            Some((_, error)) => {
                self.fault = Some(error.clone());
                return Err(error.clone());
            }
            None => {}
        }
        Ok(ScoredChunk { range, scores: &self.collected, times: self.times })
    }

    fn recover(&mut self, chunk_len: usize) -> Result<(), EvaluatorError> {
        self.recoveries = self.recoveries.checked_sub(1).ok_or(EvaluatorError::Final)?;
        self.chunk_len = self.chunk_len.min(chunk_len);
        self.fault = None;
        self.in_flight.clear();
        self.free_at = [Duration::ZERO; 3];
        Ok(())
    }
}
