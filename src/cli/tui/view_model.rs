//! The state of a run as the screen shows it, live or recorded.

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::curve::Curve;
use crate::board::{Geometry, Puzzle};
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
    pub name: String,
    pub geometry: Geometry,
    pub givens: Vec<u8>,
    pub preset: Preset,
    pub population: u32,
    pub seed: u64,
    /// Where a live run happens; a recording does not store it.
    pub engine: Option<String>,
}

impl RunTitle {
    /// The title of a run on a puzzle.
    pub fn new(
        puzzle: &Puzzle,
        preset: Preset,
        population: u32,
        seed: u64,
        engine: Option<String>,
    ) -> Self {
        let (geometry, givens) = (puzzle.geometry, puzzle.givens.clone());
        let name = line(&puzzle.name, LONGEST_NAME);
        Self { name, geometry, givens, preset, population, seed, engine }
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

    /// Adds a complete generation with its best board, which may be padded.
    pub fn add(&mut self, frame: Frame, board: &[u8]) {
        let Some(title) = &self.title else { return };
        if mem::take(&mut self.is_drawn) {
            self.drawn.clone_from(&self.boards);
        }
        let [now, best] = &mut self.boards;
        now.clear();
        now.extend(board.iter().take(title.geometry.cells()));
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
    /// A list of which no puzzle is finished.
    pub fn new(total: Option<u64>) -> Self {
        Self { total, ..Self::default() }
    }

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

/// The time of a run and its rates a second.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rates {
    /// The time since the run began.
    pub elapsed: Duration,
    pub generations: f64,
    /// Boards scored.
    pub children: f64,
    /// Neighbours priced.
    pub moves: f64,
}

/// Generations, children and moves at a time.
type Counts = (Instant, [u64; 3]);

/// Measures the rates of a run over the last half second.
#[derive(Debug)]
pub struct RateMeter {
    began: Instant,
    last: Counts,
    /// The start of the time over which rates are measured.
    from: Counts,
    rates: [f64; 3],
}

impl RateMeter {
    /// A meter of a run that begins now.
    pub fn new() -> Self {
        let began = Instant::now();
        Self { began, last: (began, [0; 3]), from: (began, [0; 3]), rates: [0.0; 3] }
    }

    /// Adds a complete generation.
    pub fn add(&mut self, frame: &Frame) {
        let counts = [u64::from(frame.generation) + 1, frame.evaluations, frame.moves];
        self.last = (Instant::now(), counts);
        let span = self.last.0 - self.from.0;
        // The first span is shorter, so that there are rates soon.
        if span >= SPAN || self.from.0 == self.began {
            let seconds = span.as_secs_f64().max(1e-9);
            self.rates = std::array::from_fn(|at| (counts[at] - self.from.1[at]) as f64 / seconds);
            if span >= SPAN {
                self.from = self.last;
            }
        }
    }

    /// The rates; the time of a run that is over does not advance.
    pub fn rates(&self, is_over: bool) -> Rates {
        let now = if is_over { self.last.0 } else { Instant::now() };
        let [generations, children, moves] = self.rates;
        Rates { elapsed: now - self.began, generations, children, moves }
    }
}
