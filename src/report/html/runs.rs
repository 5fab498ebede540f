//! The table of runs, and the data that the curve of the chosen one is drawn from.

use maud::{Markup, PreEscaped, html};

use super::elements::{left_out, table_of_runs};
use crate::report::{RunView, RunViews, dash};
use crate::util::distinct;
use crate::util::quantity::count;

/// Points of all curves at most.
const POINTS: usize = 100_000;

/// The table; nothing where there is no run. The details of the chosen run are above it; without a script they
/// are empty.
pub(super) fn runs(views: &RunViews) -> Markup {
    let labels = labels(&views.runs);
    let names: Vec<&str> = ["run", "puzzle", "boxes", "method"]
        .into_iter()
        .chain(labels.iter().copied())
        .chain(["seed", "solved", "ended by", "fitness", "generations", "work", "seconds"])
        .collect();
    let rows: Vec<Vec<String>> =
        views.runs.iter().enumerate().map(|(at, run)| row(at, run, &labels)).collect();
    let drawn = drawn(&views.runs);
    html! {
        @if !views.runs.is_empty() {
            div id="chosen" hidden="hidden" { div id="curve" {} div id="chosen-board" {} }
            (table_of_runs("Runs", "sorts runs", &names, &rows, true))
            @if views.of > views.runs.len() {
                (left_out(&format!(
                    "{} of {} runs are listed ({}); --export-json writes all runs.",
                    count(views.runs.len() as u64),
                    count(views.of as u64),
                    views.which
                )))
            }
            @if drawn < views.runs.len() {
                (left_out(&format!("There is room only for the curves of the first {drawn} runs.")))
            }
        }
    }
}

/// The first runs, for whose curves there is room.
fn drawn(runs: &[RunView]) -> usize {
    let points = runs.iter().scan(0, |points, run| {
        *points += run.curve.generation.len();
        Some(*points)
    });
    points.take_while(|points| *points <= POINTS).count()
}

/// The names of the labels whose values differ between runs, in order.
fn labels(runs: &[RunView]) -> Vec<&'static str> {
    let mut names = distinct(runs.iter().flat_map(|run| &run.labels).map(|(name, _)| *name));
    names.retain(|name| runs.iter().any(|run| label(run, name) != label(&runs[0], name)));
    names
}

fn label<'a>(run: &'a RunView, name: &str) -> &'a str {
    run.labels.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
}

fn row(at: usize, run: &RunView, labels: &[&str]) -> Vec<String> {
    let figure = |figure: Option<u64>| figure.map_or_else(dash, count);
    let own = [(at + 1).to_string(), run.puzzle.clone(), run.shape.clone(), run.method.clone()];
    let labels = labels.iter().map(|name| label(run, name).to_owned());
    let figures = [
        run.seed.to_string(),
        if run.solved { "yes" } else { "no" }.to_owned(),
        run.end.clone(),
        figure(run.fitness.map(u64::from)),
        figure(run.generations.map(u64::from)),
        figure(run.work),
        format!("{:.3}", run.seconds),
    ];
    own.into_iter().chain(labels).chain(figures).collect()
}

/// The curves as data: generations, best and worst fitness of each run by its place.
pub(super) fn curves(runs: &[RunView]) -> Markup {
    let curves: serde_json::Map<String, serde_json::Value> = runs
        .iter()
        .take(drawn(runs))
        .enumerate()
        .filter(|(_, run)| !run.curve.generation.is_empty())
        .map(|(at, RunView { curve, .. })| {
            (at.to_string(), serde_json::json!([curve.generation, curve.best, curve.worst]))
        })
        .collect();
    if curves.is_empty() {
        return html! {};
    }
    let json = script_data(&serde_json::Value::from(curves).to_string());
    html! { script id="curves" type="application/json" { (PreEscaped(json)) } "\n" }
}

/// JSON for a script element, in which entities mean nothing: `<`, `>` and `&`, which only its strings have, are
/// written as numbers.
fn script_data(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::script_data;

    #[test]
    fn data_cannot_end_its_script() {
        let json = serde_json::json!({ "</script><!--": "&amp;]]>" }).to_string();
        let data = script_data(&json);
        assert!(!data.contains(['<', '>', '&']), "{data}");
        let read: serde_json::Value = serde_json::from_str(&data).unwrap();
        assert_eq!(read["</script><!--"], "&amp;]]>");
    }
}
