//! The Wilson interval of a share: E. B. Wilson, *Probable inference, the law of succession, and
//! statistical inference*, Journal of the American Statistical Association 22 (1927), 209-212.
//!
//! The shares that a score test would not reject at 95 %. It stays within 0 and 1, and is of use
//! at 0 of n and n of n, where the textbook's interval has no width: 10 of 10 is 72 % to 100 %.

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// The 95 % interval of the share of which `successes` of `trials` is a sample, or nothing
/// without trials.
pub fn wilson(successes: u64, trials: u64) -> Option<(f64, f64)> {
    if trials == 0 {
        return None;
    }
    let n = trials as f64;
    let share = successes as f64 / n;
    let centre = share + Z * Z / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    // At the ends the interval touches 0 or 1 exactly, which rounding may miss.
    let low = if successes == 0 { 0.0 } else { (centre - half) / scale };
    let high = if successes == trials { 1.0 } else { (centre + half) / scale };
    Some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        assert_eq!(wilson(0, 0), None);
        // 81 of 263: R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        for (successes, trials, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
            (10, 10, 0.7225, 1.0),
        ] {
            let (a, b) = wilson(successes, trials).unwrap();
            assert!((a - low).abs() < 5e-5 && (b - high).abs() < 5e-5, "{successes}: {a} {b}");
        }
    }

    #[test]
    fn ends_are_exact() {
        assert_eq!(wilson(0, 7).unwrap().0, 0.0);
        assert_eq!(wilson(7, 7).unwrap().1, 1.0);
    }
}
