//! Reports of runs in all export formats, traces and recordings.

mod export;
mod export_set;
mod html;
pub(crate) mod plot;
mod recording;
mod run_record;
mod solve_report;
mod system_info;
mod trace;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::board::{Geometry, Puzzle};
use crate::format;
use crate::ga::Config;
use crate::util::RESULTS_VERSION;
use crate::util::quantity::counted;

pub(crate) use crate::store::{HistoryPoint, Series};
pub use crate::store::{OutputError, OutputFile, OutputKind, keep_apart};
pub use export::ExportFormat;
pub use export_set::ExportSet;
pub use plot::Plot;
pub use recording::{Frame, RecordedRun, RecordingFile, RecordingWriter, read_recording};
pub use run_record::{ReportRow, RunCost, RunRecord, SolveRecord, Uniqueness};
pub use solve_report::SolveSummary;
pub use system_info::SystemInfo;
pub use trace::Trace;

/// Runs that a page lists at most, each with its curve.
pub const MOST_RUN_VIEWS: usize = 400;

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
    /// The members of the JSON object between versions and records, in order.
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
    /// Tables for people.
    pub tables: OnDemand<'a, Vec<Table>>,
    /// Conclusions from all tables, in sentences.
    pub remarks: OnDemand<'a, Vec<String>>,
    /// Runs with their boards and curves.
    pub run_views: OnDemand<'a, RunViews>,
    /// The plots.
    pub plots: OnDemand<'a, Vec<Plot>>,
}

impl Report<'_> {
    /// All members of the JSON object before the last: the command, the versions of the program and of runs, and
    /// the fields.
    fn members(&self) -> impl Iterator<Item = (&'static str, Field)> {
        let own = [
            ("kind", Field::of(self.kind)),
            ("version", Field::of(env!("CARGO_PKG_VERSION"))),
            ("results_version", Field::of(RESULTS_VERSION)),
        ];
        own.into_iter().chain(self.fields.get())
    }
}

/// A part of a report that is made again for each format that has it: the tables of a large experiment
/// need not be in memory at the same time, and a part that no format has costs nothing.
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

/// Names and values: a row of a table, or a JSON object whose members keep their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Row(pub Vec<(&'static str, Value)>);

impl Row {
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
        let names = rows.first().map(|row| row.0.iter().map(|(name, _)| *name).collect());
        Self { names: names.unwrap_or_default(), rows }
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

/// Some of the runs of a report, in its order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunViews {
    /// These runs.
    pub runs: Vec<RunView>,
    /// How many there are.
    pub of: usize,
    /// Which of them these are, where they are not all.
    pub which: &'static str,
}

/// A run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunView {
    /// The puzzle's name.
    pub puzzle: String,
    /// The shape of a box.
    pub shape: String,
    /// The preset, or the exact method.
    pub method: String,
    /// Names and values that tell it from others.
    pub labels: Vec<(&'static str, String)>,
    /// Its seed.
    pub seed: u64,
    /// Whether it found a solution.
    pub solved: bool,
    /// The reason why it ended.
    pub end: String,
    /// The fitness of the best board, as far as it has one.
    pub fitness: Option<u16>,
    /// The last generation.
    pub generations: Option<u32>,
    /// Evaluations plus moves.
    pub work: Option<u64>,
    /// Wall time.
    pub seconds: f64,
    /// The device that it ran on.
    pub device: Option<String>,
    /// The effective configuration of a preset's run.
    pub config: Option<Config>,
    /// Some of its generations.
    pub curve: Series,
    /// The best board.
    pub board: Option<BoardView>,
}

/// A board, and what was given of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardView {
    /// Its shape.
    pub geometry: Geometry,
    /// A value for each cell.
    pub cells: Vec<u8>,
    /// The puzzle's.
    pub givens: Vec<u8>,
}

impl BoardView {
    /// Reads a board of `puzzle` from one line of a record; `None` if it has another shape.
    pub fn read(puzzle: &Puzzle, line: &str) -> Option<Self> {
        let read = format::read(line, "a board", Some(puzzle.geometry)).ok()?.puzzle;
        let givens = puzzle.givens.clone();
        Some(Self { geometry: puzzle.geometry, cells: read.givens, givens })
    }
}

/// The device of a run: `gpu on llvmpipe (Mesa 25.0), 2 threads`.
fn device_text(record: &RunRecord) -> String {
    let RunRecord { backend, adapter, driver, threads, .. } = record;
    let on = adapter.as_ref().map(|adapter| format!(" on {adapter}")).unwrap_or_default();
    let driver = driver.as_ref().filter(|driver| !driver.is_empty());
    let driver = driver.map(|driver| format!(" ({driver})")).unwrap_or_default();
    format!("{backend}{on}{driver}, {}", counted(*threads as u64, "thread"))
}

/// Rounds a figure to this many digits after the point; null without a figure.
pub(crate) fn rounded(figure: Option<f64>, digits: i32) -> Value {
    let scale = 10f64.powi(digits);
    figure.map_or(Value::Null, |figure| json!((figure * scale).round() / scale))
}

/// A cell for which there is no value.
pub(crate) fn dash() -> String {
    "-".to_owned()
}
