//! The summary of a list: how many were solved, and what a solution cost.

use std::sync::atomic::Ordering;
use std::time::Instant;

use indicatif::HumanCount;

use super::context::SolveContext;
use crate::ga::{Outcome, StopReason};
use crate::statistics::{CensoredQuantiles, wilson};

/// Counts runs, and keeps what the successful ones cost.
pub struct ListSummary {
    start: Instant,
    /// Runs that had ended before the command was resumed, if it was.
    earlier: Option<usize>,
    /// Puzzles that were not run or whose run failed.
    failed: usize,
    presolved: usize,
    /// Runs of evolution.
    evolved: usize,
    /// Seconds and work of those with a solution.
    seconds: Vec<f64>,
    work: Vec<f64>,
}

impl ListSummary {
    /// From now on, beside runs that ended earlier.
    pub fn begin(earlier: Option<usize>) -> Self {
        let (start, seconds, work) = (Instant::now(), Vec::new(), Vec::new());
        Self { start, earlier, failed: 0, presolved: 0, evolved: 0, seconds, work }
    }

    pub fn failed(&mut self) {
        self.failed += 1;
    }

    pub fn ended(&mut self, outcome: &Outcome) {
        match outcome.stop_reason {
            StopReason::Presolved => self.presolved += 1,
            // It says nothing about what it would have found.
            StopReason::Interrupted | StopReason::Observer | StopReason::Lost => {}
            _ => {
                self.evolved += 1;
                if outcome.solved() {
                    self.seconds.push(outcome.elapsed.as_secs_f64());
                    self.work.push(outcome.work() as f64);
                }
            }
        }
    }

    /// Runs with a solution, presolved ones included.
    pub fn solved(&self) -> usize {
        self.presolved + self.seconds.len()
    }

    /// What to say at the end. Presolve's own solutions are no success of evolution, and a run
    /// without a solution counts as longer than any with one.
    pub fn text(&self, session: &SolveContext<'_>, jobs: usize) -> String {
        let runs = self.presolved + self.evolved;
        let wall = self.start.elapsed().as_secs_f64();
        let ended = session.interrupted.load(Ordering::Relaxed);
        let ended = if ended { "interrupted after it " } else { "" };
        let mut text = format!("{ended}solved {} of {}", count(self.solved()), count(runs));
        if self.failed > 0 {
            text += &format!(", and {} could not be run", count(self.failed));
        }
        text += &format!(": presolve alone {}, evolution ", count(self.presolved));
        text += &format!("{} of {}", count(self.seconds.len()), count(self.evolved));
        if let Some(found) = wilson(self.seconds.len(), self.evolved) {
            let (low, high) = (100.0 * found.low, 100.0 * found.high);
            text += &format!(" (95 % interval {low:.1} to {high:.1} %)");
        }
        let unsolved = self.evolved - self.seconds.len();
        if self.evolved > 0 {
            let seconds = CensoredQuantiles::of(self.seconds.iter().copied(), unsolved);
            let work = CensoredQuantiles::of(self.work.iter().copied(), unsolved);
            text += &line("seconds", &seconds, |seconds| format!("{seconds:.3}"));
            text += &line("work", &work, |work| count(work.round() as usize));
        }
        // What was not run in this time says nothing of the rate.
        let now = runs.saturating_sub(self.earlier.unwrap_or(0)) as f64;
        let since = if self.earlier.is_some() { " since it was resumed" } else { "" };
        let backend = session.solver.backend();
        let adapter = if session.on_cpu { None } else { backend.info(0).adapter };
        let place = match adapter {
            Some(adapter) if backend.is_auto() => format!("the CPU and {adapter}"),
            Some(adapter) => adapter,
            None => "the CPU".to_owned(),
        };
        text += &format!(
            "\n  {wall:.2} s{since}, {:.1} puzzles/s, {jobs} at a time on {place}\n  {}, presolve {}, seed {}",
            now / f64::from(session.runs) / wall.max(1e-9),
            session.solver.settings().preset,
            session.solver.settings().presolve(),
            session.seed,
        );
        text
    }
}

fn line(name: &str, spread: &CensoredQuantiles, show: impl Fn(f64) -> String) -> String {
    let show = |figure: Option<f64>| figure.map_or_else(|| "unsolved".to_owned(), &show);
    format!(
        "\n  {name}: median {}, 90 % within {}, worst {}",
        show(spread.median),
        show(spread.ninth_decile),
        show(spread.worst)
    )
}

fn count(number: usize) -> String {
    HumanCount(number as u64).to_string()
}
