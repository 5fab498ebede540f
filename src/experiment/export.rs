//! Results as files: CSV and Markdown with a row for each cell, JSON with every run.
//!
//! CSV and the cells of the JSON have the same columns. `seconds`, `median_seconds`,
//! `children_per_second` and `threads` depend on the machine and on `--jobs`; all else depends on
//! the spec alone, unless a time limit ended a run.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::{Cell, Censored, Results, Rows, Summary, law_rows};
use crate::evolve::Config;

/// One row a cell, every figure in a column of its own; what is not known is empty.
pub fn csv(results: &mut Results<'_>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for (number, columns) in all_columns(results).iter().enumerate() {
        if number == 0 {
            write(&mut writer, columns.0.iter().map(|(name, _)| (*name).to_owned()));
        }
        write(&mut writer, columns.0.iter().map(|(_, value)| text_of(value)));
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// A row of as many fields as the others cannot fail in memory.
fn write(writer: &mut csv::Writer<Vec<u8>>, row: impl Iterator<Item = String>) {
    let written = writer.write_record(row.map(String::into_bytes));
    debug_assert!(written.is_ok(), "{written:?}");
}

/// Version, fingerprint, cells and runs. A cell and a run take one line each, so that versions of
/// the file compare line by line; runs are in the order of the plan.
pub fn json(results: &mut Results<'_>) -> String {
    let plan = results.plan();
    let cells: Vec<String> = all_columns(results)
        .iter()
        .map(|columns| serde_json::to_string(columns).unwrap_or_default())
        .collect();
    let runs: Vec<&str> = results.finished().map(|run| run.line.as_str()).collect();
    format!(
        "{{\n\"version\": {},\n\"experiment\": {},\n\"fingerprint\": {},\n\"cells\": {},\n\"runs\": {}\n}}\n",
        json!(env!("CARGO_PKG_VERSION")),
        json!(plan.name),
        json!(plan.fingerprint),
        array(&cells),
        array(&runs),
    )
}

fn array<T: AsRef<str>>(items: &[T]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    if items.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", items.join(",\n")) }
}

/// The tables as people read them.
pub fn markdown(results: &mut Results<'_>) -> String {
    let mut text = format!("# {}\n\n", results.plan().name) + &table(&Rows::of(results));
    if let Some(rows) = law_rows(results) {
        text += "\n## Population size at equal work\n\n";
        text += &table(&rows);
    }
    text
}

fn table(rows: &Rows) -> String {
    let row = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let header: Vec<String> = rows.header.iter().map(|name| (*name).to_owned()).collect();
    let mut text = row(&header);
    text += &format!("|{}\n", " --- |".repeat(header.len()));
    for cells in &rows.rows {
        text += &row(cells);
    }
    text + "\n" + &rows.notes.join("\n") + "\n"
}

/// The columns of a cell, in order.
struct Columns(Vec<(&'static str, Value)>);

impl Serialize for Columns {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

fn all_columns(results: &mut Results<'_>) -> Vec<Columns> {
    let plan = results.plan();
    let summaries = results.summaries();
    let cells = plan.cells.iter().zip(&summaries).enumerate();
    cells
        .map(|(number, (cell, summary))| columns(number, cell, summary, &plan.parameters))
        .collect()
}

fn columns(number: usize, cell: &Cell, summary: &Summary, parameters: &[&'static str]) -> Columns {
    let mut columns = vec![
        ("cell", json!(number + 1)),
        ("block", json!(cell.block)),
        ("puzzle", json!(cell.puzzle.name)),
        ("method", json!(cell.method)),
    ];
    columns.extend(parameters.iter().map(|name| (*name, value_of(cell, name))));
    let (success, low, high) = match summary.success {
        Some((success, low, high)) => (Some(success), Some(low), Some(high)),
        None => (None, None, None),
    };
    columns.extend([
        ("status", json!(summary.status)),
        ("remark", json!(summary.remark)),
        ("runs", json!(summary.runs)),
        ("planned", json!(summary.planned)),
        ("solved", json!(summary.solved)),
        ("success", rounded(success, 4)),
        ("success_low", rounded(low, 4)),
        ("success_high", rounded(high, 4)),
    ]);
    let Censored { best, lower_quartile, median, upper_quartile, worst, .. } = summary.generations;
    columns.extend([
        ("generations_best", rounded(best, 2)),
        ("generations_lower_quartile", rounded(lower_quartile, 2)),
        ("generations_median", rounded(median, 2)),
        ("generations_upper_quartile", rounded(upper_quartile, 2)),
        ("generations_worst", rounded(worst, 2)),
    ]);
    let Censored { best, lower_quartile, median, upper_quartile, worst, .. } = summary.work;
    columns.extend([
        ("work_best", rounded(best, 2)),
        ("work_lower_quartile", rounded(lower_quartile, 2)),
        ("work_median", rounded(median, 2)),
        ("work_upper_quartile", rounded(upper_quartile, 2)),
        ("work_worst", rounded(worst, 2)),
        ("work_total", json!(summary.total_work)),
        ("expected_work", rounded(summary.expected_work.mean, 1)),
        ("expected_work_low", rounded(summary.expected_work.low, 1)),
        ("expected_work_high", rounded(summary.expected_work.high, 1)),
        ("unsolved_fitness", rounded(summary.unsolved_fitness, 3)),
        ("seconds", rounded(Some(summary.seconds), 6)),
        ("median_seconds", rounded(summary.median_seconds, 6)),
        ("children_per_second", rounded(summary.children_per_second, 0)),
    ]);
    Columns(columns)
}

/// A parameter as number or name.
fn value_of(cell: &Cell, name: &str) -> Value {
    match (cell.value(name), serde_json::to_value(&cell.config)) {
        (Some(_), Ok(config)) => config_value(&config, name),
        _ => Value::Null,
    }
}

fn config_value(config: &Value, name: &str) -> Value {
    debug_assert!(Config::parameter(name).is_ok());
    config.get(name).cloned().unwrap_or(Value::Null)
}

fn rounded(figure: Option<f64>, digits: i32) -> Value {
    let scale = 10f64.powi(digits);
    figure.map_or(Value::Null, |figure| json!((figure * scale).round() / scale))
}

fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
