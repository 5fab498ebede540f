//! The effect size A12 of A. Vargha and H. D. Delaney, *A critique and improvement of the CL common
//! language effect size statistics of McGraw and Wong*, Journal of Educational and Behavioral
//! Statistics 25 (2000), 101-132: the share of all pairs that the first sample wins, a tie counting half.
//!
//! 0.5 is no difference, 1 means that the first always wins. The interval is the fifth method of
//! R. G. Newcombe, *Confidence intervals for an effect size measure based on the Mann-Whitney
//! statistic, part 2*, Statistics in Medicine 25 (2006), 559-573: the shares that a score test does
//! not reject. It has positive width at 0 and 1 too.

use std::cmp::Ordering;

use super::LEVEL;
use super::distributions::normal_quantile;

/// A share of pairs and its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct A12 {
    /// The share.
    pub share: f64,
    /// Lower end of its interval.
    pub low: f64,
    /// Upper end of its interval.
    pub high: f64,
}

/// The share of pairs in which the value of `first` is `Less`, which is better here; `None` if a sample is
/// empty.
pub fn a12<T>(first: &[T], second: &[T], order: impl Fn(&T, &T) -> Ordering) -> Option<A12> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let won = |ordering: Ordering| match ordering {
        Ordering::Less => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Greater => 0.0,
    };
    let pairs = first.iter().flat_map(|one| second.iter().map(move |other| (one, other)));
    let won: f64 = pairs.map(|(one, other)| won(order(one, other))).sum();
    let (m, n) = (first.len() as f64, second.len() as f64);
    let share = won / (m * n);
    let z = normal_quantile(1.0 - LEVEL / 2.0);
    let refused = |other: f64| (share - other).powi(2) > z * z * variance(other, m, n);
    Some(A12 { share, low: edge(share, 0.0, refused), high: edge(share, 1.0, refused) })
}

/// The variance of the share at `share`, by the model of two exponential distributions.
fn variance(share: f64, m: f64, n: f64) -> f64 {
    let other = 1.0 - share;
    let beyond = (m + n) / 2.0 - 1.0;
    share * other / (m * n) * (1.0 + beyond * (other / (2.0 - share) + share / (1.0 + share)))
}

/// The share between `inside` and `end` from which on shares are rejected.
fn edge(inside: f64, end: f64, refused: impl Fn(f64) -> bool) -> f64 {
    if inside == end {
        return end;
    }
    let (mut inside, mut outside) = (inside, end);
    for _ in 0..60 {
        let middle = (inside + outside) / 2.0;
        if refused(middle) {
            outside = middle;
        } else {
            inside = middle;
        }
    }
    outside
}
