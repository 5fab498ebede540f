//! The bandwidth of the memory and of an adapter: the limits that rates are compared with.
//!
//! No evaluator that looks at every byte is faster than the CPU reads memory. For that rate each thread sums
//! its part of the words into independent accumulators, so that additions do not wait for each other, and
//! prefetches words far ahead, farther than a processor does by itself; a pass takes as long as its slowest
//! thread, and the best of eight passes counts. A buffer that fits a cache is read at the cache's rate.

use std::hint::black_box;
use std::sync::Barrier;
use std::time::{Duration, Instant};

use anyhow::Result;
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::gpu::{Device, PIECE_BYTES, RING_BYTES, copy_times, upload};
use crate::statistics::{Sample, Samples, StoppingRule, measure};
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

/// Bytes that a device copies: more than its caches hold.
const COPY_BYTES: u64 = 256 << 20;
/// The most bytes that are uploaded at once; beyond it rates do not change.
const MOST: u64 = 1 << 30;

/// Measures the bandwidth of an adapter's bus and memory.
pub(super) struct BandwidthProbe<'a> {
    device: &'a Device,
    /// Bytes a second that the bus transfers.
    bus: f64,
}

impl<'a> BandwidthProbe<'a> {
    pub(super) fn new(device: &'a Device) -> Result<Self> {
        let times = copy_times(device, RING_BYTES, true, PASSES)?;
        Ok(Self { device, bus: best_rate(RING_BYTES, times) })
    }

    /// Bytes that may be uploaded at once.
    pub(super) fn upload_bytes(&self) -> u64 {
        self.device.adapter().limits.max_buffer_size.min(MOST)
    }

    /// Bytes a second that the device moves when it copies: what it reads and what it writes.
    pub(super) fn copy_rate(&self) -> Result<f64> {
        let bytes = COPY_BYTES.min(self.upload_bytes()) & !3;
        Ok(best_rate(2 * bytes, copy_times(self.device, bytes, false, PASSES)?))
    }

    /// Bytes a second at which these can be uploaded: as the threads copy them within the memory of the host, or as
    /// the bus transfers them, whichever is less.
    pub(super) fn rate(&self, bytes: &[u8]) -> f64 {
        self.bus.min(copy_rate(bytes))
    }

    /// Measures uploads.
    pub(super) fn upload(
        &self,
        bytes: &[u8],
        rule: StoppingRule,
        interrupt: &Interrupt,
    ) -> Result<Samples> {
        let mut once = upload(self.device, bytes)?;
        measure(rule, interrupt, || Ok(Some(Sample::of(once()?))))
    }
}

/// Bytes a second that all threads of the pool copy into a buffer of an upload, which they write again and again.
fn copy_rate(bytes: &[u8]) -> f64 {
    let mut copy = vec![0; bytes.len().min(RING_BYTES as usize)];
    let mut pass = || {
        let start = Instant::now();
        for part in bytes.chunks(RING_BYTES as usize) {
            let pieces = copy.par_chunks_mut(PIECE_BYTES).zip(part.par_chunks(PIECE_BYTES));
            pieces.for_each(|(to, from)| to[..from.len()].copy_from_slice(from));
            black_box(&mut copy);
        }
        start.elapsed()
    };
    best_rate(bytes.len() as u64, (0..PASSES).map(|_| pass()).collect())
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
