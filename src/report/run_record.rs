//! The exported record of a run, and its row.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::board::{Presolve, Puzzle, SearchSpace};
use crate::format::line;
use crate::ga::islands::sizes;
use crate::ga::{Config, Outcome, Preset, StopReason};
use crate::run::BackendInfo;
use crate::util::named_enum::named;
use crate::util::required;

/// The record of a run, as JSON has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The puzzle's name.
    pub name: String,
    /// The givens on one line.
    pub puzzle: String,
    /// The box shape.
    pub shape: String,
    /// The checked solution on one line, or nothing.
    #[serde(deserialize_with = "required")]
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
    /// Restarts of the population.
    pub restarts: u32,
    /// Boards scored.
    pub evaluations: u64,
    /// Neighbouring boards evaluated.
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
    /// Islands that the population was split into, by the parameter `islands` or because of its size.
    pub islands: usize,
    /// The seed.
    pub seed: u64,
    /// The backend that scored the boards.
    pub backend: Cow<'static, str>,
    /// Its adapter, on a GPU.
    #[serde(deserialize_with = "required")]
    pub adapter: Option<String>,
    /// The adapter's driver, on a GPU.
    #[serde(deserialize_with = "required")]
    pub driver: Option<String>,
    /// Threads that bred, and scored on the CPU.
    pub threads: usize,
    /// The fault after which the CPU continued the run, if there was one.
    #[serde(deserialize_with = "required")]
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
        let BackendInfo { backend, adapter, driver, threads } = device.clone();
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
            backend,
            adapter,
            driver,
            threads,
            fault: outcome.fault.as_ref().map(ToString::to_string),
            config: config.clone(),
        }
    }
}

named! {
    /// Whether a puzzle's solution is the only one, as far as a bounded exact search tells.
    pub enum Uniqueness {
        /// It is.
        Unique = "unique",
        /// It is one of several.
        Several = "several",
        /// The search ended before it was known.
        Undecided = "undecided",
    }
}

/// The record of a run of `solve`, as JSON has it.
#[derive(Clone, Debug, Serialize)]
pub struct SolveRecord {
    /// The run.
    #[serde(flatten)]
    pub run: RunRecord,
    /// Whether the puzzle has other solutions, if they were looked for.
    pub uniqueness: Option<Uniqueness>,
}

/// A row of a report that is written run by run.
#[derive(Clone, Copy, Debug)]
pub enum ReportRow<'a> {
    /// A run.
    Run(&'a SolveRecord),
    /// A puzzle that was not run, because it has no solution or the run failed: it has no record.
    NotRun(&'a Puzzle),
}

/// A column: its name, and the text of a run in it.
type Column = (&'static str, fn(&SolveRecord) -> String);

const COLUMNS: [Column; 22] = [
    ("puzzle", |record| record.run.puzzle.clone()),
    ("name", |record| record.run.name.clone()),
    ("shape", |record| record.run.shape.clone()),
    ("preset", |record| record.run.preset.to_string()),
    ("population", |record| record.run.population.to_string()),
    ("presolve", |record| record.run.presolve.to_string()),
    ("seed", |record| record.run.seed.to_string()),
    ("solved", |record| record.run.solved.to_string()),
    ("stop_reason", |record| record.run.stop_reason.to_string()),
    ("fitness", |record| record.run.fitness.to_string()),
    ("generations", |record| record.run.generations.to_string()),
    ("restarts", |record| record.run.restarts.to_string()),
    ("evaluations", |record| record.run.evaluations.to_string()),
    ("moves", |record| record.run.moves.to_string()),
    ("steps", |record| record.run.steps.to_string()),
    ("work", |record| record.run.work.to_string()),
    ("seconds", |record| format!("{:.6}", record.run.seconds)),
    ("children_per_second", |record| format!("{:.0}", record.run.children_per_second)),
    ("threads", |record| record.run.threads.to_string()),
    ("backend", |record| record.run.backend.to_string()),
    ("solution", |record| record.run.solution.clone().unwrap_or_default()),
    ("uniqueness", |record| record.uniqueness.map_or_else(String::new, |word| word.to_string())),
];

impl ReportRow<'_> {
    /// The names of the columns.
    pub fn columns() -> Vec<&'static str> {
        COLUMNS.map(|(name, _)| name).into()
    }

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
        let cell = |(name, text): Column| match self {
            Self::Run(run) => text(run),
            Self::NotRun(puzzle) => match name {
                "name" => puzzle.name.clone(),
                "puzzle" => line(puzzle.geometry, &puzzle.givens),
                "shape" => puzzle.geometry.to_string(),
                "solved" => false.to_string(),
                _ => String::new(),
            },
        };
        COLUMNS.map(cell).into()
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
