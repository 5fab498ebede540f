//! What a block comes to: which population and length cost least, and whether smaller
//! populations on their own cost less.

use super::super::ExpectedWork;
use super::{ScalingPoint, ScalingSeries, work};
use crate::util::quantity::{count, counted};

/// A sentence or two for each block and bound on work.
pub(super) fn verdicts(series: &[ScalingSeries]) -> Vec<String> {
    let mut keys: Vec<(&str, u64)> = Vec::new();
    for one in series {
        if !keys.contains(&(&one.block, one.work)) {
            keys.push((&one.block, one.work));
        }
    }
    let verdict = |(block, bound): (&str, u64)| {
        let all: Vec<(&ScalingSeries, &ScalingPoint)> = series
            .iter()
            .filter(|one| one.block == block && one.work == bound)
            .flat_map(|one| one.points.iter().map(move |point| (one, point)))
            .collect();
        let name = if block.is_empty() { "All puzzles" } else { block };
        let sum =
            |of: fn(&ScalingPoint) -> usize| all.iter().map(|(_, point)| of(point)).sum::<usize>();
        let (short, runs) = (sum(|point| point.short), sum(|point| point.runs));
        let least = match short {
            0 => String::new(),
            _ => format!(
                ", though not at equal work, since {} of {} ended before without a solution, by their \
                 generations or their time (max_generations, time_limit)",
                count(short as u64),
                counted(runs as u64, "run")
            ),
        };
        format!("{name}, {} units of work a run{least}: {}", count(bound), of(&all))
    };
    keys.into_iter().map(verdict).collect()
}

fn of(all: &[(&ScalingSeries, &ScalingPoint)]) -> String {
    // What all series of the block have in common goes without saying.
    let varies = |name: &str| {
        let mut values = all.iter().map(|(one, _)| one.common.iter().find(|(n, _)| *n == name));
        let first = values.next();
        values.any(|value| Some(value) != first)
    };
    let named = |series: &ScalingSeries, point: &ScalingPoint| named(series, point, &varies);
    let cost = |point: &ScalingPoint| point.work.mean.unwrap_or(f64::INFINITY);
    let best = all.iter().min_by(|a, b| cost(a.1).total_cmp(&cost(b.1)));
    let Some((one, point)) = best.filter(|best| best.1.work.mean.is_some()) else {
        return "nothing solves every puzzle, so that no costs are compared.".to_owned();
    };
    let mut text =
        format!("a solution costs least, {}, with {}", work(&point.work), named(one, point));
    let single = all.iter().filter(|(_, point)| point.population == 1);
    if let (Some(single), true) =
        (single.min_by(|a, b| cost(a.1).total_cmp(&cost(b.1))), point.population > 1)
    {
        text += &match single.1.work.mean {
            None => "; one individual alone does not solve every puzzle".to_owned(),
            Some(_) => format!(
                "; one individual alone costs {} with {}, which is {}",
                work(&single.1.work),
                named(single.0, single.1),
                against(&single.1.work, &point.work)
            ),
        };
    }
    let others = all.iter().filter_map(|(one, point)| {
        let independent = point.independent.as_ref()?;
        Some((independent.work.mean?, one, point, independent))
    });
    if let Some((_, one, larger, other)) = others.min_by(|a, b| a.0.total_cmp(&b.0)) {
        text += &format!(
            "; independent runs cost least, {}, as {} of population {} in place of one with {}, which is {}",
            work(&other.work),
            count(other.copies.into()),
            count(other.population.into()),
            named(one, larger),
            against(&other.work, &point.work)
        );
    }
    let time = |point: &ScalingPoint| point.seconds.unwrap_or(f64::INFINITY);
    if let Some((one, fastest)) = all.iter().min_by(|a, b| time(a.1).total_cmp(&time(b.1))) {
        text += &format!("; least time, {:.3} s, with {}", time(fastest), named(one, fastest));
    }
    text + "."
}

/// Whether one cost is above another, as far as their intervals tell.
fn against(other: &ExpectedWork, best: &ExpectedWork) -> &'static str {
    match (other.low, best.low, best.high) {
        (Some(low), _, Some(high)) if low > high => "more",
        (Some(_), Some(low), _) if other.high.is_some_and(|high| high < low) => "less",
        _ => "not told apart by these runs",
    }
}

fn named(series: &ScalingSeries, point: &ScalingPoint, varies: &dyn Fn(&str) -> bool) -> String {
    let mut parts = vec![format!("population {}", count(point.population.into()))];
    if point.length.is_some() {
        parts.push(point.length_text());
    }
    let common = series.common.iter().filter(|(name, _)| varies(name));
    parts.extend(common.map(|(name, value)| format!("{} {value}", name.replace('_', " "))));
    parts.join(", ")
}
