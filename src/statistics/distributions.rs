//! Tails and quantiles of the distributions that the tests use.

use std::f64::consts::{PI, SQRT_2};

use statrs::function::beta::beta_reg;
use statrs::function::erf::{erfc, erfc_inv};
use statrs::function::gamma::gamma_ur;

/// The normal density is 0 beyond this in double precision.
const FAR: f64 = 9.0;
/// Steps per unit of an integral over the normal density. The trapezoidal rule is
/// exact to rounding there, because all derivatives vanish at both ends.
const STEPS: u32 = 32;

/// Probability that a normal variable is below `x`.
pub fn normal(x: f64) -> f64 {
    erfc(-x / SQRT_2) / 2.0
}

/// The value below which a normal variable lies with probability `p`.
pub fn normal_quantile(p: f64) -> f64 {
    -SQRT_2 * erfc_inv(2.0 * p)
}

/// Probability that a normal variable is at least as far from 0 as `z`.
pub(super) fn normal_tails(z: f64) -> f64 {
    erfc(z.abs() / SQRT_2)
}

/// Probability that a chi-squared variable with `degrees` degrees of freedom is above `x`.
pub(super) fn chi_squared_tail(x: f64, degrees: f64) -> f64 {
    if x > 0.0 && x.is_finite() { gamma_ur(degrees / 2.0, x / 2.0) } else { f64::from(x <= 0.0) }
}

/// Probability that Student's t with `degrees` degrees of freedom is at least as far from 0 as `t`.
pub(super) fn t_tails(t: f64, degrees: f64) -> f64 {
    if t == 0.0 {
        return 1.0;
    }
    let share = degrees / (degrees + t * t);
    if share > 0.0 { beta_reg(degrees / 2.0, 0.5, share) } else { 0.0 }
}

/// Probability that the range of `k` normal variables of known variance is at most `range`.
///
/// `k ∫ φ(z) (Φ(z) − Φ(z − range))^(k−1) dz`, z being the largest of them.
pub(super) fn range_of_normals(range: f64, k: usize) -> f64 {
    let step = 1.0 / f64::from(STEPS);
    let most = (2.0 * FAR) as u32 * STEPS;
    let at = |place: u32| {
        let z = -FAR + f64::from(place) * step;
        let density = (-z * z / 2.0).exp() / (2.0 * PI).sqrt();
        density * (normal(z) - normal(z - range)).powi(k as i32 - 1)
    };
    (k as f64 * step * (0..=most).map(at).sum::<f64>()).clamp(0.0, 1.0)
}

/// The value that the range of `k` normal variables does not exceed with probability `p`.
pub(super) fn range_quantile(p: f64, k: usize) -> f64 {
    bisect(0.0, 4.0 * FAR, |range| range_of_normals(range, k) >= p)
}

/// The value between `inside` and `outside` from which on `is_beyond` holds.
pub(super) fn bisect(mut inside: f64, mut outside: f64, is_beyond: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..60 {
        let middle = (inside + outside) / 2.0;
        if is_beyond(middle) {
            outside = middle;
        } else {
            inside = middle;
        }
    }
    outside
}
