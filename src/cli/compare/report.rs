//! The report of a comparison: the table that is printed, a record for each of its rows, and the answer.

use anyhow::Result;
use serde_json::{Value, json};

use crate::cli::exit::Exit;
use crate::cli::exports::finish;
use crate::cli::table::report_table;
use crate::fitness::SimdLevel;
use crate::gpu::AdapterInfo;
use crate::report::{ExportSet, Field, OnDemand, Report, Row, SystemInfo, Table, TidyTable, dash};
use crate::util::named_enum::named;
use crate::util::quantity::{count, counted};

/// A row of a comparison.
#[derive(Clone, Debug)]
pub(super) struct ComparedRow {
    /// A value for each column of the subject.
    pub values: Vec<Value>,
    /// Whether both devices gave the same; `None` where one of them failed.
    pub equal: Option<bool>,
}

named! {
    /// The subject of a comparison.
    pub enum Subject {
        /// Scores: a row for each kind of boards.
        Scores = "scores",
        /// Runs on both engines: a row for each preset.
        Engines = "engines",
    }
}

/// The member of a record, and the column of the table that shows it.
type Column = (&'static str, Option<&'static str>);

impl Subject {
    /// The columns of a row; the last two are the rates of both devices.
    fn columns(self) -> &'static [Column] {
        match self {
            Self::Scores => &[
                ("shape", None),
                ("kind", Some("kind")),
                ("boards", Some("boards")),
                ("mismatches", Some("mismatches")),
                ("cpu_boards_per_second", Some("CPU boards/s")),
                ("gpu_boards_per_second", Some("GPU boards/s")),
            ],
            Self::Engines => &[
                ("preset", Some("preset")),
                ("population", Some("population")),
                ("generations", Some("generations")),
                ("equal", None),
                ("result", Some("result")),
                ("cpu_children_per_second", Some("CPU children/s")),
                ("gpu_children_per_second", Some("GPU children/s")),
            ],
        }
    }
}

/// The column of the second rate as a multiple of the first.
const RATIO: &str = "GPU/CPU";

/// The results of a comparison.
#[derive(Clone, Debug)]
pub(super) struct Compared {
    pub subject: Subject,
    pub rows: Vec<ComparedRow>,
    /// The sentence after the table.
    pub on: String,
    pub adapter: AdapterInfo,
    pub simd: SimdLevel,
    pub threads: usize,
    pub seed: u64,
    /// Whether everything was compared.
    pub complete: bool,
}

impl Compared {
    /// Prints the table, writes the exports, and returns the exit code.
    ///
    /// # Errors
    /// The error of stdout.
    pub fn write(&self, exports: &mut ExportSet) -> Result<Exit> {
        let spare: &[&str] = match self.subject {
            Subject::Scores => &[RATIO, "boards"],
            Subject::Engines => &[RATIO, "CPU children/s", "GPU children/s", "population"],
        };
        let text = report_table(self.table(), &["result"], spare);
        let written = finish(exports, &self.report(), Some(text))?;
        let exit = |row: &ComparedRow| match row.equal {
            Some(true) => Exit::Done,
            Some(false) => Exit::Not,
            None => Exit::Failure,
        };
        let found = self.rows.iter().map(exit).max().unwrap_or(Exit::Done);
        Ok(if self.complete { written.max(found) } else { Exit::Interrupted })
    }

    fn report(&self) -> Report<'_> {
        Report {
            kind: "compare",
            title: "evodoku compare".to_owned(),
            question: OnDemand::new(|| self.question()),
            answer: OnDemand::new(|| self.answer()),
            fields: OnDemand::new(|| self.fields()),
            list: "results",
            records: OnDemand::new(|| self.records().map(|row| row.json()).collect()),
            rows: OnDemand::new(|| TidyTable {
                names: self.subject.columns().iter().map(|(name, _)| *name).collect(),
                rows: self.records().collect(),
            }),
            tables: OnDemand::new(|| vec![self.table()]),
            ..Report::default()
        }
    }

    fn records(&self) -> impl Iterator<Item = Row> {
        let names = self.subject.columns().iter().map(|(name, _)| *name);
        let record = move |row: &ComparedRow| names.clone().zip(row.values.clone()).collect();
        self.rows.iter().map(move |row| Row(record(row)))
    }

    fn table(&self) -> Table {
        let columns = self.subject.columns();
        let cells = |row: &ComparedRow| {
            let shown = columns.iter().zip(&row.values).filter(|((_, shown), _)| shown.is_some());
            shown.map(|(_, value)| cell(value)).chain([ratio(&row.values)]).collect()
        };
        let header = columns.iter().filter_map(|(_, shown)| *shown).chain([RATIO]);
        Table {
            title: String::new(),
            header: header.collect(),
            rows: self.rows.iter().map(cells).collect(),
            notes: vec![self.on.clone()],
        }
    }

    /// The sum of a column.
    fn sum(&self, column: usize) -> u64 {
        self.rows.iter().filter_map(|row| row.values[column].as_u64()).sum()
    }

    fn question(&self) -> String {
        let question = match self.subject {
            Subject::Scores => "Does the CPU give every board the same score as",
            Subject::Engines => "Is a run the same, generation by generation, on the CPU and on",
        };
        format!("{question} {}?", self.adapter.full_name())
    }

    fn answer(&self) -> Vec<String> {
        let of = |equal| self.rows.iter().filter(|row| row.equal == equal).count() as u64;
        let [equal, different, failed] = [Some(true), Some(false), None].map(of);
        let (boards, mismatches) = (count(self.sum(2)), count(self.sum(3)));
        let mut answer = vec![match self.subject {
            Subject::Scores => match different {
                0 if self.rows.is_empty() => "No boards were compared.".to_owned(),
                0 => format!("Yes: no mismatch among {boards} boards."),
                _ => format!("No: {mismatches} of {boards} scores differ."),
            },
            Subject::Engines => match different {
                0 if equal == 0 => "No runs were compared.".to_owned(),
                0 => format!("Yes: all runs of {} are equal.", counted(equal, "preset")),
                _ => format!("No: the runs of {different} of {} presets differ.", self.rows.len()),
            },
        }];
        if failed > 0 {
            answer.push(format!("{failed} could not be compared."));
        }
        if !self.complete {
            answer.push("Not everything was compared.".to_owned());
        }
        answer
    }

    fn fields(&self) -> Vec<(&'static str, Field)> {
        vec![
            ("subject", Field::of(self.subject.name())),
            ("cpu", Field::of(SystemInfo::here().cpu)),
            ("simd", Field::of(self.simd.to_string())),
            ("threads", Field::of(self.threads)),
            ("adapter", Field::of(&self.adapter.name)),
            ("adapter_type", Field::of(self.adapter.kind.to_string())),
            ("adapter_backend", Field::of(self.adapter.backend)),
            ("driver", Field::of(&self.adapter.driver)),
            ("seed", Field::of(self.seed)),
            ("complete", Field::of(self.complete)),
        ]
    }
}

/// A value as people read it.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => dash(),
        Value::String(text) => text.clone(),
        other => other.as_u64().map_or_else(|| other.to_string(), count),
    }
}

/// The last value as a multiple of the one before it; a dash where one is missing, or the one before it is 0.
fn ratio(values: &[Value]) -> String {
    let [.., one, other] = values else { return dash() };
    let (Some(one @ f64::MIN_POSITIVE..), Some(other)) = (one.as_f64(), other.as_f64()) else {
        return dash();
    };
    let ratio = other / one;
    if ratio < 0.1 { format!("{ratio:.4}") } else { format!("{ratio:.2}") }
}

/// A rate as a whole number, or to the thousandth below ten; null where none was measured.
pub(super) fn rate(rate: Option<f64>) -> Value {
    rate.filter(|rate| rate.is_finite()).map_or(Value::Null, |rate| match rate {
        10.0.. => json!(rate.round() as u64),
        _ => json!((rate * 1e3).round() / 1e3),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{AdapterKind, Features, Limits};

    fn compared(subject: Subject, rows: &[(Option<bool>, u64, u64)], complete: bool) -> Compared {
        let row = |(equal, boards, mismatches): &(Option<bool>, u64, u64)| ComparedRow {
            values: vec![json!("3x3"), json!("evolved"), json!(boards), json!(mismatches)],
            equal: *equal,
        };
        let adapter = AdapterInfo {
            index: 0,
            name: "Adapter".to_owned(),
            kind: AdapterKind::Software,
            backend: "Vulkan",
            driver: "driver".to_owned(),
            pci_bus_id: None,
            limits: Limits::default(),
            features: Features::empty(),
        };
        Compared {
            subject,
            rows: rows.iter().map(row).collect(),
            on: String::new(),
            adapter,
            simd: SimdLevel::Scalar,
            threads: 1,
            seed: 1,
            complete,
        }
    }

    #[test]
    fn the_verdict_on_scores_counts_boards_and_mismatches() {
        let answer = |rows: &[_], complete| compared(Subject::Scores, rows, complete).answer();
        let (equal, different) = ((Some(true), 1_000, 0), (Some(false), 1_000, 3));
        assert_eq!(answer(&[], true), ["No boards were compared."]);
        assert_eq!(answer(&[equal, equal], true), ["Yes: no mismatch among 2,000 boards."]);
        assert_eq!(answer(&[equal, different], true), ["No: 3 of 2,000 scores differ."]);
        let cut_off = ["No: 3 of 1,000 scores differ.", "Not everything was compared."];
        assert_eq!(answer(&[different], false), cut_off);
    }

    #[test]
    fn the_verdict_on_engines_counts_presets_and_those_that_failed() {
        let answer = |rows: &[_]| compared(Subject::Engines, rows, true).answer();
        let [equal, different, failed] = [Some(true), Some(false), None].map(|equal| (equal, 0, 0));
        assert_eq!(answer(&[]), ["No runs were compared."]);
        assert_eq!(answer(&[equal, equal]), ["Yes: all runs of 2 presets are equal."]);
        assert_eq!(answer(&[equal, different]), ["No: the runs of 1 of 2 presets differ."]);
        let answers = ["No runs were compared.", "2 could not be compared."];
        assert_eq!(answer(&[failed, failed]), answers);
        let answers = ["Yes: all runs of 1 preset are equal.", "1 could not be compared."];
        assert_eq!(answer(&[failed, equal]), answers);
    }

    #[test]
    fn rates_are_rounded_and_one_that_is_none_is_null() {
        assert_eq!([2_000.5, 0.3051].map(|one| rate(Some(one))), [json!(2001), json!(0.305)]);
        assert_eq!(rate(Some(f64::INFINITY)), Value::Null);
        assert_eq!(rate(None), Value::Null);
        let ratio = |rates: [f64; 2]| ratio(&rates.map(|one| rate(Some(one))));
        assert_eq!(ratio([2_000.0, 100.0]), "0.0500");
        assert_eq!(ratio([2_000.0, 3_000.0]), "1.50");
        assert_eq!(ratio([0.3, 0.1]), "0.33");
        assert_eq!([[2_000.0, f64::INFINITY], [0.0, 0.0]].map(ratio), ["-"; 2]);
    }
}
