//! The trace of runs: one CSV row a generation.

use std::io;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use csv::Writer;

use super::file::Opened;
use super::{OutputError, OutputFile};
use crate::evolve::{GenerationReport, Observer};

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
/// How stale the file may be for those who read along.
const FLUSH_EVERY: Duration = Duration::from_millis(500);

/// Writes traces to a file, which it first touches when there is something to write.
#[derive(Debug)]
pub struct Trace {
    output: OutputFile,
    writer: Option<Writer<Opened>>,
    puzzle: String,
    seed: u64,
    flushed: Instant,
    /// Whether it ended with a failure.
    ended: bool,
    failure: Option<io::Error>,
}

impl Trace {
    /// A trace that will be written to `output`.
    pub fn new(output: OutputFile) -> Self {
        Self {
            output,
            writer: None,
            puzzle: String::new(),
            seed: 0,
            flushed: Instant::now(),
            ended: false,
            failure: None,
        }
    }

    /// The rows that follow belong to this puzzle's run of this seed.
    pub fn begin(&mut self, puzzle: &str, seed: u64) {
        self.puzzle = puzzle.to_owned();
        self.seed = seed;
    }

    /// Writes out what is still held back; the column names if nothing else.
    pub fn flush(&mut self) {
        self.attempt(|writer| writer.flush());
        self.flushed = Instant::now();
    }

    /// The first failure, if it was not asked for before: what follows it is not written.
    pub fn failure(&mut self) -> Option<OutputError> {
        self.failure.take().map(|error| self.output.error(error))
    }

    /// Whether everything could be written.
    pub fn is_whole(&self) -> bool {
        !self.ended
    }

    /// Writes, and remembers the first failure: those who are watched must not be stopped.
    fn attempt(&mut self, write: impl FnOnce(&mut Writer<Opened>) -> io::Result<()>) {
        if self.ended {
            return;
        }
        let written = match &mut self.writer {
            Some(writer) => write(writer),
            None => self.open().and_then(|mut writer| {
                write(&mut writer)?;
                self.writer = Some(writer);
                Ok(())
            }),
        };
        if let Err(error) = written {
            self.ended = true;
            self.failure = Some(error);
        }
    }

    fn open(&self) -> io::Result<Writer<Opened>> {
        let output = self.output.replace_open(b"").map_err(|error| error.error)?;
        let mut writer = Writer::from_writer(output);
        writer.write_record(COLUMNS)?;
        Ok(writer)
    }
}

impl Observer for Trace {
    fn generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        let seconds = |time: Duration| format!("{:.6}", time.as_secs_f64());
        let times = report.times;
        let row = [
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
        ];
        let due = self.writer.is_none() || self.flushed.elapsed() > FLUSH_EVERY;
        self.attempt(|writer| {
            writer.write_record(&row)?;
            if due { writer.flush() } else { Ok(()) }
        });
        if due {
            self.flushed = Instant::now();
        }
        ControlFlow::Continue(())
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
