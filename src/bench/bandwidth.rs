//! The bandwidth of the memory and of an adapter: the limits that rates are compared with.
//!
//! No evaluator that looks at every byte is faster than the CPU reads memory. For that rate each thread sums
//! its part of the words into independent accumulators, so that additions do not wait for each other, and
//! prefetches words far ahead, farther than a processor does by itself; a pass takes as long as its slowest
//! thread, and the best of eight passes counts. A buffer that fits a cache is read at the cache's rate.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Barrier;
use std::time::{Duration, Instant};

use anyhow::Result;
use rayon::ThreadPool;

use super::plan::BenchTarget;
use crate::gpu::{Device, UploadPath, copy_times, upload_times};
use crate::statistics::{Sample, Samples, StoppingRule};
use crate::util::interrupt::Interrupt;
use crate::util::prefetch::sum;

/// Passes, of which the best counts.
const PASSES: usize = 8;

/// Bytes a second at which all threads of a pool read `words`; meaningless after an interrupt.
pub fn read_rate(threads: &ThreadPool, words: &[u64], interrupt: &Interrupt) -> f64 {
    let part = words.len().div_ceil(threads.current_num_threads()).max(1);
    let together = Barrier::new(threads.current_num_threads());
    let times: Vec<[Duration; PASSES]> = threads.broadcast(|thread| {
        let own = words.chunks(part).nth(thread.index()).unwrap_or_default();
        std::array::from_fn(|_| {
            together.wait();
            let start = Instant::now();
            if !interrupt.is_requested() {
                black_box(sum(black_box(own)));
            }
            start.elapsed()
        })
    });
    let slowest = |pass: usize| times.iter().map(|times| times[pass]).max().unwrap_or_default();
    let best = (0..PASSES).map(slowest).min().unwrap_or_default();
    size_of_val(words) as f64 / best.as_secs_f64().max(1e-9)
}

/// Uploads that are measured at a time, because each time buffers are made first.
const AT_A_TIME: usize = 5;
/// Bytes that a device copies: more than its caches hold.
const COPY_BYTES: u64 = 256 << 20;
/// The most bytes that are uploaded at once; beyond it rates do not change.
const MOST: u64 = 1 << 30;

/// Measures the bandwidth of an adapter's bus and memory.
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
        self.device.adapter().limits.max_buffer_size.min(MOST)
    }

    /// Bytes a second that the device moves when it copies: what it reads and what it writes.
    pub(super) fn copy_rate(&self) -> Result<f64> {
        let bytes = COPY_BYTES.min(self.upload_bytes()) & !3;
        Ok(best_rate(2 * bytes, copy_times(self.device, bytes, PASSES)?))
    }

    /// Bytes a second at which these are uploaded by the faster method, at best.
    pub(super) fn rate(&mut self, bytes: &[u8]) -> Result<f64> {
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

    /// Measures uploads by a method.
    pub(super) fn upload(
        &self,
        bytes: &[u8],
        by: BenchTarget,
        rule: StoppingRule,
        interrupt: &Interrupt,
    ) -> Result<Samples> {
        let path = if by == BenchTarget::Ring { UploadPath::Ring } else { UploadPath::WriteBuffer };
        // Each batch warms up by itself.
        let mut samples = Samples::new(StoppingRule { warm_up: 0, ..rule });
        let mut enough = false;
        while !enough && !interrupt.is_requested() {
            for time in upload_times(self.device, bytes, path, AT_A_TIME)? {
                enough |= samples.add(Sample::of(time));
            }
        }
        Ok(samples)
    }
}

fn best_rate(bytes: u64, times: Vec<Duration>) -> f64 {
    let best = times.into_iter().min().unwrap_or(Duration::MAX);
    bytes as f64 / best.as_secs_f64().max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read() {
        let words: Vec<u64> = (0..1_003).map(|word| word | 1 << 63).collect();
        let expected = words.iter().fold(0u64, |all, word| all.wrapping_add(*word));
        assert_eq!(sum(&words), expected);
    }

    #[test]
    fn more_threads_than_words_are_no_fault() {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        assert!(read_rate(&threads, &[1], &Interrupt::new()) > 0.0);
        assert_eq!(read_rate(&threads, &[], &Interrupt::new()), 0.0);
    }
}
