//! The kernel alone, over boards that are on the device already.

use std::time::{Duration, Instant};

use wgpu::{BufferUsages, MapMode};

use super::buffers::{ChunkBuffers, count_bytes};
use super::kernel::{ScorePipeline, decode, score_bytes};
use super::timestamps::{DeviceClock, MOMENT_BYTES, phases};
use super::{GpuEvaluator, largest_binding};
use crate::fitness::{Evaluator, EvaluatorError, UNWRITTEN};
use crate::gpu::{CompletionFlag, Device, UploadRing, buffer, mapping};

/// Bytes of boards of a dispatch at most: on a slow device it takes some tenth of a second, on a fast one so
/// long that its beginning and its end hardly count.
const DISPATCH_BYTES: u64 = 1 << 30;
/// On a driver that is slower than any device.
const SOFTWARE_DISPATCH_BYTES: u64 = 64 << 20;
/// A device is kept busy for so long before it is timed: idle ones run slowly.
const WARM: Duration = Duration::from_millis(300);

/// Boards of one dispatch, with what tells its time.
struct KernelBench {
    bound: ChunkBuffers,
    boards: usize,
    clock: Option<DeviceClock>,
    readback: wgpu::Buffer,
    readable: CompletionFlag,
}

impl GpuEvaluator {
    /// Uploads `boards` and scores all of them `passes` times, with nothing else under way. Tells
    /// how long the kernel took each time, and puts the scores into `scores`. Passes that are not
    /// counted go before.
    ///
    /// Times are the device's own where it has timestamps; elsewhere those of the host, what a
    /// submission costs included.
    ///
    /// # Errors
    /// What the device says, as of lack of memory for all boards at once.
    pub fn kernel_times(
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
        let bytes = largest_binding(adapter).min(most) as usize;
        let most = (bytes / stride).max(1);
        let mut ring = UploadRing::new(device)?;
        let mut parts = Vec::new();
        for boards in boards.chunks(most * stride) {
            let count = boards.len() / stride;
            let bound = ChunkBuffers::new(device, kernel, self.geometry(), count)?;
            ring.upload(boards, &bound.boards, 0)?;
            ring.upload(&count_bytes(count), &bound.count, 0)?;
            ring.upload(&vec![u8::MAX; score_bytes(count) as usize], &bound.scores, 0)?;
            parts.push(KernelBench::new(device, kernel, bound, count)?);
        }
        let pass = || parts.iter().map(|part| part.time(device, kernel)).sum::<Result<_, _>>();
        let begun = Instant::now();
        let _: Duration = pass()?;
        while begun.elapsed() < warm {
            let _: Duration = pass()?;
        }
        let times = (0..passes).map(|_| pass()).collect::<Result<_, _>>()?;
        let mut told = Vec::new();
        for (part, scores) in parts.iter().zip(scores.chunks_mut(most)) {
            part.read(device, &mut told)?;
            scores.copy_from_slice(&told);
        }
        match scores.iter().position(|score| *score == UNWRITTEN) {
            Some(slot) => Err(EvaluatorError::Unwritten { slot }),
            None => Ok(times),
        }
    }
}

impl KernelBench {
    fn new(
        device: &Device,
        kernel: &ScorePipeline,
        bound: ChunkBuffers,
        boards: usize,
    ) -> Result<Self, EvaluatorError> {
        let part = device.guarded(|device| {
            let bytes = MOMENT_BYTES + score_bytes(boards);
            let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
            let readback = buffer(device, "resident readback", bytes, usage);
            let clock = kernel.tick.map(|_| DeviceClock::new(device));
            Self { bound, boards, clock, readback, readable: CompletionFlag::default() }
        })?;
        Ok(part)
    }

    /// Runs the kernel once.
    fn time(&self, device: &Device, kernel: &ScorePipeline) -> Result<Duration, EvaluatorError> {
        let mut encoder = device.handle().create_command_encoder(&Default::default());
        let clock = self.clock.as_ref();
        clock.inspect(|clock| clock.note(&mut encoder, 0));
        self.bound.dispatch(&mut encoder, kernel, clock, self.boards);
        clock.inspect(|clock| clock.note(&mut encoder, 3));
        clock.inspect(|clock| clock.tell(&mut encoder, &self.readback));
        let start = Instant::now();
        let submission = device.queue().submit([encoder.finish()]);
        self.readable.map(&self.readback, MapMode::Read, MOMENT_BYTES);
        device.wait(&submission, &self.readable)?;
        let most = start.elapsed();
        let view = self.readback.slice(..MOMENT_BYTES).get_mapped_range().map_err(mapping)?;
        let told = kernel.tick.map(|tick| phases(&view, tick, most)[1]);
        drop(view);
        self.readback.unmap();
        Ok(told.unwrap_or(most))
    }

    fn read(&self, device: &Device, scores: &mut Vec<u16>) -> Result<(), EvaluatorError> {
        let mut encoder = device.handle().create_command_encoder(&Default::default());
        let bytes = score_bytes(self.boards);
        encoder.copy_buffer_to_buffer(&self.bound.scores, 0, &self.readback, MOMENT_BYTES, bytes);
        let submission = device.queue().submit([encoder.finish()]);
        self.readable.map(&self.readback, MapMode::Read, self.readback.size());
        device.wait(&submission, &self.readable)?;
        let view = self.readback.slice(MOMENT_BYTES..).get_mapped_range().map_err(mapping)?;
        decode(&view, self.boards, scores);
        drop(view);
        self.readback.unmap();
        Ok(())
    }
}
