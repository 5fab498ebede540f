//! Comparisons as programs read them.

use serde_json::{Map, Value, json};

use super::super::Plan;
use super::super::report::{rounded, value_of};
use super::{ComparedFactor, MethodRanking, PairwiseTest};
use crate::report::Row;
use crate::statistics::LEVEL;

/// The names of the columns of a pair.
pub(in crate::experiment) fn names(plan: &Plan, aspect: ComparedFactor) -> Vec<&'static str> {
    let others = plan.parameters.iter().copied();
    let others = others.filter(|name| ComparedFactor::Parameter(name) != aspect);
    ["block", "puzzle", "method"].into_iter().chain(others).chain(OWN).collect()
}

/// Columns that do not depend on the plan.
const OWN: [&str; 23] = [
    "compared",
    "first",
    "second",
    "first_cell",
    "second_cell",
    "first_runs",
    "first_solved",
    "second_runs",
    "second_solved",
    "test",
    "figure",
    "unsolved",
    "reason",
    "statistic",
    "p",
    "p_holm",
    "better",
    "a12",
    "a12_low",
    "a12_high",
    "level",
    "runs_for_shares",
    "runs_for_a12",
];

/// A pair as columns. The method is null where it is what is compared.
pub(in crate::experiment) fn columns(
    plan: &Plan,
    aspect: ComparedFactor,
    pair: &PairwiseTest,
) -> Row {
    let PairwiseTest { first, second, evidence, .. } = pair;
    let cell = &plan.cells[first.cell];
    let method = if aspect == ComparedFactor::Method { Value::Null } else { json!(cell.method) };
    let mut values = vec![json!(pair.block), json!(pair.puzzle), method];
    let others = plan.parameters.iter().filter(|name| ComparedFactor::Parameter(name) != aspect);
    values.extend(others.map(|name| value_of(cell, name)));
    let better = pair.better().map(|side| &side.value);
    values.extend([
        json!(aspect.name()),
        json!(first.value),
        json!(second.value),
        json!(first.cell + 1),
        json!(second.cell + 1),
        json!(first.runs),
        json!(first.solved),
        json!(second.runs),
        json!(second.solved),
        json!(evidence.test),
        json!(evidence.figure),
        json!(evidence.censored.0),
        json!(evidence.text()),
        rounded(Some(evidence.statistic), 6),
        significant(evidence.p),
        significant(pair.p_holm),
        json!(better),
        rounded(Some(evidence.effect.share), 4),
        rounded(Some(evidence.effect.low), 4),
        rounded(Some(evidence.effect.high), 4),
        json!(LEVEL),
        json!(pair.runs_for_shares),
        json!(pair.runs_for_a12),
    ]);
    Row(names(plan, aspect).into_iter().zip(values).collect())
}

/// The ranks over puzzles as objects.
pub(in crate::experiment) fn rankings(
    aspect: ComparedFactor,
    rankings: &[MethodRanking],
) -> Vec<Row> {
    let object = |ranking: &MethodRanking| {
        let common: Map<String, Value> = ranking
            .context
            .iter()
            .map(|(name, value)| ((*name).to_owned(), json!(value)))
            .collect();
        let rank = |(value, rank): &(String, f64)| {
            let rank = rounded(Some(*rank), 6);
            json!({ "value": value, "mean_rank": rank })
        };
        let puzzle =
            |(block, puzzle): &(String, String)| json!({ "block": block, "puzzle": puzzle });
        Row(vec![
            ("compared", json!(aspect.name())),
            ("context", Value::Object(common)),
            ("puzzles", ranking.puzzles.iter().map(puzzle).collect()),
            ("left_out", json!(ranking.left_out)),
            ("ranks", ranking.ranks.iter().map(rank).collect()),
            ("chi_squared", rounded(Some(ranking.test.statistic), 6)),
            ("p", significant(ranking.test.p)),
            ("critical_difference", rounded(Some(ranking.critical_difference), 6)),
            ("puzzles_for_a_rank", json!(ranking.puzzles_for_a_rank)),
        ])
    };
    rankings.iter().map(object).collect()
}

/// A probability to ten digits, however small.
fn significant(p: f64) -> Value {
    json!(format!("{p:.9e}").parse().unwrap_or(p))
}
