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

use crate::gpu::{Device, RING_BYTES, copy_times, staging_times};
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

/// Bytes that may be uploaded at once.
pub(super) fn most_upload_bytes(device: &Device) -> u64 {
    device.adapter().limits.max_buffer_size.min(MOST)
}

/// Bytes a second that the device moves when it copies: what it reads and what it writes.
pub(super) fn copy_rate(device: &Device) -> Result<f64> {
    let bytes = COPY_BYTES.min(most_upload_bytes(device)) & !3;
    let best = copy_times(device, bytes, PASSES)?.into_iter().min().unwrap_or(Duration::MAX);
    Ok((2 * bytes) as f64 / best.as_secs_f64().max(1e-9))
}

/// The limit in bytes a second of uploads and of scoring: the slower of the two copies of an upload, each
/// measured by itself. A device that shares the memory of the host needs only the first copy for `scoring`.
pub(super) fn upload_limit(device: &Device, bytes: &[u8], scoring: bool) -> Result<f64> {
    let bytes = &bytes[..bytes.len().min(RING_BYTES as usize)];
    let [written, copied] = staging_times(device, bytes, PASSES)?;
    let copied = if scoring && device.shares_memory() { written } else { copied };
    Ok(bytes.len() as f64 / written.max(copied).as_secs_f64().max(1e-9))
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
