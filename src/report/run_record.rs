//! The exported record of a run, and its row.

use serde::Serialize;

use crate::board::{Presolve, Puzzle, SearchSpace};
use crate::format::line;
use crate::ga::islands::sizes;
use crate::ga::{Config, Outcome, Preset, StopReason};
use crate::run::BackendInfo;

/// Everything worth knowing about a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunRecord {
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
    /// The reason why the run ended.
    pub stop_reason: StopReason,
    /// The level of presolve.
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
    /// The device that scored the boards.
    #[serde(flatten)]
    pub device: BackendInfo,
    /// Why the run went on on the CPU, if it did.
    pub fault: Option<String>,
    /// The effective configuration.
    pub config: Config,
}

impl RunRecord {
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

/// A row of a report that is written run by run.
#[derive(Clone, Copy, Debug)]
pub enum ReportRow<'a> {
    /// A run.
    Run(&'a RunRecord),
    /// A puzzle that was not run, because it has no solution or the run failed: it has no record.
    NotRun(&'a Puzzle),
}

impl ReportRow<'_> {
    /// The names of the columns.
    pub const COLUMNS: [&'static str; 21] = [
        "puzzle",
        "name",
        "shape",
        "preset",
        "population",
        "presolve",
        "seed",
        "solved",
        "stop_reason",
        "fitness",
        "generations",
        "restarts",
        "evaluations",
        "moves",
        "steps",
        "work",
        "seconds",
        "children_per_second",
        "threads",
        "backend",
        "solution",
    ];

    /// The record, a JSON object on one line.
    pub fn record(&self) -> Option<String> {
        match self {
            // Every key is a string and every number finite: nothing here can fail.
            Self::Run(run) => Some(serde_json::to_string(run).unwrap_or_default()),
            Self::NotRun(_) => None,
        }
    }

    /// A text for each column.
    pub fn cells(&self) -> Vec<String> {
        match self {
            Self::Run(run) => vec![
                run.puzzle.clone(),
                run.name.clone(),
                run.shape.clone(),
                run.preset.to_string(),
                run.population.to_string(),
                run.presolve.to_string(),
                run.seed.to_string(),
                run.solved.to_string(),
                run.stop_reason.to_string(),
                run.fitness.to_string(),
                run.generations.to_string(),
                run.restarts.to_string(),
                run.evaluations.to_string(),
                run.moves.to_string(),
                run.steps.to_string(),
                run.work.to_string(),
                format!("{:.6}", run.seconds),
                format!("{:.0}", run.children_per_second),
                run.device.threads.to_string(),
                run.device.backend.to_owned(),
                run.solution.clone().unwrap_or_default(),
            ],
            Self::NotRun(puzzle) => {
                let known = |column: &str| match column {
                    "name" => puzzle.name.clone(),
                    "puzzle" => line(puzzle.geometry, &puzzle.givens),
                    "shape" => puzzle.geometry.to_string(),
                    "solved" => false.to_string(),
                    _ => String::new(),
                };
                Self::COLUMNS.into_iter().map(known).collect()
            }
        }
    }
}

/// The cost of a run, and whether it found a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunCost {
    /// Evaluations plus moves.
    pub work: u64,
    /// Whether it found a solution.
    pub solved: bool,
}
