//! Timing of the kernel alone, over boards that are already on the device.

use std::time::{Duration, Instant};

use wgpu::{BufferUsages, MapMode};

use super::buffers::{ChunkBuffers, count_bytes};
use super::kernel::{ScorePipeline, decode, score_bytes};
use super::timestamps::{DeviceClock, MOMENT_BYTES, phases};
use super::{GpuEvaluator, largest_binding};
use crate::fitness::{Evaluator, EvaluatorError, UNWRITTEN};
use crate::gpu::{CompletionFlag, Device, UploadRing, buffer, mapping};

/// Most bytes of boards in a dispatch: a slow device takes about a tenth of a second for it, and on a fast one
/// it is long enough that start and end hardly count.
const DISPATCH_BYTES: u64 = 1 << 30;
/// The same on a software driver, which is slower than any device.
const SOFTWARE_DISPATCH_BYTES: u64 = 64 << 20;
/// Time that a device is kept busy before it is timed, because idle devices run slowly.
const WARM: Duration = Duration::from_millis(300);

/// The boards of one dispatch, and its clock.
struct KernelBench {
    bound: ChunkBuffers,
    boards: usize,
    clock: Option<DeviceClock>,
    readback: wgpu::Buffer,
    readable: CompletionFlag,
}

impl GpuEvaluator {
    /// Uploads `boards`, scores all of them `passes` times with nothing else running, and returns the time of
    /// the kernel in each pass. The fitness of each board is written to `scores`. Warm-up passes before
    /// these are not counted.
    ///
    /// Times are the device's own where it has timestamps; otherwise they are measured by the host and
    /// include the cost of a submission.
    ///
    /// # Errors
    /// A fault of the device, for example too little memory for all boards at once.
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
        let start = Instant::now();
        let _: Duration = pass()?;
        while start.elapsed() < warm {
            let _: Duration = pass()?;
        }
        let times = (0..passes).map(|_| pass()).collect::<Result<_, _>>()?;
        let mut part_scores = Vec::new();
        for (part, scores) in parts.iter().zip(scores.chunks_mut(most)) {
            part.read(device, &mut part_scores)?;
            scores.copy_from_slice(&part_scores);
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
        clock.inspect(|clock| clock.write(&mut encoder, 0));
        self.bound.dispatch(&mut encoder, kernel, clock, self.boards);
        clock.inspect(|clock| clock.write(&mut encoder, 3));
        clock.inspect(|clock| clock.resolve(&mut encoder, &self.readback));
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
