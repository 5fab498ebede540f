//! What a command has found, as every export format can take it.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

#[cfg(feature = "plot")]
use super::Plot;
use super::ShownRuns;
use crate::RESULTS_VERSION;

/// Something that can be exported. A format takes the part that it can show.
pub trait Document {
    /// What made it: `solve`, `experiment`, `tune`, `bench` or `compare`.
    fn kind(&self) -> &'static str;
    /// A heading.
    fn title(&self) -> String;
    /// What was asked, as one sentence.
    fn question(&self) -> String;
    /// The answer in short, in sentences.
    fn answer(&self) -> Vec<String> {
        Vec::new()
    }
    /// What is known of it as a whole, by name and in order.
    fn facts(&self) -> Vec<(&'static str, Fact)>;
    /// What its list of records is called.
    fn list(&self) -> &'static str;
    /// Its records, each a JSON object on one line; none of a document that is written run by run.
    fn records(&self) -> Vec<String>;
    /// Names of the columns that figures stand in.
    fn columns(&self) -> Vec<&'static str>;
    /// A text for each column; no rows of a document that is written run by run.
    fn rows(&self) -> Vec<Vec<String>>;
    /// Tables as people read them; none where the rows themselves are the table.
    fn tables(&self) -> Vec<Table>;
    /// What follows from all of them, in sentences.
    fn remarks(&self) -> Vec<String>;
    /// A row for each run, where the document's rows are something else.
    fn run_table(&self) -> LongTable {
        LongTable::default()
    }
    /// A row for each generation that is known of each run.
    fn generation_table(&self) -> LongTable {
        LongTable::default()
    }
    /// A row for each pair that is compared.
    fn comparison_table(&self) -> LongTable {
        LongTable::default()
    }
    /// Its runs one by one, with their boards and curves: at most so many of them.
    fn shown_runs(&self, _most: usize) -> ShownRuns {
        ShownRuns::default()
    }
    /// What can be drawn of it, one figure after the other.
    #[cfg(feature = "plot")]
    fn plots(&self) -> Vec<Plot>;
}

/// A run in a document that is written run by run.
pub trait Entry {
    /// Its record, a JSON object on one line, if it has one.
    fn record(&self) -> Option<String>;
    /// A text for each column.
    fn row(&self) -> Vec<String>;
}

/// Something that is known of a document as a whole.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// A value.
    Value(Value),
    /// A list of objects.
    List(Vec<Columns>),
}

impl Fact {
    /// A value.
    pub fn of(value: impl Serialize) -> Self {
        Self::Value(json!(value))
    }
}

/// What every document begins with: what made it, and which version of the program and of runs.
pub(crate) fn origin(kind: &'static str) -> [(&'static str, Fact); 3] {
    [
        ("kind", Fact::of(kind)),
        ("version", Fact::of(env!("CARGO_PKG_VERSION"))),
        ("results_version", Fact::of(RESULTS_VERSION)),
    ]
}

/// Columns and their values, as an object that keeps their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns(pub Vec<(&'static str, Value)>);

impl Columns {
    /// The names.
    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|(name, _)| *name).collect()
    }

    /// The values as text; what is null is empty.
    pub fn texts(&self) -> Vec<String> {
        let text = |value: &Value| match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        self.0.iter().map(|(_, value)| text(value)).collect()
    }

    /// The object on one line.
    pub fn json(&self) -> String {
        // Names are strings and values are JSON: nothing here can fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl Serialize for Columns {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Rows that a program reads, each complete in itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LongTable {
    /// The names of the columns.
    pub names: Vec<&'static str>,
    /// Rows of these columns.
    pub rows: Vec<Columns>,
}

/// What stands in a table where there is nothing to tell.
pub(crate) fn dash() -> String {
    "-".to_owned()
}

/// A table of text, and what to know about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What it is about; nothing for a document's own table.
    pub title: String,
    /// The columns' names.
    pub header: Vec<&'static str>,
    /// Rows of as many cells.
    pub rows: Vec<Vec<String>>,
    /// Sentences that follow it.
    pub notes: Vec<String>,
}
