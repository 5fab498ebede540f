//! The population from which on the adapter is faster than all cores.
//!
//! Of the populations that both were measured at, it is the smallest from which on the adapter
//! wins at every one. A larger population gives a GPU more to do at once, and spreads what a call
//! costs over more boards; so where it wins once it should go on winning, and a single win below
//! others that it loses is noise.

use std::collections::BTreeMap;

use super::{By, Line, Task, What};
use crate::evolve::Preset;

/// Where the adapter overtakes the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreakEven {
    /// It wins from this population on.
    From(u32),
    /// It does not win at the largest population that was measured.
    NotUpTo(u32),
}

impl BreakEven {
    /// Of rates by population, the CPU's and the adapter's.
    pub fn of(rates: &BTreeMap<u32, [f64; 2]>) -> Option<Self> {
        let largest = *rates.keys().next_back()?;
        let winning = rates.iter().rev().take_while(|(_, [cpu, gpu])| gpu > cpu);
        Some(
            winning
                .last()
                .map_or(Self::NotUpTo(largest), |(population, _)| Self::From(*population)),
        )
    }

    /// Of scoring, or of the generations of a preset: all cores, at their best, against the
    /// adapter.
    pub fn in_lines(lines: &[Line], what: What, preset: Option<Preset>) -> Option<Self> {
        let of_kind = |task: &Task| task.what == what && task.preset == preset;
        let best = |population, by| {
            lines
                .iter()
                .filter(|line| of_kind(&line.task) && line.task.evaluator == by)
                .filter(|line| line.task.population == population)
                .map(Line::boards_per_second)
                .max_by(f64::total_cmp)
        };
        let rates = lines.iter().map(|line| line.task.population).filter_map(|population| {
            Some((population, [best(population, By::Cpu)?, best(population, By::Gpu)?]))
        });
        Self::of(&rates.collect())
    }

    /// The population, if there is one.
    pub fn population(self) -> Option<u32> {
        match self {
            Self::From(population) => Some(population),
            Self::NotUpTo(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_where_the_adapter_begins_to_win_for_good() {
        let of = |rates: &[(u32, [f64; 2])]| BreakEven::of(&rates.iter().copied().collect());
        let (behind, ahead) = ([2.0, 1.0], [1.0, 2.0]);
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[(10, behind), (100, behind)]), Some(BreakEven::NotUpTo(100)));
        assert_eq!(of(&[(10, behind), (100, ahead), (1_000, ahead)]), Some(BreakEven::From(100)));
        assert_eq!(of(&[(10, ahead), (100, behind), (1_000, ahead)]), Some(BreakEven::From(1_000)));
        assert_eq!(of(&[(10, ahead), (100, behind)]), Some(BreakEven::NotUpTo(100)));
        assert_eq!(of(&[(10, [1.0, 1.0])]), Some(BreakEven::NotUpTo(10)), "a draw is no win");
    }
}
