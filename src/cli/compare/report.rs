//! The report of a comparison: the table that is printed, a record for each of its rows, and the answer.

use anyhow::Result;
use indicatif::HumanCount;
use serde_json::{Value, json};

use crate::cli::exit::Exit;
use crate::cli::exports::finish;
use crate::cli::table::report_table;
use crate::fitness::SimdLevel;
use crate::gpu::AdapterInfo;
use crate::report::{
    ExportSet, Field, OnDemand, Report, Row, SystemInfo, Table, TidyTable, version_fields,
};

/// A row of a comparison: texts for people, values for programs.
#[derive(Clone, Debug)]
pub(super) struct ComparedRow {
    pub cells: Vec<String>,
    pub values: Vec<Value>,
    /// Whether both devices gave the same; `None` where one of them failed.
    pub equal: Option<bool>,
}

/// The subject of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// Scores: a row for each kind of boards, or for each shape.
    Scores { by_shape: bool },
    /// Runs on both engines: a row for each preset.
    Engines,
}

impl Subject {
    /// The columns of the table.
    fn header(self) -> Vec<&'static str> {
        match self {
            Self::Scores { by_shape } => {
                let first = if by_shape { "boxes" } else { "kind" };
                vec![first, "boards", "mismatches", "CPU boards/s", "GPU boards/s", "GPU/CPU"]
            }
            Self::Engines => vec![
                "preset",
                "population",
                "generations",
                "result",
                "host children/s",
                "device children/s",
                "device/host",
            ],
        }
    }

    /// The members of a record.
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Scores { .. } => &[
                "shape",
                "kind",
                "boards",
                "mismatches",
                "cpu_boards_per_second",
                "gpu_boards_per_second",
            ],
            Self::Engines => &[
                "preset",
                "population",
                "generations",
                "equal",
                "result",
                "host_children_per_second",
                "device_children_per_second",
            ],
        }
    }
}

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
    /// Prints the table, and writes the exports.
    ///
    /// # Errors
    /// The error of stdout.
    pub fn write(&self, exports: &mut ExportSet) -> Result<Exit> {
        let spare: &[&str] = match self.subject {
            Subject::Scores { .. } => &["GPU/CPU", "boards"],
            Subject::Engines => {
                &["device/host", "host children/s", "device children/s", "population"]
            }
        };
        let text = report_table(self.table(), &["result"], spare);
        finish(exports, &self.report(), Some(text))
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
                names: self.subject.names().to_vec(),
                rows: self.records().collect(),
            }),
            tables: OnDemand::new(|| vec![self.table()]),
            ..Report::default()
        }
    }

    fn records(&self) -> impl Iterator<Item = Row> {
        let names = self.subject.names();
        let record = |row: &ComparedRow| names.iter().copied().zip(row.values.clone()).collect();
        self.rows.iter().map(move |row| Row(record(row)))
    }

    fn table(&self) -> Table {
        let rows = self.rows.iter().map(|row| row.cells.clone()).collect();
        let (title, notes) = (String::new(), vec![self.on.clone()]);
        Table { title, header: self.subject.header(), rows, notes }
    }

    /// The sum of a column.
    fn sum(&self, column: usize) -> u64 {
        self.rows.iter().filter_map(|row| row.values[column].as_u64()).sum()
    }

    fn question(&self) -> String {
        let name = &self.adapter.name;
        match self.subject {
            Subject::Scores { .. } => {
                format!("Do the CPU and {name} give every board the same score?")
            }
            Subject::Engines => {
                format!("Is a run the same, generation by generation, on the CPU and on {name}?")
            }
        }
    }

    fn answer(&self) -> Vec<String> {
        let of = |equal| self.rows.iter().filter(|row| row.equal == equal).count() as u64;
        let [equal, different, failed] = [Some(true), Some(false), None].map(of);
        let (boards, mismatches) = (HumanCount(self.sum(2)), HumanCount(self.sum(3)));
        let mut answer = vec![match self.subject {
            Subject::Scores { .. } => match different {
                0 if self.rows.is_empty() => "No boards were compared.".to_owned(),
                0 => format!("Yes: no mismatch among {boards} boards."),
                _ => format!("No: {mismatches} of {boards} scores differ."),
            },
            Subject::Engines => match different {
                0 if equal == 0 => "No runs were compared.".to_owned(),
                0 if equal == 1 => "Yes: 1 preset is equal.".to_owned(),
                0 => format!("Yes: {equal} presets are equal."),
                _ => format!("No: {different} of {} presets differ.", self.rows.len()),
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
        let subject = match self.subject {
            Subject::Scores { .. } => "scores",
            Subject::Engines => "engines",
        };
        let mut fields = version_fields("compare");
        fields.extend([
            ("subject", Field::of(subject)),
            ("cpu", Field::of(SystemInfo::here().cpu)),
            ("simd", Field::of(self.simd.to_string())),
            ("threads", Field::of(self.threads)),
            ("adapter", Field::of(&self.adapter.name)),
            ("adapter_type", Field::of(self.adapter.kind.to_string())),
            ("adapter_backend", Field::of(self.adapter.backend)),
            ("driver", Field::of(&self.adapter.driver)),
            ("seed", Field::of(self.seed)),
            ("complete", Field::of(self.complete)),
        ]);
        fields
    }
}

/// Two rates and the second as a multiple of the first, as they are printed.
pub(super) fn rates([one, other]: [f64; 2]) -> [String; 3] {
    let shown = |rate: f64| HumanCount(rate as u64).to_string();
    let ratio = other / one;
    let ratio = if ratio < 0.1 { format!("{ratio:.4}") } else { format!("{ratio:.2}") };
    [shown(one), shown(other), ratio]
}

/// A rate as a whole number; null where none was measured.
pub(super) fn rate(rate: Option<f64>) -> Value {
    rate.filter(|rate| rate.is_finite()).map_or(Value::Null, |rate| json!(rate.round() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{AdapterKind, AdapterLimits};

    fn compared(subject: Subject, rows: &[(Option<bool>, u64, u64)], complete: bool) -> Compared {
        let row = |(equal, boards, mismatches): &(Option<bool>, u64, u64)| ComparedRow {
            cells: vec!["3x3".to_owned()],
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
            limits: AdapterLimits::default(),
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
        let answer = |rows: &[_], complete| {
            compared(Subject::Scores { by_shape: true }, rows, complete).answer()
        };
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
        assert_eq!(answer(&[equal, equal]), ["Yes: 2 presets are equal."]);
        assert_eq!(answer(&[equal, different]), ["No: 1 of 2 presets differ."]);
        let answers = ["No runs were compared.", "2 could not be compared."];
        assert_eq!(answer(&[failed, failed]), answers);
        let answers = ["Yes: 1 preset is equal.", "1 could not be compared."];
        assert_eq!(answer(&[failed, equal]), answers);
    }

    #[test]
    fn a_rate_that_is_none_is_null() {
        assert_eq!(rate(Some(2.5)), json!(3));
        assert_eq!(rate(Some(f64::INFINITY)), Value::Null);
        assert_eq!(rate(None), Value::Null);
        assert_eq!(rates([2_000.0, 100.0]), ["2,000", "100", "0.0500"]);
        assert_eq!(rates([2_000.0, 3_000.0]), ["2,000", "3,000", "1.50"]);
    }
}
