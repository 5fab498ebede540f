//! A table in Markdown, made of runs.

use super::figure::{grouped, mean};
use super::request::Request;
use super::runs::{KeptRun, Runs};

/// The table that is asked for.
pub fn table(request: &Request, runs: &[Runs]) -> String {
    let asked = |run: &KeptRun| {
        request
            .conditions
            .iter()
            .all(|(name, values)| values.iter().any(|value| run.text(name) == value))
    };
    let runs: Vec<KeptRun> = runs.iter().flat_map(Runs::iter).filter(asked).collect();
    assert!(!runs.is_empty(), "no run is left of {request:?}");
    let columns = request.across.as_deref().map(|name| distinct(&runs, |run| vec![run.text(name)]));
    let columns: Option<Vec<&str>> = columns.map(|all| {
        all.into_iter().map(|value| value[0]).filter(|value| !value.is_empty()).collect()
    });
    let mut rows = distinct(&runs, |run| request.by.iter().map(|name| run.text(name)).collect());
    let of_row = |row: &Vec<&str>| -> Vec<KeptRun> {
        let same = |run: &&KeptRun| {
            request.by.iter().zip(row).all(|(name, value)| run.text(name) == *value)
        };
        runs.iter().filter(same).copied().collect()
    };
    if request.sorted {
        let fitness = |row: &Vec<&str>| mean(&of_row(row), "fitness").unwrap_or(f64::INFINITY);
        rows.sort_by(|a, b| fitness(a).total_cmp(&fitness(b)));
    }
    rows.truncate(request.first);

    let mut head = request.by.clone();
    match (&request.across, &columns) {
        (Some(name), Some(values)) => head.extend(values.iter().enumerate().map(|(at, value)| {
            if at == 0 { format!("{name} {}", shown(value)) } else { shown(value) }
        })),
        _ => head.extend(request.show.iter().map(|figure| figure.head.to_owned())),
    }
    let rule = vec!["---".to_owned(); head.len()];
    let mut text = line(&head) + &line(&rule);
    for row in &rows {
        let of_row = of_row(row);
        let mut cells: Vec<String> = row.iter().map(|value| shown(value)).collect();
        match (&request.across, &columns) {
            (Some(name), Some(values)) => cells.extend(values.iter().map(|value| {
                let here: Vec<KeptRun> =
                    of_row.iter().filter(|run| run.text(name) == *value).copied().collect();
                let figures = request.show.iter().filter_map(|figure| figure.of(&here));
                figures.collect::<Vec<_>>().join(", ")
            })),
            _ => cells
                .extend(request.show.iter().map(|figure| figure.of(&of_row).unwrap_or_default())),
        }
        text += &line(&cells);
    }
    text
}

/// Each value once, in order.
fn distinct<'a>(
    runs: &[KeptRun<'a>],
    of: impl Fn(KeptRun<'a>) -> Vec<&'a str>,
) -> Vec<Vec<&'a str>> {
    let mut values = Vec::new();
    for run in runs {
        let value = of(*run);
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// Whole numbers with commas.
fn shown(value: &str) -> String {
    match value.parse::<u64>() {
        Ok(number) => grouped(number as f64),
        Err(_) => value.to_owned(),
    }
}

fn line(cells: &[String]) -> String {
    let cells: String = cells.iter().map(|cell| format!(" {cell} |")).collect();
    format!("|{}\n", cells.replace("  |", " |"))
}
