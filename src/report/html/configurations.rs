//! The parameters that runs were made with.

use maud::{Markup, html};

use super::elements::{definitions, text};
use crate::ga::{Config, Parameter};
use crate::report::RunView;
use crate::util::distinct;

/// All parameters that mean something in the runs that are shown, each with its values there.
pub(super) fn configurations(runs: &[RunView]) -> Markup {
    let configs = || runs.iter().filter_map(|run| run.config.as_ref());
    let values = |parameter: &Parameter| {
        let configs = configs().filter(|config| (parameter.applies)(config));
        let values = distinct(configs.map(parameter.get));
        let all = format!("{} {}", values.join(", "), parameter.unit);
        (!values.is_empty()).then(|| (parameter.name.to_owned(), html! { (text(all.trim_end())) }))
    };
    let list: Vec<(String, Markup)> = Config::PARAMETERS.iter().filter_map(values).collect();
    html! { @if !list.is_empty() { div class="parameters" { (definitions(&list)) } } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Geometry, SearchSpace};
    use crate::ga::Preset;
    use crate::report::Series;

    /// Five runs of each population.
    fn of(populations: u32) -> String {
        let space = SearchSpace::blank(Geometry::new(3, 3).unwrap());
        let run = |number: u32| RunView {
            puzzle: "a puzzle".to_owned(),
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
            curve: Series::default(),
            board: None,
        };
        configurations(&(0..5 * populations).map(run).collect::<Vec<_>>()).into_string()
    }

    #[test]
    fn a_parameter_is_listed_with_all_of_its_values() {
        assert!(of(1).contains("<dt>population</dt><dd>100 "), "{}", of(1));
        let many = of(7);
        assert!(many.contains("100, 101, 102, 103, 104, 105, 106"), "{many}");
        assert_eq!(many.matches("<dt>population</dt>").count(), 1, "{many}");
        assert!(configurations(&[]).into_string().is_empty());
    }
}
