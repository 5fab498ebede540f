//! The report of a bench: a row and a record for each measurement.

use indicatif::HumanCount;
use serde_json::{Value, json};

use super::measurement::{Measurement, whole};
use super::{BenchResults, BreakEven, Metric, remarks, tables};
use crate::report::{Field, OnDemand, Report, TidyTable, version_fields};

impl BenchResults {
    /// Their report.
    pub fn report(&self) -> Report<'_> {
        Report {
            kind: "bench",
            title: "evodoku bench".to_owned(),
            question: OnDemand::new(|| self.question()),
            answer: OnDemand::new(|| self.answer()),
            fields: OnDemand::new(|| self.fields()),
            list: "results",
            records: OnDemand::new(|| self.lines.iter().map(|it| it.columns().json()).collect()),
            rows: OnDemand::new(|| TidyTable {
                names: Measurement::COLUMNS.to_vec(),
                rows: self.lines.iter().map(Measurement::columns).collect(),
            }),
            tables: OnDemand::new(|| tables(self)),
            remarks: OnDemand::new(|| remarks(self)),
            plots: OnDemand::new(|| super::plots(self)),
            ..Report::default()
        }
    }

    /// The question that it answers.
    pub(super) fn question(&self) -> String {
        let plan = &self.plan;
        let verbs: Vec<&str> =
            [(Metric::Score, "score"), (Metric::Generation, "breed"), (Metric::Upload, "upload")]
                .into_iter()
                .filter(|(what, _)| plan.what.contains(what))
                .filter(|(what, _)| *what != Metric::Upload || self.adapter.is_some())
                .map(|(_, verb)| verb)
                .collect();
        let least = plan.populations.iter().min().copied().unwrap_or_default();
        let count = |boards: u32| HumanCount(boards.into());
        let populations = match (least, plan.largest()) {
            (least, largest) if least == largest => count(least).to_string(),
            (least, largest) => format!("{} to {}", count(least), count(largest)),
        };
        format!(
            "How many boards a second does this machine {}, in populations of {populations} boards \
             of {} boxes?",
            verbs.join(" and "),
            plan.shape,
        )
    }

    /// The answer in short.
    pub(super) fn answer(&self) -> Vec<String> {
        let of = [
            (Metric::Score, "Scoring"),
            (Metric::Generation, "Generations"),
            (Metric::Upload, "Uploads"),
        ];
        let fastest = |(what, name): (Metric, &str)| {
            let rate = |line: &&Measurement| line.boards_per_second();
            let fastest = self.of(what).max_by(|a, b| rate(a).total_cmp(&rate(b)))?;
            Some(format!(
                "{name}: at most {} boards/s, by {} at a population of {}.",
                HumanCount(fastest.boards_per_second().round() as u64),
                fastest.task.doer(),
                HumanCount(fastest.task.population.into()),
            ))
        };
        of.into_iter().filter_map(fastest).collect()
    }

    fn fields(&self) -> Vec<(&'static str, Field)> {
        let adapter = self.adapter.as_ref();
        let mut fields = version_fields("bench");
        fields.extend([
            ("cpu", Field::of(&self.machine.cpu)),
            ("cores", Field::of(self.machine.cores)),
            ("system", Field::of(&self.machine.system)),
            ("memory_bytes", Field::of(self.machine.memory_bytes)),
            ("cache_bytes", Field::of(self.machine.cache_bytes)),
            ("adapter", Field::of(adapter.map(|adapter| &adapter.name))),
            ("adapter_type", Field::of(adapter.map(|adapter| adapter.kind.to_string()))),
            ("adapter_backend", Field::of(adapter.map(|adapter| adapter.backend))),
            ("driver", Field::of(adapter.map(|adapter| &adapter.driver))),
            ("pci_bus_id", Field::of(adapter.and_then(|adapter| adapter.pci_bus_id.as_ref()))),
            ("seed", Field::of(self.plan.seed)),
            ("shape", Field::of(self.plan.shape.to_string())),
            ("time_budget_seconds", Field::of(self.plan.budget.as_secs_f64())),
            ("complete", Field::of(self.complete)),
            ("memory_reads", Field::of(&self.read_rates)),
            ("device_copy_bytes_per_second", Field::Value(whole(self.device_copy))),
            ("fixed_costs", Field::of(&self.fixed)),
            ("break_even", Field::of(break_evens(self))),
            ("sustained", Field::of(&self.sustained)),
        ]);
        fields
    }
}

/// The smallest population of each that the adapter wins at, or the largest it was tried at.
fn break_evens(results: &BenchResults) -> Vec<Value> {
    let entry = |(of, found): (String, BreakEven)| {
        let not_up_to = match found {
            BreakEven::NotUpTo(population) => Some(population),
            BreakEven::From(_) => None,
        };
        json!({ "of": of, "population": found.population(), "not_up_to": not_up_to })
    };
    results.break_evens().into_iter().map(entry).collect()
}
