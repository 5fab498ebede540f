//! Timing of the kernel alone, over boards that are already on the device.

use std::time::{Duration, Instant};

use super::GpuEvaluator;
use super::chunk::{ChunkBuffers, count_bytes, score_bytes};
use crate::fitness::{Evaluator, EvaluatorError, UNWRITTEN};
use crate::gpu::UploadRing;

/// Most bytes of boards in a dispatch: a slow device takes about a tenth of a second for it, and on a fast one
/// it is long enough that start and end hardly count.
const DISPATCH_BYTES: u64 = 1 << 30;
/// The same on a software driver, which is slower than any device.
const SOFTWARE_DISPATCH_BYTES: u64 = 64 << 20;
/// Time that a device is kept busy before it is timed, because idle devices run slowly.
const WARM: Duration = Duration::from_millis(300);

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
        let most = (adapter.largest_binding().min(most) as usize / stride).max(1);
        let mut ring = UploadRing::new(device)?;
        let mut parts = Vec::new();
        for boards in boards.chunks(most * stride) {
            let count = boards.len() / stride;
            let part = ChunkBuffers::new(device, kernel, self.geometry(), count)?;
            ring.upload(boards, &part.boards, 0)?;
            ring.upload(&count_bytes(count), &part.count, 0)?;
            ring.upload(&vec![u8::MAX; score_bytes(count) as usize], &part.scores, 0)?;
            parts.push((part, count));
        }
        let mut pass = || -> Result<Duration, EvaluatorError> {
            parts.iter_mut().map(|(part, count)| part.run(device, kernel, *count, None)).sum()
        };
        let start = Instant::now();
        pass()?;
        while start.elapsed() < warm {
            pass()?;
        }
        let times = (0..passes).map(|_| pass()).collect::<Result<_, _>>()?;
        let mut part_scores = Vec::new();
        for ((part, count), scores) in parts.iter_mut().zip(scores.chunks_mut(most)) {
            part.run(device, kernel, *count, Some(&mut part_scores))?;
            scores.copy_from_slice(&part_scores);
        }
        match scores.iter().position(|score| *score == UNWRITTEN) {
            Some(slot) => Err(EvaluatorError::Unwritten { slot }),
            None => Ok(times),
        }
    }
}
