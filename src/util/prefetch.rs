//! Asking for memory before it is needed.
//!
//! Boards are far apart, or more of them are read at once than a processor foresees; who knows
//! which come next can ask for them while others are worked on.

/// Bytes that memory is moved by.
pub(crate) const LINE: usize = 64;

/// Asks for `bytes`, which are needed next. Does nothing where there is no stable way to ask.
#[inline(always)]
pub(crate) fn prefetch(bytes: &[u8]) {
    for first in bytes.iter().step_by(LINE) {
        ask::<true>(first);
    }
    // The last line, where the bytes do not begin with one.
    if let Some(last) = bytes.last() {
        ask::<true>(last);
    }
}

/// Bytes that are read in their order, and asked for little by little on the way there.
///
/// They come to the second level of the cache. The first has no room for what is not needed yet,
/// and what waits for memory there keeps all else waiting that comes from the second level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prefetcher<'a> {
    left: &'a [u8],
}

impl<'a> Prefetcher<'a> {
    /// Nothing of `bytes` has been asked for.
    #[inline(always)]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { left: bytes }
    }

    /// Asks for the next so many lines, or for what is left.
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

/// Asks for the line of a byte, for the first level of the cache or for the second.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "there is no other way to prefetch")]
#[inline(always)]
fn ask<const FIRST: bool>(byte: &u8) {
    use std::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};
    let line = std::ptr::from_ref(byte).cast();
    // SAFETY: every x86-64 has the instruction, and it reads nothing that the program sees.
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
