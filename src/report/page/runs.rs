//! The table of runs, and the data that the curve of the chosen one is drawn from.

use indicatif::HumanCount;

use super::board::Boards;
use super::markup::{data, escape, left_out};
use super::table::{Column, framed};
use crate::report::{ShownRun, ShownRuns};

/// Points of all curves at most.
const POINTS: usize = 100_000;

/// What is shown of the chosen run stands above the table, and is empty without a script.
const CHOSEN: &str = "<div id=\"chosen\" hidden=\"hidden\">
<div id=\"curve\"></div>
<div id=\"chosen-board\"></div>
</div>
";

/// The table; nothing where there is no run.
pub(super) fn runs(shown: &ShownRuns, boards: &Boards) -> String {
    if shown.runs.is_empty() {
        return String::new();
    }
    let labels = labels(&shown.runs);
    let names: Vec<&str> = ["run", "puzzle", "boxes", "method"]
        .into_iter()
        .chain(labels.iter().copied())
        .chain(["seed", "solved", "ended by", "fitness", "generations", "work", "seconds"])
        .collect();
    let rows: Vec<Vec<String>> =
        shown.runs.iter().enumerate().map(|(at, run)| row(at, run, &labels)).collect();
    let column =
        |(at, name): (usize, &&str)| Column::of(name, rows.iter().map(move |row| row[at].as_str()));
    let columns: Vec<Column> = names.iter().enumerate().map(column).collect();
    let lines = rows.iter().enumerate().map(|(at, row)| {
        let cells = row.iter().zip(&columns).map(|(cell, column)| column.cell(&escape(cell)));
        let board = if boards.has(at) { format!(" data-board=\"{at}\"") } else { String::new() };
        format!("<tr data-run=\"{at}\"{board}>{}</tr>\n", cells.collect::<String>())
    });
    let table = framed("Runs", "runs", &columns, lines, rows.len());
    let rest = match shown.of - shown.runs.len() {
        0 => String::new(),
        _ => left_out(&format!(
            "{} of {} runs are listed, {}; --export-json has all.",
            HumanCount(shown.runs.len() as u64),
            HumanCount(shown.of as u64),
            shown.which
        )),
    };
    let drawn = drawn(&shown.runs);
    let curves = match drawn == shown.runs.len() {
        true => String::new(),
        false => left_out(&format!("There is room for the curves of the first {drawn} runs.")),
    };
    format!("{CHOSEN}{table}{rest}{curves}")
}

/// The first runs, for whose curves there is room.
fn drawn(runs: &[ShownRun]) -> usize {
    let points = runs.iter().scan(0, |points, run| {
        *points += run.curve.len();
        Some(*points)
    });
    points.take_while(|points| *points <= POINTS).count()
}

/// Names of labels of which not all runs have the same value, in order.
fn labels(runs: &[ShownRun]) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for (name, _) in runs.iter().flat_map(|run| &run.labels) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    names.retain(|name| runs.iter().any(|run| label(run, name) != label(&runs[0], name)));
    names
}

fn label<'a>(run: &'a ShownRun, name: &str) -> &'a str {
    run.labels.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
}

fn row(at: usize, run: &ShownRun, labels: &[&str]) -> Vec<String> {
    let count = |figure: Option<u64>| {
        figure.map_or_else(|| "-".to_owned(), |figure| HumanCount(figure).to_string())
    };
    let own = [(at + 1).to_string(), run.puzzle.clone(), run.shape.clone(), run.method.clone()];
    let labels = labels.iter().map(|name| label(run, name).to_owned());
    let figures = [
        run.seed.to_string(),
        if run.solved { "yes" } else { "no" }.to_owned(),
        run.end.clone(),
        count(run.fitness.map(u64::from)),
        count(run.generations.map(u64::from)),
        count(run.work),
        format!("{:.3}", run.seconds),
    ];
    own.into_iter().chain(labels).chain(figures).collect()
}

/// The curves as data: generations, best and worst fitness of each run by its place.
pub(super) fn curves(runs: &[ShownRun]) -> String {
    let curves: serde_json::Map<String, serde_json::Value> = runs
        .iter()
        .take(drawn(runs))
        .enumerate()
        .filter(|(_, run)| !run.curve.is_empty())
        .map(|(at, run)| {
            let generations: Vec<u32> = run.curve.iter().map(|point| point.generation).collect();
            let best: Vec<u16> = run.curve.iter().map(|point| point.best).collect();
            let worst: Vec<u16> = run.curve.iter().map(|point| point.worst).collect();
            (at.to_string(), serde_json::json!([generations, best, worst]))
        })
        .collect();
    if curves.is_empty() {
        return String::new();
    }
    let json = serde_json::Value::from(curves).to_string();
    format!("<script id=\"curves\" type=\"application/json\">{}</script>\n", data(&json))
}
