//! What an adapter's memory and its bus can do at most.

use std::collections::HashMap;
use std::time::Duration;

use super::{BenchError, BenchTarget, Sample, Samples, StoppingRule};
use crate::gpu::{Device, UploadPath, copy_times, upload_times};
use crate::util::interrupt::Interrupt;

/// Passes, of which the best is a limit.
const PASSES: usize = 8;
/// Uploads that are measured at a time, since each time buffers are made first.
const AT_A_TIME: usize = 5;
/// Bytes that a device copies to show its rate: more than its caches hold.
const COPY_BYTES: u64 = 256 << 20;
/// The most that is uploaded at once; beyond it rates do not change.
const MOST: u64 = 1 << 30;

/// An adapter's bus and memory.
pub(super) struct BandwidthProbe<'a> {
    device: &'a Device,
    /// Rates of uploading, by bytes.
    rates: HashMap<usize, f64>,
}

impl<'a> BandwidthProbe<'a> {
    pub(super) fn new(device: &'a Device) -> Self {
        Self { device, rates: HashMap::new() }
    }

    /// Bytes that may be uploaded at once.
    pub(super) fn upload_bytes(&self) -> u64 {
        self.device.adapter().limits.buffer_bytes.min(MOST)
    }

    /// Bytes a second that the device moves when it copies: what it reads and what it writes.
    pub(super) fn copy_rate(&mut self) -> Result<f64, BenchError> {
        let bytes = COPY_BYTES.min(self.upload_bytes()) & !3;
        Ok(best_rate(2 * bytes, copy_times(self.device, bytes, PASSES)?))
    }

    /// Bytes a second at which these come to the device by the faster way, at best.
    pub(super) fn rate(&mut self, bytes: &[u8]) -> Result<f64, BenchError> {
        let most = usize::try_from(self.upload_bytes()).unwrap_or(usize::MAX) & !3;
        let bytes = &bytes[..bytes.len().min(most)];
        if let Some(rate) = self.rates.get(&bytes.len()) {
            return Ok(*rate);
        }
        let mut times = Vec::new();
        for path in UploadPath::ALL {
            times.extend(upload_times(self.device, bytes, *path, PASSES)?);
        }
        let rate = best_rate(bytes.len() as u64, times);
        self.rates.insert(bytes.len(), rate);
        Ok(rate)
    }

    /// Uploads again and again; should one be faster than the rate so far, that is the rate.
    pub(super) fn upload(
        &mut self,
        bytes: &[u8],
        by: BenchTarget,
        patience: StoppingRule,
        interrupt: &Interrupt,
    ) -> Result<Samples, BenchError> {
        let path = if by == BenchTarget::Ring { UploadPath::Ring } else { UploadPath::WriteBuffer };
        // Each batch warms up by itself.
        let mut samples = Samples::new(StoppingRule { warm_up: 0, ..patience });
        let mut enough = false;
        while !enough && !interrupt.is_requested() {
            for time in upload_times(self.device, bytes, path, AT_A_TIME)? {
                enough |= samples.note(Sample::of(time));
            }
        }
        let known = self.rates.entry(bytes.len()).or_default();
        if let Some(seconds) = samples.seconds() {
            *known = known.max(bytes.len() as f64 / seconds.best.max(1e-9));
        }
        Ok(samples)
    }
}

fn best_rate(bytes: u64, times: Vec<Duration>) -> f64 {
    let best = times.into_iter().min().unwrap_or(Duration::MAX);
    bytes as f64 / best.as_secs_f64().max(1e-9)
}
