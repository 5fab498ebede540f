//! JSON: an object of all that is known, its list of records last. An object of a list takes one
//! line, so that versions of the file compare line by line.

use super::Exporter;
use crate::report::document::{Columns, Document, Entry, Fact};

/// Writes JSON.
pub(super) struct Json;

impl Exporter for Json {
    fn head(&self, document: &dyn Document) -> String {
        let mut text = "{\n".to_owned();
        for (name, fact) in document.facts() {
            let value = match fact {
                Fact::Value(value) => value.to_string(),
                Fact::List(objects) if objects.is_empty() => "[]".to_owned(),
                Fact::List(objects) => {
                    let lines: Vec<String> = objects.iter().map(Columns::json).collect();
                    format!("[\n{}\n]", lines.join(",\n"))
                }
            };
            text += &format!("\"{name}\": {value},\n");
        }
        text + &format!("\"{}\": [", document.list())
    }

    fn body(&self, document: &dyn Document) -> String {
        let records = document.records();
        if records.is_empty() { String::new() } else { format!("\n{}", records.join(",\n")) }
    }

    fn entry(&self, entry: &dyn Entry, first: bool) -> Option<String> {
        let before = if first { "\n" } else { ",\n" };
        Some(entry.record().map_or_else(String::new, |record| format!("{before}{record}")))
    }

    fn tail(&self, _: &dyn Document, empty: bool) -> String {
        if empty { "]\n}\n".to_owned() } else { "\n]\n}\n".to_owned() }
    }
}
