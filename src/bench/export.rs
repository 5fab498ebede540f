//! Results as JSON and CSV: a line of results a line of the file.

use serde::Serialize;
use serde_json::{Value, json};

use super::line::{Line, whole};
use super::{BreakEven, Results};

/// Everything that is known, and in `results` every line with every column.
pub fn json(results: &Results) -> String {
    let adapter = results.adapter.as_ref();
    let head: Vec<(&str, Value)> = vec![
        ("version", json!(env!("CARGO_PKG_VERSION"))),
        ("cpu", json!(results.machine.cpu)),
        ("cores", json!(results.machine.cores)),
        ("system", json!(results.machine.system)),
        ("memory_bytes", json!(results.machine.memory_bytes)),
        ("cache_bytes", json!(results.machine.cache_bytes)),
        ("adapter", json!(adapter.map(|adapter| &adapter.name))),
        ("adapter_type", json!(adapter.map(|adapter| adapter.kind.to_string()))),
        ("adapter_backend", json!(adapter.map(|adapter| adapter.backend))),
        ("driver", json!(adapter.map(|adapter| &adapter.driver))),
        ("pci_bus_id", json!(adapter.and_then(|adapter| adapter.pci_bus_id.as_ref()))),
        ("seed", json!(results.plan.seed)),
        ("shape", json!(results.plan.shape.to_string())),
        ("time_budget_seconds", json!(results.plan.budget.as_secs_f64())),
        ("complete", json!(results.complete)),
        ("memory_reads", json!(results.read_rates)),
        ("device_copy_bytes_per_second", whole(results.device_copy)),
        ("fixed_costs", json!(results.fixed)),
        ("break_even", json!(break_evens(results))),
        ("sustained", json!(results.sustained)),
    ];
    let mut text = "{\n".to_owned();
    for (name, value) in head {
        text += &format!("{}: {value},\n", json!(name));
    }
    let lines = results.lines.iter().map(|line| object(line).to_string());
    let lines: Vec<String> = lines.collect();
    text + &format!("\"results\": [\n{}\n]\n}}\n", lines.join(",\n"))
}

/// A header, and a row a line; what does not apply is empty.
pub fn csv(results: &Results) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |row: Vec<String>| {
        // A row of as many fields as the others cannot fail in memory.
        let written = writer.write_record(row);
        debug_assert!(written.is_ok(), "{written:?}");
    };
    write(Line::COLUMNS.iter().map(|name| (*name).to_owned()).collect());
    for line in &results.lines {
        write(line.columns().iter().map(|(_, value)| text_of(value)).collect());
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

fn object(line: &Line) -> Columns {
    Columns(line.columns())
}

/// Columns as an object that keeps their order.
struct Columns(Vec<(&'static str, Value)>);

impl Serialize for Columns {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl std::fmt::Display for Columns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&serde_json::to_string(self).unwrap_or_default())
    }
}

/// The smallest population of each that the adapter wins at, or the largest it was tried at.
fn break_evens(results: &Results) -> Vec<Value> {
    let entry = |(of, found): (String, BreakEven)| {
        let not_up_to = match found {
            BreakEven::NotUpTo(population) => Some(population),
            BreakEven::From(_) => None,
        };
        json!({ "of": of, "population": found.population(), "not_up_to": not_up_to })
    };
    results.break_evens().into_iter().map(entry).collect()
}

fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
