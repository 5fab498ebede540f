//! Matching the blanks of a unit to its missing values, one blank at a time.
//!
//! A blank takes a value that no blank has; where all its candidates are taken, an augmenting path
//! (Berge 1957) moves other blanks to other candidates. The path is the shortest one,
//! with values tried in ascending order, so that it is the same on every device.

use crate::board::{BLANK, MAX_SIDE};

const NOBODY: u8 = u8::MAX;

/// The assignment of values to the blanks of a unit.
#[derive(Clone, Debug)]
pub struct Matching<'a> {
    candidates: &'a [u64],
    values: [u8; MAX_SIDE],
    holders: [u8; MAX_SIDE + 1],
    held: u64,
}

impl<'a> Matching<'a> {
    /// Blanks with these candidates, value `v` as bit `v - 1`; none has a value yet.
    pub fn new(candidates: &'a [u64]) -> Self {
        debug_assert!(candidates.len() <= MAX_SIDE);
        Self { candidates, values: [BLANK; MAX_SIDE], holders: [NOBODY; MAX_SIDE + 1], held: 0 }
    }

    /// The value of a blank, or [`BLANK`].
    pub fn value(&self, blank: usize) -> u8 {
        self.values[blank]
    }

    /// Candidates of `blank` that no blank has.
    pub fn free_candidates(&self, blank: usize) -> u64 {
        self.candidates[blank] & !self.held
    }

    /// Assigns to `blank` a value that no blank has.
    pub fn assign(&mut self, blank: usize, value: u8) {
        self.values[blank] = value;
        self.holders[usize::from(value)] = blank as u8;
        self.held |= 1 << (value - 1);
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
                    NOBODY => {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_blank_moves_another_out_of_its_way() {
        let mut unit = Matching::new(&[0b011, 0b001]); // blank 0 may hold 1 or 2, blank 1 only 1
        unit.assign(0, 1);
        assert_eq!(unit.free_candidates(1), 0);
        assert!(unit.augment(1));
        assert_eq!((unit.value(0), unit.value(1)), (2, 1));
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
                let held = (0..candidates.len()).fold(0u64, |held, blank| {
                    held | 1 << (unit.value(blank) - 1) & candidates[blank]
                });
                prop_assert_eq!(held.count_ones() as usize, candidates.len());
            }
        }
    }
}
