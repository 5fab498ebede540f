//! The trace of runs: one CSV row a generation.

use std::ops::ControlFlow;
use std::time::Duration;

use super::export::csv_rows;
use crate::ga::{GenerationReport, Observer};
use crate::store::{AppendLog, LogOffset, OutputError, OutputFile};

/// The columns; the last four depend on the machine, the others never do.
const COLUMNS: [&str; 15] = [
    "puzzle",
    "seed",
    "generation",
    "restart",
    "best",
    "best_so_far",
    "mean",
    "worst",
    "distinct",
    "evaluations",
    "moves",
    "breed_seconds",
    "upload_seconds",
    "kernel_seconds",
    "readback_seconds",
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
    /// When the file before the offset is not as it was written.
    pub fn new(output: OutputFile, from: Option<LogOffset>) -> Result<Self, OutputError> {
        let file = AppendLog::open(output, csv_rows([COLUMNS]).into_bytes(), from)?;
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
        let seconds = |time: Duration| format!("{:.6}", time.as_secs_f64());
        let times = report.times;
        let row = csv_rows([[
            self.puzzle.clone(),
            self.seed.to_string(),
            report.generation.to_string(),
            report.restart.to_string(),
            report.best.to_string(),
            report.best_so_far.to_string(),
            mean(report.sum, report.population),
            report.worst.to_string(),
            report.distinct.map(|distinct| distinct.to_string()).unwrap_or_default(),
            report.evaluations.to_string(),
            report.moves.to_string(),
            seconds(times.breed),
            seconds(times.score.upload),
            seconds(times.score.kernel),
            seconds(times.score.readback),
        ]]);
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
