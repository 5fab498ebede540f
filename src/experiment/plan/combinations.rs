//! The combinations of a block's factors.

use super::MOST_CELLS;
use crate::experiment::spec::Factor;
use crate::ga::Overrides;

/// Every combination of the factors' values, the last factor fastest, unless there are too many.
pub(super) fn combinations(factors: &[Factor]) -> Option<Vec<Overrides>> {
    let mut all = vec![Overrides::default()];
    for factor in factors {
        if all.len() * factor.values.len() > MOST_CELLS {
            return None;
        }
        let with = |set: &Overrides| {
            let set = set.clone();
            factor.values.iter().map(move |value| {
                let mut set = set.clone();
                set.merge(&value.value);
                set
            })
        };
        all = all.iter().flat_map(with).collect();
    }
    Some(all)
}

/// The time limits alone, or none at all.
pub(super) fn time_limits(factors: &[Factor]) -> Option<Vec<Overrides>> {
    let limits = |factor: &&Factor| factor.values.iter().all(|v| v.value.time_limit.is_some());
    combinations(&factors.iter().filter(limits).cloned().collect::<Vec<_>>())
}
