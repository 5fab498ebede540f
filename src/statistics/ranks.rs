//! Ranks from 1, the least first; equal values share the mean of their ranks.
//!
//! Example: the ranks of 5, 2, 2 and 9 are 3, 1.5, 1.5 and 4.

/// The ranks of values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RankSums {
    /// The rank of each value.
    pub of: Vec<f64>,
    /// The sum of t³ − t over all groups of t equal values; 0 without ties.
    pub ties: f64,
}

/// Ranks values.
pub(super) fn ranks(values: &[f64]) -> RankSums {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let (mut of, mut ties) = (vec![0.0; values.len()], 0.0);
    let mut first = 0;
    for set in order.chunk_by(|a, b| values[*a] == values[*b]) {
        let count = set.len() as f64;
        let rank = first as f64 + (count + 1.0) / 2.0;
        set.iter().for_each(|place| of[*place] = rank);
        ties += count * count * count - count;
        first += set.len();
    }
    RankSums { of, ties }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_a_rank() {
        let ranked = ranks(&[5.0, 2.0, 2.0, 9.0]);
        assert_eq!(ranked, RankSums { of: vec![3.0, 1.5, 1.5, 4.0], ties: 6.0 });
        assert_eq!(ranks(&[1.0; 3]), RankSums { of: vec![2.0; 3], ties: 24.0 });
        assert_eq!(ranks(&[]), RankSums { of: Vec::new(), ties: 0.0 });
    }
}
