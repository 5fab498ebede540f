//! The rate at which the CPU reads memory: no evaluator that looks at every byte is faster.
//!
//! Each thread sums its part of the words into independent accumulators, so that additions do not
//! wait for each other, and asks for words far ahead, which a processor does not do by itself as far
//! as it could; a pass takes as long as its slowest thread, and the best of eight passes
//! counts. A buffer that fits a cache is read at the cache's rate.

use std::hint::black_box;
use std::sync::Barrier;
use std::time::{Duration, Instant};

use rayon::ThreadPool;

use crate::util::interrupt::Interrupt;
use crate::util::prefetch::{LINE, Prefetcher};

/// Passes, of which the best counts.
const PASSES: usize = 8;
/// Sums that do not wait for each other.
const ACCUMULATORS: usize = 16;
/// Bytes between words that are summed and those that are asked for.
const AHEAD: usize = 128 << 10;

/// Bytes a second at which the threads of a pool together read `words`; of no use once the user wants
/// to stop.
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

fn sum(words: &[u64]) -> u64 {
    let mut sums = [0u64; ACCUMULATORS];
    let mut ahead = Prefetcher::new(bytemuck::cast_slice(words).get(AHEAD..).unwrap_or_default());
    let (rows, rest) = words.as_chunks::<ACCUMULATORS>();
    for row in rows {
        ahead.ask(size_of_val(row) / LINE);
        for (sum, word) in sums.iter_mut().zip(row) {
            *sum = sum.wrapping_add(*word);
        }
    }
    sums.iter().chain(rest).fold(0, |all, word| all.wrapping_add(*word))
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
