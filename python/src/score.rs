//! Scoring populations.

use std::sync::{Mutex, PoisonError};

use evodoku_library::board::Geometry;
use evodoku_library::fitness::{Evaluator, EvaluatorError, score_boards_into, unit_duplicates};
use evodoku_library::{Place, Target};
use numpy::{PyArray, PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use rayon::prelude::*;

use crate::boards::{BoardRows, BoxShape, box_shape, out_of};
use crate::pool::{Process, pool};
use crate::{failed, invalid};

/// The fitness of each board of a population.
///
/// The fitness of a board of side ``s`` is ``3 * s**2 - d``. Here ``d`` is the sum, over all rows, columns
/// and boxes, of the number of distinct values ``1..s``. A solved board has fitness 0, and the fitness of a
/// full board is its number of duplicates. A cell may hold any byte; bytes outside of ``1..s`` are ignored.
///
/// Parameters
/// ----------
/// population : numpy.ndarray of uint8
///     Boards of shape ``(n, cells)`` or ``(n, side, side)``, or packed boards of shape ``(n, stride)``,
///     where ``stride`` is ``cells`` rounded up to a multiple of 4. The array is not copied, even if it is a
///     slice of wider rows, such as ``wide[:, :81]``.
/// box : tuple of int, default (3, 3)
///     Rows and columns of a box. The side of the board is their product, 4 to 64.
/// on : str, default "cpu"
///     ``"cpu"`` uses all cores with their vector instructions. ``"gpu"`` uses the best real GPU.
///     ``"gpu:ID"`` uses the adapter whose index is ID, or whose name contains ID; the adapter may be a
///     software driver.
/// out : numpy.ndarray of uint16, optional
///     An array of shape ``(n,)`` that takes the result.
///
/// Returns
/// -------
/// numpy.ndarray of uint16, shape (n,)
///     The fitness of each board, in ``out`` if it was given. The elements are unsigned, so that negation and
///     subtraction wrap: convert the array first, as in ``-scores.astype(float)``.
///
/// Raises
/// ------
/// TypeError
///     The population is not an array of ``uint8``, or ``out`` is not one of ``uint16``.
/// ValueError
///     The population has another shape, or is transposed, reversed or strided.
/// RuntimeError
///     The device does not exist, or it failed.
///
/// See Also
/// --------
/// Scorer : reuses a device, its pipelines and buffers between calls.
/// duplicates : counts by unit.
///
/// Examples
/// --------
/// >>> import numpy, evodoku
/// >>> boards = numpy.zeros((100_000, 81), dtype=numpy.uint8)
/// >>> evodoku.score(boards)
/// array([243, 243, 243, ..., 243, 243, 243], shape=(100000,), dtype=uint16)
#[pyfunction]
#[pyo3(signature = (population, *, r#box = BoxShape::default(), on = "cpu", out = None), text_signature = "(population, *, box=(3, 3), on='cpu', out=None)")]
pub fn score<'py>(
    py: Python<'py>,
    population: &Bound<'py, PyAny>,
    r#box: BoxShape,
    on: &str,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    py.detach(|| Device::new(r#box.0, on))?.score(py, population, out)
}

/// Counts the duplicates of each board of a population, unit by unit.
///
/// Parameters
/// ----------
/// population : numpy.ndarray of uint8
///     As for :func:`score`.
/// box : tuple of int, default (3, 3)
///     Rows and columns of a box.
///
/// Returns
/// -------
/// numpy.ndarray of uint8, shape (n, 3, side)
///     The number of values that each unit lacks: ``[:, 0]`` of each row, ``[:, 1]`` of each column,
///     ``[:, 2]`` of each box, boxes in row-major order. The sum of these numbers over a board is the
///     :func:`score` of the board.
///
/// Raises
/// ------
/// TypeError, ValueError
///     As :func:`score`.
///
/// Examples
/// --------
/// A fitness in which duplicates in boxes count twice:
///
/// >>> weighed = evodoku.duplicates(boards).sum(axis=2, dtype=int) @ [1, 1, 2]
#[pyfunction]
#[pyo3(signature = (population, *, r#box = BoxShape::default()), text_signature = "(population, *, box=(3, 3))")]
pub fn duplicates<'py>(
    py: Python<'py>,
    population: &Bound<'py, PyAny>,
    r#box: BoxShape,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let BoxShape(geometry) = r#box;
    let rows = BoardRows::new(population, "population", geometry)?;
    let units = 3 * geometry.side();
    let (count, pitch) = (rows.count, rows.pitch.max(1));
    let (bytes, pool) = (rows.bytes(), pool()?);
    let counts = py.detach(|| {
        let mut counts = vec![0; count * units];
        let boards = bytes.par_chunks(pitch);
        let tasks = boards.zip(counts.par_chunks_exact_mut(units)).with_min_len(256);
        pool.install(|| {
            tasks.for_each(|(board, counts)| unit_duplicates(geometry, board, counts));
        });
        counts
    });
    PyArray::from_vec(py, counts).reshape([count, 3, geometry.side()])
}

/// Where boards of one shape are scored.
enum Device {
    Cpu(Geometry),
    /// A device whose buffers are reused between calls.
    Other(Box<dyn Evaluator>),
}

impl Device {
    fn new(geometry: Geometry, on: &str) -> PyResult<Self> {
        let scores = |_| invalid(format!("on is '{on}', but scoring takes cpu, gpu or gpu:ID"));
        let target: Target = on.parse().map_err(scores)?;
        match target.place {
            Place::Cpu => Ok(Self::Cpu(geometry)),
            Place::Gpu if target.ids.as_ref().is_none_or(|ids| !ids.contains(',')) => {
                let backend = target.open().map_err(failed)?;
                Ok(Self::Other(backend.evaluator(geometry).map_err(failed)?))
            }
            _ => Err(invalid(format!("on is '{on}', but scoring takes cpu, gpu or gpu:ID"))),
        }
    }

    fn geometry(&self) -> Geometry {
        match self {
            Self::Cpu(geometry) => *geometry,
            Self::Other(evaluator) => evaluator.geometry(),
        }
    }

    fn score<'py>(
        &mut self,
        py: Python<'py>,
        population: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = BoardRows::new(population, "population", self.geometry())?;
        let out = match out {
            Some(out) => out.clone(),
            None => PyArray1::<u16>::zeros(py, rows.count, false).into_any(),
        };
        let mut scores = out_of::<u16>(&out, rows.count)?;
        let scores = scores.as_slice_mut().map_err(invalid)?;
        let (bytes, pitch, pool) = (rows.bytes(), rows.pitch, pool()?);
        py.detach(|| match self {
            Self::Cpu(geometry) => pool
                .install(|| score_boards_into(*geometry, bytes, pitch, scores))
                .map_err(|error| error.to_string()),
            Self::Other(evaluator) => score_again(&mut **evaluator, bytes, pitch, scores)
                .map_err(|error| error.to_string()),
        })
        .map_err(failed)?;
        Ok(out)
    }
}

/// Scores the boards. After a fault, scores them once more, because a lost device may be available again.
fn score_again(
    evaluator: &mut dyn Evaluator,
    bytes: &[u8],
    pitch: usize,
    scores: &mut [u16],
) -> Result<(), EvaluatorError> {
    let first = evaluator.score_rows(bytes, pitch, scores);
    if first.is_err() && evaluator.recover(evaluator.chunk_len()).is_ok() {
        return evaluator.score_rows(bytes, pitch, scores).map(|_| ());
    }
    first.map(|_| ())
}

/// A device that scores populations of boards of one shape, with its pipelines and buffers.
///
/// Parameters
/// ----------
/// box : tuple of int, default (3, 3)
///     Rows and columns of a box.
/// on : str, default "cpu"
///     As for :func:`score`.
///
/// Raises
/// ------
/// ValueError
///     No board has such boxes, or ``on`` is not valid.
/// RuntimeError
///     There is no such device, or it scores boards of known fitness wrongly.
///
/// Examples
/// --------
/// >>> scorer = evodoku.Scorer(on="gpu")
/// >>> fitness = scorer.score(population)
#[pyclass(frozen, module = "evodoku")]
pub struct Scorer {
    device: Mutex<Device>,
    geometry: Geometry,
    on: String,
    process: Process,
}

#[pymethods]
impl Scorer {
    #[new]
    #[pyo3(signature = (*, r#box = BoxShape::default(), on = "cpu"), text_signature = "(*, box=(3, 3), on='cpu')")]
    fn new(py: Python<'_>, r#box: BoxShape, on: &str) -> PyResult<Self> {
        let BoxShape(geometry) = r#box;
        let device = Mutex::new(py.detach(|| Device::new(geometry, on))?);
        Ok(Self { device, geometry, on: on.to_owned(), process: Process::this() })
    }

    /// The fitness of each board of a population: see :func:`evodoku.score`.
    ///
    /// Parameters
    /// ----------
    /// population : numpy.ndarray of uint8
    ///     Boards of shape ``(n, cells)``, ``(n, side, side)`` or ``(n, stride)``.
    /// out : numpy.ndarray of uint16, optional
    ///     An array of shape ``(n,)`` that takes the result.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray of uint16, shape (n,)
    ///     ``out``, if it was given.
    #[pyo3(signature = (population, *, out = None))]
    fn score<'py>(
        &self,
        py: Python<'py>,
        population: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.process.check("Scorer")?;
        let mut device = self.device.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        device.score(py, population, out)
    }

    /// Rows and columns of a box.
    #[getter]
    fn r#box(&self) -> (usize, usize) {
        box_shape(self.geometry)
    }

    /// Where the boards are scored: the argument ``on``.
    #[getter]
    fn on(&self) -> &str {
        &self.on
    }

    fn __repr__(&self) -> String {
        let (rows, columns) = self.r#box();
        format!("Scorer(box=({rows}, {columns}), on='{}')", self.on)
    }
}
