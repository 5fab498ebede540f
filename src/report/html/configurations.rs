//! The parameters that runs were made with: those that all have in common, and a row for each
//! configuration where they are not the same.

use maud::{Markup, html};

use super::elements::{definitions, plain_table, text};
use crate::ga::{Config, Parameter};
use crate::report::RunView;

/// Puzzles that are named of a configuration.
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
    for run in runs {
        let Some(config) = &run.config else { continue };
        let known = found.iter().position(|known| known.config == config);
        let at = known.unwrap_or_else(|| {
            found.push(Configured { config, method: &run.method, puzzles: Vec::new(), runs: 0 });
            found.len() - 1
        });
        found[at].runs += 1;
        if !found[at].puzzles.contains(&run.puzzle.as_str()) {
            found[at].puzzles.push(&run.puzzle);
        }
    }
    let Some(first) = found.first() else { return html! {} };
    let (mut common, mut varying) = (Vec::new(), Vec::new());
    for parameter in Config::PARAMETERS {
        let of_first = value(first.config, parameter);
        if found.iter().any(|known| value(known.config, parameter) != of_first) {
            varying.push(parameter);
        } else if !of_first.is_empty() {
            let value = format!("{of_first} {}", parameter.unit);
            common.push((parameter.name.to_owned(), html! { (text(value.trim_end())) }));
        }
    }
    if found.len() == 1 {
        common.insert(0, ("method".to_owned(), html! { (text(first.method)) }));
    }
    let names = varying.iter().map(|parameter| parameter.name);
    let names: Vec<&str> = ["method", "of", "runs"].into_iter().chain(names).collect();
    let row = |known: &Configured<'_>| {
        let own = [known.method.to_owned(), named(&known.puzzles), known.runs.to_string()];
        let values = varying.iter().map(|parameter| value(known.config, parameter));
        own.into_iter().chain(values).collect()
    };
    let rows: Vec<Vec<String>> = found.iter().map(row).collect();
    html! {
        @if found.len() > 1 {
            h3 { "Parameters that vary" }
            (plain_table("Parameters that vary", &names, &rows))
            h3 { "Parameters that all have in common" }
        }
        div class="parameters" { (definitions(&common)) }
    }
}

/// A value, or nothing where the parameter means nothing.
fn value(config: &Config, parameter: &Parameter) -> String {
    if (parameter.applies)(config) { (parameter.get)(config) } else { String::new() }
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
    fn configurations_have_a_row_each_and_common_parameters_stand_below() {
        let one = of(1);
        assert!(!one.contains("Parameters that vary") && one.contains("boxes"), "{one}");
        let many = of(7);
        assert_eq!(many.matches("<tr>").count(), 1 + 7, "{many}");
        assert!(many.contains("puzzle 0, puzzle 1, puzzle 2 and 2 more"), "{many}");
        assert!(many.contains("<th scope=\"col\" class=\"n\">population</th>"), "{many}");
    }
}
