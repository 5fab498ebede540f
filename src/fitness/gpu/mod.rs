//! Scoring on a graphics adapter: one upload, one dispatch and one readback a chunk.
//!
//! The kernel does the same as [`fitness`](super::fitness()). Each chunk goes through one of
//! [`IN_FLIGHT`] slots whose buffers and bind group are made once:
//!
//! ```text
//! boards -copy-> mapped staging -copy-> boards on the device -kernel-> scores -copy-> readback
//! ```
//!
//! The score buffer is filled with [`UNWRITTEN`] before the kernel runs, in the same submission.

mod buffers;
mod error;
mod in_flight;
mod kernel;
mod kernel_bench;
mod self_test;
mod timestamps;

use std::ops::Range;
use std::time::Duration;

use self::in_flight::InFlightChunk;
use self::kernel::ScorePipeline;
use super::{BoardReading, ScoreShader, fitness};
use super::{Evaluator, EvaluatorError, IN_FLIGHT, PhaseTimes, ScoredChunk, UNWRITTEN};
use crate::board::Geometry;
use crate::gpu::{Adapter, AdapterInfo, AdaptiveSize, Device};

/// Largest and default bytes of a chunk: large enough for the bus, small enough
/// that all slots together hold some 12 MiB and a population is many chunks, which overlap.
const CHUNK_BYTES: usize = 4 << 20;
/// Time that a dispatch should take at most, with room for one that takes twice as long.
const DISPATCH: Duration = Duration::from_millis(50);
/// Boards of the first chunk.
const FIRST_BOARDS: usize = 1 << 12;

/// An evaluator on a graphics adapter.
///
/// Times of a chunk: `upload` is the copy into the staging buffer and from there to the device,
/// `kernel` the dispatch, `readback` the copy of the scores and their way into host memory. On a
/// device without timestamps `upload` and `readback` are the host's part alone, and `kernel` runs
/// from the submission until the device was found done.
///
/// After an error of the device every later call returns that error until it has
/// [recovered](Evaluator::recover). [`EvaluatorError::Unwritten`] is not such an error: the chunks in flight
/// are dropped and may be submitted again.
#[derive(Debug)]
pub struct GpuEvaluator {
    geometry: Geometry,
    device: Device,
    kernel: ScorePipeline,
    shader: ScoreShader,
    slots: Vec<InFlightChunk>,
    size: AdaptiveSize,
    /// The slot of the next chunk, and how many slots before it are in flight.
    next: usize,
    out: usize,
    scores: Vec<u16>,
    fault: Option<EvaluatorError>,
}

impl GpuEvaluator {
    /// Opens `adapter` and creates an evaluator there, as [`on`](Self::on) does.
    ///
    /// # Errors
    /// As [`on`](Self::on).
    pub fn new(
        geometry: Geometry,
        adapter: &Adapter,
        chunk_len: Option<usize>,
    ) -> Result<Self, EvaluatorError> {
        Self::on(&Device::open(adapter)?, geometry, chunk_len)
    }

    /// Creates an evaluator on an open device, with chunks of at most `chunk_len` boards, and checks it with
    /// boards of known fitness.
    ///
    /// # Errors
    /// Errors of the driver about the shader and the buffers, and [`EvaluatorError::WrongAnswer`] when a
    /// known board was scored wrongly.
    pub fn on(
        device: &Device,
        geometry: Geometry,
        chunk_len: Option<usize>,
    ) -> Result<Self, EvaluatorError> {
        let shader = ScoreShader::new(geometry, BoardReading::of(device.adapter()))?;
        Self::with_shader(device, geometry, chunk_len, &shader)
    }

    /// Creates an evaluator that runs `shader`, which has the bindings of `shaders/score/direct.wgsl`.
    ///
    /// # Errors
    /// As [`on`](Self::on).
    #[doc(hidden)]
    pub fn with_shader(
        device: &Device,
        geometry: Geometry,
        chunk_len: Option<usize>,
        shader: &ScoreShader,
    ) -> Result<Self, EvaluatorError> {
        let chunk_len = chunk_boards(device.adapter(), geometry, chunk_len);
        let kernel = ScorePipeline::new(device, shader, chunk_len)?;
        let mut slots = Vec::with_capacity(IN_FLIGHT);
        for _ in 0..IN_FLIGHT {
            slots.push(InFlightChunk::new(device, &kernel, geometry, chunk_len)?);
        }
        let mut evaluator = Self {
            geometry,
            device: device.clone(),
            kernel,
            shader: shader.clone(),
            slots,
            size: chunk_size(chunk_len),
            next: 0,
            out: 0,
            scores: Vec::with_capacity(chunk_len),
            fault: None,
        };
        evaluator.check_known_boards()?;
        // A driver may compile at the first dispatch: that time says nothing about the device.
        evaluator.size = chunk_size(chunk_len);
        Ok(evaluator)
    }

    /// Returns the adapter it runs on.
    pub fn adapter(&self) -> &AdapterInfo {
        self.device.adapter()
    }

    /// Compares the scores of known boards, because a driver can be wrong without reporting an error.
    fn check_known_boards(&mut self) -> Result<(), EvaluatorError> {
        let (geometry, boards) = (self.geometry, self_test::boards(self.geometry));
        let stride = geometry.stride();
        let mut scores = vec![0; boards.len() / stride];
        self.score(&boards, &mut scores)?;
        for (number, board) in boards.chunks_exact(stride).enumerate() {
            let (got, expected) = (scores[number], fitness(geometry, board));
            if got != expected {
                return Err(EvaluatorError::WrongAnswer { board: number, got, expected });
            }
        }
        Ok(())
    }

    /// Keeps an error of the device, which ends all chunks in flight.
    fn noted<T>(&mut self, result: Result<T, EvaluatorError>) -> Result<T, EvaluatorError> {
        if let Err(error) = &result {
            self.fault = Some(error.clone());
            self.out = 0;
        }
        result
    }

    fn oldest(&self) -> usize {
        (self.next + IN_FLIGHT - self.out) % IN_FLIGHT
    }

    fn collect_oldest(&mut self) -> Result<(Range<usize>, PhaseTimes), EvaluatorError> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        if self.out == 0 {
            return Err(EvaluatorError::Nothing);
        }
        let oldest = self.oldest();
        let collected = self.slots[oldest].collect(&self.device, &self.kernel, &mut self.scores);
        let collected = self.noted(collected)?;
        self.out -= 1;
        self.size.note(collected.0.len(), collected.1.kernel);
        Ok(collected)
    }
}

impl Evaluator for GpuEvaluator {
    fn geometry(&self) -> Geometry {
        self.geometry
    }

    fn chunk_len(&self) -> usize {
        self.size.get()
    }

    fn submit(&mut self, range: Range<usize>, boards: &[u8]) -> Result<(), EvaluatorError> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        if range.len() > self.size.most() || boards.len() != range.len() * self.geometry.stride() {
            let (count, bytes, most) = (range.len(), boards.len(), self.size.most());
            let text =
                format!("{bytes} bytes for {count} boards, but a chunk holds at most {most}");
            return Err(EvaluatorError::Driver(text));
        }
        if self.out == IN_FLIGHT {
            return Err(EvaluatorError::Driver(format!(
                "{IN_FLIGHT} chunks are already in flight"
            )));
        }
        let submitted = self.slots[self.next].submit(&self.device, &self.kernel, range, boards);
        self.noted(submitted)?;
        self.next = (self.next + 1) % IN_FLIGHT;
        self.out += 1;
        Ok(())
    }

    fn collect(&mut self) -> Result<ScoredChunk<'_>, EvaluatorError> {
        let (range, times) = self.collect_oldest()?;
        if let Some(at) = self.scores.iter().position(|score| *score == UNWRITTEN) {
            // The others are lost with it; their slots must be free before they are used again.
            while self.out > 0 {
                self.collect_oldest()?;
            }
            return Err(EvaluatorError::Unwritten { slot: range.start + at });
        }
        Ok(ScoredChunk { range, scores: &self.scores, times })
    }

    /// Creates everything again, on the reopened device unless it only left scores unwritten.
    fn recover(&mut self, chunk_len: usize) -> Result<(), EvaluatorError> {
        // The lost buffers are freed first.
        self.slots.clear();
        self.out = 0;
        let device = match self.fault.replace(EvaluatorError::Final) {
            None => self.device.clone(),
            Some(_) => self.device.reopen()?,
        };
        *self = Self::with_shader(&device, self.geometry, Some(chunk_len), &self.shader)?;
        Ok(())
    }
}

/// Boards of the next chunk: never more than `most`.
fn chunk_size(most: usize) -> AdaptiveSize {
    AdaptiveSize::new(DISPATCH, FIRST_BOARDS, 1..=most)
}

/// Boards in a chunk: `requested`, limited by the size of a binding and [`CHUNK_BYTES`].
fn chunk_boards(adapter: &AdapterInfo, geometry: Geometry, requested: Option<usize>) -> usize {
    // The staging buffer also holds the number of boards.
    let binding = largest_binding(adapter) / 2;
    let bytes = CHUNK_BYTES.min(usize::try_from(binding).unwrap_or(usize::MAX));
    let most = (bytes / geometry.stride()).max(1);
    requested.unwrap_or(most).clamp(1, most)
}

/// Largest buffer in bytes that can be bound to the kernel.
fn largest_binding(adapter: &AdapterInfo) -> u64 {
    adapter.limits.storage_binding_bytes.min(adapter.limits.buffer_bytes)
}
