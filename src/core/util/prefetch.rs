//! Prefetching: memory is requested before it is read.
//!
//! Boards lie too far apart, or too many are read at once, for the hardware prefetcher. Code that knows
//! which board comes next requests it while it works on others.

/// Bytes of a cache line.
pub const LINE: usize = 64;

/// Prefetches `bytes`, which are read next. Does nothing where there is no stable instruction for it.
#[inline(always)]
pub fn prefetch(bytes: &[u8]) {
    for first in bytes.iter().step_by(LINE) {
        ask::<true>(first);
    }
    // The last cache line, where the bytes do not begin at the start of one.
    if let Some(last) = bytes.last() {
        ask::<true>(last);
    }
}

/// Bytes that are read in order and prefetched step by step.
///
/// They are prefetched into the second-level cache. The first level is too small for data that is not needed
/// yet, and a request there that waits for memory delays all others that the second level could serve.
#[derive(Clone, Copy, Debug)]
pub struct Prefetcher<'a> {
    left: &'a [u8],
}

impl<'a> Prefetcher<'a> {
    /// Nothing of `bytes` is prefetched yet.
    #[inline(always)]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { left: bytes }
    }

    /// Prefetches the next `lines` cache lines, or the rest if fewer are left.
    #[inline(always)]
    pub fn ask(&mut self, lines: usize) {
        let (next, left) =
            self.left.split_at_checked(lines * LINE).unwrap_or((self.left, Default::default()));
        for line in next.chunks(LINE) {
            ask::<false>(&line[0]);
        }
        self.left = left;
    }
}

/// Sums that do not wait for each other.
const ACCUMULATORS: usize = 16;
/// Bytes between words that are summed and words that are prefetched.
const AHEAD: usize = 128 << 10;

/// The sum of all words, at the rate at which a core reads memory.
pub fn sum(words: &[u64]) -> u64 {
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

/// Prefetches the cache line of a byte into the first-level cache or the second.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "there is no other way to prefetch")]
#[inline(always)]
fn ask<const FIRST: bool>(byte: &u8) {
    use std::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};
    let line = std::ptr::from_ref(byte).cast();
    // SAFETY: every x86-64 has the instruction, and it has no effect that the program can observe.
    unsafe {
        match FIRST {
            true => _mm_prefetch::<_MM_HINT_T0>(line),
            false => _mm_prefetch::<_MM_HINT_T1>(line),
        }
    };
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn ask<const FIRST: bool>(_: &u8) {}
