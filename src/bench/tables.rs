//! Results as people read them: tables, and what follows from them in sentences.

use indicatif::HumanCount;

use super::{BenchResults, BenchTarget, BreakEven, GenerationPhase, Measurement, Metric};
use crate::report::Table;
use crate::util::quantity::counted;

/// Repetitions from which on a spread means something.
const MEANT: usize = 3;

/// A table for each thing that was measured.
pub(super) fn tables(results: &BenchResults) -> Vec<Table> {
    let shape = results.plan.shape;
    let score = Table {
        title: format!("Scoring boards of {shape} boxes, whole calls"),
        header: vec![
            "population",
            "evaluator",
            "boards/s",
            "spread",
            "GB/s",
            "limit GB/s",
            "share",
        ],
        rows: results.of(Metric::Score).map(score_row).collect(),
        notes: Vec::new(),
    };
    let kernel = Table {
        title: "The adapter's kernel alone, over boards that are on it already".to_owned(),
        header: vec!["population", "boards/s", "GB/s", "of its copy rate"],
        rows: results
            .of(Metric::Score)
            .filter_map(|line| kernel_row(line, results.device_copy))
            .collect(),
        notes: Vec::new(),
    };
    let upload = Table {
        title: "Uploads".to_owned(),
        header: vec!["population", "by", "boards/s", "spread", "GB/s", "limit GB/s", "share"],
        rows: results.of(Metric::Upload).map(score_row).collect(),
        notes: Vec::new(),
    };
    let generation = Table {
        title: format!("Generations of {shape} boxes"),
        header: vec![
            "population",
            "preset",
            "scored on",
            "children/s",
            "spread",
            "breeding",
            "upload",
            "kernel",
            "readback",
            "rest",
            "limited by",
        ],
        rows: results.of(Metric::Generation).map(generation_row).collect(),
        notes: Vec::new(),
    };
    let all = [score, kernel, upload, generation];
    all.into_iter().filter(|table| !table.rows.is_empty()).collect()
}

/// What follows from the figures, and what they were measured on.
pub(super) fn remarks(results: &BenchResults) -> Vec<String> {
    let mut remarks = vec![machine(results)];
    for (of, found) in results.break_evens() {
        let largest = HumanCount(results.plan.largest().into());
        remarks.push(match found {
            BreakEven::From(population) => format!(
                "Break-even of {of}: the adapter beats all cores from {} boards on (of the populations measured, up to {largest}).",
                HumanCount(population.into())
            ),
            BreakEven::NotUpTo(population) => format!(
                "Break-even of {of}: the adapter does not beat all cores up to {} boards.",
                HumanCount(population.into())
            ),
        });
    }
    for rate in &results.read_rates {
        remarks.push(format!(
            "Memory is read at {} GB/s by {} (a buffer of {} MiB, {} times the last-level cache).",
            giga(rate.bytes_per_second),
            threads(rate.threads),
            rate.bytes >> 20,
            super::session::BEYOND_CACHE,
        ));
    }
    if let Some(rate) = results.device_copy {
        remarks.push(format!(
            "The adapter copies its memory at {} GB/s, read and written.",
            giga(rate)
        ));
    }
    for cost in &results.fixed {
        let doer = match (cost.simd, cost.threads) {
            (Some(simd), Some(count)) => format!("{} {simd}, {}", cost.evaluator, threads(count)),
            _ => cost.evaluator.to_string(),
        };
        let call = cost.one_board_seconds.map_or_else(String::new, |seconds| {
            format!("; a call with one board takes {:.1} µs", 1e6 * seconds)
        });
        remarks.push(format!("{doer}: ready after {:.1} ms{call}.", 1e3 * cost.start_up_seconds));
    }
    for sustained in &results.sustained {
        let Some(left) = sustained.left() else { continue };
        remarks.push(format!(
            "Sustained on {}: after {:.0} s the rate is {:.0} % of what it was at first.",
            sustained.evaluator,
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
    let known = |figure: Option<String>| figure.unwrap_or_else(|| "-".to_owned());
    vec![
        HumanCount(line.task.population.into()).to_string(),
        line.task.doer(),
        HumanCount(line.boards_per_second().round() as u64).to_string(),
        spread(line),
        known(line.bytes_per_second().map(giga)),
        known(line.limit.map(giga)),
        known(line.share().map(percent)),
    ]
}

fn kernel_row(line: &Measurement, copy: Option<f64>) -> Option<Vec<String>> {
    let boards = line.kernel_boards_per_second()?;
    let bytes = boards * line.shape.stride() as f64;
    Some(vec![
        HumanCount(line.task.population.into()).to_string(),
        HumanCount(boards.round() as u64).to_string(),
        giga(bytes),
        copy.map_or_else(|| "-".to_owned(), |copy| percent(bytes / copy)),
    ])
}

fn generation_row(line: &Measurement) -> Vec<String> {
    let parts = line.parts();
    let share = |wanted: GenerationPhase| {
        let found = parts.iter().find(|(part, _)| *part == wanted);
        found.map_or_else(|| "-".to_owned(), |(_, share)| percent(*share))
    };
    let mut row = vec![
        HumanCount(line.task.population.into()).to_string(),
        line.task.preset.map(|preset| preset.to_string()).unwrap_or_default(),
        line.task.doer(),
        HumanCount(line.boards_per_second().round() as u64).to_string(),
        spread(line),
    ];
    row.extend(GenerationPhase::ALL.iter().map(|part| share(*part)));
    row.push(line.limited_by().map(|part| part.to_string()).unwrap_or_default());
    row
}

fn spread(line: &Measurement) -> String {
    if line.samples < MEANT {
        return "-".to_owned();
    }
    format!("±{:.1} %", 100.0 * line.spread())
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
