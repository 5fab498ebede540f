//! What a table tells of some runs.

use std::str::FromStr;

use evodoku::internals::{CensoredQuantiles, ShareInterval, wilson};

use super::runs::KeptRun;

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.96;
const NONE: &str = "none";

/// A figure, its name in a request and its head in a table.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    name: &'static str,
    pub head: &'static str,
    of: fn(&[KeptRun]) -> Option<String>,
}

const ALL: [Figure; 18] = [
    Figure { name: "runs", head: "runs", of: |runs| Some(grouped(runs.len() as f64)) },
    Figure { name: "solved", head: "solved", of: |runs| Some(solved(runs)) },
    Figure { name: "success", head: "solved (95 %)", of: success },
    Figure { name: "fitness", head: "final fitness, mean (95 %)", of: fitness },
    Figure { name: "left", head: "fitness unsolved", of: left },
    Figure {
        name: "generations",
        head: "generations, median",
        of: |runs| median(runs, "generations"),
    },
    Figure {
        name: "generations-spread",
        head: "generations, median (quartiles)",
        of: |runs| spread(runs, "generations"),
    },
    Figure { name: "outcome", head: "solved, or fitness", of: outcome },
    Figure { name: "restarts", head: "restarts, median (most)", of: restarts },
    Figure { name: "work", head: "work, median", of: |runs| median(runs, "work") },
    Figure { name: "expected", head: "expected work", of: expected },
    Figure { name: "cheapest", head: "expected work in millions (length)", of: cheapest },
    Figure { name: "spent", head: "work a run", of: |runs| Some(grouped(mean(runs, "work")?)) },
    Figure {
        name: "seconds",
        head: "seconds a run",
        of: |runs| Some(time(mean(runs, "seconds")?)),
    },
    Figure {
        name: "milliseconds",
        head: "milliseconds a run",
        of: |runs| Some(milliseconds(mean(runs, "seconds")?)),
    },
    Figure { name: "rate", head: "children/s", of: rate },
    Figure { name: "nodes", head: "nodes", of: |runs| Some(grouped(mean(runs, "nodes")?)) },
    Figure { name: "stopped", head: "ended by", of: stopped },
];

impl FromStr for Figure {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        ALL.into_iter().find(|figure| figure.name == text).ok_or(())
    }
}

impl Figure {
    /// The figure of some runs; nothing where they have none.
    pub fn of(self, runs: &[KeptRun]) -> Option<String> {
        if runs.is_empty() { None } else { (self.of)(runs) }
    }
}

/// The mean of a column over the runs that have it.
pub fn mean(runs: &[KeptRun], name: &str) -> Option<f64> {
    let values: Vec<f64> = runs.iter().filter_map(|run| run.number(name)).collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn count(runs: &[KeptRun]) -> usize {
    runs.iter().filter(|run| run.solved()).count()
}

fn solved(runs: &[KeptRun]) -> String {
    format!("{} of {}", grouped(count(runs) as f64), grouped(runs.len() as f64))
}

fn success(runs: &[KeptRun]) -> Option<String> {
    let ShareInterval { low, high, .. } = wilson(count(runs), runs.len())?;
    Some(format!("{} ({:.0} to {:.0} %)", solved(runs), 100.0 * low, 100.0 * high))
}

fn fitness(runs: &[KeptRun]) -> Option<String> {
    let values: Vec<f64> = runs.iter().filter_map(|run| run.number("fitness")).collect();
    let (count, mean) = (values.len() as f64, mean(runs, "fitness")?);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let half = if count > 1.0 { Z * (squares / (count - 1.0) / count).sqrt() } else { 0.0 };
    Some(format!("{mean:.1} ({:.1} to {:.1})", mean - half, mean + half))
}

fn left(runs: &[KeptRun]) -> Option<String> {
    let unsolved: Vec<KeptRun> = runs.iter().copied().filter(|run| !run.solved()).collect();
    Some(format!("{:.1}", mean(&unsolved, "fitness")?))
}

/// Whether all are solved, how many are, or what is left where none is.
fn outcome(runs: &[KeptRun]) -> Option<String> {
    match count(runs) {
        0 => Some(format!("{:.0}", mean(runs, "fitness")?)),
        all if all == runs.len() => Some("solved".to_owned()),
        _ => Some(solved(runs)),
    }
}

/// Over all runs, of which one without a solution counts as longer than any with one.
fn censored(runs: &[KeptRun], name: &str) -> Option<CensoredQuantiles> {
    let solved: Vec<f64> =
        runs.iter().filter(|run| run.solved()).filter_map(|run| run.number(name)).collect();
    let censored = runs.iter().filter(|run| !run.solved()).count();
    (solved.len() + censored == runs.len()).then(|| CensoredQuantiles::of(solved, censored))
}

fn or_none(figure: Option<f64>) -> String {
    figure.map_or(NONE.to_owned(), grouped)
}

fn median(runs: &[KeptRun], name: &str) -> Option<String> {
    censored(runs, name).map(|spread| or_none(spread.median))
}

fn spread(runs: &[KeptRun], name: &str) -> Option<String> {
    let spread = censored(runs, name)?;
    let [median, low, high] =
        [spread.median, spread.lower_quartile, spread.upper_quartile].map(or_none);
    Some(format!("{median} ({low} to {high})"))
}

fn restarts(runs: &[KeptRun]) -> Option<String> {
    let restarts: Vec<f64> = runs.iter().filter_map(|run| run.number("restarts")).collect();
    let spread = CensoredQuantiles::of(restarts, 0);
    Some(format!("{} ({})", grouped(spread.median?), grouped(spread.worst?)))
}

fn expected(runs: &[KeptRun]) -> Option<String> {
    let work = mean(runs, "work")? * runs.len() as f64;
    Some(if count(runs) == 0 { NONE.to_owned() } else { grouped(work / count(runs) as f64) })
}

/// The length of local search that costs least, its runs solved and its expected work, the mean over puzzles;
/// where no length solves every puzzle, that which solves most.
fn cheapest(runs: &[KeptRun]) -> Option<String> {
    let length = |run: &KeptRun| match run.text("local_search") {
        "tabu" => run.number("tabu_steps"),
        _ => run.number("tries"),
    };
    let mut lengths: Vec<f64> = runs.iter().filter_map(length).collect();
    lengths.sort_by(f64::total_cmp);
    lengths.dedup();
    let of_length = |wanted: f64| -> Vec<KeptRun> {
        runs.iter().copied().filter(|run| length(run) == Some(wanted)).collect()
    };
    let cost = |runs: &[KeptRun]| {
        let mut puzzles: Vec<&str> = runs.iter().map(|run| run.text("puzzle")).collect();
        puzzles.sort();
        puzzles.dedup();
        let of_puzzle = |puzzle: &&str| {
            let runs: Vec<KeptRun> =
                runs.iter().copied().filter(|run| run.text("puzzle") == *puzzle).collect();
            mean(&runs, "work").unwrap_or(0.0) * runs.len() as f64 / count(&runs) as f64
        };
        puzzles.iter().map(of_puzzle).sum::<f64>() / puzzles.len() as f64
    };
    let (least, best, runs) = lengths
        .iter()
        .map(|length| (*length, of_length(*length)))
        .map(|(length, runs)| (cost(&runs), length, runs))
        .min_by(|a, b| a.0.total_cmp(&b.0).then(count(&b.2).cmp(&count(&a.2))))?;
    let cost = if least.is_finite() { format!(", {:.2}", least / 1e6) } else { String::new() };
    Some(format!("{}{cost} ({})", solved(&runs), grouped(best)))
}

fn rate(runs: &[KeptRun]) -> Option<String> {
    let rates = runs.iter().filter_map(|run| run.number("children_per_second"));
    let median = CensoredQuantiles::of(rates, 0).median?;
    Some(if median < 1e6 { grouped(median) } else { format!("{:.1} million", median / 1e6) })
}

fn stopped(runs: &[KeptRun]) -> Option<String> {
    let mut reasons: Vec<&str> = runs.iter().map(|run| run.text("stop_reason")).collect();
    reasons.sort();
    let counted = reasons.chunk_by(|a, b| a == b).map(|same| format!("{} {}", same[0], same.len()));
    Some(counted.collect::<Vec<_>>().join(", "))
}

/// Three digits that count, at least.
fn time(seconds: f64) -> String {
    match seconds {
        ..0.001 => "below 0.001".to_owned(),
        ..0.1 => format!("{seconds:.3}"),
        ..10.0 => format!("{seconds:.2}"),
        ..100.0 => format!("{seconds:.1}"),
        _ => grouped(seconds),
    }
}

fn milliseconds(seconds: f64) -> String {
    match 1000.0 * seconds {
        few @ ..1.0 => format!("{few:.3}"),
        some @ ..100.0 => format!("{some:.1}"),
        many => grouped(many),
    }
}

/// A whole number with commas.
pub fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
