//! What an experiment asks, and the short answer, in sentences.
//!
//! ```text
//! How do boxes and memetic compare on 001-easy-03 and ai-escargot, in 5 runs each?
//! boxes solved 5 of 10 runs, memetic 10 of 10.
//! ```

use crate::util::quantity::{count, noun};

use super::{Cell, CellSummary, Plan, Status};

/// Things that are named one by one; of more of them the number is told.
const NAMED: usize = 3;

/// What is asked.
pub(super) fn question(plan: &Plan) -> String {
    let methods = distinct(&plan.cells, |cell| cell.method.to_string());
    let puzzles = distinct(&plan.cells, |cell| cell.puzzle.name.clone());
    let verb = match &methods[..] {
        [method] => format!("What does {method} achieve"),
        _ => format!("How do {} compare", list(&methods, "methods")),
    };
    let varied = plan.parameters.iter().filter_map(|name| {
        let values = distinct(&plan.cells, |cell| cell.value(name).unwrap_or_default());
        let values = values.into_iter().filter(|value| !value.is_empty()).collect::<Vec<_>>();
        match values.len() {
            0 | 1 => None,
            2..=NAMED => Some(format!("{name} {}", list(&values, "values"))),
            more => Some(format!("{more} values of {name}")),
        }
    });
    let varied: Vec<String> = varied.collect();
    let over = match varied.is_empty() {
        true => String::new(),
        false => format!(", with {}", list(&varied, "parameters that vary")),
    };
    let seeds = distinct(&plan.cells, |cell| cell.seeds.to_string());
    let runs = match &seeds[..] {
        [one] if one == "1" => ", in one run each".to_owned(),
        [seeds] => format!(", in {seeds} runs each"),
        _ => String::new(),
    };
    format!("{verb} on {}{over}{runs}?", list(&puzzles, "puzzles"))
}

/// What each method solved, and what is still missing.
pub(super) fn answer(plan: &Plan, summaries: &[CellSummary]) -> Vec<String> {
    let mut all: Vec<MethodTotals> = Vec::new();
    for (cell, summary) in plan.cells.iter().zip(summaries) {
        let method = cell.method.to_string();
        let at = all.iter().position(|told| told.method == method).unwrap_or_else(|| {
            all.push(MethodTotals { method, ..MethodTotals::default() });
            all.len() - 1
        });
        all[at].solved += summary.solved;
        match summary.status {
            Status::Presolved => all[at].presolved += summary.runs,
            _ => all[at].runs += summary.runs,
        }
    }
    let told = |(at, told): (usize, &MethodTotals)| {
        let (solved, of) = (count(told.solved as u64), count(told.runs as u64));
        let (verb, runs) = match at {
            0 => (" solved", format!(" {}", noun(told.runs as u64, "run"))),
            _ => ("", String::new()),
        };
        let presolved = match told.presolved {
            0 => String::new(),
            more => format!(" (presolve alone solved {} more)", count(more as u64)),
        };
        format!("{}{verb} {solved} of {of}{runs}{presolved}", told.method)
    };
    let told: Vec<String> = all.iter().enumerate().map(told).collect();
    let mut answer = Vec::new();
    if !told.is_empty() {
        answer.push(format!("{}.", told.join(", ")));
    }
    let done: usize = summaries.iter().map(|summary| summary.runs).sum();
    if done < plan.runs() {
        answer.push(format!(
            "{} of {} runs are there.",
            count(done as u64),
            count(plan.runs() as u64)
        ));
    }
    answer
}

/// What is told of a method.
#[derive(Default)]
struct MethodTotals {
    method: String,
    /// Runs of evolution with a solution, all of them, and those that presolve alone solved.
    solved: usize,
    runs: usize,
    presolved: usize,
}

/// Each text once, in order.
fn distinct(cells: &[Cell], of: impl Fn(&Cell) -> String) -> Vec<String> {
    let mut known = std::collections::HashSet::new();
    cells.iter().map(of).filter(|text| known.insert(text.clone())).collect()
}

/// `a, b and c`, or `12 puzzles`.
fn list(names: &[String], noun: &str) -> String {
    match names {
        [] => format!("no {noun}"),
        [one] => one.clone(),
        [first @ .., last] if names.len() <= NAMED => format!("{} and {last}", first.join(", ")),
        _ => format!("{} {noun}", names.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Results, Spec};
    use super::*;

    fn plan(spec: &str) -> Plan {
        Plan::new(&Spec::from_toml(spec, "spec.toml".as_ref()).unwrap()).unwrap()
    }

    #[test]
    fn the_question_names_what_is_compared() {
        let one = plan("puzzles = ['003-4x4']\nmethods = ['boxes']");
        assert_eq!(question(&one), "What does boxes achieve on 003-4x4, in one run each?");
        let many = plan(
            "puzzles = ['003-4x4', '003-6x6']
             methods = ['boxes', 'memetic']
             seeds = 5
             [parameters]
             population = [20, 200, 300, 400]
             max_generations = [5, 6]",
        );
        assert_eq!(
            question(&many),
            "How do boxes and memetic compare on 003-4x4 and 003-6x6, with 4 values of population \
             and max_generations 5 and 6, in 5 runs each?"
        );
        let summaries = Results::new(&many).summaries();
        let told = answer(&many, &summaries);
        assert_eq!(told[0], "boxes solved 0 of 0 runs, memetic 0 of 0.");
        assert_eq!(told[1], "0 of 160 runs are there.");
    }
}
