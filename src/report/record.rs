//! The exported record of a run.

use serde::Serialize;

use crate::board::{Presolve, SearchSpace};
use crate::format::line;
use crate::ga::islands::sizes;
use crate::ga::{Config, Outcome, Preset, StopReason};
use crate::solver::BackendInfo;

/// Everything worth knowing about a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    /// The puzzle's name.
    pub name: String,
    /// The givens on one line.
    pub puzzle: String,
    /// The box shape.
    pub shape: String,
    /// The checked solution on one line, or nothing.
    pub solution: Option<String>,
    /// The best board on one line.
    pub board: String,
    /// Whether the puzzle was solved.
    pub solved: bool,
    /// The best board's fitness.
    pub fitness: u16,
    /// What ended the run.
    pub stop_reason: StopReason,
    /// What was derived beforehand.
    pub presolve: Presolve,
    /// Blanks that presolve left.
    pub free_cells: usize,
    /// The number of the last complete generation.
    pub generations: u32,
    /// How often the population was drawn anew.
    pub restarts: u32,
    /// Boards scored.
    pub evaluations: u64,
    /// Neighbouring boards priced.
    pub moves: u64,
    /// Changes made by local search.
    pub steps: u64,
    /// Evaluations plus moves.
    pub work: u64,
    /// Wall time.
    pub seconds: f64,
    /// Boards scored a second.
    pub children_per_second: f64,
    /// The preset.
    pub preset: Preset,
    /// Individuals.
    pub population: u32,
    /// Islands that they were split into, because so many were asked for or because of their size.
    pub islands: usize,
    /// The seed.
    pub seed: u64,
    /// Where boards were scored.
    #[serde(flatten)]
    pub device: BackendInfo,
    /// Why the run went on on the CPU, if it did.
    pub fault: Option<String>,
    /// The effective configuration.
    pub config: Config,
}

impl Record {
    /// The record of a finished run.
    pub fn new(
        space: &SearchSpace,
        config: &Config,
        seed: u64,
        device: &BackendInfo,
        outcome: &Outcome,
    ) -> Self {
        let geometry = space.geometry();
        let board = line(geometry, &outcome.board);
        let seconds = outcome.elapsed.as_secs_f64();
        Self {
            name: space.puzzle.name.clone(),
            puzzle: line(geometry, &space.puzzle.givens),
            shape: geometry.to_string(),
            solution: outcome.solved().then(|| board.clone()),
            board,
            solved: outcome.solved(),
            fitness: outcome.fitness,
            stop_reason: outcome.stop_reason,
            presolve: config.presolve,
            free_cells: space.free.len(),
            generations: outcome.generations,
            restarts: outcome.restarts,
            evaluations: outcome.evaluations,
            moves: outcome.moves,
            steps: outcome.steps,
            work: outcome.work(),
            seconds,
            children_per_second: outcome.evaluations as f64 / seconds.max(1e-9),
            preset: config.preset,
            population: config.population,
            islands: sizes(geometry, config).map_or(1, |sizes| sizes.len()),
            seed,
            device: device.clone(),
            fault: outcome.fault.as_ref().map(ToString::to_string),
            config: config.clone(),
        }
    }
}
