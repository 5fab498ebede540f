//! The lines of a recording as they are written and read.

use serde::{Deserialize, Serialize};

use crate::board::SearchSpace;
use crate::format::line;
use crate::ga::{Config, GenerationReport, Outcome, Preset, StopReason};

/// The version of the form.
pub(super) const FORM: u32 = 1;

/// The content of the first line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RecordingHeader {
    pub form: u32,
    pub version: String,
    pub results_version: u32,
}

/// The first line. What a newer form adds to it does not keep it from being told as such.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct HeaderLine {
    pub recording: RecordingHeader,
}

/// A line after the first.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Line {
    Run(RunHeader),
    Frame(FrameLine),
    End(RecordingEnd),
}

/// A run: its puzzle, preset and seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunHeader {
    /// The puzzle's name.
    pub name: String,
    /// The shape of its boxes.
    pub shape: String,
    /// Its givens on one line.
    pub givens: String,
    /// The preset.
    pub preset: Preset,
    /// Individuals.
    pub population: u32,
    /// The seed.
    pub seed: u64,
}

impl RunHeader {
    /// The header of a run.
    pub fn new(space: &SearchSpace, config: &Config, seed: u64) -> Self {
        let puzzle = &space.puzzle;
        Self {
            name: puzzle.name.clone(),
            shape: puzzle.geometry.to_string(),
            givens: line(puzzle.geometry, &puzzle.givens),
            preset: config.preset,
            population: config.population,
            seed,
        }
    }
}

/// A generation without its board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Its number.
    pub generation: u32,
    /// Restarts so far.
    pub restart: u32,
    /// The lowest fitness in the population.
    pub best: u16,
    /// The lowest since the run began.
    pub best_so_far: u16,
    /// The highest fitness in the population.
    pub worst: u16,
    /// The sum of all fitness.
    pub sum: u64,
    /// An estimate of the number of different boards, where one was made.
    pub distinct: Option<u64>,
    /// Boards scored so far.
    pub evaluations: u64,
    /// Neighbours priced so far.
    pub moves: u64,
    /// The lowest fitness of each island.
    pub islands: Vec<u16>,
}

impl From<&GenerationReport<'_>> for Frame {
    fn from(report: &GenerationReport<'_>) -> Self {
        Self {
            generation: report.generation,
            restart: report.restart,
            best: report.best,
            best_so_far: report.best_so_far,
            worst: report.worst,
            sum: report.sum,
            distinct: report.distinct,
            evaluations: report.evaluations,
            moves: report.moves,
            islands: report.islands.to_vec(),
        }
    }
}

/// A frame in a file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FrameLine {
    at: (u32, u32, u16, u16, u16, u64, Option<u64>, u64, u64),
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    islands: Vec<u16>,
    /// Cells and their values, one after the other.
    pub put: Vec<u16>,
}

impl FrameLine {
    pub fn new(frame: &Frame, put: Vec<u16>) -> Self {
        let f = frame;
        let at = (
            f.generation,
            f.restart,
            f.best,
            f.best_so_far,
            f.worst,
            f.sum,
            f.distinct,
            f.evaluations,
            f.moves,
        );
        let islands = if f.islands.len() > 1 { f.islands.clone() } else { Vec::new() };
        Self { at, islands, put }
    }

    pub fn frame(&self) -> Frame {
        let (generation, restart, best, best_so_far, worst, sum, distinct, evaluations, moves) =
            self.at;
        let islands = if self.islands.is_empty() { vec![best] } else { self.islands.clone() };
        Frame {
            generation,
            restart,
            best,
            best_so_far,
            worst,
            sum,
            distinct,
            evaluations,
            moves,
            islands,
        }
    }
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordingEnd {
    /// The reason why it ended.
    pub stop_reason: StopReason,
    /// The fitness of its best board.
    pub fitness: u16,
}

impl RecordingEnd {
    /// The end of a run.
    pub fn of(outcome: &Outcome) -> Self {
        Self { stop_reason: outcome.stop_reason, fitness: outcome.fitness }
    }
}
