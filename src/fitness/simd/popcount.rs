//! Counts the distinct values of every board of a tile.

// Index loops keep vectors out of closures and iterator adaptors.
#![allow(clippy::needless_range_loop)]

use fearless_simd::prelude::*;

use super::{GROUP, SimdShuffle};

/// Lanes of the widest vectors.
pub const MAX_LANES: usize = 64;

/// Number of distinct values of every board so far.
pub struct DistinctCounter<S: SimdShuffle> {
    simd: S,
    /// Whether a byte of `few` can hold the sum over all units of a board.
    ample: bool,
    /// Number of sets that can be added to `few` without overflow.
    capacity: usize,
    sets: usize,
    few: S::u8s,
    total: [u16; MAX_LANES],
}

impl<S: SimdShuffle> DistinctCounter<S> {
    #[inline(always)]
    pub fn new(simd: S, side: usize) -> Self {
        Self {
            simd,
            ample: 3 * side * side <= usize::from(u8::MAX),
            capacity: usize::from(u8::MAX) / side.min(GROUP),
            sets: 0,
            few: S::u8s::splat(simd, 0),
            total: [0; MAX_LANES],
        }
    }

    /// Adds the size of a set; when `single`, its second plane has only bit 0.
    #[inline(always)]
    pub fn add(&mut self, planes: &[S::u8s], single: bool) {
        for p in 0..planes.len() {
            let one = single && p == 1;
            self.few += if one { planes[p] } else { planes[p].count_ones() };
        }
        self.sets += 1;
        if !self.ample && self.sets == self.capacity {
            self.flush();
        }
    }

    #[inline(always)]
    fn flush(&mut self) {
        for (total, few) in self.total.iter_mut().zip(self.few.as_slice()) {
            *total += u16::from(*few);
        }
        self.few = S::u8s::splat(self.simd, 0);
        self.sets = 0;
    }

    /// Writes the `worst` fitness less the number of distinct values of each board.
    #[inline(always)]
    pub fn finish(mut self, worst: u16, scores: &mut [u16]) {
        self.flush();
        for (score, total) in scores.iter_mut().zip(self.total) {
            *score = worst - total;
        }
    }
}
