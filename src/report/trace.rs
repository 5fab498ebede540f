//! The trace of runs: one CSV row a generation.

use std::ops::ControlFlow;
use std::time::Duration;

use super::export::csv_rows;
use crate::ga::{GenerationReport, Observer};
use crate::store::{AppendLog, LogOffset, OutputError, OutputFile};

/// A column: its name, and the text of a generation in it.
type Column = (&'static str, fn(&GenerationReport<'_>) -> String);

/// The columns after puzzle and seed; the last four depend on the machine, the others never do.
const COLUMNS: [Column; 13] = [
    ("generation", |report| report.generation.to_string()),
    ("restart", |report| report.restart.to_string()),
    ("best", |report| report.best.to_string()),
    ("best_so_far", |report| report.best_so_far.to_string()),
    ("mean", |report| mean(report.sum, report.population)),
    ("worst", |report| report.worst.to_string()),
    ("distinct", |report| report.distinct.map_or_else(String::new, |count| count.to_string())),
    ("evaluations", |report| report.evaluations.to_string()),
    ("moves", |report| report.moves.to_string()),
    ("breed_seconds", |report| seconds(report.times.breed)),
    ("upload_seconds", |report| seconds(report.times.score.upload)),
    ("kernel_seconds", |report| seconds(report.times.score.kernel)),
    ("readback_seconds", |report| seconds(report.times.score.readback)),
];

/// Writes traces to a file, which it first touches when there is something to write.
#[derive(Debug)]
pub struct Trace {
    /// The file.
    pub file: AppendLog,
    puzzle: String,
    seed: u64,
}

impl Trace {
    /// A trace that will be written to `output`; `from` an offset on, where it is resumed.
    ///
    /// # Errors
    /// When the bytes before the offset are not those that were written.
    pub fn new(output: OutputFile, from: Option<LogOffset>) -> Result<Self, OutputError> {
        let head = ["puzzle", "seed"].into_iter().chain(COLUMNS.map(|(name, _)| name));
        let file = AppendLog::open(output, csv_rows([head]).into_bytes(), from)?;
        Ok(Self { file, puzzle: String::new(), seed: 0 })
    }

    /// The rows that follow belong to this puzzle's run of this seed.
    pub fn begin(&mut self, puzzle: &str, seed: u64) {
        self.puzzle = puzzle.to_owned();
        self.seed = seed;
    }
}

impl Observer for Trace {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        let run = [self.puzzle.clone(), self.seed.to_string()].into_iter();
        let row = csv_rows([run.chain(COLUMNS.map(|(_, text)| text(report)))]);
        self.file.append(row.as_bytes());
        ControlFlow::Continue(())
    }

    fn wants_boards(&self) -> bool {
        false
    }

    fn wants_distinct(&self) -> bool {
        true
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.6}", time.as_secs_f64())
}

/// `sum / count` to three decimals, rounded half up, in whole numbers.
fn mean(sum: u64, count: u64) -> String {
    let (sum, count) = (u128::from(sum), u128::from(count.max(1)));
    let thousandths = (2000 * sum + count) / (2 * count);
    format!("{}.{:03}", thousandths / 1000, thousandths % 1000)
}

#[cfg(test)]
mod tests {
    use super::mean;

    #[test]
    fn means_are_rounded_in_whole_numbers() {
        assert_eq!(mean(10, 4), "2.500");
        assert_eq!(mean(2, 3), "0.667");
        assert_eq!(mean(1, 2000), "0.001");
        assert_eq!(mean(0, 7), "0.000");
    }
}
