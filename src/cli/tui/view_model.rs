//! What a screen shows: a run as it stands, whoever tells of it.
//!
//! A live run and a recording feed the same scene, generation by generation, and it is drawn by the
//! same code.

use std::sync::Arc;
use std::time::Duration;

use super::curve::Curve;
use super::puzzle_list::PuzzleList;
use crate::board::{Geometry, Puzzle, SearchSpace};
use crate::ga::{Config, Preset};
use crate::report::{Frame, RunHeader};
use crate::util::sanitize::line;

/// Characters of a puzzle's name.
const LONGEST_NAME: usize = 60;

/// What does not change in a run.
#[derive(Clone, Debug)]
pub struct RunTitle {
    pub name: String,
    pub geometry: Geometry,
    pub givens: Vec<u8>,
    pub preset: Preset,
    pub population: u32,
    pub seed: u64,
    /// Where it happens; a recording does not tell.
    pub engine: Option<String>,
}

impl RunTitle {
    /// Of a run that happens on `engine`.
    pub fn live(space: &SearchSpace, config: &Config, seed: u64, engine: String) -> Self {
        let engine = Some(engine);
        Self { engine, ..Self::of(&space.puzzle, config.preset, config.population, seed) }
    }

    /// Of a run that was recorded.
    pub fn recorded(facts: &RunHeader, puzzle: &Puzzle) -> Self {
        Self::of(puzzle, facts.preset, facts.population, facts.seed)
    }

    fn of(puzzle: &Puzzle, preset: Preset, population: u32, seed: u64) -> Self {
        let (geometry, givens) = (puzzle.geometry, puzzle.givens.clone());
        let name = line(&puzzle.name, LONGEST_NAME);
        Self { name, geometry, givens, preset, population, seed, engine: None }
    }
}

/// What a clock says of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rates {
    /// Time since it began.
    pub elapsed: Duration,
    /// Generations, boards scored and neighbours priced a second, of late.
    pub generations: f64,
    pub children: f64,
    pub moves: f64,
}

/// A run as it stands.
#[derive(Clone, Debug, Default)]
pub struct ViewModel {
    pub title: Option<Arc<RunTitle>>,
    /// The last complete generation.
    pub frame: Option<Frame>,
    /// The best board of that generation, and the best since the run began.
    pub boards: [Vec<u8>; 2],
    /// The generation that found the best board.
    pub found: u32,
    /// The last estimate of the number of different boards.
    pub distinct: Option<u64>,
    pub curve: Curve,
    pub pulse: Option<Rates>,
    pub queue: Option<PuzzleList>,
    /// What should be known.
    pub remark: Option<String>,
    /// The boards as they were looked at last.
    looked_at: [Vec<u8>; 2],
    is_looked_at: bool,
}

impl ViewModel {
    /// No run has begun; with a list there is one beside it.
    pub fn new(queue: Option<PuzzleList>) -> Self {
        Self { queue, ..Self::default() }
    }

    /// Another run begins.
    pub fn begin(&mut self, title: RunTitle) {
        let queue = self.queue.take();
        let remark = self.remark.take();
        *self = Self { title: Some(Arc::new(title)), queue, remark, ..Self::default() };
    }

    /// A generation is complete, whose best board is this, padded or not.
    pub fn take(&mut self, frame: Frame, board: &[u8]) {
        let Some(title) = &self.title else { return };
        if std::mem::take(&mut self.is_looked_at) {
            self.looked_at.clone_from(&self.boards);
        }
        let board = &board[..board.len().min(title.geometry.cells())];
        self.boards[0].clear();
        self.boards[0].extend_from_slice(board);
        let last = self.frame.as_ref().map(|frame| frame.best_so_far);
        if last.is_none_or(|last| frame.best_so_far < last) {
            self.found = frame.generation;
            let [now, best] = &mut self.boards;
            best.clone_from(now);
        }
        self.distinct = frame.distinct.or(self.distinct);
        self.curve.push(&frame, title.population);
        self.frame = Some(frame);
    }

    /// Somebody looked: what differs from now on has changed.
    pub fn look(&mut self) {
        self.is_looked_at = true;
    }

    /// For each cell of a board whether it changed since somebody looked.
    pub fn changed(&self, board: usize) -> Vec<bool> {
        let (now, then) = (&self.boards[board], &self.looked_at[board]);
        if then.is_empty() {
            return vec![false; now.len()];
        }
        now.iter().zip(then).map(|(now, then)| now != then).collect()
    }
}
