//! Shuffles within the blocks of 16 bytes that wide vectors are made of.
//!
//! The portable vectors interleave across blocks, which costs wide vectors one more instruction each time. A
//! transposition does not need that: a board may be in any lane, as long as it stays there.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, u8x16};

/// Bytes of a block.
pub const BLOCK: usize = 16;

/// A level whose shuffles work within blocks.
pub trait SimdShuffle: Simd {
    /// Number added to a lookup's index, saturating, with which indices below 16 still find their
    /// entry and all others find 0.
    const BEYOND: u8;

    /// Loads a vector whose block `k` is the 16 bytes from `k * apart` on.
    fn gather(self, bytes: &[u8], apart: usize) -> Self::u8s;

    /// Interleaves the bytes of `a` and `b` within each block: those of the low halves in the first
    /// vector, those of the high halves in the second.
    fn interleave(self, a: Self::u8s, b: Self::u8s) -> (Self::u8s, Self::u8s);
}

#[inline(always)]
fn block<S: Simd>(simd: S, bytes: &[u8], from: usize) -> u8x16<S> {
    u8x16::from_slice(simd, &bytes[from..][..BLOCK])
}

/// Vectors of one block.
macro_rules! one_block {
    ($level:ty, $beyond:literal) => {
        impl SimdShuffle for $level {
            const BEYOND: u8 = $beyond;

            #[inline(always)]
            fn gather(self, bytes: &[u8], _: usize) -> Self::u8s {
                block(self, bytes, 0)
            }

            #[inline(always)]
            fn interleave(self, a: Self::u8s, b: Self::u8s) -> (Self::u8s, Self::u8s) {
                (a.zip_low(b), a.zip_high(b))
            }
        }
    };
}

// `tbl` finds 0 wherever the index is 16 or more.
#[cfg(target_arch = "aarch64")]
one_block!(fearless_simd::Neon, 0);

// `swizzle` too.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
one_block!(fearless_simd::WasmSimd128, 0);

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m256i, __m512i, _mm256_unpackhi_epi8, _mm256_unpacklo_epi8, _mm512_unpackhi_epi8,
        _mm512_unpacklo_epi8,
    };

    use fearless_simd::{Avx2, Avx512, Sse4_2, kernel};

    use super::*;

    // `pshufb` finds 0 where the top bit of the index is set, and looks at its low 4 bits elsewhere.
    one_block!(Sse4_2, 112);

    impl SimdShuffle for Avx2 {
        const BEYOND: u8 = 112;

        #[inline(always)]
        fn gather(self, bytes: &[u8], apart: usize) -> Self::u8s {
            block(self, bytes, 0).combine(block(self, bytes, apart))
        }

        #[inline(always)]
        fn interleave(self, a: Self::u8s, b: Self::u8s) -> (Self::u8s, Self::u8s) {
            kernel!(
                #[inline(always)]
                fn halves(_level: Avx2, a: __m256i, b: __m256i) -> (__m256i, __m256i) {
                    (_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b))
                }
            );
            let (low, high) = halves(self, a.into(), b.into());
            (low.simd_into(self), high.simd_into(self))
        }
    }

    impl SimdShuffle for Avx512 {
        const BEYOND: u8 = 112;

        #[inline(always)]
        fn gather(self, bytes: &[u8], apart: usize) -> Self::u8s {
            let low = block(self, bytes, 0).combine(block(self, bytes, apart));
            let high = block(self, bytes, 2 * apart).combine(block(self, bytes, 3 * apart));
            low.combine(high)
        }

        #[inline(always)]
        fn interleave(self, a: Self::u8s, b: Self::u8s) -> (Self::u8s, Self::u8s) {
            kernel!(
                #[inline(always)]
                fn halves(_level: Avx512, a: __m512i, b: __m512i) -> (__m512i, __m512i) {
                    (_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b))
                }
            );
            let (low, high) = halves(self, a.into(), b.into());
            (low.simd_into(self), high.simd_into(self))
        }
    }
}
