//! An evaluator that takes stated times and fails on purpose, for tests.
//!
//! Its upload, kernel and readback are sleeps on three threads of its own, so that the phases of
//! successive chunks overlap as they do on a device with copy engines; its scores are the truth.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use super::{Evaluator, EvaluatorError, PhaseTimes, Scored, fitness};
use crate::board::Geometry;

/// A device that exists only in tests.
#[derive(Debug)]
pub struct MockEvaluator {
    geometry: Geometry,
    chunk_len: usize,
    times: PhaseTimes,
    faults: Vec<(usize, EvaluatorError)>,
    submitted: usize,
    collected: Vec<u16>,
    out: VecDeque<(usize, Range<usize>)>,
    entry: Sender<Vec<u16>>,
    exit: Receiver<Vec<u16>>,
}

impl MockEvaluator {
    /// A device without faults whose phases take `times` a chunk of `chunk_len` boards.
    pub fn new(geometry: Geometry, chunk_len: usize, times: PhaseTimes) -> Self {
        let (entry, uploads) = channel();
        let kernels = stage(uploads, times.upload);
        let readbacks = stage(kernels, times.kernel);
        let exit = stage(readbacks, times.readback);
        Self {
            geometry,
            chunk_len,
            times,
            faults: Vec::new(),
            submitted: 0,
            collected: Vec::new(),
            out: VecDeque::new(),
            entry,
            exit,
        }
    }

    /// Fails with `error` when the chunk of this number, counted from 0 over the device's life,
    /// is collected. An [`EvaluatorError::Unwritten`] fault leaves its scores unwritten instead.
    pub fn failing(mut self, chunk: usize, error: EvaluatorError) -> Self {
        self.faults.push((chunk, error));
        self
    }
}

/// A thread that holds every chunk for a while and passes it on.
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

impl Evaluator for MockEvaluator {
    fn geometry(&self) -> Geometry {
        self.geometry
    }

    fn chunk_len(&self) -> usize {
        self.chunk_len
    }

    fn submit(&mut self, range: Range<usize>, boards: &[u8]) -> Result<(), EvaluatorError> {
        let boards = boards.chunks_exact(self.geometry.stride());
        let scores = boards.map(|board| fitness(self.geometry, board)).collect();
        self.out.push_back((self.submitted, range));
        self.submitted += 1;
        self.entry.send(scores).map_err(|_| EvaluatorError::DeviceLost("thread ended".into()))
    }

    fn collect(&mut self) -> Result<Scored<'_>, EvaluatorError> {
        let (number, range) = self.out.pop_front().ok_or(EvaluatorError::Nothing)?;
        self.collected =
            self.exit.recv().map_err(|_| EvaluatorError::DeviceLost("thread ended".into()))?;
        match self.faults.iter().find(|(chunk, _)| *chunk == number) {
            Some((_, EvaluatorError::Unwritten { .. })) => self.collected.fill(super::UNWRITTEN),
            Some((_, error)) => return Err(error.clone()),
            None => {}
        }
        Ok(Scored { range, scores: &self.collected, times: self.times })
    }
}
