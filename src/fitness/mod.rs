//! Scoring a population: one contract for all evaluators.
//!
//! `fitness = 3 n² − Σ distinct values 1..=n over rows, columns and boxes`: 0 for a solved board,
//! the number of duplicates for a full one. A blank, or a byte above `n`, is no value. All
//! evaluators agree on every byte pattern.
//!
//! A population is scored in chunks, so that the breeding, upload, kernel and readback of
//! successive chunks can overlap:
//!
//! ```
//! use evodoku::board::{Geometry, Population};
//! use evodoku::fitness::{CpuEvaluator, Evaluator};
//!
//! let geometry = Geometry::new(2, 2)?;
//! let mut population = Population::new(geometry, 2)?;
//! population.bytes_mut()[..16].copy_from_slice(&[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]);
//! let mut scores = vec![0; 2];
//! CpuEvaluator::new(geometry, None).score(population.bytes(), &mut scores)?;
//! assert_eq!(scores, [0, 48]); // solved, and all blank
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # On a graphics adapter
//! The kernel does the same as [`fitness`](fitness()). Each chunk goes through one of
//! [`IN_FLIGHT`] sets of buffers that are created once:
//!
//! ```text
//! boards -copy-> mapped staging -copy-> boards on the device -kernel-> scores -copy-> readback
//! ```
//!
//! If the device shares the memory of the host, the kernel reads the staging buffer.
//! The score buffer is filled with [`UNWRITTEN`] before the kernel runs, in the same submission.

mod chunk;
mod kernel;
pub(crate) mod shader;

pub use evodoku_core::fitness::*;
pub(crate) use shader::{BoardReading, ScoreShader, child_fitness, shape};

use std::collections::VecDeque;
use std::ops::Range;
use std::time::Duration;

use self::chunk::{ChunkBuffers, InFlightChunk, count_bytes, score_bytes};
use self::kernel::ScorePipeline;
use crate::board::Geometry;
use crate::gpu::{
    AdapterInfo, AdapterKind, AdaptiveSize, Device, DeviceError, ShaderError, UploadRing,
};
use crate::random::philox::philox;
use crate::util::clock::Instant;

/// Largest and default bytes of a chunk: large enough for the bus, small enough
/// that all slots together hold some 12 MiB and a population is many chunks, which overlap.
const CHUNK_BYTES: usize = 4 << 20;
/// The same on a card with a fast bus, on which the fixed cost of a chunk counts for more. All slots together hold
/// 48 MiB of staging buffers, and as much of the card's memory.
const CARD_CHUNK_BYTES: usize = 16 << 20;
/// Most time that a dispatch should take, with room for one that takes twice as long.
const DISPATCH: Duration = Duration::from_millis(50);
/// Boards of the first chunk.
const FIRST_BOARDS: usize = 1 << 12;
/// Boards of random bytes in the self-test: together with the others more than one workgroup, and not a multiple
/// of one.
const RANDOM_BOARDS: u32 = 192;

/// Most bytes of boards in a dispatch: a slow device takes about a tenth of a second for it, and on a fast one
/// it is long enough that start and end hardly count.
const DISPATCH_BYTES: u64 = 1 << 30;
/// The same on a software driver, which is slower than any device.
const SOFTWARE_DISPATCH_BYTES: u64 = 64 << 20;
/// Time that a device is kept busy before it is timed, because idle devices run slowly.
const WARM: Duration = Duration::from_millis(300);

/// An evaluator on a graphics adapter.
///
/// Times of a chunk: `upload` is the copy into the staging buffer and, if the device has memory of its own, the copy
/// from there,
/// `kernel` the dispatch, `readback` the copy of the scores and their way into host memory. On a
/// device without timestamps `upload` and `readback` are the host's part alone, and `kernel` runs
/// from the submission until the device was found done.
///
/// ```no_run
/// use evodoku::board::Geometry;
/// use evodoku::fitness::{Evaluator, GpuEvaluator};
/// use evodoku::gpu_engine;
///
/// let adapters = gpu_engine::adapters();
/// let device = gpu_engine::Device::open(gpu_engine::find(&adapters, "llvmpipe")?)?;
/// let evaluator = GpuEvaluator::on(&device, Geometry::new(3, 3)?, None)?;
/// println!("{} scores {}", device.adapter().name, evaluator.geometry());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// The chunks in flight, the oldest first, then those that are free.
    chunks: VecDeque<InFlightChunk>,
    /// The number of chunks in flight.
    in_flight: usize,
    size: AdaptiveSize,
    scores: Vec<u16>,
    fault: Option<EvaluatorError>,
}

impl GpuEvaluator {
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
        pollster::block_on(Self::on_async(device, geometry, chunk_len))
    }

    /// As [`on`](Self::on), without keeping the thread on a device that is [not waited for](Device::waits).
    ///
    /// # Errors
    /// As [`on`](Self::on).
    pub async fn on_async(
        device: &Device,
        geometry: Geometry,
        chunk_len: Option<usize>,
    ) -> Result<Self, EvaluatorError> {
        let shader = ScoreShader::new(geometry, BoardReading::of(device.adapter()))?;
        Self::with_shader(device, geometry, chunk_len, &shader).await
    }

    /// Creates an evaluator that runs `shader`, which has the bindings of `shaders/fitness/direct.wgsl`.
    ///
    /// # Errors
    /// As [`on`](Self::on).
    #[doc(hidden)]
    pub async fn with_shader(
        device: &Device,
        geometry: Geometry,
        chunk_len: Option<usize>,
        shader: &ScoreShader,
    ) -> Result<Self, EvaluatorError> {
        let chunk_len = chunk_boards(device.adapter(), geometry, chunk_len);
        let kernel = ScorePipeline::new(device, shader, chunk_len)?;
        let chunks = (0..IN_FLIGHT)
            .map(|_| InFlightChunk::new(device, &kernel, geometry, chunk_len))
            .collect::<Result<_, _>>()?;
        let mut evaluator = Self {
            geometry,
            device: device.clone(),
            kernel,
            shader: shader.clone(),
            chunks,
            in_flight: 0,
            size: chunk_size(chunk_len),
            scores: Vec::with_capacity(chunk_len),
            fault: None,
        };
        evaluator.self_test().await?;
        // A driver may compile at the first dispatch: that time says nothing about the device.
        evaluator.size = chunk_size(chunk_len);
        Ok(evaluator)
    }

    /// Compares the scores of known boards, because a driver can be wrong without reporting an error.
    async fn self_test(&mut self) -> Result<(), EvaluatorError> {
        let (geometry, boards) = (self.geometry, known_boards(self.geometry));
        let stride = geometry.stride();
        let mut scores = vec![0; boards.len() / stride];
        self.score_async(&boards, &mut scores).await?;
        for (number, board) in boards.chunks_exact(stride).enumerate() {
            let (got, expected) = (scores[number], fitness(geometry, board));
            if got != expected {
                return Err(EvaluatorError::WrongAnswer { board: number, got, expected });
            }
        }
        Ok(())
    }

    /// Stores an error of the device, by which all chunks in flight are lost.
    fn noted<T>(&mut self, result: Result<T, EvaluatorError>) -> Result<T, EvaluatorError> {
        if let Err(error) = &result {
            self.fault = Some(error.clone());
            self.in_flight = 0;
        }
        result
    }

    fn collect_oldest(&mut self) -> Result<(Range<usize>, PhaseTimes), EvaluatorError> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        if self.in_flight == 0 {
            return Err(EvaluatorError::Nothing);
        }
        let collected = self.chunks[0].collect(&self.device, &self.kernel, &mut self.scores);
        let collected = self.noted(collected)?;
        self.chunks.rotate_left(1);
        self.in_flight -= 1;
        self.size.note(collected.0.len() as f64, collected.1.kernel);
        Ok(collected)
    }

    /// As [`score`](Evaluator::score), without keeping the thread on a device that is [not waited for](Device::waits).
    ///
    /// # Errors
    /// As [`score`](Evaluator::score).
    pub async fn score_async(
        &mut self,
        boards: &[u8],
        scores: &mut [u16],
    ) -> Result<PhaseTimes, EvaluatorError> {
        let (geometry, stride) = (self.geometry, self.geometry.stride());
        check_bytes(boards, scores.len(), geometry)?;
        let (mut times, mut submitted, mut collected) = (PhaseTimes::default(), 0, 0);
        while collected < scores.len() {
            if submitted < scores.len() && self.in_flight < IN_FLIGHT {
                let most = overlapping_len(self.chunk_len(), scores.len());
                let end = submitted + next_chunk(scores.len() - submitted, most);
                let ready = self.chunks[self.in_flight].staging.ready(&self.device).await;
                self.noted(ready.map_err(Into::into))?;
                self.submit(submitted..end, &boards[submitted * stride..end * stride])?;
                submitted = end;
            } else {
                let ready = self.chunks[0].buffers.readback.ready(&self.device).await;
                self.noted(ready.map_err(Into::into))?;
                let scored = self.collect()?;
                scored.check(geometry)?;
                scores[scored.range.clone()].copy_from_slice(scored.scores);
                collected = scored.range.end;
                times += scored.times;
            }
        }
        Ok(times)
    }

    /// Uploads `boards`, scores all of them `passes` times with nothing else running, and returns the time of
    /// the kernel in each pass. The fitness of each board is written to `scores`. Warm-up passes before
    /// these are not counted.
    ///
    /// Times are the device's own where it has timestamps; otherwise they are measured by the host and
    /// include the cost of a submission.
    ///
    /// # Errors
    /// A fault of the device, for example too little memory for all boards at once.
    pub async fn kernel_times(
        &mut self,
        boards: &[u8],
        scores: &mut [u16],
        passes: usize,
    ) -> Result<Vec<Duration>, EvaluatorError> {
        let (device, kernel) = (&self.device, &self.kernel);
        let stride = self.geometry().stride();
        let adapter = device.adapter();
        let (most, warm) = match adapter.is_software() {
            true => (SOFTWARE_DISPATCH_BYTES, Duration::ZERO),
            false => (DISPATCH_BYTES, WARM),
        };
        let most = (adapter.largest_binding().min(most) as usize / stride).max(1);
        let mut ring = UploadRing::new(device)?;
        let mut parts = Vec::new();
        for boards in boards.chunks(most * stride) {
            let count = boards.len() / stride;
            let part = ChunkBuffers::new(device, kernel, self.geometry(), count, None)?;
            ring.upload(boards, &part.boards, 0).await?;
            ring.upload(&count_bytes(count), &part.count, 0).await?;
            ring.upload(&vec![u8::MAX; score_bytes(count) as usize], &part.scores, 0).await?;
            parts.push((part, count));
        }
        let (start, mut is_warm, mut times) = (Instant::now(), false, Vec::new());
        while times.len() < passes {
            let mut time = Duration::ZERO;
            for (part, count) in &mut parts {
                time += part.run(device, kernel, *count, None).await?;
            }
            times.extend(is_warm.then_some(time));
            is_warm |= start.elapsed() >= warm;
        }
        let mut part_scores = Vec::new();
        for ((part, count), scores) in parts.iter_mut().zip(scores.chunks_mut(most)) {
            part.run(device, kernel, *count, Some(&mut part_scores)).await?;
            scores.copy_from_slice(&part_scores);
        }
        first_unwritten(scores).map_or(Ok(times), |slot| Err(EvaluatorError::Unwritten { slot }))
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
        let (count, bytes, most) = (range.len(), boards.len(), self.size.most());
        let fits = count <= most && bytes == count * self.geometry.stride();
        if !fits || self.in_flight == IN_FLIGHT {
            return Err(EvaluatorError::Driver(format!(
                "a chunk of {count} boards ({bytes} bytes) is refused with {} chunks in flight: a chunk holds at \
                 most {most} boards, and at most {IN_FLIGHT} chunks may be in flight",
                self.in_flight
            )));
        }
        let chunk = &mut self.chunks[self.in_flight];
        let submitted = chunk.submit(&self.device, &self.kernel, range, boards);
        self.noted(submitted)?;
        self.in_flight += 1;
        Ok(())
    }

    fn collect(&mut self) -> Result<ScoredChunk<'_>, EvaluatorError> {
        let (range, times) = self.collect_oldest()?;
        if let Some(at) = first_unwritten(&self.scores) {
            // The others are lost with it; their buffers must be free before they are used again.
            while self.in_flight > 0 {
                self.collect_oldest()?;
            }
            return Err(EvaluatorError::Unwritten { slot: range.start + at });
        }
        Ok(ScoredChunk { range, scores: &self.scores, times })
    }

    /// Creates everything again, on the reopened device unless it only left scores unwritten.
    fn recover(&mut self, chunk_len: usize) -> Result<(), EvaluatorError> {
        // The lost buffers are freed first.
        self.chunks.clear();
        self.in_flight = 0;
        let device = match self.fault.replace(EvaluatorError::Final) {
            None => self.device.clone(),
            Some(_) => self.device.reopen()?,
        };
        let made = Self::with_shader(&device, self.geometry, Some(chunk_len), &self.shader);
        *self = pollster::block_on(made)?;
        Ok(())
    }
}

/// Boards of the next chunk: never more than `most`.
fn chunk_size(most: usize) -> AdaptiveSize {
    AdaptiveSize::new(DISPATCH, FIRST_BOARDS, 1..=most)
}

/// Boards in a chunk: `requested`, limited by the size of a binding and by [`CHUNK_BYTES`] or [`CARD_CHUNK_BYTES`].
fn chunk_boards(adapter: &AdapterInfo, geometry: Geometry, requested: Option<usize>) -> usize {
    // Half of it, because the buffers of boards are rounded up.
    let binding = adapter.largest_binding() / 2;
    let is_card = adapter.kind == AdapterKind::Discrete;
    let most = if is_card { CARD_CHUNK_BYTES } else { CHUNK_BYTES };
    let bytes = most.min(usize::try_from(binding).unwrap_or(usize::MAX));
    let most = (bytes / geometry.stride()).max(1);
    requested.unwrap_or(most).clamp(1, most)
}

/// The packed boards of the self-test: solved, solved but for one cell, blank, without any value, and random bytes.
fn known_boards(geometry: Geometry) -> Vec<u8> {
    let (stride, cells) = (geometry.stride(), geometry.cells());
    let side = geometry.side() as u8;
    let solved = solved(geometry);
    let mut one_wrong = solved.clone();
    one_wrong[cells - 1] = solved[cells - 1] % side + 1;
    let random = (0..RANDOM_BOARDS).map(|number| {
        let words = (0..).flat_map(|block| philox([number, block, 0, 0], [0; 2]));
        let bytes = words.flat_map(u32::to_le_bytes).take(cells);
        // Every second board has few bytes that are no value.
        let high = if number % 2 == 0 { u8::MAX } else { side + 1 };
        bytes.map(|byte| if byte > high { byte % (side + 2) } else { byte }).collect()
    });
    let edge = [solved, one_wrong, vec![0; cells], vec![side + 1; cells], vec![u8::MAX; cells]];
    let mut boards = Vec::new();
    for board in edge.into_iter().chain(random) {
        boards.extend(board);
        boards.resize(boards.len() + stride - cells, 0);
    }
    boards
}

/// The solved board whose rows are the first row, shifted.
fn solved(geometry: Geometry) -> Vec<u8> {
    let value = |cell| {
        let (row, col) = (geometry.row_of(cell), geometry.col_of(cell));
        let shifted = row * geometry.box_cols() + row / geometry.box_rows() + col;
        (shifted % geometry.side()) as u8 + 1
    };
    (0..geometry.cells()).map(value).collect()
}

impl From<DeviceError> for EvaluatorError {
    fn from(error: DeviceError) -> Self {
        match error {
            DeviceError::Lost(text) => Self::DeviceLost(text),
            DeviceError::OutOfMemory(text) => Self::OutOfMemory(text),
            DeviceError::TimedOut(time) => Self::TimedOut(time),
            DeviceError::Driver(text) => Self::Driver(text),
        }
    }
}

impl From<ShaderError> for EvaluatorError {
    fn from(error: ShaderError) -> Self {
        Self::Shader(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{MAX_SIDE, MIN_SIDE};

    #[test]
    fn the_first_board_is_solved_and_the_others_are_not() {
        for geometry in (MIN_SIDE..=MAX_SIDE).flat_map(Geometry::of_side) {
            let boards = known_boards(geometry);
            let scores: Vec<u16> =
                boards.chunks_exact(geometry.stride()).map(|b| fitness(geometry, b)).collect();
            assert_eq!(scores[0], 0, "{geometry}");
            assert!(scores[1..].iter().all(|score| *score > 0), "{geometry}");
            assert_eq!(scores[2..5], [geometry.worst_fitness(); 3], "{geometry}");
        }
    }
}
