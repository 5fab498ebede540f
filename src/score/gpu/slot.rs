//! The way of one chunk through the device: its buffers, what is recorded, what comes back.

use std::ops::Range;
use std::time::{Duration, Instant};

use wgpu::{BufferUsages, MapMode};

use super::clock::{Clock, MOMENT_BYTES, phases};
use super::kernel::{Kernel, SCORE_BYTES, buffer, mapping};
use crate::board::Geometry;
use crate::gpu::{Device, Watch};
use crate::score::{EvaluatorError, PhaseTimes, UNWRITTEN};

/// Bytes that hold the number of boards, before them in the staging buffer.
const COUNT_BYTES: u64 = 16;
/// The buffers of a chunk.
#[derive(Debug)]
pub(super) struct Slot {
    staging: wgpu::Buffer,
    boards: wgpu::Buffer,
    count: wgpu::Buffer,
    scores: wgpu::Buffer,
    readback: wgpu::Buffer,
    clock: Option<Clock>,
    bindings: wgpu::BindGroup,
    stageable: Watch,
    readable: Watch,
    /// The chunk that went through last.
    range: Range<usize>,
    submission: Option<wgpu::SubmissionIndex>,
    submitted: Instant,
    staging_time: Duration,
}

impl Slot {
    /// Makes the buffers for chunks of up to `chunk_len` boards.
    pub(super) fn new(
        device: &Device,
        kernel: &Kernel,
        geometry: Geometry,
        chunk_len: usize,
    ) -> Result<Self, EvaluatorError> {
        let board_bytes = (chunk_len * geometry.stride()) as u64;
        let score_bytes = chunk_len as u64 * SCORE_BYTES;
        let slot = device.guarded(|device| {
            use BufferUsages as Use;
            let boards = buffer(device, "boards", board_bytes, Use::STORAGE | Use::COPY_DST);
            let count = buffer(device, "count", COUNT_BYTES, Use::UNIFORM | Use::COPY_DST);
            let score_usage = Use::STORAGE | Use::COPY_SRC | Use::COPY_DST;
            let scores = buffer(device, "scores", score_bytes, score_usage);
            let entry = |(binding, buffer)| wgpu::BindGroupEntry {
                binding,
                resource: wgpu::Buffer::as_entire_binding(buffer),
            };
            let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("chunk"),
                layout: &kernel.layout,
                entries: &[(0, &boards), (1, &scores), (2, &count)].map(entry),
            });
            let staging_usage = Use::MAP_WRITE | Use::COPY_SRC;
            let readback_usage = Use::MAP_READ | Use::COPY_DST;
            Self {
                staging: buffer(device, "staging", COUNT_BYTES + board_bytes, staging_usage),
                readback: buffer(device, "readback", MOMENT_BYTES + score_bytes, readback_usage),
                clock: kernel.tick.map(|_| Clock::new(device)),
                boards,
                count,
                scores,
                bindings,
                stageable: Watch::default(),
                readable: Watch::default(),
                range: 0..0,
                submission: None,
                submitted: Instant::now(),
                staging_time: Duration::ZERO,
            }
        })?;
        slot.stageable.set();
        Ok(slot)
    }

    /// Copies the boards of a chunk and starts its work.
    pub(super) fn submit(
        &mut self,
        device: &Device,
        kernel: &Kernel,
        range: Range<usize>,
        boards: &[u8],
    ) -> Result<(), EvaluatorError> {
        if let Some(submission) = &self.submission {
            device.wait(submission, &self.stageable)?;
        }
        let start = Instant::now();
        self.stage(range.len(), boards)?;
        self.staging_time = start.elapsed();

        let commands = self.record(device, kernel, range.len(), boards.len() as u64);
        self.range = range;
        self.submitted = Instant::now();
        self.submission = Some(device.queue().submit([commands]));
        self.readable.map(&self.readback, MapMode::Read, self.readback_bytes());
        self.stageable.map(&self.staging, MapMode::Write, self.staging.size());
        device.check()
    }

    fn stage(&self, count: usize, boards: &[u8]) -> Result<(), EvaluatorError> {
        let mut head = self.staging.slice(..COUNT_BYTES).get_mapped_range_mut().map_err(mapping)?;
        head.slice(..4).copy_from_slice(&(count as u32).to_le_bytes());
        drop(head);
        if !boards.is_empty() {
            let place = COUNT_BYTES..COUNT_BYTES + boards.len() as u64;
            let mut body = self.staging.slice(place).get_mapped_range_mut().map_err(mapping)?;
            body.copy_from_slice(boards);
        }
        self.staging.unmap();
        Ok(())
    }

    fn record(
        &self,
        device: &Device,
        kernel: &Kernel,
        count: usize,
        board_bytes: u64,
    ) -> wgpu::CommandBuffer {
        let score_bytes = count as u64 * SCORE_BYTES;
        let label = wgpu::CommandEncoderDescriptor { label: Some("chunk") };
        let mut encoder = device.handle().create_command_encoder(&label);
        self.clock.iter().for_each(|clock| clock.note(&mut encoder, 0));
        encoder.copy_buffer_to_buffer(&self.staging, 0, &self.count, 0, COUNT_BYTES);
        encoder.copy_buffer_to_buffer(&self.staging, COUNT_BYTES, &self.boards, 0, board_bytes);
        encoder.copy_buffer_to_buffer(&kernel.unwritten, 0, &self.scores, 0, score_bytes);
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("score"),
                timestamp_writes: self.clock.as_ref().map(|clock| clock.writes(1, Some(2))),
            });
            pass.set_pipeline(&kernel.pipeline);
            pass.set_bind_group(0, &self.bindings, &[]);
            let [x, y] = kernel.workgroups(count);
            pass.dispatch_workgroups(x, y, 1);
        }
        encoder.copy_buffer_to_buffer(&self.scores, 0, &self.readback, MOMENT_BYTES, score_bytes);
        self.clock.iter().for_each(|clock| clock.note(&mut encoder, 3));
        if let Some(clock) = &self.clock {
            clock.tell(&mut encoder, &self.readback);
        }
        encoder.finish()
    }

    fn readback_bytes(&self) -> u64 {
        MOMENT_BYTES + self.range.len() as u64 * SCORE_BYTES
    }

    /// Waits for the chunk and puts its scores into `scores`.
    pub(super) fn collect(
        &mut self,
        device: &Device,
        kernel: &Kernel,
        scores: &mut Vec<u16>,
    ) -> Result<(Range<usize>, PhaseTimes), EvaluatorError> {
        let submission = self.submission.as_ref().ok_or(EvaluatorError::Nothing)?;
        device.wait(submission, &self.readable)?;
        let arrived = Instant::now();
        let view = self.readback.slice(..self.readback_bytes()).get_mapped_range();
        let view = view.map_err(mapping)?;
        let (moments, words) = view.split_at(MOMENT_BYTES as usize);
        let word = |bytes: &[u8; 4]| {
            // A word that no score can be stays one that no score can be.
            u16::try_from(u32::from_le_bytes(*bytes)).unwrap_or(UNWRITTEN)
        };
        scores.clear();
        scores.extend(words.as_chunks().0.iter().map(word));
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
