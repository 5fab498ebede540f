//! What is known of the generations of a run.

use std::ops::ControlFlow;

use evodoku_library::board::Geometry;
use evodoku_library::ga::{GenerationReport, Observer};
use std::sync::Arc;

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::{Deserialize, Serialize};

use crate::boards::square;
use crate::interrupt::Caller;
use crate::{Pickled, from_bytes, pickle};

/// A complete generation.
#[pyclass(frozen, module = "evodoku")]
#[derive(Clone, Serialize, Deserialize)]
pub struct Generation {
    geometry: Geometry,
    /// The number of the generation; 0 is the initial population.
    #[pyo3(get)]
    generation: u32,
    /// The number of restarts since the run began.
    #[pyo3(get)]
    restarts: u32,
    /// The lowest fitness in the population.
    #[pyo3(get)]
    best: u16,
    /// The lowest fitness since the run began.
    #[pyo3(get)]
    best_so_far: u16,
    /// The mean fitness of the population.
    #[pyo3(get)]
    mean: f64,
    /// The highest fitness in the population.
    #[pyo3(get)]
    worst: u16,
    /// The number of boards scored since the run began.
    #[pyo3(get)]
    evaluations: u64,
    /// The number of moves that local search evaluated since the run began.
    #[pyo3(get)]
    moves: u64,
    /// Seconds since the run began.
    #[pyo3(get)]
    elapsed: f64,
    board: Vec<u8>,
}

#[pymethods]
impl Generation {
    /// The best board of the generation: an array of uint8 of shape ``(side, side)``.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        square(py, self.geometry, &self.board)
    }

    #[staticmethod]
    fn _unpickle(bytes: &[u8]) -> PyResult<Self> {
        from_bytes(bytes, "pickle of a Generation")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        pickle(py, self)
    }

    fn __repr__(&self) -> String {
        let Self { generation, best, mean, worst, .. } = self;
        format!("Generation({generation}, best={best}, mean={mean:.2}, worst={worst})")
    }
}

impl Generation {
    pub fn new(geometry: Geometry, report: &GenerationReport<'_>) -> Self {
        Self {
            geometry,
            generation: report.generation,
            restarts: report.restart,
            best: report.best,
            best_so_far: report.best_so_far,
            mean: report.sum as f64 / report.population as f64,
            worst: report.worst,
            evaluations: report.evaluations,
            moves: report.moves,
            elapsed: report.elapsed.as_secs_f64(),
            board: report.board.to_vec(),
        }
    }
}

/// The columns of a history.
///
/// Integers are signed, so that subtraction does not wrap.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct History {
    generation: Vec<i64>,
    restarts: Vec<i64>,
    best: Vec<i64>,
    mean: Vec<f64>,
    worst: Vec<i64>,
    evaluations: Vec<i64>,
    moves: Vec<i64>,
    elapsed: Vec<f64>,
}

impl History {
    fn push(&mut self, report: &GenerationReport<'_>) {
        self.generation.push(report.generation.into());
        self.restarts.push(report.restart.into());
        self.best.push(report.best.into());
        self.mean.push(report.sum as f64 / report.population as f64);
        self.worst.push(report.worst.into());
        self.evaluations.push(report.evaluations as i64);
        self.moves.push(report.moves as i64);
        self.elapsed.push(report.elapsed.as_secs_f64());
    }

    /// The columns by name.
    pub fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        columns.set_item("generation", PyArray1::from_slice(py, &self.generation))?;
        columns.set_item("restarts", PyArray1::from_slice(py, &self.restarts))?;
        columns.set_item("best", PyArray1::from_slice(py, &self.best))?;
        columns.set_item("mean", PyArray1::from_slice(py, &self.mean))?;
        columns.set_item("worst", PyArray1::from_slice(py, &self.worst))?;
        columns.set_item("evaluations", PyArray1::from_slice(py, &self.evaluations))?;
        columns.set_item("moves", PyArray1::from_slice(py, &self.moves))?;
        columns.set_item("elapsed", PyArray1::from_slice(py, &self.elapsed))?;
        Ok(columns)
    }
}

/// Keeps the figures of each generation, and calls a Python function with each generation.
pub struct Recorder {
    geometry: Geometry,
    pub history: History,
    callback: Option<(Arc<Py<PyAny>>, Caller)>,
    /// The exception that the function raised.
    pub raised: Option<PyErr>,
    /// The last generation, if the caller asked for it.
    pub last: Option<Generation>,
    keeps_last: bool,
    warnings: Vec<String>,
}

impl Recorder {
    pub fn new(geometry: Geometry, callback: Option<(Arc<Py<PyAny>>, Caller)>) -> Self {
        let (history, raised, last, warnings) = (History::default(), None, None, Vec::new());
        Self { geometry, history, callback, raised, last, keeps_last: false, warnings }
    }

    /// A recorder that keeps the last generation.
    pub fn of_last(geometry: Geometry) -> Self {
        Self { keeps_last: true, ..Self::new(geometry, None) }
    }

    /// Issues a Python warning for each failure after which the run continued.
    ///
    /// # Errors
    /// The exception that Python raises instead of a warning, if its warning filters say so.
    pub fn warn(&self, py: Python<'_>) -> PyResult<()> {
        self.warnings.iter().try_for_each(|warning| warn(py, warning))
    }
}

/// Issues a warning in Python.
///
/// # Errors
/// The exception that Python raises instead of a warning, if its warning filters say so.
pub fn warn(py: Python<'_>, text: &str) -> PyResult<()> {
    let category = py.get_type::<pyo3::exceptions::PyUserWarning>();
    py.import("warnings")?.call_method1("warn", (text, category)).map(drop)
}

impl Observer for Recorder {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        if self.keeps_last {
            self.last = Some(Generation::new(self.geometry, report));
            return ControlFlow::Continue(());
        }
        self.history.push(report);
        let Some((callback, caller)) = &self.callback else { return ControlFlow::Continue(()) };
        let (callback, generation) = (Arc::clone(callback), Generation::new(self.geometry, report));
        let called = caller.call(move |py| callback.bind(py).call1((generation,))?.is_truthy());
        match called {
            Some(Ok(false)) => ControlFlow::Continue(()),
            Some(Ok(true)) | None => ControlFlow::Break(()),
            Some(Err(error)) => {
                self.raised.get_or_insert(error);
                ControlFlow::Break(())
            }
        }
    }

    fn on_warning(&mut self, message: &str) {
        self.warnings.push(message.to_owned());
    }

    fn wants_boards(&self) -> bool {
        self.callback.is_some() || self.keeps_last
    }
}
