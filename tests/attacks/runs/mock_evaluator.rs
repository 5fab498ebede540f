//! An evaluator with given phase times and faults.
//!
//! Its upload, kernel and readback are sleeps on three threads of its own, so that the phases of
//! successive chunks overlap as they do on a device with copy engines; its scores are correct.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use evodoku::board::Geometry;
use evodoku::fitness::IN_FLIGHT;
use evodoku::fitness::{Evaluator, EvaluatorError, PhaseTimes, ScoredChunk, UNWRITTEN, fitness};

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
    out: VecDeque<(usize, Range<usize>)>,
    engines: Engines,
}

/// Channel into the first phase, and channel out of the last.
#[derive(Debug)]
struct Engines {
    entry: Sender<Vec<u16>>,
    exit: Receiver<Vec<u16>>,
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
            out: VecDeque::new(),
            engines: Engines::start(times),
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
}

impl Engines {
    fn start(times: PhaseTimes) -> Self {
        let (entry, uploads) = channel();
        let kernels = stage(uploads, times.upload);
        let readbacks = stage(kernels, times.kernel);
        let exit = stage(readbacks, times.readback);
        Self { entry, exit }
    }
}

/// A thread that keeps every chunk for the time of its phase and passes it on.
fn stage(incoming: Receiver<Vec<u16>>, time: Duration) -> Receiver<Vec<u16>> {
    let (sender, outgoing) = channel();
    thread::spawn(move || {
        for chunk in incoming {
            thread::sleep(time);
            if sender.send(chunk).is_err() {
                break;
            }
        }
    });
    outgoing
}

fn ended<E>(_: E) -> EvaluatorError {
    EvaluatorError::DeviceLost("a thread of the mock ended".into())
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
        if self.out.len() == IN_FLIGHT || range.len() > self.chunk_len {
            return Err(EvaluatorError::Driver("too many chunks, or too long a one".into()));
        }
        let boards = boards.chunks_exact(self.geometry.stride());
        let scores = boards.map(|board| fitness(self.geometry, board)).collect();
        let mut log = self.log.lock().unwrap();
        self.out.push_back((log.len(), range.clone()));
        log.push(range);
        self.engines.entry.send(scores).map_err(ended)
    }

    fn collect(&mut self) -> Result<ScoredChunk<'_>, EvaluatorError> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let (number, range) = self.out.pop_front().ok_or(EvaluatorError::Nothing)?;
        self.collected = self.engines.exit.recv().map_err(ended)?;
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
        self.out.clear();
        self.engines = Engines::start(self.times);
        Ok(())
    }
}
