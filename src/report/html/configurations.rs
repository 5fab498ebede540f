//! The parameters that runs were made with: those that all have in common, and a row for each
//! configuration where they are not the same.

use maud::{Markup, html};

use super::{definitions, left_out, table, text};
use crate::ga::{Config, Parameter};
use crate::report::RunView;
use crate::util::plural::counted;

/// Configurations that stand side by side.
const BESIDE: usize = 6;
/// Configurations that are told apart.
const ROWS: usize = 60;
/// Puzzles that are named of each.
const NAMED: usize = 3;

/// The runs of one configuration.
struct Configured<'a> {
    config: &'a Config,
    method: &'a str,
    puzzles: Vec<&'a str>,
    runs: usize,
}

/// All parameters that mean something in the runs that are shown.
pub(super) fn configurations(runs: &[RunView]) -> Markup {
    let mut found: Vec<Configured<'_>> = Vec::new();
    let mut beyond = 0;
    for run in runs {
        let Some(config) = &run.config else { continue };
        match found.iter().position(|known| known.config == config) {
            Some(at) => {
                let known = &mut found[at];
                known.runs += 1;
                if !known.puzzles.contains(&run.puzzle.as_str()) {
                    known.puzzles.push(&run.puzzle);
                }
            }
            None if found.len() == ROWS => beyond += 1,
            None => found.push(Configured {
                config,
                method: &run.method,
                puzzles: vec![&run.puzzle],
                runs: 1,
            }),
        }
    }
    let Some(first) = found.first() else { return html! {} };
    let (mut common, mut varying) = (Vec::new(), Vec::new());
    for parameter in Config::PARAMETERS {
        let of_first = value(first.config, parameter);
        if found.iter().any(|known| value(known.config, parameter) != of_first) {
            varying.push(parameter);
        } else if !of_first.is_empty() {
            let unit = if parameter.unit.is_empty() { "" } else { " " };
            let value = format!("{of_first}{unit}{}", parameter.unit);
            common.push((parameter.name.to_owned(), html! { (text(&value)) }));
        }
    }
    if found.len() == 1 {
        common.insert(0, ("method".to_owned(), html! { (text(first.method)) }));
    }
    html! {
        @if found.len() > 1 {
            h3 { "What varies" }
            @if found.len() <= BESIDE { (beside(&found, &varying)) } @else { (below(&found, &varying)) }
            @if beyond > 0 {
                (left_out(&format!(
                    "Left out: {} of further configurations.",
                    counted(beyond as u64, "run")
                )))
            }
            h3 { "The same in all of them" }
        }
        div class="parameters" { (definitions(&common)) }
    }
}

/// A value, or nothing where the parameter means nothing.
fn value(config: &Config, parameter: &Parameter) -> String {
    if (parameter.applies)(config) { (parameter.get)(config) } else { String::new() }
}

/// A column for each configuration, and a row for each parameter.
fn beside(found: &[Configured<'_>], varying: &[&Parameter]) -> Markup {
    let rows: Vec<Vec<String>> = varying
        .iter()
        .map(|parameter| {
            let values = found.iter().map(|known| value(known.config, parameter));
            [parameter.name.to_owned()].into_iter().chain(values).collect()
        })
        .collect();
    let of = |known: &Configured<'_>| format!("{}: {}", known.method, named(&known.puzzles));
    let names = ["parameter".to_owned()].into_iter().chain(found.iter().map(of));
    table::plain("What varies", &names.collect::<Vec<_>>(), &rows)
}

/// A row for each configuration, and a column for each parameter.
fn below(found: &[Configured<'_>], varying: &[&Parameter]) -> Markup {
    let rows: Vec<Vec<String>> = found
        .iter()
        .map(|known| {
            let own = [known.method.to_owned(), named(&known.puzzles), known.runs.to_string()];
            let values = varying.iter().map(|parameter| value(known.config, parameter));
            own.into_iter().chain(values).collect()
        })
        .collect();
    let names = ["method", "of", "runs"].into_iter();
    let names = names.chain(varying.iter().map(|parameter| parameter.name)).map(str::to_owned);
    table::plain("What varies", &names.collect::<Vec<_>>(), &rows)
}

fn named(puzzles: &[&str]) -> String {
    let first: Vec<&str> = puzzles.iter().take(NAMED).copied().collect();
    match puzzles.len() - first.len() {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Geometry, SearchSpace};
    use crate::ga::Preset;

    /// Two runs of each population, on puzzles of their own.
    fn of(populations: u32) -> String {
        let space = SearchSpace::blank(Geometry::new(3, 3).unwrap());
        let run = |number: u32| RunView {
            puzzle: format!("puzzle {}", number / populations),
            shape: "3x3".to_owned(),
            method: "boxes".to_owned(),
            labels: Vec::new(),
            seed: 1,
            solved: false,
            end: "generations".to_owned(),
            fitness: None,
            generations: None,
            work: None,
            seconds: 1.0,
            device: None,
            config: Some(Config {
                population: 100 + number % populations,
                ..Config::of(Preset::Boxes, &space)
            }),
            curve: Vec::new(),
            board: None,
        };
        configurations(&(0..5 * populations).map(run).collect::<Vec<_>>()).into_string()
    }

    #[test]
    fn few_configurations_stand_side_by_side_and_many_below_each_other() {
        let one = of(1);
        assert!(!one.contains("What varies") && one.contains("boxes"), "{one}");
        let side_by_side = of(BESIDE as u32);
        assert_eq!(side_by_side.matches("<tr>").count(), 2, "{side_by_side}");
        assert!(side_by_side.contains("boxes: puzzle 0, puzzle 1, puzzle 2 and 2 more"));
        let below_each_other = of(BESIDE as u32 + 1);
        assert_eq!(below_each_other.matches("<tr>").count(), 1 + BESIDE + 1);
        assert!(!below_each_other.contains("Left out"));
        let many = of(ROWS as u32 + 2);
        assert_eq!(many.matches("<tr>").count(), 1 + ROWS);
        assert!(many.contains("Left out: 10 runs of further configurations."), "{many}");
    }
}
