//! The state of a run as the screen shows it, live or recorded.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use std::{array, mem};

use super::curve::Curve;
use crate::board::Puzzle;
use crate::ga::Preset;
use crate::report::Frame;
use crate::util::sanitize::line;

/// Characters of a puzzle's name.
const LONGEST_NAME: usize = 60;
/// Finished puzzles of a list that are kept for display.
const LATEST: usize = 64;
/// The time over which rates are measured.
const SPAN: Duration = Duration::from_millis(500);

/// The constants of a run.
#[derive(Clone, Debug)]
pub struct RunTitle {
    pub puzzle: Puzzle,
    pub preset: Preset,
    pub population: u32,
    pub seed: u64,
    /// Where a live run happens; a recording does not store it.
    pub engine: Option<String>,
}

impl RunTitle {
    /// The name of the puzzle, as much of it as there is room for.
    pub fn name(&self) -> String {
        line(&self.puzzle.name, LONGEST_NAME)
    }
}

/// A run at one moment.
#[derive(Clone, Debug, Default)]
pub struct ViewModel {
    pub title: Option<Arc<RunTitle>>,
    /// The last complete generation.
    pub frame: Option<Frame>,
    /// The best board of that generation, and the best of the run.
    pub boards: [Vec<u8>; 2],
    /// The generation that found the best board of the run.
    pub found: u32,
    /// The last estimate of the number of different boards.
    pub distinct: Option<u64>,
    pub curve: Curve,
    /// The time and the rates of a live run; a recording stores no times.
    pub rates: Option<Rates>,
    pub list: Option<PuzzleList>,
    /// A warning or a remark below the panes.
    pub remark: Option<String>,
    /// The boards of the last drawn frame.
    drawn: [Vec<u8>; 2],
    /// Whether the boards were drawn since the last generation.
    is_drawn: bool,
}

impl ViewModel {
    /// The state before the first run, of a list if there is one.
    pub fn new(list: Option<PuzzleList>) -> Self {
        Self { list, ..Self::default() }
    }

    /// Starts another run.
    pub fn begin(&mut self, title: RunTitle) {
        let Self { list, remark, .. } = mem::take(self);
        *self = Self { title: Some(Arc::new(title)), list, remark, ..Self::default() };
    }

    /// Adds a complete generation with its best board, which may be padded, and the time of a live run.
    pub fn add(&mut self, frame: Frame, board: &[u8], elapsed: Option<Duration>) {
        let Some(title) = &self.title else { return };
        if let Some(elapsed) = elapsed {
            self.rates.get_or_insert_default().add(&frame, elapsed);
        }
        if mem::take(&mut self.is_drawn) {
            self.drawn.clone_from(&self.boards);
        }
        let [now, best] = &mut self.boards;
        now.clear();
        now.extend(board.iter().take(title.puzzle.geometry.cells()));
        if self.frame.as_ref().is_none_or(|last| frame.best_so_far < last.best_so_far) {
            self.found = frame.generation;
            best.clone_from(now);
        }
        self.distinct = frame.distinct.or(self.distinct);
        self.curve.push(&frame, title.population);
        self.frame = Some(frame);
    }

    /// Notes that the boards are drawn: changes are relative to them from the next generation on.
    pub fn note_drawn(&mut self) {
        self.is_drawn = true;
    }

    /// For each cell of a board whether it changed since it was drawn.
    pub fn changed(&self, board: usize) -> Vec<bool> {
        let (now, then) = (&self.boards[board], &self.drawn[board]);
        now.iter().zip(then).map(|(now, then)| now != then).collect()
    }
}

/// The state of a puzzle of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleStatus {
    Solved,
    Unsolved,
    Failed,
}

/// The puzzles of a list.
#[derive(Clone, Debug, Default)]
pub struct PuzzleList {
    /// The number of puzzles, once they are counted.
    pub total: Option<u64>,
    pub done: u64,
    pub solved: u64,
    /// The last finished puzzles, the oldest first.
    pub latest: VecDeque<(PuzzleStatus, String)>,
}

impl PuzzleList {
    /// Adds a finished puzzle.
    pub fn push(&mut self, name: &str, status: PuzzleStatus) {
        self.done += 1;
        self.solved += u64::from(status == PuzzleStatus::Solved);
        if self.latest.len() == LATEST {
            self.latest.pop_front();
        }
        self.latest.push_back((status, name.to_owned()));
    }
}

/// The time of a run, and its rates over the last half second.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rates {
    /// The time since the run began.
    pub elapsed: Duration,
    /// Generations, boards scored and moves evaluated a second.
    pub per_second: [f64; 3],
    /// The start of the time over which rates are measured, and the counts at it.
    from: (Duration, [u64; 3]),
}

impl Rates {
    /// Adds a complete generation of a run that began this long ago.
    fn add(&mut self, frame: &Frame, elapsed: Duration) {
        self.elapsed = elapsed;
        let counts = [u64::from(frame.generation) + 1, frame.evaluations, frame.moves];
        let span = elapsed.saturating_sub(self.from.0);
        // The first span is shorter, so that there are rates soon.
        if span >= SPAN || self.from.0.is_zero() {
            let seconds = span.as_secs_f64().max(1e-9);
            self.per_second = array::from_fn(|at| (counts[at] - self.from.1[at]) as f64 / seconds);
            if span >= SPAN {
                self.from = (elapsed, counts);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Rates {
        /// Rates that do not change.
        pub(in crate::cli::tui) fn of(elapsed: Duration, per_second: [f64; 3]) -> Self {
            Self { elapsed, per_second, ..Self::default() }
        }
    }
}
