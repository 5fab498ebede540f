//! The correction of S. Holm, *A simple sequentially rejective multiple test procedure*,
//! Scandinavian Journal of Statistics 6 (1979), 65-70.
//!
//! The least of m p-values is multiplied by m, the next by m − 1, and none becomes smaller than one
//! before it: 0.01, 0.04 and 0.03 become 0.03, 0.06 and 0.06.

/// The corrected p-values, in the order of `values`.
pub fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut corrected = vec![0.0; values.len()];
    let mut before = 0.0_f64;
    for (rank, place) in order.into_iter().enumerate() {
        before = before.max(values[place] * (values.len() - rank) as f64).min(1.0);
        corrected[place] = before;
    }
    corrected
}
