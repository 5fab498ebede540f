//! The report of a bench: a row and a record for each measurement, tables, and what follows from them in
//! sentences.

use indicatif::HumanCount;

use super::measurement::{GenerationPhase, Measurement, whole};
use super::plan::{BenchTarget, Metric};
use super::results::{BenchResults, BreakEven};
use super::session::BEYOND_CACHE;
use crate::report::{Field, OnDemand, Report, Table, TidyTable, dash, version_fields};
use crate::util::quantity::counted;

impl BenchResults {
    /// The report of the results.
    pub fn report(&self) -> Report<'_> {
        Report {
            kind: "bench",
            title: "evodoku bench".to_owned(),
            question: OnDemand::new(|| self.question()),
            answer: OnDemand::new(|| self.answer()),
            fields: OnDemand::new(|| self.fields()),
            list: "results",
            records: OnDemand::new(|| {
                self.measurements.iter().map(|it| it.columns().json()).collect()
            }),
            rows: OnDemand::new(|| TidyTable {
                names: Measurement::column_names(),
                rows: self.measurements.iter().map(Measurement::columns).collect(),
            }),
            tables: OnDemand::new(|| tables(self)),
            remarks: OnDemand::new(|| remarks(self)),
            plots: OnDemand::new(|| super::plot::plots(self)),
            ..Report::default()
        }
    }

    /// The question that the report answers.
    pub(super) fn question(&self) -> String {
        let plan = &self.plan;
        let verbs =
            [("score", Metric::Score), ("breed", Metric::Generation), ("upload", Metric::Upload)];
        let is_measured = |what: &Metric| {
            plan.what.contains(what) && (*what != Metric::Upload || self.adapter.is_some())
        };
        let verbs: Vec<&str> =
            verbs.iter().filter(|(_, what)| is_measured(what)).map(|(verb, _)| *verb).collect();
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
                fastest.task.executor(),
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
            ("break_even", Field::of(self.break_evens())),
            ("sustained", Field::of(&self.sustained)),
        ]);
        fields
    }
}

/// Repetitions below which no spread is shown.
const LEAST_SPREAD: usize = 3;

/// A table for each metric.
fn tables(results: &BenchResults) -> Vec<Table> {
    let shape = results.plan.shape;
    let table = |title: String, header: &[&'static str], rows| Table {
        title,
        header: header.to_vec(),
        rows,
        notes: Vec::new(),
    };
    let score = table(
        format!("Scoring boards of {shape} boxes, whole calls"),
        &["population", "evaluator", "boards/s", "spread", "GB/s", "limit GB/s", "share"],
        results.of(Metric::Score).map(score_row).collect(),
    );
    let kernel = table(
        "The adapter's kernel alone, over boards that are on it already".to_owned(),
        &["population", "boards/s", "GB/s", "of its copy rate"],
        results
            .of(Metric::Score)
            .filter_map(|line| kernel_row(line, results.device_copy))
            .collect(),
    );
    let upload = table(
        "Uploads".to_owned(),
        &["population", "by", "boards/s", "spread", "GB/s", "limit GB/s", "share"],
        results.of(Metric::Upload).map(score_row).collect(),
    );
    let phases = GenerationPhase::names();
    let header = ["population", "preset", "scored on", "children/s", "spread"].into_iter();
    let generation = table(
        format!("Generations of {shape} boxes"),
        &header.chain(phases).chain(["limited by"]).collect::<Vec<_>>(),
        results.of(Metric::Generation).map(generation_row).collect(),
    );
    let all = [score, kernel, upload, generation];
    all.into_iter().filter(|table| !table.rows.is_empty()).collect()
}

/// Sentences that follow from the measurements, and the machine.
fn remarks(results: &BenchResults) -> Vec<String> {
    let mut remarks = vec![machine(results)];
    let count = |boards: u32| HumanCount(boards.into());
    for BreakEven { of, population, not_up_to } in results.break_evens() {
        if let Some(population) = population {
            remarks.push(format!(
                "Break-even of {of}: the adapter beats all cores from {} boards on (of the populations measured, up to {}).",
                count(population),
                count(results.plan.largest())
            ));
        }
        if let Some(population) = not_up_to {
            remarks.push(format!(
                "Break-even of {of}: the adapter does not beat all cores up to {} boards.",
                count(population)
            ));
        }
    }
    for rate in &results.read_rates {
        remarks.push(format!(
            "Memory is read at {} GB/s by {} (a buffer of {} MiB, {} times the last-level cache).",
            giga(rate.bytes_per_second),
            threads(rate.threads),
            rate.bytes >> 20,
            BEYOND_CACHE,
        ));
    }
    if let Some(rate) = results.device_copy {
        remarks.push(format!(
            "The adapter copies its memory at {} GB/s, read and written.",
            giga(rate)
        ));
    }
    for cost in &results.fixed {
        let call = cost
            .one_board_seconds
            .map(|seconds| format!("; a call with one board takes {:.1} µs", 1e6 * seconds));
        let (scorer, start_up) = (cost.scorer, 1e3 * cost.start_up_seconds);
        remarks
            .push(format!("{scorer}: ready after {start_up:.1} ms{}.", call.unwrap_or_default()));
    }
    for sustained in &results.sustained {
        let Some(left) = sustained.left() else { continue };
        remarks.push(format!(
            "Sustained on {}: after {:.0} s the rate is {:.0} % of what it was at first.",
            sustained.scorer.evaluator,
            sustained.seconds.last().copied().unwrap_or(0.0),
            100.0 * left
        ));
    }
    if results.of(Metric::Generation).any(|line| line.task.evaluator == BenchTarget::Gpu) {
        remarks.push(
            "Parts of a generation that overlap in time add up to more than all of it.".to_owned(),
        );
    }
    if !results.complete {
        remarks.push("Not everything was measured.".to_owned());
    }
    remarks
}

fn machine(results: &BenchResults) -> String {
    let machine = &results.machine;
    let mut text = format!(
        "evodoku {} on {}, {}",
        env!("CARGO_PKG_VERSION"),
        machine.cpu.as_deref().unwrap_or("a processor without a name"),
        threads(machine.cores)
    );
    let caches = machine.cache_bytes;
    for (name, bytes) in [("L1", caches.l1), ("L2", caches.l2), ("L3", caches.l3)] {
        if let Some(bytes) = bytes {
            text += &format!(", {name} {} KiB", bytes >> 10);
        }
    }
    match &results.adapter {
        Some(adapter) => {
            text += &format!("; {} ({}, {})", adapter.name, adapter.kind, adapter.driver);
        }
        None => text += "; no adapter",
    }
    text + &format!("; seed {}.", results.plan.seed)
}

fn score_row(line: &Measurement) -> Vec<String> {
    let mut row = first_cells(line);
    row.insert(1, line.task.executor());
    let figures =
        [line.bytes_per_second().map(giga), line.limit.map(giga), line.share().map(percent)];
    row.extend(figures.map(|figure| figure.unwrap_or_else(dash)));
    row
}

fn kernel_row(line: &Measurement, copy: Option<f64>) -> Option<Vec<String>> {
    let boards = line.kernel_boards_per_second()?;
    let bytes = boards * line.shape.stride() as f64;
    Some(vec![
        HumanCount(line.task.population.into()).to_string(),
        HumanCount(boards.round() as u64).to_string(),
        giga(bytes),
        copy.map_or_else(dash, |copy| percent(bytes / copy)),
    ])
}

fn generation_row(line: &Measurement) -> Vec<String> {
    let phases = line.phases();
    let share = |phase: &GenerationPhase| {
        let found = phases.iter().find(|(known, _)| known == phase);
        found.map_or_else(dash, |(_, share)| percent(*share))
    };
    let mut row = first_cells(line);
    row.insert(1, line.task.preset.map(|preset| preset.to_string()).unwrap_or_default());
    row.insert(2, line.task.executor());
    row.extend(GenerationPhase::ALL.iter().map(share));
    row.push(line.limited_by().map(|phase| phase.to_string()).unwrap_or_default());
    row
}

/// Population, boards a second and spread.
fn first_cells(line: &Measurement) -> Vec<String> {
    let spread = match line.samples {
        0..LEAST_SPREAD => dash(),
        _ => format!("±{:.1} %", 100.0 * line.spread()),
    };
    vec![
        HumanCount(line.task.population.into()).to_string(),
        HumanCount(line.boards_per_second().round() as u64).to_string(),
        spread,
    ]
}

fn giga(bytes: f64) -> String {
    format!("{:.2}", bytes / 1e9)
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn threads(count: usize) -> String {
    counted(count as u64, "thread")
}
