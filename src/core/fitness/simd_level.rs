//! Levels of vector instructions. The best level of the machine is used by default.
//!
//! ```
//! use evodoku::fitness::SimdLevel;
//!
//! assert!(SimdLevel::available().contains(&SimdLevel::best()));
//! assert_eq!("sse4.2".parse(), Ok(SimdLevel::Sse42));
//! ```

use fearless_simd::Level;
use thiserror::Error;

use super::{fitness, simd};
use crate::board::Geometry;
use crate::util::named_enum::named;

named! {
    /// How the CPU scores; every level gives the same scores.
    pub enum SimdLevel {
        /// The scalar reference, one board after the other.
        Scalar = "scalar",
        /// 16 boards at once: x86-64 with SSE4.2.
        Sse42 = "sse4.2",
        /// 32 boards at once: x86-64 with AVX2.
        Avx2 = "avx2",
        /// 64 boards at once: x86-64 with AVX-512 as of Ice Lake.
        Avx512 = "avx512",
        /// 16 boards at once: 64-bit ARM.
        Neon = "neon",
        /// 16 boards at once: WebAssembly.
        #[cfg(target_arch = "wasm32")] Simd128 = "simd128",
    }
}

/// The machine does not have a level of vector instructions.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("this machine does not support {0}: it supports {levels}", levels = available_names())]
pub struct UnsupportedSimd(pub SimdLevel);

fn available_names() -> String {
    SimdLevel::available().iter().map(|level| level.name()).collect::<Vec<_>>().join(", ")
}

impl SimdLevel {
    /// Returns the levels of this machine, the best last; `scalar` is always among them.
    pub fn available() -> Vec<Self> {
        Self::ALL.iter().copied().filter(|level| level.is_available()).collect()
    }

    /// Returns the best level of this machine.
    pub fn best() -> Self {
        Self::available().last().copied().unwrap_or(Self::Scalar)
    }

    /// Returns whether this machine has the level.
    pub fn is_available(self) -> bool {
        self == Self::Scalar || self.vectors().is_some()
    }

    /// Returns this level if the machine has it.
    ///
    /// # Errors
    /// [`UnsupportedSimd`] names the levels that the machine has.
    pub fn checked(self) -> Result<Self, UnsupportedSimd> {
        match self.is_available() {
            true => Ok(self),
            false => Err(UnsupportedSimd(self)),
        }
    }

    /// Scores the first `scores.len()` boards of `boards`, [`stride`](Geometry::stride) bytes each, on the
    /// calling thread: the baseline for the overhead of an evaluator. A level that the machine lacks
    /// scores as `scalar`. The boards after them are prefetched, for callers that score chunk after chunk.
    ///
    /// # Panics
    /// When `boards` holds fewer boards than `scores`.
    pub fn score(self, geometry: Geometry, boards: &[u8], scores: &mut [u16]) {
        self.score_rows(geometry, boards, geometry.stride(), scores);
    }

    /// As [`score`](Self::score), of boards that are `pitch` bytes apart; nothing need follow the last one.
    ///
    /// # Panics
    /// When `boards` holds fewer boards than `scores`, or `pitch` is below `n * n`.
    pub fn score_rows(self, geometry: Geometry, boards: &[u8], pitch: usize, scores: &mut [u16]) {
        assert!(pitch >= geometry.cells(), "boards that are {pitch} bytes apart overlap");
        assert!(
            scores.is_empty() || boards.len() >= (scores.len() - 1) * pitch + geometry.cells(),
            "`boards` holds fewer boards than `scores` has room for"
        );
        match self.vectors() {
            #[cfg(target_arch = "x86_64")]
            Some(Level::Sse4_2(simd)) => simd::score(simd, geometry, boards, pitch, scores),
            #[cfg(target_arch = "x86_64")]
            Some(Level::Avx2(simd)) => simd::score(simd, geometry, boards, pitch, scores),
            #[cfg(target_arch = "x86_64")]
            Some(Level::Avx512(simd)) => simd::score(simd, geometry, boards, pitch, scores),
            #[cfg(target_arch = "aarch64")]
            Some(Level::Neon(simd)) => simd::score(simd, geometry, boards, pitch, scores),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Some(Level::WasmSimd128(simd)) => simd::score(simd, geometry, boards, pitch, scores),
            _ => {
                let boards = boards.chunks(pitch);
                for (score, board) in scores.iter_mut().zip(boards) {
                    *score = fitness(geometry, board);
                }
            }
        }
    }

    /// The proof that this machine has the level's instructions.
    fn vectors(self) -> Option<Level> {
        let best = Level::new();
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Sse42 => best.as_sse4_2().map(Level::Sse4_2),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => best.as_avx2().map(Level::Avx2),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => best.as_avx512().map(Level::Avx512),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => best.as_neon().map(Level::Neon),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => best.as_wasm_simd128().map(Level::WasmSimd128),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalar_is_always_there_and_the_best_is_last() {
        let available = SimdLevel::available();
        assert_eq!(available.first(), Some(&SimdLevel::Scalar));
        assert_eq!(available.last(), Some(&SimdLevel::best()));
    }

    #[test]
    fn a_level_is_available_where_the_processor_has_its_instructions() {
        #[cfg(target_arch = "x86_64")]
        let has = [
            (SimdLevel::Sse42, is_x86_feature_detected!("sse4.2")),
            (SimdLevel::Avx2, is_x86_feature_detected!("avx2")),
        ];
        #[cfg(target_arch = "aarch64")]
        let has = [(SimdLevel::Neon, true)];
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let has: [(SimdLevel, bool); 0] = [];
        for (level, has) in has {
            assert_eq!((level.is_available(), level.vectors().is_some()), (has, has), "{level}");
        }
        assert!(SimdLevel::Scalar.is_available() && SimdLevel::Scalar.vectors().is_none());
    }

    #[test]
    fn no_machine_has_the_levels_of_two_architectures() {
        let missing: Vec<SimdLevel> =
            SimdLevel::ALL.iter().copied().filter(|level| !level.is_available()).collect();
        let foreign = if cfg!(target_arch = "aarch64") { SimdLevel::Avx2 } else { SimdLevel::Neon };
        assert!(missing.contains(&foreign));
        for level in missing {
            let message = level.checked().unwrap_err().to_string();
            assert!(message.starts_with(&format!(
                "this machine does not support {level}: it supports scalar"
            )));
        }
    }
}
