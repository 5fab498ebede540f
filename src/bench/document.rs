//! Results as a document: a row and a record for each line.

use indicatif::HumanCount;
use serde_json::{Value, json};

use super::measurement::{Measurement, whole};
use super::{BenchResults, BreakEven, Metric, remarks, tables};
use crate::report::{Document, Fact, Table, origin};

impl Document for BenchResults {
    fn kind(&self) -> &'static str {
        "bench"
    }

    fn title(&self) -> String {
        "evodoku bench".to_owned()
    }

    fn question(&self) -> String {
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

    fn answer(&self) -> Vec<String> {
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

    fn facts(&self) -> Vec<(&'static str, Fact)> {
        let adapter = self.adapter.as_ref();
        let mut facts = origin(self.kind()).to_vec();
        facts.extend([
            ("cpu", Fact::of(&self.machine.cpu)),
            ("cores", Fact::of(self.machine.cores)),
            ("system", Fact::of(&self.machine.system)),
            ("memory_bytes", Fact::of(self.machine.memory_bytes)),
            ("cache_bytes", Fact::of(self.machine.cache_bytes)),
            ("adapter", Fact::of(adapter.map(|adapter| &adapter.name))),
            ("adapter_type", Fact::of(adapter.map(|adapter| adapter.kind.to_string()))),
            ("adapter_backend", Fact::of(adapter.map(|adapter| adapter.backend))),
            ("driver", Fact::of(adapter.map(|adapter| &adapter.driver))),
            ("pci_bus_id", Fact::of(adapter.and_then(|adapter| adapter.pci_bus_id.as_ref()))),
            ("seed", Fact::of(self.plan.seed)),
            ("shape", Fact::of(self.plan.shape.to_string())),
            ("time_budget_seconds", Fact::of(self.plan.budget.as_secs_f64())),
            ("complete", Fact::of(self.complete)),
            ("memory_reads", Fact::of(&self.read_rates)),
            ("device_copy_bytes_per_second", Fact::Value(whole(self.device_copy))),
            ("fixed_costs", Fact::of(&self.fixed)),
            ("break_even", Fact::of(break_evens(self))),
            ("sustained", Fact::of(&self.sustained)),
        ]);
        facts
    }

    fn list(&self) -> &'static str {
        "results"
    }

    fn records(&self) -> Vec<String> {
        self.lines.iter().map(|line| line.columns().json()).collect()
    }

    fn columns(&self) -> Vec<&'static str> {
        Measurement::COLUMNS.to_vec()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        self.lines.iter().map(|line| line.columns().texts()).collect()
    }

    fn tables(&self) -> Vec<Table> {
        tables(self)
    }

    fn remarks(&self) -> Vec<String> {
        remarks(self)
    }

    #[cfg(feature = "plot")]
    fn plots(&self) -> Vec<crate::report::Plot> {
        super::plots(self)
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
