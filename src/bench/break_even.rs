//! The population from which on the adapter is faster than all cores.
//!
//! Of the populations that both were measured at, it is the smallest from which on the adapter
//! wins at every one. A larger population gives a GPU more to do at once, and spreads what a call
//! costs over more boards; so where it wins once it should go on winning, and a single win below
//! others that it loses is noise. So is a lead smaller than medians are known to.

use std::collections::BTreeMap;

use super::{BenchTarget, BenchTask, Measurement, Metric};
use crate::ga::Preset;

/// A lead that counts: medians are repeated until they are known to within 2 %.
const LEAD: f64 = 1.02;

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
        let winning = rates.iter().rev().take_while(|(_, [cpu, gpu])| *gpu > LEAD * cpu);
        Some(
            winning
                .last()
                .map_or(Self::NotUpTo(largest), |(population, _)| Self::From(*population)),
        )
    }

    /// Of scoring, or of the generations of a preset: all cores, at their best, against the
    /// adapter.
    pub fn in_lines(lines: &[Measurement], what: Metric, preset: Option<Preset>) -> Option<Self> {
        Self::of(&rates(lines, what, preset))
    }

    /// The population in the middle (of the logarithms) between the break-even and the largest
    /// population below it that was measured, if that brings it closer.
    pub(super) fn between(
        lines: &[Measurement],
        what: Metric,
        preset: Option<Preset>,
    ) -> Option<u32> {
        let rates = rates(lines, what, preset);
        let above = Self::of(&rates)?.population()?;
        let (below, _) = rates.range(..above).next_back()?;
        let middle = (f64::from(*below) * f64::from(above)).sqrt().round() as u32;
        (*below < middle && middle < above).then_some(middle)
    }

    /// The population, if there is one.
    pub fn population(self) -> Option<u32> {
        match self {
            Self::From(population) => Some(population),
            Self::NotUpTo(_) => None,
        }
    }
}

/// Rates of the CPU at its best and of the adapter, by population.
fn rates(lines: &[Measurement], what: Metric, preset: Option<Preset>) -> BTreeMap<u32, [f64; 2]> {
    let of_kind = |task: &BenchTask| task.what == what && task.preset == preset;
    let best = |population, by| {
        lines
            .iter()
            .filter(|line| of_kind(&line.task) && line.task.evaluator == by)
            .filter(|line| line.task.population == population)
            .map(Measurement::boards_per_second)
            .max_by(f64::total_cmp)
    };
    let both = lines.iter().map(|line| line.task.population).filter_map(|population| {
        Some((
            population,
            [best(population, BenchTarget::Cpu)?, best(population, BenchTarget::Gpu)?],
        ))
    });
    both.collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::bench::{Sample, Samples, StoppingRule};
    use crate::board::Geometry;
    use crate::fitness::SimdLevel;

    /// A line of a task that takes this long.
    fn line(task: BenchTask, millis: u64) -> Measurement {
        let mut samples = Samples::new(StoppingRule { warm_up: 0, ..StoppingRule::default() });
        samples.note(Sample::of(Duration::from_millis(millis)));
        let shape = Geometry::new(2, 2).unwrap();
        Measurement::of(task, shape, task.population, &samples, None, false).unwrap()
    }

    #[test]
    fn all_cores_at_their_best_are_what_the_adapter_has_to_beat() {
        let cpu =
            |population, threads| BenchTask::cpu_score(population, SimdLevel::Scalar, threads);
        let mut lines = vec![
            line(cpu(100, 1), 10),
            line(cpu(100, 2), 20),
            line(BenchTask::gpu_score(100), 15),
            line(cpu(10_000, 1), 900),
            line(cpu(10_000, 2), 500),
            line(BenchTask::gpu_score(10_000), 100),
            // Measured on one alone, or something else altogether.
            line(BenchTask::gpu_score(10), 1),
            line(BenchTask::generation(10, Preset::Boxes, None, 2), 1),
        ];
        let found = |lines: &[Measurement]| BreakEven::in_lines(lines, Metric::Score, None);
        assert_eq!(found(&lines), Some(BreakEven::From(10_000)));
        assert_eq!(BreakEven::in_lines(&lines, Metric::Generation, Some(Preset::Boxes)), None);
        assert_eq!(BreakEven::between(&lines, Metric::Score, None), Some(1_000));
        lines.extend([line(cpu(1_000, 2), 20), line(BenchTask::gpu_score(1_000), 10)]);
        assert_eq!(found(&lines), Some(BreakEven::From(1_000)));
        assert_eq!(BreakEven::between(&lines, Metric::Score, None), Some(316));
    }

    #[test]
    fn it_is_where_the_adapter_begins_to_win_for_good() {
        let of = |rates: &[(u32, [f64; 2])]| BreakEven::of(&rates.iter().copied().collect());
        let (behind, ahead) = ([2.0, 1.0], [1.0, 2.0]);
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[(10, behind), (100, behind)]), Some(BreakEven::NotUpTo(100)));
        assert_eq!(of(&[(10, behind), (100, ahead), (1_000, ahead)]), Some(BreakEven::From(100)));
        assert_eq!(of(&[(10, ahead), (100, behind), (1_000, ahead)]), Some(BreakEven::From(1_000)));
        assert_eq!(of(&[(10, ahead), (100, behind)]), Some(BreakEven::NotUpTo(100)));
        for draw in [[1.0, 1.0], [1.0, 1.01]] {
            assert_eq!(of(&[(10, draw)]), Some(BreakEven::NotUpTo(10)), "a draw is no win");
        }
    }
}
