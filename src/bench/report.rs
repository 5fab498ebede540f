//! The report of a bench: a row and a record for each measurement, tables, and what follows from them in
//! sentences.

use super::measurement::{COLUMNS, GenerationPhase, Measurement, whole};
use super::plan::{BenchTarget, Metric};
use super::results::{BenchResults, BreakEven};
use crate::report::{Field, OnDemand, Report, Table, TidyTable, dash};
use crate::util::quantity::{count, counted};

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
                names: COLUMNS.iter().map(|(name, _)| *name).collect(),
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
        format!(
            "How many boards of {} boxes does this machine {} a second?",
            plan.shape,
            verbs.join(" and "),
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
            let unit = if what == Metric::Generation { "children" } else { "boards" };
            Some(format!(
                "{name}: highest rate {} {unit}/s, reached by {} at a population of {}.",
                count(fastest.boards_per_second().round() as u64),
                fastest.task.executor(),
                count(fastest.task.population.into()),
            ))
        };
        of.into_iter().filter_map(fastest).collect()
    }

    fn fields(&self) -> Vec<(&'static str, Field)> {
        let adapter = self.adapter.as_ref();
        vec![
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
            ("device_copy_bytes_per_second", Field::Value(whole(self.device_copy))),
            ("break_even", Field::of(self.break_evens())),
        ]
    }

    /// The machine and its adapter in a sentence.
    pub(super) fn machine_text(&self) -> String {
        let machine = &self.machine;
        let gpu = match &self.adapter {
            Some(adapter) => format!("{} ({}, {})", adapter.name, adapter.kind, adapter.driver),
            None => "no GPU measured".to_owned(),
        };
        format!(
            "evodoku {} on {}, {}; {gpu}; seed {}.",
            env!("CARGO_PKG_VERSION"),
            machine.cpu.as_deref().unwrap_or("an unknown processor"),
            counted(machine.cores as u64, "thread"),
            self.plan.seed
        )
    }
}

/// Repetitions below which no spread is shown, and the spread above which a rate says little.
const LEAST_SPREAD: usize = 3;
const WIDE_SPREAD: f64 = 0.1;

/// The name of a column, and the cell of a measurement in it.
type Column<'a> = (&'static str, &'a dyn Fn(&Measurement) -> String);

/// A table for each metric, and one for the kernel alone.
fn tables(results: &BenchResults) -> Vec<Table> {
    let shape = results.plan.shape;
    let software = results.adapter.as_ref().filter(|adapter| adapter.is_software());
    let software = software.map_or_else(String::new, |it| format!(" (GPU: {})", it.full_name()));
    let population = |line: &Measurement| count(line.task.population.into());
    let executor = |line: &Measurement| line.task.executor();
    let rate = |line: &Measurement| count(line.boards_per_second().round() as u64);
    let rates: [Column<'_>; 7] = [
        ("population", &population),
        ("evaluator", &executor),
        ("boards/s", &rate),
        ("spread", &spread),
        ("GB/s", &|line| giga(line.bytes_per_second())),
        ("limit GB/s", &|line| giga(line.limit)),
        ("share", &|line| percent(line.share())),
    ];
    let kernel_bytes =
        |line: &Measurement| Some(line.kernel_boards_per_second()? * line.shape.stride() as f64);
    let kernel: [Column<'_>; 4] = [
        ("population", &population),
        ("boards/s", &|line| {
            line.kernel_boards_per_second().map_or_else(dash, |rate| count(rate.round() as u64))
        }),
        ("GB/s", &|line| giga(kernel_bytes(line))),
        ("of copy rate", &|line| {
            percent(kernel_bytes(line).zip(results.device_copy).map(|(bytes, copy)| bytes / copy))
        }),
    ];
    let generation: [Column<'_>; 11] = [
        ("population", &population),
        ("preset", &|line| line.task.preset.map_or_else(dash, |preset| preset.to_string())),
        ("scored on", &executor),
        ("children/s", &rate),
        ("spread", &spread),
        ("breeding", &|line| percent(line.share_of(GenerationPhase::Breeding))),
        ("upload", &|line| percent(line.share_of(GenerationPhase::Upload))),
        ("kernel", &|line| percent(line.share_of(GenerationPhase::Kernel))),
        ("readback", &|line| percent(line.share_of(GenerationPhase::Readback))),
        ("rest", &|line| percent(line.share_of(GenerationPhase::Rest))),
        ("limited by", &|line| line.limited_by().map_or_else(dash, |phase| phase.to_string())),
    ];
    let of = |what| results.of(what).collect::<Vec<_>>();
    let alone = results.of(Metric::Score).filter(|line| line.kernel_alone.is_some()).collect();
    let all = [
        (format!("Scoring boards of {shape} boxes, with transfers"), of(Metric::Score), &rates[..]),
        ("The scoring kernel alone, on boards already in GPU memory".to_owned(), alone, &kernel),
        ("Uploads".to_owned(), of(Metric::Upload), &rates),
        (format!("Generations of {shape} boxes"), of(Metric::Generation), &generation),
    ];
    let table = |(title, lines, columns): (String, Vec<&Measurement>, &[Column<'_>])| Table {
        title: title + &software,
        header: columns.iter().map(|(name, _)| *name).collect(),
        rows: lines
            .iter()
            .map(|line| columns.iter().map(|(_, cell)| cell(line)).collect())
            .collect(),
        notes: Vec::new(),
    };
    all.into_iter().map(table).filter(|table| !table.rows.is_empty()).collect()
}

/// Sentences that follow from the measurements, and the machine.
fn remarks(results: &BenchResults) -> Vec<String> {
    let columns = "Columns: 'spread' is half the interquartile range. 'limit' of the CPU is the rate at which the same \
                   threads read these bytes. 'limit' of a GPU is the rate of the slower of two copies: to a staging \
                   buffer, and from there to the GPU. 'share' is GB/s divided by the limit. The columns \
                   'breeding' to 'rest' are shares of the time of a generation; 'rest' includes replacement.";
    let mut remarks = vec![results.machine_text(), columns.to_owned()];
    let varies = |line: &&Measurement| line.samples >= LEAST_SPREAD && line.spread() > WIDE_SPREAD;
    let varying = results.measurements.iter().filter(varies).count();
    if varying > 0 {
        remarks.push(format!(
            "Warning: {varying} of {} rates vary by more than 10 %. Other work disturbs them: measure again on an \
             idle machine, or with a longer --time-budget.",
            results.measurements.len()
        ));
    }
    if let Some(threads) = idle_threads(results) {
        remarks.push(format!(
            "Warning: {threads} threads score no faster than one: the machine is busy, or gives this process only one core."
        ));
    }
    let threads = results.plan.threads.iter().max().copied().unwrap_or(1);
    let cpu = format!("the CPU with {}", counted(threads as u64, "thread"));
    for BreakEven { of, population, not_up_to } in results.break_evens() {
        if let Some(population) = population {
            remarks.push(format!(
                "Break-even for {of}: the GPU is faster than {cpu} from a population of {} (measured up to {}).",
                count(population.into()),
                count(results.plan.largest().into())
            ));
        }
        if let Some(population) = not_up_to {
            remarks.push(format!(
                "Break-even for {of}: none found. At the largest population, {}, the GPU was no faster than {cpu}.",
                count(population.into())
            ));
        }
    }
    if let Some(rate) = results.device_copy {
        remarks.push(format!(
            "The GPU copies its memory at {} GB/s (reads plus writes).",
            giga(Some(rate))
        ));
    }
    if results.of(Metric::Generation).any(|line| line.task.evaluator == BenchTarget::Gpu) {
        remarks
            .push("Phases of a generation may overlap and add up to more than 100 %.".to_owned());
    }
    if !results.complete {
        remarks.push("Not everything was measured.".to_owned());
    }
    remarks
}

/// The most threads of the CPU, if they score less than a tenth more than one does at the largest population.
fn idle_threads(results: &BenchResults) -> Option<usize> {
    let largest = results.plan.largest();
    let scored = || {
        results.of(Metric::Score).filter(move |line| {
            line.task.population == largest && line.task.evaluator == BenchTarget::Cpu
        })
    };
    let threads =
        scored().filter_map(|line| line.task.threads).max().filter(|threads| *threads > 1)?;
    let fastest = |threads| {
        let of = scored().filter(|line| line.task.threads == Some(threads));
        of.map(Measurement::boards_per_second).max_by(f64::total_cmp)
    };
    (fastest(threads)? < 1.1 * fastest(1)?).then_some(threads)
}

fn spread(line: &Measurement) -> String {
    match line.samples {
        0..LEAST_SPREAD => dash(),
        _ => format!("±{:.1} %", 100.0 * line.spread()),
    }
}

fn giga(bytes: Option<f64>) -> String {
    bytes.map_or_else(dash, |bytes| format!("{:.2}", bytes / 1e9))
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(dash, |share| format!("{:.1} %", 100.0 * share))
}
