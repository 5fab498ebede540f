//! Runs that are carried out step by step.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use evodoku_library::board::{self, Geometry};
use evodoku_library::ga::{Checkpoint, GenerationOperators, Overrides, Preset, RunCounters};
use evodoku_library::{InjectError, SolveError};
use numpy::{PyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use serde::{Deserialize, Serialize};

use crate::boards::{BoardRows, integer, square};
use crate::history::{Generation, History, Recorder};
use crate::interrupt::interruptible;
use crate::operators::PythonOperators;
use crate::pool::Process;
use crate::puzzle::{Puzzle, puzzle_of};
use crate::result::{RunResult, of_config, of_error, seed_of, solver, threads_of};
use crate::settings::Settings;
use crate::{failed, from_bytes, invalid, to_bytes};

/// A run that you advance step by step.
///
/// The run is identical, bit for bit, to the run of :func:`solve` with the same arguments. The run starts
/// with generation 0, the initial population. Each iteration advances the run by one generation, from
/// generation 1, until the run has ended.
///
/// Parameters
/// ----------
/// puzzle, preset, seed, on, threads, **parameters
///     As for :func:`solve`.
///
/// Raises
/// ------
/// ValueError, TypeError, RuntimeError
///     As :func:`solve`.
///
/// Examples
/// --------
/// >>> evolution = evodoku.Evolution("easter-monster", "boxes", seed=1, population=1000)
/// >>> for generation in evolution:
/// ...     if generation.best <= 10:
/// ...         break
/// >>> evolution.fitness.mean()
/// 17.305
#[pyclass(frozen, module = "evodoku")]
pub struct Evolution {
    puzzle: board::Puzzle,
    preset: Preset,
    overrides: Overrides,
    on: String,
    threads: usize,
    operators: PythonOperators,
    interrupted: Arc<AtomicBool>,
    process: Process,
    run: Mutex<Run>,
}

/// The boards of a population, and their fitness.
type PopulationArrays = (Py<PyArray2<u8>>, Py<PyArray1<u16>>);

/// A function and its arguments, from which pickle rebuilds an object.
type PickledRun<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>, Bound<'py, PyDict>));

/// What changes from step to step.
struct Run {
    evolution: evodoku_library::Evolution,
    /// The arrays of the population and its fitness, once they were asked for.
    arrays: Option<PopulationArrays>,
}

/// A saved run: its puzzle and settings, and its progress.
#[derive(Serialize, Deserialize)]
struct State {
    puzzle: board::Puzzle,
    preset: String,
    /// Parameters that were set, by name.
    parameters: Vec<(String, String)>,
    seed: u64,
    on: String,
    threads: usize,
    /// The families (selection, crossover, mutation) for which Python functions were passed.
    functions: Vec<String>,
    checkpoint: Checkpoint,
}

/// The budgets, which may change when a run continues from a state.
const BUDGETS: [&str; 3] = ["max_generations", "max_work", "time_limit"];

impl Evolution {
    fn start(
        py: Python<'_>,
        puzzle: board::Puzzle,
        settings: Settings,
        seed: Option<u64>,
        (on, threads): (&str, usize),
        from: Option<&Checkpoint>,
    ) -> PyResult<Self> {
        let interrupted = Arc::new(AtomicBool::new(false));
        let solver = solver(py, &settings, seed, on, threads, &interrupted)?;
        settings.warn_of_idle(py, puzzle.geometry)?;
        let mut recorder = Recorder::of_last(puzzle.geometry);
        let (evolution, exception) =
            interruptible(py, &interrupted, &settings.operators.caller, || {
                if let Some(from) = from {
                    return solver.evolve_from(&puzzle, from);
                }
                let mut evolution = solver.evolve(&puzzle)?;
                evolution.step(1, &mut recorder)?;
                Ok::<_, SolveError>(evolution)
            })?;
        let raised = settings.operators.take_raised();
        if let Some(error) = exception.or(raised) {
            return Err(error);
        }
        recorder.warn(py)?;
        let evolution = evolution.map_err(of_error)?;
        let Settings { settings, operators } = settings;
        Ok(Self {
            puzzle,
            preset: settings.preset,
            overrides: settings.overrides,
            on: on.to_owned(),
            threads,
            operators,
            interrupted,
            process: Process::this(),
            run: Mutex::new(Run { evolution, arrays: None }),
        })
    }

    /// Locks the run, and fails if the run is in use: an operator that waited for its own run would wait
    /// forever.
    fn run(&self) -> PyResult<MutexGuard<'_, Run>> {
        self.process.check("Evolution")?;
        match self.run.try_lock() {
            Ok(run) => Ok(run),
            Err(TryLockError::Poisoned(run)) => Ok(run.into_inner()),
            Err(TryLockError::WouldBlock) => Err(failed(
                "this Evolution is in use by another thread, or by the run that called this function: wait until it returns",
            )),
        }
    }

    fn counters(&self) -> PyResult<RunCounters> {
        Ok(self.run()?.evolution.counters())
    }

    fn geometry(&self) -> Geometry {
        self.puzzle.geometry
    }

    /// Runs this number of generations and returns the last one.
    fn advance(&self, py: Python<'_>, generations: u32) -> PyResult<Option<Generation>> {
        let mut run = self.run()?;
        run.arrays = None;
        let mut recorder = Recorder::of_last(self.geometry());
        let evolution = &mut run.evolution;
        let caller = &self.operators.caller;
        let (stepped, interrupt) = interruptible(py, &self.interrupted, caller, || {
            evolution.step(generations, &mut recorder)
        })?;
        self.interrupted.store(false, Ordering::Relaxed);
        let raised = self.operators.take_raised();
        if let Some(error) = interrupt.or(raised) {
            return Err(error);
        }
        recorder.warn(py)?;
        stepped.map_err(of_error)?;
        Ok(recorder.last)
    }

    fn arrays(&self, py: Python<'_>) -> PyResult<PopulationArrays> {
        let mut run = self.run()?;
        if let Some((boards, fitness)) = &run.arrays {
            return Ok((boards.clone_ref(py), fitness.clone_ref(py)));
        }
        let (cells, stride) = (self.geometry().cells(), self.geometry().stride());
        let (mut boards, mut fitness) = (Vec::new(), Vec::new());
        let Run { evolution, .. } = &mut *run;
        py.detach(|| {
            evolution.for_each_island(&mut |island, scores| {
                boards.reserve_exact(scores.len() * cells);
                island
                    .chunks_exact(stride)
                    .for_each(|board| boards.extend_from_slice(&board[..cells]));
                fitness.extend_from_slice(scores);
            })
        })
        .map_err(of_error)?;
        let count = fitness.len();
        let boards = PyArray::from_vec(py, boards).reshape([count, cells])?;
        let fitness = PyArray::from_vec(py, fitness);
        // Who changes them would change nothing in the run.
        boards.readwrite().make_nonwriteable();
        fitness.readwrite().make_nonwriteable();
        let arrays = (boards.unbind(), fitness.unbind());
        run.arrays = Some((arrays.0.clone_ref(py), arrays.1.clone_ref(py)));
        Ok(arrays)
    }
}

#[pymethods]
impl Evolution {
    #[new]
    #[pyo3(signature = (puzzle, preset = "memetic", *, seed = None, on = "auto", threads = None, **parameters), text_signature = "(puzzle, preset='memetic', *, seed=None, on='auto', threads=0, **parameters)")]
    fn new(
        py: Python<'_>,
        puzzle: &Bound<'_, PyAny>,
        preset: &str,
        seed: Option<&Bound<'_, PyAny>>,
        on: &str,
        threads: Option<&Bound<'_, PyAny>>,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let settings = Settings::new(preset, parameters)?;
        let (seed, place) = (seed_of(seed)?, (on, threads_of(threads)?));
        Self::start(py, puzzle_of(puzzle)?, settings, seed, place, None)
    }

    /// Runs generations.
    ///
    /// Parameters
    /// ----------
    /// generations : int, default 1
    ///     The number of generations. The run may end earlier.
    ///
    /// Returns
    /// -------
    /// Generation or None
    ///     The last generation; None if there was none, because the run had ended or ``generations`` is 0.
    ///
    /// Raises
    /// ------
    /// KeyboardInterrupt
    ///     Ctrl-C ended the step. The run continues from its last complete generation.
    /// RuntimeError
    ///     The device failed, and the CPU did not take over.
    #[pyo3(signature = (generations = None), text_signature = "($self, generations=1)")]
    fn step(
        &self,
        py: Python<'_>,
        generations: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Generation>> {
        let most = u64::from(u32::MAX);
        let generations = generations.map(|given| integer(given, "generations", 0..=most));
        self.advance(py, generations.transpose()?.unwrap_or(1) as u32)
    }

    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Generation>> {
        self.advance(py, 1)
    }

    /// Replaces the worst individuals by the given boards. The boards count as evaluations.
    ///
    /// Parameters
    /// ----------
    /// boards : numpy.ndarray of uint8
    ///     Boards of shape ``(n, cells)`` or ``(n, side, side)``. Each must keep the givens and the values that presolve has
    ///     fixed, and follow the rule of the encoding (Notes of :func:`solve`).
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     A board breaks a rule of ``boards``, or there are more boards than individuals. In both cases, no
    ///     individual is replaced.
    fn inject(&self, py: Python<'_>, boards: &Bound<'_, PyAny>) -> PyResult<()> {
        let geometry = self.geometry();
        let rows = BoardRows::new(boards, "boards", geometry)?;
        let boards: Vec<&[u8]> = rows.boards(geometry).collect();
        let mut run = self.run()?;
        run.arrays = None;
        let Run { evolution, .. } = &mut *run;
        let injected = py.detach(|| evolution.inject(boards));
        injected.map_err(|error| match error {
            InjectError::Run(error) => of_error(error),
            error => invalid(error),
        })
    }

    /// Saves the state of the run.
    ///
    /// Returns
    /// -------
    /// bytes
    ///     The saved state, for :meth:`from_state`. The state does not contain Python functions.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut run = self.run()?;
        let Run { evolution, .. } = &mut *run;
        let bytes = py.detach(|| {
            let checkpoint = evolution.checkpoint().map_err(of_error)?;
            let set = self.overrides.parameters();
            let state = State {
                puzzle: self.puzzle.clone(),
                preset: self.preset.to_string(),
                parameters: set
                    .map(|one| {
                        (one.name.to_owned(), (one.set)(&self.overrides).unwrap_or_default())
                    })
                    .collect(),
                seed: evolution.seed(),
                on: self.on.clone(),
                threads: self.threads,
                functions: self.operators.families(),
                checkpoint,
            };
            to_bytes(&state)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Continues a run from its saved state.
    ///
    /// Parameters
    /// ----------
    /// state : bytes
    ///     The result of :meth:`state`.
    /// on : str, optional
    ///     Where to run from now on. By default, the same ``on`` as before.
    /// threads : int, optional
    ///     Number of threads that breed. By default, the same number as before.
    /// **changes
    ///     If the run has Python functions (``selection``, ``crossover``, ``mutation``), pass the same
    ///     functions again. The budgets ``max_generations``, ``max_work`` and ``time_limit`` may be changed.
    ///
    /// Returns
    /// -------
    /// Evolution
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     The bytes are not a state, are damaged, or are from an evodoku with another results version. Or
    ///     the functions passed are not for the operators for which the run has functions.
    /// TypeError
    ///     A parameter was passed that is neither a budget nor a function of the run.
    #[staticmethod]
    #[pyo3(signature = (state, *, on = None, threads = None, **changes))]
    fn from_state(
        py: Python<'_>,
        state: &[u8],
        on: Option<&str>,
        threads: Option<&Bound<'_, PyAny>>,
        changes: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let state: State = from_bytes(state, "state of an Evolution")?;
        let given = Settings::new(&state.preset, changes)?;
        let functions = given.operators.families();
        if functions != state.functions {
            return Err(PyValueError::new_err(format!(
                "the saved run uses functions for [{}], but functions for [{}] were passed",
                state.functions.join(", "),
                functions.join(", ")
            )));
        }
        for (name, _) in changes.into_iter().flatten() {
            let name = name.extract::<String>()?.replace('-', "_");
            if !BUDGETS.contains(&&*name) && !functions.contains(&name) {
                return Err(PyTypeError::new_err(format!(
                    "{name} cannot change during a run: only {} can; pass custom functions again, unchanged",
                    BUDGETS.join(", ")
                )));
            }
        }
        let mut settings = Settings::new(&state.preset, None)?;
        for (name, value) in &state.parameters {
            settings.settings.overrides.merge(&Overrides::parse(name, value).map_err(invalid)?);
        }
        settings.settings.overrides.merge(&given.settings.overrides);
        settings.operators = given.operators;
        let threads = threads.map_or(Ok(state.threads), |threads| threads_of(Some(threads)))?;
        let place = (on.unwrap_or(&state.on), threads);
        Self::start(py, state.puzzle, settings, Some(state.seed), place, Some(&state.checkpoint))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.operators.traverse(&visit)
    }

    fn __clear__(&self) {
        self.operators.clear();
    }

    #[staticmethod]
    fn _unpickle(py: Python<'_>, state: &[u8], operators: &Bound<'_, PyDict>) -> PyResult<Self> {
        Self::from_state(py, state, None, None, Some(operators))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<PickledRun<'py>> {
        let make = py.get_type::<Self>().getattr("_unpickle")?;
        Ok((make, (self.state(py)?, self.operators.keywords(py)?)))
    }

    /// The result of the run so far. Its ``history`` is empty.
    ///
    /// Returns
    /// -------
    /// RunResult
    ///     Its ``stop_reason`` is None if the run has not ended.
    fn result(&self) -> PyResult<RunResult> {
        let run = self.run()?;
        let found = run.evolution.result().map_err(of_error)?;
        let mut result = RunResult::new(self.puzzle.clone(), found, History::default());
        if run.evolution.ending().is_none() {
            result.stop_reason = None;
        }
        Ok(result)
    }

    /// The puzzle.
    #[getter]
    fn puzzle(&self) -> Puzzle {
        Puzzle(self.puzzle.clone())
    }

    /// The name of the preset.
    #[getter]
    fn preset(&self) -> String {
        self.preset.to_string()
    }

    /// The seed.
    #[getter]
    fn seed(&self) -> PyResult<u64> {
        Ok(self.run()?.evolution.seed())
    }

    /// A dict of all parameters that have an effect, including parameters that are derived from the puzzle.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let config = self.run()?.evolution.config().clone();
        let parameters = of_config(py, &config)?;
        for operator in self.operators.names() {
            parameters.set_item(operator.family, operator.name)?;
        }
        Ok(parameters)
    }

    /// The number of the last complete generation.
    #[getter]
    fn generation(&self) -> PyResult<u32> {
        Ok(self.counters()?.generation)
    }

    /// The population: a read-only array of uint8 of shape ``(n, cells)``. Later steps do not change the
    /// array. If presolve has filled all cells, n is 0. A GPU runs several generations in one batch. If the
    /// run ends in the middle of a batch, the last population is lost, and this attribute raises
    /// RuntimeError. To keep the last population, advance the run with ``step(1)``.
    #[getter]
    fn population(&self, py: Python<'_>) -> PyResult<Py<PyArray2<u8>>> {
        Ok(self.arrays(py)?.0)
    }

    /// The fitness of each individual: a read-only array of uint16 of shape ``(n,)``.
    #[getter]
    fn fitness(&self, py: Python<'_>) -> PyResult<Py<PyArray1<u16>>> {
        Ok(self.arrays(py)?.1)
    }

    /// The best board since the run began: an array of uint8 of shape ``(side, side)``.
    #[getter]
    fn best<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        square(py, self.geometry(), &self.counters()?.best)
    }

    /// The fitness of ``best``.
    #[getter]
    fn best_fitness(&self) -> PyResult<u16> {
        Ok(self.counters()?.best_fitness)
    }

    /// The number of restarts of the run with a new population.
    #[getter]
    fn restarts(&self) -> PyResult<u32> {
        Ok(self.counters()?.restarts)
    }

    /// The number of boards scored.
    #[getter]
    fn evaluations(&self) -> PyResult<u64> {
        Ok(self.counters()?.evaluations)
    }

    /// The number of moves that local search evaluated.
    #[getter]
    fn moves(&self) -> PyResult<u64> {
        Ok(self.counters()?.effort.moves)
    }

    /// Seconds spent in calls of ``step``.
    #[getter]
    fn elapsed(&self) -> PyResult<f64> {
        Ok(self.counters()?.elapsed.as_secs_f64())
    }

    /// Why the run ended, as in :attr:`RunResult.stop_reason`; None if it has not ended. An interrupted run
    /// continues at the next call of ``step``.
    #[getter]
    fn stop_reason(&self) -> PyResult<Option<String>> {
        Ok(self.run()?.evolution.ending().map(|reason| reason.to_string()))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (name, preset) = (&self.puzzle.name, self.preset);
        let state = match self.counters() {
            Ok(RunCounters { generation, best_fitness, .. }) => {
                format!("generation={generation}, best_fitness={best_fitness}")
            }
            Err(error) => error.value(py).to_string(),
        };
        format!("Evolution('{name}', '{preset}', {state})")
    }
}
