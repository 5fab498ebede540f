//! One chunk on the device: its buffers, its commands and its readback.

use std::ops::Range;
use std::time::{Duration, Instant};

use wgpu::{BufferUsages, MapMode};

use super::buffers::{COUNT_BYTES, ChunkBuffers, count_bytes};
use super::kernel::{ScorePipeline, decode, score_bytes};
use super::timestamps::{DeviceClock, MOMENT_BYTES, phases};
use crate::board::Geometry;
use crate::fitness::{EvaluatorError, PhaseTimes};
use crate::gpu::{CompletionFlag, Device, Staging, buffer, mapping};

/// The buffers of a chunk.
#[derive(Debug)]
pub(super) struct InFlightChunk {
    staging: Staging,
    bound: ChunkBuffers,
    readback: wgpu::Buffer,
    clock: Option<DeviceClock>,
    readable: CompletionFlag,
    /// Slots of the last chunk.
    range: Range<usize>,
    submission: Option<wgpu::SubmissionIndex>,
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
        let board_bytes = (chunk_len * geometry.stride()) as u64;
        let staging = Staging::new(device, COUNT_BYTES + board_bytes)?;
        let bound = ChunkBuffers::new(device, kernel, geometry, chunk_len)?;
        let slot = device.guarded(|device| {
            let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
            let readback_bytes = MOMENT_BYTES + score_bytes(chunk_len);
            Self {
                staging,
                bound,
                readback: buffer(device, "readback", readback_bytes, usage),
                clock: kernel.tick.map(|_| DeviceClock::new(device)),
                readable: CompletionFlag::default(),
                range: 0..0,
                submission: None,
                submitted: Instant::now(),
                staging_time: Duration::ZERO,
            }
        })?;
        Ok(slot)
    }

    /// Copies the boards of a chunk to the staging buffer and submits its commands.
    pub(super) fn submit(
        &mut self,
        device: &Device,
        kernel: &ScorePipeline,
        range: Range<usize>,
        boards: &[u8],
    ) -> Result<(), EvaluatorError> {
        let count = count_bytes(range.len());
        self.staging_time = self.staging.write(device, &[&count, boards])?;

        let commands = self.record(device, kernel, range.len(), boards.len() as u64);
        self.range = range;
        self.submitted = Instant::now();
        let submission = device.queue().submit([commands]);
        self.readable.map(&self.readback, MapMode::Read, self.readback_bytes());
        self.staging.submitted(submission.clone());
        self.submission = Some(submission);
        Ok(device.check()?)
    }

    fn record(
        &self,
        device: &Device,
        kernel: &ScorePipeline,
        count: usize,
        board_bytes: u64,
    ) -> wgpu::CommandBuffer {
        let score_bytes = score_bytes(count);
        let ChunkBuffers { boards, scores, .. } = &self.bound;
        let staging = self.staging.buffer();
        let label = wgpu::CommandEncoderDescriptor { label: Some("chunk") };
        let mut encoder = device.handle().create_command_encoder(&label);
        self.clock.iter().for_each(|clock| clock.write(&mut encoder, 0));
        encoder.copy_buffer_to_buffer(staging, 0, &self.bound.count, 0, COUNT_BYTES);
        encoder.copy_buffer_to_buffer(staging, COUNT_BYTES, boards, 0, board_bytes);
        encoder.copy_buffer_to_buffer(&kernel.unwritten, 0, scores, 0, score_bytes);
        self.bound.dispatch(&mut encoder, kernel, self.clock.as_ref(), count);
        encoder.copy_buffer_to_buffer(scores, 0, &self.readback, MOMENT_BYTES, score_bytes);
        self.clock.iter().for_each(|clock| clock.write(&mut encoder, 3));
        if let Some(clock) = &self.clock {
            clock.resolve(&mut encoder, &self.readback);
        }
        encoder.finish()
    }

    fn readback_bytes(&self) -> u64 {
        MOMENT_BYTES + score_bytes(self.range.len())
    }

    /// Waits for the chunk and replaces `scores` by its scores.
    pub(super) fn collect(
        &mut self,
        device: &Device,
        kernel: &ScorePipeline,
        scores: &mut Vec<u16>,
    ) -> Result<(Range<usize>, PhaseTimes), EvaluatorError> {
        let submission = self.submission.as_ref().ok_or(EvaluatorError::Nothing)?;
        device.wait(submission, &self.readable)?;
        let arrived = Instant::now();
        let view = self.readback.slice(..self.readback_bytes()).get_mapped_range();
        let view = view.map_err(mapping)?;
        let (moments, words) = view.split_at(MOMENT_BYTES as usize);
        decode(words, self.range.len(), scores);
        let device_times = kernel.tick.map(|tick| phases(moments, tick, arrived - self.submitted));
        drop(view);
        self.readback.unmap();
        let reading = arrived.elapsed();
        let times = match device_times {
            Some([upload, kernel, readback]) => PhaseTimes {
                upload: self.staging_time + upload,
                kernel,
                readback: readback + reading,
            },
            None => PhaseTimes {
                upload: self.staging_time,
                kernel: arrived - self.submitted,
                readback: reading,
            },
        };
        Ok((self.range.clone(), times))
    }
}
