//! Whole runs.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use evodoku_library::board;
use evodoku_library::ga::{Config, RunError};
use evodoku_library::{SolveError, SolveResult, Solver};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::boards::square;
use crate::history::{History, Recorder, seconds};
use crate::interrupt::interruptible;
use crate::puzzle::{Puzzle, puzzle_of};
use crate::settings::{Settings, backend, number_or_name};
use crate::{failed, invalid};

/// The exception for an error of a run.
pub fn exception(error: SolveError) -> PyErr {
    match error {
        SolveError::Contradictory(_)
        | SolveError::Config(_)
        | SolveError::Run(RunError::Config(_)) => invalid(error),
        _ => failed(error),
    }
}

/// Evolves a solution of a puzzle.
///
/// The same puzzle, preset, parameters and seed give the same run bit for bit, on any number of threads and any device,
/// and the same as ``evodoku solve``.
///
/// Parameters
/// ----------
/// puzzle : Puzzle, str or array_like of int
///     What is to be solved; what is no ``Puzzle`` is read as by :class:`Puzzle`.
/// preset : str, default "memetic"
///     The algorithm: :func:`presets` tells them.
/// seed : int, optional
///     The seed, 0 to 2**64 - 1. By default a random one, which the result tells.
/// on : str, default "auto"
///     Where it happens: ``"auto"``, the fastest of what there is; ``"cpu"``; ``"gpu-score"``, where the CPU breeds and a
///     GPU scores; ``"gpu"``, where a GPU does both; with an adapter after a colon, as in ``"gpu:0"``.
/// threads : int, default 0
///     Threads that breed; 0 takes one a core.
/// callback : callable, optional
///     Is called with each :class:`Generation`. The run ends if it returns a true value.
/// **parameters
///     Parameters of the preset by name, as ``population=1000``: :func:`parameters` tells them. ``max_work`` (evaluations
///     plus moves), ``max_generations`` and ``time_limit`` (seconds) bound the run. ``selection``, ``crossover`` and
///     ``mutation`` take functions too: see Notes.
///
/// Returns
/// -------
/// RunResult
///     How it ended, and with what. It is there too when the budget was spent, or Ctrl-C ended the run
///     (``stop_reason`` is then ``"interrupted"``).
///
/// Raises
/// ------
/// ValueError
///     The puzzle contradicts itself, or a value is out of range.
/// TypeError
///     A name is no parameter of any preset.
/// RuntimeError
///     There is no such device, or too little memory.
///
/// Notes
/// -----
/// Own operators take a whole generation at a time:
///
/// - ``selection(fitness, n, rng)`` gets the fitness of all individuals, and returns the slots of the parents of ``n``
///   children: integers of shape ``(n, 2)``.
/// - ``crossover(parents, rng)`` gets boards of shape ``(n, 2, cells)``, and returns children of shape ``(n, cells)``.
/// - ``mutation(children, rng)`` gets boards of shape ``(n, cells)``, and returns as many, or changes them in place.
///
/// ``rng`` is a :class:`numpy.random.Generator` that depends on the seed and the generation alone. A child keeps the givens
/// and what presolve has fixed, and the permutations of the encoding; what does not is told by an exception. With
/// ``crossover`` or ``mutation`` the preset's own takes no part.
///
/// Examples
/// --------
/// >>> print(evodoku.solve("ai-escargot", seed=1))
/// ai-escargot: solved in generation 1, work 249857, seed 1
/// 1 6 2 | 8 5 7 | 4 9 3
/// ...
#[pyfunction]
#[pyo3(signature = (puzzle, preset = "memetic", *, seed = None, on = "auto", threads = 0, callback = None, **parameters))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub fn solve(
    py: Python<'_>,
    puzzle: &Bound<'_, PyAny>,
    preset: &str,
    seed: Option<u64>,
    on: &str,
    threads: usize,
    callback: Option<Py<PyAny>>,
    parameters: Option<&Bound<'_, PyDict>>,
) -> PyResult<RunResult> {
    let puzzle = puzzle_of(puzzle)?;
    let settings = Settings::new(preset, parameters)?;
    let interrupted = Arc::new(AtomicBool::new(false));
    let solver = solver(py, &settings, seed, on, threads, &interrupted)?;
    let mut recorder = Recorder::new(puzzle.geometry, callback.as_ref());
    let (solved, _) =
        interruptible(py, &interrupted, || solver.solve_with(&puzzle, &mut recorder))?;
    let raised = settings.operators.as_ref().and_then(|operators| operators.take_raised());
    if let Some(error) = recorder.raised.take().or(raised) {
        return Err(error);
    }
    recorder.warn(py)?;
    let found = solved.map_err(exception)?;
    Ok(RunResult { puzzle, found, history: recorder.history })
}

/// A solver of these settings.
pub fn solver(
    py: Python<'_>,
    settings: &Settings,
    seed: Option<u64>,
    on: &str,
    threads: usize,
    interrupted: &Arc<AtomicBool>,
) -> PyResult<Solver> {
    let backend = py.detach(|| backend(on))?;
    let solver = Solver::from_settings(settings.settings.clone())
        .on(backend)
        .threads(threads)
        .operators(settings.custom())
        .interrupted_by(Arc::clone(interrupted));
    Ok(match seed {
        Some(seed) => solver.seed(seed),
        None => solver,
    })
}

/// How a run ended, and with what.
#[pyclass(frozen, module = "evodoku")]
pub struct RunResult {
    pub puzzle: board::Puzzle,
    pub found: SolveResult,
    pub history: History,
}

#[pymethods]
impl RunResult {
    /// The puzzle.
    #[getter]
    fn puzzle(&self) -> Puzzle {
        Puzzle(self.puzzle.clone())
    }

    /// The best board: an array of uint8 of shape ``(side, side)``.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        square(py, self.puzzle.geometry, &self.found.outcome.board)
    }

    /// Its fitness; 0 has been checked to solve the puzzle.
    #[getter]
    fn fitness(&self) -> u16 {
        self.found.outcome.fitness
    }

    /// Whether the puzzle is solved.
    #[getter]
    fn solved(&self) -> bool {
        self.found.outcome.solved()
    }

    /// What ended the run: ``"solved"``; ``"presolved"``, where presolve left nothing to evolve; ``"work"``,
    /// ``"generations"`` or ``"time"``, where that budget was spent; ``"observer"``, where the callback ended it;
    /// ``"interrupted"``; ``"device-lost"``.
    #[getter]
    fn stop_reason(&self) -> String {
        self.found.outcome.stop_reason.to_string()
    }

    /// The number of the last complete generation.
    #[getter]
    fn generations(&self) -> u32 {
        self.found.outcome.generations
    }

    /// How often the population was drawn anew.
    #[getter]
    fn restarts(&self) -> u32 {
        self.found.outcome.restarts
    }

    /// Boards scored.
    #[getter]
    fn evaluations(&self) -> u64 {
        self.found.outcome.evaluations
    }

    /// Neighbouring boards that local search priced.
    #[getter]
    fn moves(&self) -> u64 {
        self.found.outcome.moves
    }

    /// Evaluations plus moves.
    #[getter]
    fn work(&self) -> u64 {
        self.found.outcome.work()
    }

    /// Changes that local search made.
    #[getter]
    fn steps(&self) -> u64 {
        self.found.outcome.steps
    }

    /// Seconds.
    #[getter]
    fn elapsed(&self) -> f64 {
        seconds(self.found.outcome.elapsed)
    }

    /// The seed.
    #[getter]
    fn seed(&self) -> u64 {
        self.found.seed
    }

    /// The algorithm.
    #[getter]
    fn preset(&self) -> String {
        self.found.config.preset.to_string()
    }

    /// All parameters that had a meaning, those that follow from the puzzle included, by name. A function is there by its
    /// own name.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let parameters = of_config(py, &self.found.config)?;
        for operator in &self.found.operators {
            parameters.set_item(operator.family, &operator.name)?;
        }
        Ok(parameters)
    }

    /// Arrays by name, an element a generation: ``generation``, ``restarts``, ``best``, ``mean``, ``worst``,
    /// ``evaluations``, ``moves`` and ``elapsed`` (seconds). ``pandas.DataFrame`` takes it.
    #[getter]
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.history.columns(py)
    }

    fn __repr__(&self) -> String {
        let outcome = &self.found.outcome;
        format!(
            "RunResult('{}', {}, fitness={}, generations={}, work={}, seed={})",
            self.puzzle.name,
            outcome.stop_reason,
            outcome.fitness,
            outcome.generations,
            outcome.work(),
            self.found.seed
        )
    }

    fn __str__(&self) -> String {
        let outcome = &self.found.outcome;
        let end = match (outcome.stop_reason.to_string(), outcome.fitness) {
            (end, 0) if end == "presolved" => "solved by presolve".to_owned(),
            (_, 0) => format!("solved in generation {}", outcome.generations),
            (end, fitness) => {
                format!(
                    "not solved, fitness {fitness} after generation {} ({end})",
                    outcome.generations
                )
            }
        };
        let (name, work, seed) = (&self.puzzle.name, outcome.work(), self.found.seed);
        let grid = evodoku_library::format::grid(self.puzzle.geometry, &outcome.board);
        format!("{name}: {end}, work {work}, seed {seed}\n{}", grid.trim_end())
    }
}

/// The parameters that have a meaning in a configuration, by name.
pub fn of_config<'py>(py: Python<'py>, config: &Config) -> PyResult<Bound<'py, PyDict>> {
    let parameters = PyDict::new(py);
    for parameter in Config::PARAMETERS.iter().filter(|one| (one.applies)(config)) {
        parameters.set_item(parameter.name, number_or_name(py, &(parameter.get)(config))?)?;
    }
    Ok(parameters)
}
