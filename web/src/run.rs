//! A run, step by step.

use std::ops::ControlFlow;

use evodoku::board::{Geometry, Puzzle};
use evodoku::ga::{GenerationReport, Observer, Outcome, Overrides};
use evodoku::gpu_engine::Device;
use evodoku::{Backend, Evolution, Solver, format};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

use crate::catalogue::{operators, parse, settings};
use crate::{adapter, refused};

/// A run of a puzzle.
#[wasm_bindgen]
pub struct Run {
    evolution: Evolution,
    puzzle: Puzzle,
    preset: String,
    overrides: Overrides,
    /// `gpu` or `wasm`.
    engine: &'static str,
    /// The GPU that it evolves on.
    device: Option<Device>,
}

#[wasm_bindgen]
impl Run {
    /// Starts a run: `parameters` is a JSON object of names and values, `seed` a number of 64 bits as text, `on` either `gpu`
    /// or `wasm`.
    ///
    /// # Errors
    /// What is wrong with the puzzle or a parameter, or with the GPU.
    #[wasm_bindgen(constructor)]
    pub fn new(
        puzzle: &str,
        preset: &str,
        parameters: &str,
        seed: &str,
        on: &str,
    ) -> Result<Run, JsError> {
        let puzzle = parse(puzzle)?.puzzle;
        let settings = settings(preset, parameters)?;
        let seed: u64 = seed.trim().parse().map_err(|_| {
            refused(format!(
                "the seed is '{seed}', but it takes a whole number from 0 to {}",
                u64::MAX
            ))
        })?;
        let overrides = settings.overrides.clone();
        let (backend, engine, device) = match on {
            "gpu" => {
                let device = adapter::device().ok_or_else(|| refused("no GPU is open"))?;
                (Backend::gpu_on(&device).map_err(refused)?, "gpu", Some(device))
            }
            _ => (Backend::cpu(), "wasm", None),
        };
        let solver = Solver::from_settings(settings).on(backend).seed(seed);
        let evolution = solver.evolve(&puzzle).map_err(refused)?;
        let preset = preset.to_owned();
        Ok(Run { evolution, puzzle, preset, overrides, engine, device })
    }

    /// What the page shows of the run before its first generation: population, parameters, cells that are fixed.
    pub fn about(&self) -> String {
        let config = self.evolution.config();
        let applying = evodoku::ga::Config::PARAMETERS.iter().filter(|one| (one.applies)(config));
        let parameters: serde_json::Map<String, Value> =
            applying.map(|one| (one.name.to_owned(), (one.get)(config).into())).collect();
        let space = self.evolution.space();
        // Set, and without effect.
        let idle = self.overrides.parameters().filter(|one| !(one.applies)(config));
        json!({
            "population": config.population,
            "idle": idle.map(|one| one.name).collect::<Vec<_>>(),
            "parameters": parameters,
            "fixed": space.fixed[..space.geometry().cells()],
            "free": space.free.len(),
            "operators": operators(config),
            // Boards of the encoding, as a power of ten.
            "magnitude": config.encoding.magnitude(space),
            "engine": self.engine,
            "command": self.command(),
        })
        .to_string()
    }

    /// The command that makes the same run.
    pub fn command(&self) -> String {
        let is_shipped = format::find(&self.puzzle.name).is_some();
        let puzzle = match is_shipped {
            true => self.puzzle.name.clone(),
            false => format!("'{}'", format::line(self.puzzle.geometry, &self.puzzle.givens)),
        };
        let seed = self.evolution.seed();
        let mut command = format!("evodoku solve {puzzle} --preset {} --seed {seed}", self.preset);
        let geometry = self.puzzle.geometry;
        if !is_shipped && Geometry::squarest(geometry.side()) != Some(geometry) {
            command += &format!(" --box {geometry}");
        }
        for one in self.overrides.parameters() {
            if let Some(value) = (one.set)(&self.overrides) {
                command += &format!(" --set {}={value}", one.name);
            }
        }
        command
    }

    /// Carries out up to so many generations, at least one, and returns what is known of them and of the run.
    ///
    /// # Errors
    /// What the device says.
    pub async fn step(&mut self, generations: u32) -> Result<String, JsError> {
        let (rows, board, warning) = (Vec::new(), Value::Null, Value::Null);
        let mut curve = Curve { geometry: self.puzzle.geometry, rows, board, warning };
        loop {
            self.evolution.step(generations.max(1), &mut curve).map_err(refused)?;
            if !curve.rows.is_empty() || self.evolution.ending().is_some() {
                break;
            }
            self.completion().await;
        }
        let counters = self.evolution.counters();
        let cells = self.puzzle.geometry.cells();
        let told = json!({
            "generations": curve.rows,
            "board": curve.board,
            "warning": curve.warning,
            "best_board": counters.best[..cells],
            "best_fitness": counters.best_fitness,
            "restarts": counters.restarts,
            "evaluations": counters.evaluations,
            "moves": counters.effort.moves,
            "work": counters.work(),
            "seconds": counters.elapsed.as_secs_f64(),
            "ending": self.evolution.ending().map(|reason| reason.to_string()),
        });
        Ok(told.to_string())
    }

    /// The fitness of all individuals after the last generation.
    ///
    /// # Errors
    /// What the device says.
    pub async fn fitness(&mut self) -> Result<Vec<u16>, JsError> {
        if self.evolution.ending().is_some() && self.evolution.space().free.is_empty() {
            return Ok(Vec::new());
        }
        loop {
            if let Some(fitness) = self.evolution.fitness().map_err(refused)? {
                return Ok(fitness);
            }
            self.completion().await;
        }
    }

    /// Waits until the GPU has completed more work.
    async fn completion(&self) {
        if let Some(device) = &self.device {
            device.completion().await;
        }
    }

    /// What the run has come to, a solution checked by `verify`, which shares no code with scoring.
    ///
    /// # Errors
    /// When a board that was scored 0 is no solution.
    pub fn result(&self) -> Result<String, JsError> {
        let found = self.evolution.result().map_err(refused)?;
        let Outcome { board, fitness, generations, restarts, evaluations, moves, .. } =
            &found.outcome;
        let result = json!({
            "puzzle": self.puzzle.name,
            "preset": self.preset,
            "solved": found.outcome.solved(),
            "stop_reason": found.outcome.stop_reason.to_string(),
            "fitness": fitness,
            "board": format::line(self.puzzle.geometry, board),
            "generations": generations,
            "restarts": restarts,
            "evaluations": evaluations,
            "moves": moves,
            "work": found.outcome.work(),
            "seconds": found.outcome.elapsed.as_secs_f64(),
            "seed": found.seed.to_string(),
            "population": found.config.population,
            "engine": self.engine,
            "command": self.command(),
            "version": env!("CARGO_PKG_VERSION"),
            "results_version": evodoku::RESULTS_VERSION,
        });
        Ok(result.to_string())
    }
}

/// What is known of each generation, and the best board of the last.
struct Curve {
    geometry: Geometry,
    rows: Vec<Value>,
    board: Value,
    /// What failed while the run goes on.
    warning: Value,
}

impl Observer for Curve {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        let mean = report.sum as f64 / report.population as f64;
        self.rows.push(json!([
            report.generation,
            report.best,
            (mean * 1_000.0).round() / 1_000.0,
            report.worst,
            report.distinct,
            report.restart,
        ]));
        self.board = report.board[..self.geometry.cells()].into();
        ControlFlow::Continue(())
    }

    fn on_warning(&mut self, message: &str) {
        self.warning = message.into();
    }

    fn wants_distinct(&self) -> bool {
        true
    }
}
