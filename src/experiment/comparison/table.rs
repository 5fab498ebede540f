//! Comparisons as people read them: a row for each pair, and a row for each value with its mean rank.

use super::{ComparedFactor, Comparisons, MethodRanking, PairwiseTest};
use crate::report::{Table, dash};
use crate::statistics::{detectable_a12, runs_for_a12, runs_for_shares};
use crate::util::quantity::{count, counted};

/// Shares of success, and an A12, for which it is said how many runs tell them.
const SHARES: [(f64, f64); 2] = [(0.5, 0.7), (0.5, 0.9)];
const EFFECT: f64 = 0.71;

/// The tables; none where nothing is compared.
pub(in crate::experiment) fn tables(
    aspect: Option<ComparedFactor>,
    all: &Comparisons,
) -> Vec<Table> {
    let Some(aspect) = aspect else { return Vec::new() };
    let ranks = (!all.rankings.is_empty()).then(|| ranks(aspect, &all.rankings));
    [pairs(aspect, &all.pairs)].into_iter().chain(ranks).collect()
}

/// What of the context is not the same in all.
fn varying<'a>(
    contexts: impl Iterator<Item = &'a [(&'static str, String)]> + Clone,
) -> Vec<&'static str> {
    let all: Vec<&[(&'static str, String)]> = contexts.collect();
    let mut names: Vec<&'static str> =
        all.iter().flat_map(|one| one.iter()).map(|it| it.0).collect();
    names.sort_unstable();
    names.dedup();
    let differs = |name: &&'static str| {
        let mut values = all.iter().map(|context| value(context, name));
        let first = values.next();
        values.any(|value| Some(value) != first)
    };
    names.into_iter().filter(differs).collect()
}

fn value<'a>(context: &'a [(&'static str, String)], name: &str) -> &'a str {
    context.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
}

fn pairs(aspect: ComparedFactor, pairs: &[PairwiseTest]) -> Table {
    let blocks = pairs.iter().any(|pair| pair.block != pairs[0].block);
    let context = varying(pairs.iter().map(|pair| pair.context.as_slice()));
    let mut header = if blocks { vec!["block"] } else { Vec::new() };
    header.push("puzzle");
    header.extend(&context);
    header.extend(["first", "second", "solved", "test", "p", "p (Holm)", "A12 (95 %)", "better"]);
    header.extend(["runs for shares", "runs for A12"]);
    let row = |pair: &PairwiseTest| {
        let mut row = if blocks { vec![pair.block.clone()] } else { Vec::new() };
        row.push(pair.puzzle.clone());
        row.extend(context.iter().map(|name| value(&pair.context, name).to_owned()));
        let (first, second, effect) = (&pair.first, &pair.second, &pair.evidence.effect);
        let solved = |side: &super::LevelSummary| format!("{}/{}", side.solved, side.runs);
        row.extend([
            first.value.clone(),
            second.value.clone(),
            format!("{}, {}", solved(first), solved(second)),
            pair.evidence.text(),
            p(pair.evidence.p),
            p(pair.p_holm),
            format!("{:.2} ({:.2} to {:.2})", effect.share, effect.low, effect.high),
            pair.better().map_or_else(dash, |side| side.value.clone()),
            pair.runs_for_shares.map_or_else(dash, count),
            pair.runs_for_a12.map_or_else(dash, count),
        ]);
        row
    };
    let title = format!("Comparison of {}", aspect.plural());
    Table { title, header, rows: pairs.iter().map(row).collect(), notes: notes(pairs) }
}

fn notes(pairs: &[PairwiseTest]) -> Vec<String> {
    let shares = SHARES.iter().filter_map(|(one, other)| {
        let runs = count(runs_for_shares(*one, *other)?);
        Some(format!("{:.0} % and {:.0} % take {runs}", 100.0 * one, 100.0 * other))
    });
    let shares: Vec<String> = shares.collect();
    let effect = runs_for_a12(EFFECT).map_or_else(dash, count);
    let mut notes = vec![
        "Two at a time on one puzzle, where all else is equal. Test: on the work to a solution, by the \
         log-rank test where some runs are not solved, which are censored at the work that they spent; on \
         the best fitness where none is. Where hardly a solution falls within work that runs of both have \
         spent, as where runs end by generations, the log-rank test has nothing to go by, and Fisher's exact \
         test goes by how many are solved with what each was given: max_work gives all alike. P (Holm): \
         corrected for all pairs of the puzzle. A12: of all pairs of runs the share in which the first one \
         does better, a tie as half; a pair of which censoring leaves open which does is a tie, and by \
         Fisher's test two that are solved are one. Better: the one that does, where p (Holm) is below \
         0.05, else -."
            .to_owned(),
        format!(
            "Runs for shares and for A12: runs of each that tell shares of success or an A12 like these \
             with a power of 80 % at 5 %, before the correction; - where there is nothing to tell. Success \
             of {} runs of each, an A12 of {EFFECT} {effect}.",
            shares.join(", of ")
        ),
    ];
    let runs = pairs.iter().map(|pair| pair.first.runs.min(pair.second.runs));
    if let Some(least) = runs.min() {
        let told = detectable_a12(least);
        notes.push(match told < 1.0 {
            true => format!("{} of each tell an A12 from {told:.2}.", counted(least as u64, "run")),
            false => format!("{} of each: too few for any A12.", counted(least as u64, "run")),
        });
    } else {
        notes.push("No two have finished runs of evolution yet.".to_owned());
    }
    notes
}

fn ranks(aspect: ComparedFactor, rankings: &[MethodRanking]) -> Table {
    let context = varying(rankings.iter().map(|ranking| ranking.context.as_slice()));
    let mut header = context.clone();
    header.extend([
        if aspect == ComparedFactor::Method { "method ranked" } else { "value" },
        "mean rank",
    ]);
    header.push("puzzles");
    let mut rows = Vec::new();
    for ranking in rankings {
        for (ranked, rank) in &ranking.ranks {
            let mut row: Vec<String> =
                context.iter().map(|name| value(&ranking.context, name).to_owned()).collect();
            row.extend([ranked.clone(), format!("{rank:.2}")]);
            row.push(count(ranking.puzzles.len() as u64));
            rows.push(row);
        }
    }
    let mut notes = vec![
        "On each puzzle the one with the least expected work has rank 1; those that solved nothing come \
         after, by mean best fitness. Two differ at 5 % where their mean ranks are further apart than \
         Nemenyi's critical difference."
            .to_owned(),
    ];
    notes.extend(rankings.iter().map(|ranking| sentence(ranking, &context)));
    Table { title: "Ranks over puzzles".to_owned(), header, rows, notes }
}

fn sentence(ranking: &MethodRanking, context: &[&'static str]) -> String {
    let of: Vec<String> =
        context.iter().map(|name| format!("{name} {}", value(&ranking.context, name))).collect();
    let of = if of.is_empty() { String::new() } else { format!("{}: ", of.join(", ")) };
    let names = |(first, last): &(usize, usize)| {
        let names: Vec<&str> =
            ranking.ranks[*first..=*last].iter().map(|(name, _)| name.as_str()).collect();
        names.join(", ")
    };
    let sets: Vec<String> = ranking.alike().iter().map(names).collect();
    let alike = match sets.as_slice() {
        [] => "all are told apart".to_owned(),
        sets => format!("not told apart: {}", sets.join("; ")),
    };
    let left_out = match ranking.left_out {
        0 => String::new(),
        some => format!(" Left out for lack of runs: {}.", counted(some as u64, "puzzle")),
    };
    format!(
        "{of}Friedman's chi-squared {:.2} over {}, p {}; critical difference {:.2}, {alike}. A \
         difference of one rank takes {}.{left_out}",
        ranking.test.statistic,
        counted(ranking.puzzles.len() as u64, "puzzle"),
        p(ranking.test.p),
        ranking.critical_difference,
        counted(ranking.puzzles_for_a_rank, "puzzle"),
    )
}

/// `0.031`, or `< 0.001`.
fn p(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}
