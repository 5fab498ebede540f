//! All-different consistency (Régin, *A filtering algorithm for constraints of difference in CSPs*,
//! AAAI 1994): values that no perfect matching uses are removed.
//!
//! There are as many rows as values, and each row has a domain of values. Given one perfect
//! matching, another assigns value `v` to row `a` exactly when `a` has `v` already or the row that has `v`
//! can pass on its own value, and so on around a cycle that returns to `a`: that is, when both
//! rows are in one strongly connected component of the graph in which a row points to the rows that have the
//! values of its domain.
//!
//! Example: rows with the domains {1 2}, {1 2} and {1 2 3}. The first two share a component; the third is alone
//! and keeps only 3. This is the naked pair, and every naked or hidden subset is such a separation.
//!
//! The graph has at most 64 rows, so that its edges are one word a row and reachability is
//! computed by `and` and `or`; building a library's graph would take longer than the whole computation.

use crate::board::MAX_SIDE;
use crate::board::matching::{Matching, values_of};

/// The values that each row takes in some perfect matching, value `v` as bit `v - 1`; `None` if there
/// is no such matching. `domains` are the values that each row may take, between them no more
/// values than there are rows.
pub fn all_different(domains: &[u64]) -> Option<[u64; MAX_SIDE]> {
    let all = domains.iter().fold(0u64, |all, domain| all | domain);
    debug_assert!(all.count_ones() as usize <= domains.len());
    let mut matching = Matching::new(domains);
    if !(0..domains.len()).all(|row| matching.augment(row)) {
        return None;
    }
    let held: [u64; MAX_SIDE] =
        std::array::from_fn(
            |row| if row < domains.len() { 1 << (matching.value(row) - 1) } else { 0 },
        );
    let (ahead, behind) = edges(domains, &held);
    let mut kept = [0u64; MAX_SIDE];
    let mut left = u64::MAX >> (MAX_SIDE - domains.len());
    while left != 0 {
        let first = left & left.wrapping_neg();
        let component = reach(&ahead, first, left) & reach(&behind, first, left);
        let values = members(component).fold(0, |values, row| values | held[row]);
        for row in members(component) {
            kept[row] = domains[row] & values;
        }
        left &= !component;
    }
    Some(kept)
}

/// For each row, the rows that it points to and the rows that point to it.
fn edges(domains: &[u64], held: &[u64]) -> ([u64; MAX_SIDE], [u64; MAX_SIDE]) {
    let mut holders = [0usize; MAX_SIDE + 1];
    for row in 0..domains.len() {
        holders[held[row].trailing_zeros() as usize + 1] = row;
    }
    let mut ahead = [0u64; MAX_SIDE];
    let mut behind = [0u64; MAX_SIDE];
    for (row, domain) in domains.iter().enumerate() {
        for value in values_of(*domain) {
            let holder = holders[usize::from(value)];
            ahead[row] |= 1 << holder;
            behind[holder] |= 1 << row;
        }
    }
    (ahead, behind)
}

/// The rows of `within` that can be reached from `first`, itself included.
fn reach(edges: &[u64; MAX_SIDE], first: u64, within: u64) -> u64 {
    let (mut reached, mut next) = (first, first);
    while next != 0 {
        let row = next.trailing_zeros() as usize;
        next &= next - 1;
        let more = edges[row] & within & !reached;
        reached |= more;
        next |= more;
    }
    reached
}

/// The rows of a set, from 0.
fn members(set: u64) -> impl Iterator<Item = usize> {
    values_of(set).map(|value| usize::from(value) - 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same result by trying every assignment.
    fn brute_force(domains: &[u64]) -> Option<Vec<u64>> {
        fn assign(domains: &[u64], row: usize, taken: u64, kept: &mut [u64]) -> bool {
            let Some(domain) = domains.get(row) else { return true };
            let mut found = false;
            for value in values_of(domain & !taken) {
                let bit = 1 << (value - 1);
                if assign(domains, row + 1, taken | bit, kept) {
                    kept[row] |= bit;
                    found = true;
                }
            }
            found
        }
        let mut kept = vec![0; domains.len()];
        assign(domains, 0, 0, &mut kept).then_some(kept)
    }

    #[test]
    fn a_naked_pair_leaves_the_third_alone() {
        assert_eq!(all_different(&[0b011, 0b011, 0b111]).unwrap()[..3], [0b011, 0b011, 0b100]);
        assert_eq!(all_different(&[0b011, 0b011, 0b011]), None);
    }

    #[test]
    fn nothing_goes_where_everything_is_possible() {
        for side in [4, 63, 64] {
            let all = u64::MAX >> (64 - side);
            assert_eq!(all_different(&vec![all; side]).unwrap()[..side], vec![all; side]);
        }
    }

    proptest! {
        #[test]
        fn it_keeps_what_some_assignment_uses(
            domains in (1u32..=6).prop_flat_map(|side| {
                // Two sets, most pairs of which have some values in common, but not all.
                let set = (0..1u64 << side, 0..1u64 << side).prop_map(|(a, b)| a | b);
                proptest::collection::vec(set, side as usize)
            })
        ) {
            let kept = all_different(&domains).map(|kept| kept[..domains.len()].to_vec());
            prop_assert_eq!(kept, brute_force(&domains));
        }
    }
}
