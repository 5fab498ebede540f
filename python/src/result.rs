//! Whole runs.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use evodoku_library::board;
use evodoku_library::ga::{Config, OperatorName, Outcome, RunError};
use evodoku_library::{SolveError, SolveResult, Solver};
use numpy::PyArray2;
use pyo3::create_exception;
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::{Deserialize, Serialize};

use crate::boards::{integer, square};
use crate::history::{History, Recorder};
use crate::interrupt::interruptible;
use crate::puzzle::{Puzzle, puzzle_of};
use crate::settings::{Settings, backend, number_or_name};
use crate::{Pickled, failed, from_bytes, invalid, pickle};

/// The exception for an error of a run.
pub fn of_error(error: SolveError) -> PyErr {
    match error {
        SolveError::Contradictory(_)
        | SolveError::Config(_)
        | SolveError::Run(RunError::Config(_)) => invalid(error),
        // The library's messages name flags of the command: Python has arguments instead.
        _ => failed(error.to_string().replace("--on cpu", "on=\"cpu\"")),
    }
}

/// Solves a puzzle by evolution.
///
/// The same puzzle, preset, parameters and seed give the same run, bit for bit, on any number of threads and any device.
/// ``evodoku solve`` gives the same run, too.
///
/// Parameters
/// ----------
/// puzzle : Puzzle, str or array_like of int
///     The puzzle. Anything but a ``Puzzle`` is read as by :class:`Puzzle`.
/// preset : str, default "memetic"
///     The algorithm: :func:`presets` lists them.
/// seed : int, optional
///     The seed, 0 to 2**64 - 1. By default, a random seed, which is stored in ``result.seed``.
/// on : str, default "auto"
///     Where to run: ``"auto"`` (the fastest available), ``"cpu"``, ``"gpu-score"`` (the CPU breeds, a GPU
///     scores) or ``"gpu"`` (a GPU breeds and scores). To choose an adapter, add its ID after a colon, as in
///     ``"gpu:0"``.
/// threads : int, default 0
///     Threads that breed, at most 4096; 0 uses one per core.
/// callback : callable, optional
///     Called with each :class:`Generation`. The run ends if it returns a true value.
/// **parameters
///     Parameters of the preset by name, such as ``population=1000``: :func:`parameters` lists them. ``max_work`` (evaluations
///     plus moves), ``max_generations`` and ``time_limit`` (seconds) limit the run. ``selection``, ``crossover`` and
///     ``mutation`` also take functions: see Notes.
///
/// Returns
/// -------
/// RunResult
///     The result, also if the run ended without a solution.
///
/// Raises
/// ------
/// Interrupted
///     Ctrl-C ended the run. The exception is a ``KeyboardInterrupt``, and its ``result`` has the best board so far.
/// KeyboardInterrupt
///     Ctrl-C ended one of your operators: its generation is incomplete, and there is no result.
/// ValueError
///     The puzzle contradicts itself, a value is out of range, or your operator returned an array of the wrong shape.
/// TypeError
///     A keyword argument is not a parameter of any preset.
/// RuntimeError
///     The device does not exist, there is too little memory, or your operator made a child that breaks a
///     rule (see Notes).
///
/// Warns
/// -----
/// UserWarning
///     A parameter was set that has no effect in this run, or a device failed and the CPU took over.
///
/// Notes
/// -----
/// Your own operators take a whole generation at a time:
///
/// - ``selection(fitness, n, rng)`` gets the fitness of all individuals, and returns the slots of the parents of ``n``
///   children: integers of shape ``(n, 2)``.
/// - ``crossover(parents, rng)`` gets boards of shape ``(n, 2, cells)``, and returns children of shape ``(n, cells)``.
/// - ``mutation(children, rng)`` gets boards of shape ``(n, cells)``. It returns the same number of boards,
///   or changes the boards in place.
///
/// ``rng`` is a :class:`numpy.random.Generator` that depends only on the seed, the operator, the generation
/// and the island, so that a run can be repeated. Every child must have the givens and the values that
/// presolve has fixed. With the encoding ``boxes``, ``rows`` or ``columns``, each box, row or column,
/// respectively, must hold every value once. With the encoding ``board``, the board must hold every value
/// ``side`` times. The encodings ``cells`` and ``candidates`` have no such rule. If a child breaks a rule, an
/// exception is raised. A function replaces the operator of the preset: ``crossover_rate`` and
/// ``mutation_rate`` then have no effect. Functions and the callback are called on the thread that calls
/// ``solve``. A run with functions as operators uses the CPU.
///
/// Examples
/// --------
/// >>> print(evodoku.solve("ai-escargot", seed=1))
/// ai-escargot: solved in generation 2, work 639085, seed 1
/// 1 6 2 | 8 5 7 | 4 9 3
/// ...
#[pyfunction]
#[pyo3(signature = (puzzle, preset = "memetic", *, seed = None, on = "auto", threads = None, callback = None, **parameters), text_signature = "(puzzle, preset='memetic', *, seed=None, on='auto', threads=0, callback=None, **parameters)")]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub fn solve(
    py: Python<'_>,
    puzzle: &Bound<'_, PyAny>,
    preset: &str,
    seed: Option<&Bound<'_, PyAny>>,
    on: &str,
    threads: Option<&Bound<'_, PyAny>>,
    callback: Option<Py<PyAny>>,
    parameters: Option<&Bound<'_, PyDict>>,
) -> PyResult<RunResult> {
    let puzzle = puzzle_of(puzzle)?;
    let settings = Settings::new(preset, parameters)?;
    if let Some(callback) = callback.as_ref().filter(|callback| !callback.bind(py).is_callable()) {
        let text = format!("callback is {}: it takes a function", callback.bind(py).repr()?);
        return Err(PyTypeError::new_err(text));
    }
    let interrupted = Arc::new(AtomicBool::new(false));
    let (seed, threads) = (seed_of(seed)?, threads_of(threads)?);
    let solver = solver(py, &settings, seed, on, threads, &interrupted)?;
    settings.warn_of_idle(py, puzzle.geometry)?;
    let (caller, operators) = (&settings.operators.caller, &settings.operators);
    let callback = callback.map(|callback| (Arc::new(callback), caller.clone()));
    let has_callback = callback.is_some();
    let mut recorder = Recorder::new(puzzle.geometry, callback);
    let (solved, exception) =
        interruptible(py, &interrupted, caller, || solver.solve_with(&puzzle, &mut recorder))?;
    let is_ctrl_c = |error: &PyErr| error.is_instance_of::<PyKeyboardInterrupt>(py);
    let mut exception = exception;
    match recorder.raised.take().or(operators.take_raised()) {
        // Ctrl-C reached the callback, and the run ended after its generation.
        Some(error) if is_ctrl_c(&error) && solved.is_ok() => exception = Some(error),
        Some(error) => return Err(error),
        None => {}
    }
    // Ctrl-C comes before a warning that is raised as an exception.
    let warned = recorder.warn(py);
    if exception.is_none() {
        warned?;
    }
    let found = solved.map_err(of_error)?;
    let mut result = RunResult::new(puzzle, found, recorder.history);
    if has_callback && result.stop_reason.as_deref() == Some("observer") {
        let reason = if exception.is_some() { "interrupted" } else { "callback" };
        result.stop_reason = Some(reason.to_owned());
    }
    let Some(exception) = exception else { return Ok(result) };
    if !is_ctrl_c(&exception) {
        return Err(exception);
    }
    let text =
        format!("{}; the attribute result of this exception holds this result", result.__repr__());
    let interrupted = Interrupted::new_err(text);
    interrupted.value(py).setattr("result", result)?;
    Err(interrupted)
}

create_exception!(
    evodoku,
    Interrupted,
    PyKeyboardInterrupt,
    "Ctrl-C ended a run of :func:`solve`. ``result`` is a :class:`RunResult` with its best board so far."
);

/// The argument `seed`.
pub fn seed_of(seed: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u64>> {
    seed.map(|seed| integer(seed, "seed", 0..=u64::MAX)).transpose()
}

/// The argument `threads`. Without it, or if it is 0, the run uses one thread per core.
pub fn threads_of(threads: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    const MOST: u64 = 4096;
    let threads = threads.map(|threads| integer(threads, "threads", 0..=MOST)).transpose()?;
    Ok(threads.unwrap_or(0) as usize)
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

/// The result of a run.
#[pyclass(frozen, module = "evodoku")]
#[derive(Serialize, Deserialize)]
pub struct RunResult {
    puzzle: board::Puzzle,
    config: Config,
    seed: u64,
    /// Functions of Python, by family.
    operators: Vec<(String, String)>,
    outcome: Outcome,
    pub stop_reason: Option<String>,
    history: History,
}

impl RunResult {
    pub fn new(puzzle: board::Puzzle, found: SolveResult, history: History) -> Self {
        let SolveResult { config, seed, operators, outcome, .. } = found;
        let name = |operator: OperatorName| (operator.family.to_owned(), operator.name);
        let operators = operators.into_iter().map(name).collect();
        let stop_reason = Some(outcome.stop_reason.to_string());
        Self { puzzle, config, seed, operators, outcome, stop_reason, history }
    }

    /// How the run ended, in words.
    fn end(&self) -> String {
        let Outcome { fitness, generations, .. } = self.outcome;
        match (self.stop_reason.as_deref(), fitness) {
            (Some("presolved"), _) => "solved by presolve".to_owned(),
            (_, 0) => format!("solved in generation {generations}"),
            (None, _) => format!("fitness {fitness} after generation {generations}"),
            (Some(end), _) => {
                format!(
                    "not solved, {fitness} conflicts left after generation {generations}, stopped by {end}"
                )
            }
        }
    }
}

#[pymethods]
impl RunResult {
    /// The puzzle.
    #[getter]
    fn puzzle(&self) -> Puzzle {
        Puzzle(self.puzzle.clone())
    }

    /// The best board: an array of uint8 of shape ``(side, side)``. It has blanks only if the run ended before generation 0.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        square(py, self.puzzle.geometry, &self.outcome.board)
    }

    /// The fitness of ``board``. If it is 0, ``board`` was checked against the puzzle.
    #[getter]
    fn fitness(&self) -> u16 {
        self.outcome.fitness
    }

    /// Whether the puzzle is solved.
    #[getter]
    fn solved(&self) -> bool {
        self.outcome.solved()
    }

    /// Why the run ended: ``"solved"``; ``"presolved"`` (presolve solved the puzzle); ``"work"``,
    /// ``"generations"`` or ``"time"`` (the run reached this limit); ``"callback"`` (the callback ended the
    /// run); ``"interrupted"`` (Ctrl-C ended the run); ``"device-lost"`` (the GPU failed). None for the
    /// result of an Evolution that has not ended.
    #[getter]
    fn stop_reason(&self) -> Option<&str> {
        self.stop_reason.as_deref()
    }

    /// The number of the last complete generation.
    #[getter]
    fn generations(&self) -> u32 {
        self.outcome.generations
    }

    /// The number of restarts of the run with a new population.
    #[getter]
    fn restarts(&self) -> u32 {
        self.outcome.restarts
    }

    /// The number of boards scored.
    #[getter]
    fn evaluations(&self) -> u64 {
        self.outcome.evaluations
    }

    /// The number of moves that local search evaluated.
    #[getter]
    fn moves(&self) -> u64 {
        self.outcome.moves
    }

    /// Evaluations plus moves.
    #[getter]
    fn work(&self) -> u64 {
        self.outcome.work()
    }

    /// The number of changes that local search made.
    #[getter]
    fn steps(&self) -> u64 {
        self.outcome.steps
    }

    /// The time of the run in seconds.
    #[getter]
    fn elapsed(&self) -> f64 {
        self.outcome.elapsed.as_secs_f64()
    }

    /// The seed.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// The name of the preset.
    #[getter]
    fn preset(&self) -> String {
        self.config.preset.to_string()
    }

    /// A dict of all parameters that had an effect, including parameters that are derived from the puzzle. If
    /// a Python function was passed for a parameter, the value is the name of the function.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let parameters = of_config(py, &self.config)?;
        for operator in &self.operators {
            parameters.set_item(&operator.0, &operator.1)?;
        }
        Ok(parameters)
    }

    /// Arrays by name, with one element per generation: ``generation``, ``restarts``, ``best``, ``mean``,
    /// ``worst``, ``evaluations``, ``moves`` and ``elapsed`` (seconds). The dict can be passed to
    /// ``pandas.DataFrame``.
    #[getter]
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.history.columns(py)
    }

    fn __repr__(&self) -> String {
        let (name, preset) = (&self.puzzle.name, self.config.preset);
        format!(
            "RunResult('{name}', '{preset}', {}, work {}, seed {})",
            self.end(),
            self.outcome.work(),
            self.seed
        )
    }

    fn __str__(&self) -> String {
        let (name, work, seed) = (&self.puzzle.name, self.outcome.work(), self.seed);
        let grid = evodoku_library::format::grid(self.puzzle.geometry, &self.outcome.board);
        format!("{name}: {}, work {work}, seed {seed}\n{}", self.end(), grid.trim_end())
    }

    #[staticmethod]
    fn _unpickle(bytes: &[u8]) -> PyResult<Self> {
        from_bytes(bytes, "pickle of a RunResult")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        pickle(py, self)
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
