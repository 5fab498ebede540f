//! Runs as they are shown one by one: what came of each, its best board, and its curve.

use crate::board::{Geometry, Puzzle};
use crate::format;
use crate::ga::Config;
use crate::report::HistoryPoint;

/// Some of the runs of a report, in its order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunViews {
    /// These runs.
    pub runs: Vec<RunView>,
    /// How many there are.
    pub of: usize,
    /// Which of them these are, where they are not all.
    pub which: &'static str,
}

/// A run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunView {
    /// The puzzle's name.
    pub puzzle: String,
    /// The shape of a box.
    pub shape: String,
    /// The preset, or the exact method.
    pub method: String,
    /// Names and values that tell it from others.
    pub labels: Vec<(&'static str, String)>,
    /// Its seed.
    pub seed: u64,
    /// Whether it found a solution.
    pub solved: bool,
    /// The reason why it ended.
    pub end: String,
    /// The fitness of the best board, as far as it has one.
    pub fitness: Option<u16>,
    /// The last generation.
    pub generations: Option<u32>,
    /// Evaluations plus moves.
    pub work: Option<u64>,
    /// Wall time.
    pub seconds: f64,
    /// The device that it ran on.
    pub device: Option<String>,
    /// The effective configuration of a preset's run.
    pub config: Option<Config>,
    /// Some of its generations, ascending.
    pub curve: Vec<CurvePoint>,
    /// The best board.
    pub board: Option<BoardView>,
}

/// A generation of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurvePoint {
    /// Its number.
    pub generation: u32,
    /// The lowest fitness of its population.
    pub best: u16,
    /// The highest.
    pub worst: u16,
}

impl From<&HistoryPoint> for CurvePoint {
    fn from(moment: &HistoryPoint) -> Self {
        Self { generation: moment.generation, best: moment.best, worst: moment.worst }
    }
}

/// A board, and what was given of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardView {
    /// Its shape.
    pub geometry: Geometry,
    /// A value for each cell.
    pub cells: Vec<u8>,
    /// The puzzle's.
    pub givens: Vec<u8>,
}

impl BoardView {
    /// A board of `puzzle` as a record holds it, on one line; nothing if it is none of its shape.
    pub fn read(puzzle: &Puzzle, line: &str) -> Option<Self> {
        let read = format::read(line, "a board", Some(puzzle.geometry)).ok()?.puzzle;
        let givens = puzzle.givens.clone();
        Some(Self { geometry: puzzle.geometry, cells: read.givens, givens })
    }
}

/// The device of a run: `gpu on llvmpipe (Mesa 25.0), 2 threads`.
pub fn device_text(
    backend: &str,
    adapter: Option<&str>,
    driver: Option<&str>,
    threads: usize,
) -> String {
    let on = adapter.map(|adapter| format!(" on {adapter}")).unwrap_or_default();
    let driver = driver.filter(|driver| !driver.is_empty());
    let driver = driver.map(|driver| format!(" ({driver})")).unwrap_or_default();
    let noun = if threads == 1 { "thread" } else { "threads" };
    format!("{backend}{on}{driver}, {threads} {noun}")
}
