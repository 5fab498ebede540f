//! Matching the blanks of a unit to its missing values, one blank at a time.
//!
//! A blank takes a value that no blank has; where all its candidates are taken, an augmenting path
//! (Berge 1957) moves other blanks to other candidates. The path is the shortest one,
//! with values tried in ascending order, so that it is the same on every device.
//!
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

use crate::board::{BLANK, MAX_SIDE};

/// In place of a blank, for a value that no blank has.
const FREE: u8 = u8::MAX;

/// The assignment of values to the blanks of a unit.
#[derive(Clone, Debug)]
pub struct Matching<'a> {
    candidates: &'a [u64],
    /// The value of each blank, or [`BLANK`].
    pub values: [u8; MAX_SIDE],
    holders: [u8; MAX_SIDE + 1],
    taken: u64,
}

impl<'a> Matching<'a> {
    /// Blanks with these candidates, value `v` as bit `v - 1`; none has a value yet.
    pub fn new(candidates: &'a [u64]) -> Self {
        debug_assert!(candidates.len() <= MAX_SIDE);
        Self { candidates, values: [BLANK; MAX_SIDE], holders: [FREE; MAX_SIDE + 1], taken: 0 }
    }

    /// Candidates of `blank` that no blank has.
    pub fn free_candidates(&self, blank: usize) -> u64 {
        self.candidates[blank] & !self.taken
    }

    /// Assigns to `blank` a value that no blank has.
    pub fn assign(&mut self, blank: usize, value: u8) {
        self.values[blank] = value;
        self.holders[usize::from(value)] = blank as u8;
        self.taken |= 1 << (value - 1);
    }

    /// Assigns a value to `blank` by moving others along an augmenting path; false if there is none.
    pub fn augment(&mut self, blank: usize) -> bool {
        let mut queue = [0u8; MAX_SIDE];
        let mut wanted_by = [0u8; MAX_SIDE + 1];
        queue[0] = blank as u8;
        let (mut next, mut queued, mut seen) = (0, 1, 0u64);
        while next < queued {
            let asking = queue[next];
            next += 1;
            for value in values_of(self.candidates[usize::from(asking)] & !seen) {
                seen |= 1 << (value - 1);
                wanted_by[usize::from(value)] = asking;
                match self.holders[usize::from(value)] {
                    FREE => {
                        self.unwind(value, blank, &wanted_by);
                        return true;
                    }
                    holder => {
                        queue[queued] = holder;
                        queued += 1;
                    }
                }
            }
        }
        false
    }

    /// Reassigns the values along the path that ended at the free value `last`.
    fn unwind(&mut self, last: u8, blank: usize, wanted_by: &[u8]) {
        let mut value = last;
        loop {
            let taker = usize::from(wanted_by[usize::from(value)]);
            let given_up = self.values[taker];
            self.assign(taker, value);
            if taker == blank {
                return;
            }
            value = given_up;
        }
    }
}

/// The values of a set, ascending.
pub fn values_of(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let value = set.trailing_zeros() as u8 + 1;
        (set != 0).then(|| {
            set &= set - 1;
            value
        })
    })
}

/// The bits of a set, from 0, ascending.
pub fn members(set: u64) -> impl Iterator<Item = usize> {
    values_of(set).map(|value| usize::from(value) - 1)
}

/// The value at position `k`, from 0, of a set that has more than `k`.
pub fn value_at(mut set: u64, k: u32) -> u8 {
    // For a set of all values up to one it is known; the number of iterations below cannot be predicted.
    if set & set.wrapping_add(1) == 0 {
        return k as u8 + 1;
    }
    for _ in 0..k {
        set &= set - 1;
    }
    set.trailing_zeros() as u8 + 1
}

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
    let own = matching.values.map(|value| if value == BLANK { 0 } else { 1u64 << (value - 1) });
    let (ahead, behind) = edges(domains, &own);
    let mut used = [0u64; MAX_SIDE];
    let mut left = u64::MAX >> (MAX_SIDE - domains.len());
    while left != 0 {
        let first = left & left.wrapping_neg();
        let component = reach(&ahead, first, left) & reach(&behind, first, left);
        let values = members(component).fold(0, |values, row| values | own[row]);
        for row in members(component) {
            used[row] = domains[row] & values;
        }
        left &= !component;
    }
    Some(used)
}

/// For each row, the rows that it points to and the rows that point to it.
fn edges(domains: &[u64], own: &[u64]) -> ([u64; MAX_SIDE], [u64; MAX_SIDE]) {
    let mut owners = [0usize; MAX_SIDE + 1];
    for row in 0..domains.len() {
        owners[own[row].trailing_zeros() as usize + 1] = row;
    }
    let mut ahead = [0u64; MAX_SIDE];
    let mut behind = [0u64; MAX_SIDE];
    for (row, domain) in domains.iter().enumerate() {
        for value in values_of(*domain) {
            let owner = owners[usize::from(value)];
            ahead[row] |= 1 << owner;
            behind[owner] |= 1 << row;
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_blank_moves_another_to_another_candidate() {
        let mut unit = Matching::new(&[0b011, 0b001]); // blank 0 may hold 1 or 2, blank 1 only 1
        unit.assign(0, 1);
        assert_eq!(unit.free_candidates(1), 0);
        assert!(unit.augment(1));
        assert_eq!((unit.values[0], unit.values[1]), (2, 1));
    }

    /// Whether every set of blanks has as many candidates between them (Hall 1935).
    fn hall(candidates: &[u64]) -> bool {
        (1u32..1 << candidates.len()).all(|subset| {
            let blanks = (0..candidates.len()).filter(|blank| subset >> blank & 1 == 1);
            let union = blanks.map(|blank| candidates[blank]).fold(0, |all, set| all | set);
            union.count_ones() >= subset.count_ones()
        })
    }

    proptest! {
        #[test]
        fn a_matching_is_found_exactly_when_there_is_one(
            candidates in proptest::collection::vec(0u64..1 << 7, 1..8)
        ) {
            let mut unit = Matching::new(&candidates);
            let found = (0..candidates.len()).all(|blank| unit.augment(blank));
            prop_assert_eq!(found, hall(&candidates));
            if found {
                let taken = (0..candidates.len()).fold(0u64, |taken, blank| {
                    taken | 1 << (unit.values[blank] - 1) & candidates[blank]
                });
                prop_assert_eq!(taken.count_ones() as usize, candidates.len());
            }
        }
    }

    /// The same result by trying every assignment.
    fn brute_force(domains: &[u64]) -> Option<Vec<u64>> {
        fn assign(domains: &[u64], row: usize, taken: u64, used: &mut [u64]) -> bool {
            let Some(domain) = domains.get(row) else { return true };
            let mut found = false;
            for value in values_of(domain & !taken) {
                let bit = 1 << (value - 1);
                if assign(domains, row + 1, taken | bit, used) {
                    used[row] |= bit;
                    found = true;
                }
            }
            found
        }
        let mut used = vec![0; domains.len()];
        assign(domains, 0, 0, &mut used).then_some(used)
    }

    #[test]
    fn a_naked_pair_leaves_the_third_alone() {
        assert_eq!(all_different(&[0b011, 0b011, 0b111]).unwrap()[..3], [0b011, 0b011, 0b100]);
        assert_eq!(all_different(&[0b011, 0b011, 0b011]), None);
    }

    #[test]
    fn all_values_remain_where_all_are_possible() {
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
            let used = all_different(&domains).map(|used| used[..domains.len()].to_vec());
            prop_assert_eq!(used, brute_force(&domains));
        }
    }
}
