//! Shards: the runs of a plan are distributed over several processes that do not communicate.
//!
//! Each process plans the same spec and carries out its own shard, and `experiment merge` puts the parts
//! together. Runs are dealt out by their largest possible cost: the longest first, each to the shard
//! that has least, ties to the lower number (Graham, *Bounds on multiprocessing timing anomalies*,
//! 1969). An unknown cost counts as the largest known one. So runs of equal cost are
//! dealt out in turn, which spreads the seeds of a cell.
//!
//! Costs 5, 5, 3, 1 on two shards: 1 2 1 2, or 8 and 6.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::Plan;
use crate::util::serde_text;

/// The most shards that there can be.
const MOST: u32 = 1_000_000;

/// One of several parts of an experiment. Each run is in exactly one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which one, from 0.
    pub index: u32,
    /// How many there are.
    pub of: u32,
}

/// A text that names no shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("it takes K/N with K from 1 to N, as in 3/16, and N up to 1000000")]
pub struct ShardError;

impl Shard {
    /// The shard of each run of a plan, from 0, when there are so `many`.
    pub fn owners(plan: &Plan, many: u32) -> Vec<u32> {
        let costs = plan.cells.iter().flat_map(|cell| (0..cell.seeds).map(|_| cell.cost));
        deal(&costs.collect::<Vec<_>>(), many)
    }
}

/// The shard of each of the runs that cost so much, 0 where that is not known.
fn deal(costs: &[u64], many: u32) -> Vec<u32> {
    let largest = costs.iter().copied().max().unwrap_or(0).max(1);
    let cost = |run: usize| if costs[run] == 0 { largest } else { costs[run] };
    let mut longest_first: Vec<usize> = (0..costs.len()).collect();
    longest_first.sort_by_key(|run| Reverse(cost(*run)));
    let mut loads: BinaryHeap<Reverse<(u128, u32)>> =
        (0..many).map(|shard| Reverse((0, shard))).collect();
    let mut owners = vec![0; costs.len()];
    for run in longest_first {
        let Some(Reverse((load, shard))) = loads.pop() else { break };
        owners[run] = shard;
        loads.push(Reverse((load + u128::from(cost(run)), shard)));
    }
    owners
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (number, of) = text.split_once('/').ok_or(ShardError)?;
        let read = |text: &str| text.parse::<u32>().map_err(|_| ShardError);
        let (number, of) = (read(number)?, read(of)?);
        if !(1..=of).contains(&number) || of > MOST {
            return Err(ShardError);
        }
        Ok(Self { index: number - 1, of })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.of)
    }
}

serde_text!(Shard);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_counted_from_one() {
        let shard: Shard = "3/16".parse().unwrap();
        assert_eq!((shard.index, shard.of, shard.to_string().as_str()), (2, 16, "3/16"));
        for text in ["0/4", "5/4", "1/0", "3", "1/2/3", "-1/4", "1/1000001", "1 /2"] {
            assert_eq!(text.parse::<Shard>(), Err(ShardError), "{text}");
        }
    }

    #[test]
    fn the_longest_are_dealt_out_first_and_equal_ones_in_turn() {
        assert_eq!(deal(&[5, 5, 3, 1], 2), [0, 1, 0, 1]);
        assert_eq!(deal(&[7; 5], 3), [0, 1, 2, 0, 1]);
        assert_eq!(deal(&[0; 4], 2), [0, 1, 0, 1]);
        // An unknown cost counts as 6.
        assert_eq!(deal(&[1, 0, 6, 1], 3), [2, 0, 1, 2]);
        assert_eq!(deal(&[], 3), [0; 0]);
    }

    #[test]
    fn no_shard_has_a_third_more_than_the_best_dealing_would_give() {
        // Ten of each cost: 10 shards can have exactly one of each.
        let costs: Vec<u64> = (1..=9).flat_map(|cost| [cost * cost; 10]).collect();
        let owners = deal(&costs, 10);
        let best: u64 = (1..=9).map(|cost| cost * cost).sum();
        for shard in 0..10 {
            let runs = owners.iter().zip(&costs).filter(|(owner, _)| **owner == shard);
            let load: u64 = runs.map(|(_, cost)| cost).sum();
            assert!(3 * load <= 4 * best, "{load} of {best}");
        }
    }
}
