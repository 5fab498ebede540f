//! Comparisons as tables: a row for each pair, and a row for each value with its mean rank.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::super::Plan;
use super::super::cell::{differ, grouped};
use super::{ComparedFactor, Comparisons, LevelSummary, MethodRanking, PairwiseTest};
use crate::report::{Row, Table, TidyTable, dash, rounded};
use crate::statistics::LEVEL;
use crate::util::quantity::{count, counted};

/// A column of a pair: its name and its value.
type PairColumn = (&'static str, fn(&PairwiseTest) -> Value);

/// Columns of a pair that depend on nothing else.
const COLUMNS: [PairColumn; 21] = [
    ("first", |pair| json!(pair.first.value)),
    ("second", |pair| json!(pair.second.value)),
    ("first_cell", |pair| json!(pair.first.cell + 1)),
    ("second_cell", |pair| json!(pair.second.cell + 1)),
    ("first_runs", |pair| json!(pair.first.runs)),
    ("first_solved", |pair| json!(pair.first.solved)),
    ("second_runs", |pair| json!(pair.second.runs)),
    ("second_solved", |pair| json!(pair.second.solved)),
    ("unsolved", |pair| json!(pair.evidence.unsolved)),
    ("open", |pair| rounded(Some(pair.evidence.open), 4)),
    ("exact", |pair| json!(pair.evidence.exact)),
    ("u", |pair| rounded(Some(pair.evidence.found.statistic), 6)),
    ("p", |pair| significant(pair.evidence.found.p)),
    ("least_p", |pair| significant(pair.evidence.found.least)),
    ("p_holm", |pair| significant(pair.p_holm)),
    ("better", |pair| json!(pair.better().map(|side| &side.value))),
    ("a12", |pair| rounded(Some(pair.evidence.effect.share), 4)),
    ("a12_low", |pair| rounded(Some(pair.evidence.effect.low), 4)),
    ("a12_high", |pair| rounded(Some(pair.evidence.effect.high), 4)),
    ("level", |_| json!(LEVEL)),
    ("runs_for_a12", |pair| json!(pair.runs_for_a12)),
];

/// All pairs for programs. The method is null where methods are compared.
pub(in crate::experiment) fn pair_rows(
    plan: &Plan,
    factor: ComparedFactor,
    pairs: &[PairwiseTest],
) -> TidyTable {
    let is_other = |name: &&'static str| *name != factor.name();
    let others: Vec<&'static str> = plan.parameters.iter().copied().filter(is_other).collect();
    let mut names = vec!["block", "puzzle", "method"];
    names.extend(&others);
    names.push("compared");
    names.extend(COLUMNS.map(|(name, _)| name));
    let row = |pair: &PairwiseTest| {
        let cell = &plan.cells[pair.first.cell];
        let is_shared = ![ComparedFactor::METHOD, ComparedFactor::BLOCK].contains(&factor);
        let method = is_shared.then_some(cell.method.name());
        let mut values = vec![json!(pair.key.block), json!(pair.key.puzzle.name), json!(method)];
        values.extend(cell.json_values(&others));
        values.push(json!(factor.name()));
        values.extend(COLUMNS.map(|(_, value)| value(pair)));
        Row(names.iter().copied().zip(values).collect())
    };
    TidyTable { rows: pairs.iter().map(row).collect(), names }
}

/// The ranks over puzzles for programs.
pub(in crate::experiment) fn ranking_rows(
    factor: ComparedFactor,
    rankings: &[MethodRanking],
) -> Vec<Row> {
    let object = |ranking: &MethodRanking| {
        let common = ranking.context.iter().map(|(name, value)| ((*name).to_owned(), json!(value)));
        let rank = |(value, rank): &(String, f64)| {
            let rank = rounded(Some(*rank), 6);
            json!({ "value": value, "mean_rank": rank })
        };
        let puzzle =
            |(block, puzzle): &(String, String)| json!({ "block": block, "puzzle": puzzle });
        Row(vec![
            ("compared", json!(factor.name())),
            ("context", Value::Object(common.collect())),
            ("puzzles", ranking.puzzles.iter().map(puzzle).collect()),
            ("left_out", json!(ranking.left_out)),
            ("ranks", ranking.ranks.iter().map(rank).collect()),
            ("chi_squared", rounded(Some(ranking.test.statistic), 6)),
            ("p", significant(ranking.test.p)),
            ("exact", json!(ranking.exact)),
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

/// All pairs for people.
pub(in crate::experiment) fn pair_table(factor: ComparedFactor, pairs: &[PairwiseTest]) -> Table {
    let blocks = differ(pairs.iter().map(|pair| &pair.key.block));
    let context = varying(pairs.iter().map(|pair| pair.key.context.as_slice()));
    let mut header = if blocks { vec!["block"] } else { Vec::new() };
    header.push("puzzle");
    header.extend(&context);
    header.extend(["first", "second", "solved by each", "p", "p (Holm)", "A12", "A12 interval"]);
    header.extend(["better", "runs for A12"]);
    let row = |pair: &PairwiseTest| {
        let mut row = if blocks { vec![pair.key.block.clone()] } else { Vec::new() };
        row.push(pair.key.puzzle.name.clone());
        row.extend(context.iter().map(|name| value(&pair.key.context, name).to_owned()));
        let (first, second, effect) = (&pair.first, &pair.second, &pair.evidence.effect);
        let solved = |side: &LevelSummary| format!("{}/{}", side.solved, side.runs);
        row.extend([
            first.value.clone(),
            second.value.clone(),
            format!("{}, {}", solved(first), solved(second)),
            p(pair.evidence.found.p),
            p(pair.p_holm),
            format!("{:.2}", effect.share),
            format!("{:.2} to {:.2}", effect.low, effect.high),
            better(pair),
            pair.runs_for_a12.map_or_else(dash, count),
        ]);
        row
    };
    let title = format!("Comparison of {}", factor.plural());
    Table { title, header, rows: pairs.iter().map(row).collect(), notes: notes(factor, pairs) }
}

fn better(pair: &PairwiseTest) -> String {
    match pair.better() {
        Some(side) => side.value.clone(),
        None if pair.too_few() => "cannot tell".to_owned(),
        None => dash(),
    }
}

/// The parameters that are not the same in all contexts.
fn varying<'a>(
    contexts: impl Iterator<Item = &'a [(&'static str, String)]> + Clone,
) -> Vec<&'static str> {
    let all: Vec<&[(&'static str, String)]> = contexts.collect();
    let mut names: Vec<&'static str> =
        all.iter().flat_map(|one| one.iter()).map(|it| it.0).collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| differ(all.iter().map(|context| value(context, name))));
    names
}

fn value<'a>(context: &'a [(&'static str, String)], name: &str) -> &'a str {
    context.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
}

fn notes(factor: ComparedFactor, pairs: &[PairwiseTest]) -> Vec<String> {
    let text = "A pair is two cells of one puzzle that differ only in what is compared (blocks may differ in anything). \
        Each run of one cell is compared with each run of the other at a common budget: 1.1 times the least work of \
        an unsolved run of either. Of two runs solved within the budget, the run with less work is better. If only \
        one run is solved within the budget, that run is better. If no run of either cell spent more than the \
        budget, the better of two unsolved runs is the one with fewer conflicts left. All other pairs of runs count \
        as ties. P: Mann-Whitney test. P (Holm): p corrected for the number of pairs of the puzzle, but not for the \
        number of puzzles. A12: share of all pairs of runs in which the run of the first cell is better; a tie \
        counts half. A12 interval: the 95 % interval of A12. Better: the better cell if p (Holm) is below 0.05; \
        'cannot tell' if too few runs or too many ties make a significant result impossible; otherwise -. Runs for \
        A12: runs per cell needed to detect this A12 with 80 % power at 5 %, without Holm's correction; - if A12 is \
        one half.";
    let mut notes = vec![text.to_owned()];
    let methods = pairs.iter().map(|pair| value(&pair.key.context, "method"));
    let several = differ(methods.clone());
    notes.extend(grouped(methods.zip(pairs)).iter().map(|(method, pairs)| {
        let within = if several { format!(" within {method}") } else { String::new() };
        finding(factor, pairs, &within)
    }));
    notes
}

/// What some comparisons found, in a sentence or two.
fn finding(factor: ComparedFactor, pairs: &[&PairwiseTest], within: &str) -> String {
    let named = |value: &str| match factor {
        ComparedFactor::METHOD | ComparedFactor::BLOCK => value.to_owned(),
        _ => format!("{} {value}", factor.name().replace('_', " ")),
    };
    let mut better: BTreeMap<&str, usize> = BTreeMap::new();
    for side in pairs.iter().filter_map(|pair| pair.better()) {
        *better.entry(&side.value).or_default() += 1;
    }
    let unknown = pairs.iter().filter(|pair| pair.better().is_none() && pair.too_few());
    let unknown = unknown.count();
    let rest = pairs.len() - unknown - better.values().sum::<usize>();
    let won = better.iter().map(|(value, count)| format!("{} is better in {count}", named(value)));
    let mut counts: Vec<String> = won.collect();
    counts.extend((rest > 0).then(|| format!("no difference is significant in {rest}")));
    counts.extend((unknown > 0).then(|| format!("{unknown} cannot show a difference")));
    let all = counted(pairs.len() as u64, "comparison");
    let found = match (pairs, better.keys().next()) {
        ([_], Some(value)) => format!("{} is better{within}.", named(value)),
        (_, None) if unknown == pairs.len() => {
            format!("{all}{within} cannot show a difference: too few runs, or too many ties.")
        }
        ([_], None) => format!("The comparison{within} shows no significant difference."),
        (_, None) if unknown == 0 => {
            format!("None of {all}{within} shows a significant difference.")
        }
        _ => format!("Of {all}{within}: {}.", counts.join(", ")),
    };
    match pairs.iter().filter(|pair| pair.evidence.open > 0.5).count() {
        0 => found,
        open => {
            let open = counted(open as u64, "comparison");
            format!(
                "{found} In {open}, most pairs of runs count as ties, because the runs did unequal work."
            )
        }
    }
}

/// The ranks over puzzles for people.
pub(in crate::experiment) fn ranking_table(
    factor: ComparedFactor,
    Comparisons { pairs, rankings }: &Comparisons,
) -> Table {
    let contexts = pairs.iter().map(|pair| &pair.key.context);
    let context = varying(contexts.clone().map(Vec::as_slice));
    let is_ranked = |of: &&_| rankings.iter().any(|ranking| ranking.context == **of);
    let unranked: BTreeSet<String> =
        contexts.filter(|of| !is_ranked(of)).map(|of| heading(of, &context)).collect();
    let mut header = context.clone();
    let ranked = if factor == ComparedFactor::METHOD { "method ranked" } else { "value" };
    header.extend([ranked, "mean rank", "puzzles"]);
    let mut rows = Vec::new();
    for ranking in rankings {
        for (ranked, rank) in &ranking.ranks {
            let mut row: Vec<String> =
                context.iter().map(|name| value(&ranking.context, name).to_owned()).collect();
            let puzzles = count(ranking.puzzles.len() as u64);
            row.extend([ranked.clone(), format!("{rank:.2}"), puzzles]);
            rows.push(row);
        }
    }
    let text = "The score of a method (or value) on a puzzle is the number of pairs of runs won, minus the number lost. The \
        highest score on a puzzle gets rank 1. Two methods (or values) differ at the 5 % level if Friedman's p is \
        below 0.05 and their mean ranks differ by more than Nemenyi's critical difference.";
    let mut notes = vec![text.to_owned()];
    notes.extend(rankings.iter().map(|ranking| sentence(ranking, &context)));
    let few = |of: &String| format!("{of}: none, because fewer than two puzzles can be compared.");
    notes.extend(unranked.iter().map(few));
    Table { title: "Ranks over puzzles".to_owned(), header, rows, notes }
}

/// `Ranks, population 50, restart_after 10`.
fn heading(of: &[(&'static str, String)], context: &[&'static str]) -> String {
    context
        .iter()
        .fold("Ranks".to_owned(), |text, name| format!("{text}, {name} {}", value(of, name)))
}

fn sentence(ranking: &MethodRanking, context: &[&'static str]) -> String {
    let of = heading(&ranking.context, context);
    let left_out = match ranking.left_out {
        0 => String::new(),
        some => {
            format!(
                " Left out of the ranks: {}, because a cell has no runs or can only be compared at unequal work.",
                counted(some as u64, "puzzle")
            )
        }
    };
    let apart: Vec<String> =
        ranking.apart().map(|(one, other)| format!("{one} and {other}")).collect();
    let found = match apart.as_slice() {
        [] => "none differ significantly".to_owned(),
        apart => format!("significant differences between {}", apart.join(", ")),
    };
    let (puzzles, needed) = (ranking.puzzles.len() as u64, ranking.puzzles_for_a_rank);
    format!(
        "{of}: {found} (Friedman's chi-squared {:.2}, {} {}; critical difference {:.2}). To detect a \
         difference of one rank, at least {needed} puzzles are needed; there are {puzzles}.{left_out}",
        ranking.test.statistic,
        if ranking.exact { "p" } else { "approximate p" },
        p(ranking.test.p),
        ranking.critical_difference,
    )
}

/// `0.031`, or `< 0.001`; one more digit where three would be the level of significance.
fn p(p: f64) -> String {
    match format!("{p:.3}") {
        _ if p < 0.001 => "< 0.001".to_owned(),
        text if text == format!("{LEVEL:.3}") => format!("{p:.4}"),
        text => text,
    }
}
