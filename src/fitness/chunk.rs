//! A chunk on the device: its buffers, its commands and its times.

use std::ops::Range;
use std::time::Duration;

use wgpu::{BufferUsages, CommandEncoder};

use super::kernel::ScorePipeline;
use crate::board::Geometry;
use crate::fitness::{EvaluatorError, PhaseTimes, UNWRITTEN};
use crate::gpu::{Device, Readback, Staging, buffer, encoder};
use crate::util::clock::Instant;

/// Bytes that hold the number of boards.
const COUNT_BYTES: u64 = 16;
/// Most bytes that the kernel reads at once.
const QUAD_BYTES: u64 = 16;
/// Bytes of a score; a word on the device holds two.
const SCORE_BYTES: u64 = 2;
/// Timestamps of a chunk: before the upload, before and after the kernel, at the end.
const TIMESTAMPS: u32 = 4;
/// Bytes of the timestamps, which precede the scores in the readback buffer.
const TIMESTAMP_BYTES: u64 = TIMESTAMPS as u64 * wgpu::QUERY_SIZE as u64;

/// Bytes of the scores of `boards` boards: whole words.
pub(super) fn score_bytes(boards: usize) -> u64 {
    (boards as u64 * SCORE_BYTES).next_multiple_of(4)
}

/// Bytes of `boards` boards on the device.
fn board_bytes(geometry: Geometry, boards: usize) -> u64 {
    ((boards * geometry.stride()) as u64).next_multiple_of(QUAD_BYTES)
}

/// The number of boards as the kernel reads it.
pub(super) fn count_bytes(boards: usize) -> [u8; COUNT_BYTES as usize] {
    let mut bytes = [0; COUNT_BYTES as usize];
    bytes[..4].copy_from_slice(&(boards as u32).to_le_bytes());
    bytes
}

/// The buffers of a chunk that the kernel reads and writes, and the one that the host reads.
#[derive(Debug)]
pub(super) struct ChunkBuffers {
    pub(super) boards: wgpu::Buffer,
    pub(super) count: wgpu::Buffer,
    pub(super) scores: wgpu::Buffer,
    bindings: wgpu::BindGroup,
    clock: Option<DeviceClock>,
    pub(super) readback: Readback,
}

impl ChunkBuffers {
    /// Creates the buffers for up to `boards` boards, which are in `shared` if there is such a buffer.
    pub(super) fn new(
        device: &Device,
        kernel: &ScorePipeline,
        geometry: Geometry,
        boards: usize,
        shared: Option<&wgpu::Buffer>,
    ) -> Result<Self, EvaluatorError> {
        let board_bytes = board_bytes(geometry, boards);
        let score_bytes = score_bytes(boards);
        Ok(device.guarded(|device| {
            use BufferUsages as Use;
            let score_usage = Use::STORAGE | Use::COPY_SRC | Use::COPY_DST;
            let scores = buffer(device, "scores", score_bytes, score_usage);
            let own = || buffer(device, "boards", board_bytes, Use::STORAGE | Use::COPY_DST);
            let boards = shared.cloned().unwrap_or_else(own);
            let count = buffer(device, "count", COUNT_BYTES, Use::UNIFORM | Use::COPY_DST);
            let bindings = kernel.layout.bind(device, &[&boards, &scores, &count], 1);
            let clock = kernel.tick.map(|_| DeviceClock::new(device));
            let readback = Readback::new(device, TIMESTAMP_BYTES + score_bytes);
            Self { boards, count, scores, bindings, clock, readback }
        })?)
    }

    /// Submits `upload` and the kernel over the first `boards` boards; with `with_scores` the scores are
    /// copied back.
    fn submit(
        &mut self,
        device: &Device,
        kernel: &ScorePipeline,
        boards: usize,
        with_scores: bool,
        upload: impl FnOnce(&Self, &mut CommandEncoder),
    ) -> wgpu::SubmissionIndex {
        let mut encoder = encoder(device, "chunk");
        let clock = self.clock.as_ref();
        clock.inspect(|clock| clock.write(&mut encoder, 0));
        upload(self, &mut encoder);
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("score"),
            timestamp_writes: clock.map(|clock| clock.writes(1, Some(2))),
        });
        pass.set_pipeline(&kernel.pipeline);
        pass.set_bind_group(0, &self.bindings, &[]);
        let [x, y] = kernel.workgroups(boards);
        pass.dispatch_workgroups(x, y, 1);
        drop(pass);
        let mut bytes = TIMESTAMP_BYTES;
        if with_scores {
            let (readback, score_bytes) = (&self.readback.buffer, score_bytes(boards));
            encoder.copy_buffer_to_buffer(&self.scores, 0, readback, bytes, score_bytes);
            bytes += score_bytes;
        }
        clock.inspect(|clock| clock.write(&mut encoder, 3));
        clock.inspect(|clock| clock.resolve(&mut encoder, &self.readback.buffer));
        self.readback.submit(device, encoder, bytes)
    }

    /// Runs the kernel alone over `boards` boards, and returns its time: that of the device where it has
    /// timestamps, else that of the whole submission. `scores`, if any, is replaced by the scores.
    pub(super) async fn run(
        &mut self,
        device: &Device,
        kernel: &ScorePipeline,
        boards: usize,
        scores: Option<&mut Vec<u16>>,
    ) -> Result<Duration, EvaluatorError> {
        let start = Instant::now();
        self.submit(device, kernel, boards, scores.is_some(), |_, _| ());
        self.readback.ready(device).await?;
        Ok(self.readback.read(device, |bytes| {
            let elapsed = start.elapsed();
            let (timestamps, words) = bytes.split_at(TIMESTAMP_BYTES as usize);
            if let Some(scores) = scores {
                decode(words, boards, scores);
            }
            phases(timestamps, kernel.tick, elapsed)[1]
        })?)
    }
}

/// Replaces `scores` by the scores of `boards` boards, which the device stores in `bytes`. Devices are little-endian,
/// and so are the hosts that have drivers; on another the self-test fails.
fn decode(bytes: &[u8], boards: usize, scores: &mut Vec<u16>) {
    scores.resize(boards, UNWRITTEN);
    let scores: &mut [u8] = bytemuck::cast_slice_mut(scores);
    scores.copy_from_slice(&bytes[..scores.len()]);
}

/// A chunk that is uploaded, scored and read back.
#[derive(Debug)]
pub(super) struct InFlightChunk {
    pub(super) staging: Staging,
    pub(super) buffers: ChunkBuffers,
    /// Slots of the last chunk.
    range: Range<usize>,
    submitted: Instant,
    staging_time: Duration,
}

impl InFlightChunk {
    /// Creates the buffers for chunks of up to `chunk_len` boards.
    pub(super) fn new(
        device: &Device,
        kernel: &ScorePipeline,
        geometry: Geometry,
        chunk_len: usize,
    ) -> Result<Self, EvaluatorError> {
        let is_shared = device.shares_memory();
        let staging = Staging::new(device, board_bytes(geometry, chunk_len), is_shared)?;
        let shared = is_shared.then_some(&staging.buffer);
        Ok(Self {
            buffers: ChunkBuffers::new(device, kernel, geometry, chunk_len, shared)?,
            staging,
            range: 0..0,
            submitted: Instant::now(),
            staging_time: Duration::ZERO,
        })
    }

    /// Copies the boards of a chunk to the staging buffer and submits its commands. Kernels read the staging
    /// buffer itself if the device shares the host's memory.
    pub(super) fn submit(
        &mut self,
        device: &Device,
        kernel: &ScorePipeline,
        range: Range<usize>,
        boards: &[u8],
    ) -> Result<(), EvaluatorError> {
        self.staging_time = self.staging.write(device, boards)?;
        let count = range.len();
        if count != self.range.len() {
            device.queue().write_buffer(&self.buffers.count, 0, &count_bytes(count));
        }
        self.range = range;
        self.submitted = Instant::now();
        let staging = &self.staging.buffer;
        let upload = |to: &ChunkBuffers, encoder: &mut CommandEncoder| {
            if to.boards != *staging {
                encoder.copy_buffer_to_buffer(staging, 0, &to.boards, 0, boards.len() as u64);
            }
            encoder.copy_buffer_to_buffer(&kernel.unwritten, 0, &to.scores, 0, score_bytes(count));
        };
        let submission = self.buffers.submit(device, kernel, count, true, upload);
        self.staging.submitted(device, submission);
        Ok(device.check()?)
    }

    /// Waits for the chunk and replaces `scores` by its scores.
    pub(super) fn collect(
        &mut self,
        device: &Device,
        kernel: &ScorePipeline,
        scores: &mut Vec<u16>,
    ) -> Result<(Range<usize>, PhaseTimes), EvaluatorError> {
        let times = self.buffers.readback.read(device, |bytes| {
            let arrived = Instant::now();
            let elapsed = arrived - self.submitted;
            let (timestamps, words) = bytes.split_at(TIMESTAMP_BYTES as usize);
            decode(words, self.range.len(), scores);
            let [upload, kernel, readback] = phases(timestamps, kernel.tick, elapsed);
            let (upload, readback) = (self.staging_time + upload, readback + arrived.elapsed());
            PhaseTimes { upload, kernel, readback }
        })?;
        Ok((self.range.clone(), times))
    }
}

/// The timestamps of a chunk, written by the device.
#[derive(Debug)]
struct DeviceClock {
    queries: wgpu::QuerySet,
    timestamps: wgpu::Buffer,
}

impl DeviceClock {
    fn new(device: &wgpu::Device) -> Self {
        let queries = device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("timestamps"),
            ty: wgpu::QueryType::Timestamp,
            count: TIMESTAMPS,
        });
        let usage = BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC;
        Self { queries, timestamps: buffer(device, "timestamps", TIMESTAMP_BYTES, usage) }
    }

    /// Writes a timestamp outside the kernel's pass, by an empty pass: without a pass it would need another
    /// feature.
    fn write(&self, encoder: &mut CommandEncoder, number: u32) {
        encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("timestamp"),
            timestamp_writes: Some(self.writes(number, None)),
        });
    }

    /// The timestamps to be written when a pass begins and ends.
    fn writes(&self, begin: u32, end: Option<u32>) -> wgpu::ComputePassTimestampWrites<'_> {
        wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(begin),
            end_of_pass_write_index: end,
        }
    }

    /// Copies all timestamps to the start of `readback`.
    fn resolve(&self, encoder: &mut CommandEncoder, readback: &wgpu::Buffer) {
        encoder.resolve_query_set(&self.queries, 0..TIMESTAMPS, &self.timestamps, 0);
        encoder.copy_buffer_to_buffer(&self.timestamps, 0, readback, 0, TIMESTAMP_BYTES);
    }
}

/// The times of upload, kernel and readback between the timestamps, which count ticks of `tick` nanoseconds. No
/// time is longer than `most`, and a phase without a first timestamp takes none, since drivers leave timestamps
/// out. A kernel whose time is not told has `most`: on a device without timestamps, or one whose driver writes zeros.
fn phases(timestamps: &[u8], tick: Option<f32>, most: Duration) -> [Duration; 3] {
    let tick = f64::from(tick.unwrap_or(0.0));
    let (words, _) = timestamps.as_chunks();
    let ticks = |number: usize| words.get(number).map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let [upload, kernel, readback] = std::array::from_fn(|phase| {
        let elapsed = match ticks(phase) {
            0 => 0,
            begin => ticks(phase + 1).saturating_sub(begin),
        };
        Duration::from_nanos((elapsed as f64 * tick) as u64).min(most)
    });
    if kernel.is_zero() {
        [Duration::ZERO, most, Duration::ZERO]
    } else {
        [upload, kernel, readback]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_timestamps_do_not_make_long_phases() {
        let most = Duration::from_nanos(500);
        let times = |timestamps: [u64; 4]| {
            let bytes: Vec<u8> = timestamps.iter().flat_map(|ticks| ticks.to_le_bytes()).collect();
            phases(&bytes, Some(2.0), most).map(|time| time.as_nanos())
        };
        assert_eq!(times([100, 110, 140, 150]), [20, 60, 20]);
        assert_eq!(times([0, 110, 140, 0]), [0, 60, 0]);
        assert_eq!(times([100, 110, 100_000, 100_001]), [20, 500, 2]);
        for untold in [[0; 4], [100, 110, 110, 120], [100, 0, 140, 150], [100, 110, 0, 120]] {
            assert_eq!(times(untold), [0, 500, 0]);
        }
        assert_eq!(phases(&[1; 32], None, most), [Duration::ZERO, most, Duration::ZERO]);
    }
}
