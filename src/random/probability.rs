//! Probabilities as 31-bit whole numbers, so that every device decides the same.

/// A probability `p`, stored as `round(p * 2^31)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probability(u32);

impl Probability {
    /// Probability 1.
    pub const ALWAYS: Self = Self(1 << 31);

    /// The nearest probability to `p`, which is clamped to 0..=1.
    pub fn new(p: f64) -> Self {
        Self((p.clamp(0.0, 1.0) * f64::from(1u32 << 31)).round() as u32)
    }

    /// The probability in units of 2^-31.
    pub fn bits(self) -> u32 {
        self.0
    }

    /// Whether an event happens, given a random `word`: `(word >> 1) < round(p * 2^31)`.
    #[inline]
    pub fn holds(self, word: u32) -> bool {
        (word >> 1) < self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_half_and_always() {
        for word in [0, 1, 1 << 31, u32::MAX] {
            assert!(!Probability::new(0.0).holds(word));
            assert!(Probability::new(1.0).holds(word));
            assert_eq!(Probability::new(0.5).holds(word), word < 1 << 31);
        }
    }
}
