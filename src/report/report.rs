//! The report of a command, from which every export is written.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

#[cfg(feature = "plot")]
use super::Plot;
use super::RunViews;
use crate::util::RESULTS_VERSION;
use crate::util::named_enum::named;

/// The results of a command. Each export format takes the parts that it shows; a part that a command does
/// not have is empty.
///
/// A report of runs that are written one by one as `ReportRow`s has neither records
/// nor rows, only their names.
#[derive(Default)]
pub struct Report<'a> {
    /// The command: `solve`, `experiment`, `tune`, `bench` or `compare`.
    pub kind: &'static str,
    /// A heading.
    pub title: String,
    /// The question that it answers, as one sentence.
    pub question: OnDemand<'a, String>,
    /// The answer in short, in sentences.
    pub answer: OnDemand<'a, Vec<String>>,
    /// The members of the JSON object before the last, in order.
    pub fields: OnDemand<'a, Vec<(&'static str, Field)>>,
    /// The name of the last member, the list of records.
    pub list: &'static str,
    /// The records, each a JSON object on one line.
    pub records: OnDemand<'a, Vec<String>>,
    /// The rows of `--export-csv`.
    pub rows: OnDemand<'a, TidyTable>,
    /// A row for each run, where `rows` are something else.
    pub runs: OnDemand<'a, TidyTable>,
    /// A row for each generation that is known of each run.
    pub generations: OnDemand<'a, TidyTable>,
    /// A row for each pair that is compared.
    pub comparisons: OnDemand<'a, TidyTable>,
    /// Tables for people; where there are none, `rows` are shown.
    pub tables: OnDemand<'a, Vec<Table>>,
    /// Conclusions from all tables, in sentences.
    pub remarks: OnDemand<'a, Vec<String>>,
    /// Runs with their boards and curves.
    pub run_views: OnDemand<'a, RunViews>,
    /// The plots.
    #[cfg(feature = "plot")]
    pub plots: OnDemand<'a, Vec<Plot>>,
}

/// A part of a report that is made anew for each format that takes it: the tables of a large experiment
/// need not be in memory at the same time, and what no format takes costs nothing.
pub struct OnDemand<'a, T>(Box<dyn Fn() -> T + 'a>);

impl<'a, T> OnDemand<'a, T> {
    /// A part that `make` makes.
    pub fn new(make: impl Fn() -> T + 'a) -> Self {
        Self(Box::new(make))
    }

    /// Makes it.
    pub fn get(&self) -> T {
        (self.0)()
    }
}

impl<'a, T: Default + 'a> Default for OnDemand<'a, T> {
    fn default() -> Self {
        Self(Box::new(T::default))
    }
}

/// A member of the JSON object.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    /// A value.
    Value(Value),
    /// A list of objects, one a line.
    List(Vec<Row>),
}

impl Field {
    /// A value.
    pub fn of(value: impl Serialize) -> Self {
        Self::Value(json!(value))
    }
}

/// The first fields of every report: the command, and the version of the program and of runs.
pub(crate) fn version_fields(kind: &'static str) -> Vec<(&'static str, Field)> {
    vec![
        ("kind", Field::of(kind)),
        ("version", Field::of(env!("CARGO_PKG_VERSION"))),
        ("results_version", Field::of(RESULTS_VERSION)),
    ]
}

/// Names and values: a row of a table, or a JSON object whose members keep their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Row(pub Vec<(&'static str, Value)>);

impl Row {
    /// The names.
    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|(name, _)| *name).collect()
    }

    /// The values as text; null is empty.
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

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// A table for programs: every row says what it is of, so that no other table is needed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TidyTable {
    /// The names of the columns.
    pub names: Vec<&'static str>,
    /// The rows.
    pub rows: Vec<Row>,
}

impl From<Vec<Row>> for TidyTable {
    /// A table of rows with the names of the first.
    fn from(rows: Vec<Row>) -> Self {
        Self { names: rows.first().map(Row::names).unwrap_or_default(), rows }
    }
}

/// A table for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its subject; empty for the only table of a report.
    pub title: String,
    /// The names of the columns.
    pub header: Vec<&'static str>,
    /// Rows of as many cells.
    pub rows: Vec<Vec<String>>,
    /// Sentences that follow it.
    pub notes: Vec<String>,
}

/// A cell for which there is no value.
pub(crate) fn dash() -> String {
    "-".to_owned()
}

named! {
    /// How an axis of generations is divided in plots.
    pub enum AxisScale {
        /// Logarithmic where there are more than 200, linear where there are fewer.
        Auto = "auto",
        /// Every generation as wide as another.
        Linear = "linear",
        /// Every tenfold as wide as another.
        Log = "log",
    }
}

#[expect(clippy::derivable_impls, reason = "variants of a named enum take no attributes")]
impl Default for AxisScale {
    fn default() -> Self {
        Self::Auto
    }
}
