//! Asking for memory before it is needed.
//!
//! Boards are far apart, or more of them are read at once than a processor foresees; who knows
//! which come next can ask for them while others are worked on.

/// Bytes that memory is moved by.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

/// Asks for `bytes`, which are needed soon. Does nothing where there is no stable way to ask.
#[inline(always)]
pub(crate) fn prefetch(bytes: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    {
        for line in bytes.chunks(LINE) {
            ask(&line[0]);
        }
        // The last line, where the bytes do not begin with one.
        if let Some(last) = bytes.last() {
            ask(last);
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bytes;
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn ask(byte: &u8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: every x86-64 has the instruction, and it reads nothing that the program sees.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast()) };
}
