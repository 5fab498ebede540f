//! Own operators in Python, which take a whole generation at a time.

use std::sync::{Arc, Mutex};

use evodoku_core::util::lock;

use evodoku_library::ga::{GenerationOperators, GenerationPlace, OperatorName};
use numpy::{PyArray, PyArrayMethods};
use pyo3::exceptions::{PyStopIteration, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

use crate::boards::{BoardRows, is_masked, tuple};
use crate::failed;
use crate::interrupt::Caller;

/// The families, in the order in which a generation uses them.
const FAMILIES: [&str; 3] = ["selection", "crossover", "mutation"];

type Function = Arc<Py<PyAny>>;

/// Functions of Python, at most one of each family.
#[derive(Clone, Default)]
pub struct PythonOperators {
    /// The functions. All copies share them, so that Python's garbage collector can release them.
    functions: Arc<Mutex<[Option<Function>; 3]>>,
    /// The exception that one of them raised.
    raised: Arc<Mutex<Option<PyErr>>>,
    /// The thread on which they are called.
    pub caller: Caller,
}

impl PythonOperators {
    /// Sets the Python function for a parameter. Returns the new value of the parameter if it differs from
    /// the value of the preset.
    ///
    /// # Errors
    /// `TypeError` when the parameter takes no function.
    pub fn set(&mut self, parameter: &str, function: Py<PyAny>) -> PyResult<Option<&'static str>> {
        let family = FAMILIES.iter().position(|family| *family == parameter);
        let family = family.ok_or_else(|| {
            PyTypeError::new_err(format!(
                "{parameter} does not take a function: only selection, crossover and mutation do"
            ))
        })?;
        lock(&self.functions)[family] = Some(Arc::new(function));
        // What the preset has in its place takes no part, and so do its parameters.
        Ok((family > 0).then_some("none"))
    }

    pub fn is_empty(&self) -> bool {
        lock(&self.functions).iter().all(Option::is_none)
    }

    /// Shows the functions to the garbage collector.
    ///
    /// # Errors
    /// The error of the garbage collector.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        // It may not wait; a function that is in use is not garbage.
        let Ok(functions) = self.functions.try_lock() else { return Ok(()) };
        functions.iter().flatten().try_for_each(|function| visit.call(&**function))
    }

    /// Releases the functions.
    pub fn clear(&self) {
        let functions = std::mem::take(&mut *lock(&self.functions));
        drop(functions);
    }

    /// The functions, each with its name.
    fn named(&self) -> Vec<(&'static str, Function)> {
        let functions = lock(&self.functions).clone();
        let named = FAMILIES.into_iter().zip(functions);
        named.filter_map(|(family, function)| Some((family, function?))).collect()
    }

    /// The functions by name.
    pub fn keywords<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let keywords = PyDict::new(py);
        for (family, function) in self.named() {
            keywords.set_item(family, function.bind(py))?;
        }
        Ok(keywords)
    }

    /// The exception that one of the functions raised, if any.
    pub fn take_raised(&self) -> Option<PyErr> {
        lock(&self.raised).take()
    }

    /// The families that have functions.
    pub fn families(&self) -> Vec<String> {
        self.named().into_iter().map(|(family, _)| family.to_owned()).collect()
    }

    /// Calls `work` with the function of a family and its random number generator, on the thread that waits for the run.
    fn call<R: Send + 'static>(
        &self,
        family: usize,
        at: GenerationPlace,
        work: impl FnOnce(&Bound<'_, PyAny>, Bound<'_, PyAny>) -> PyResult<R> + Send + 'static,
    ) -> Result<R, String> {
        let Some(function) = lock(&self.functions)[family].clone() else {
            return Err("there is no such function".to_owned());
        };
        let called = self.caller.call(move |py| {
            let called = generator(py, family, at).and_then(|rng| work(function.bind(py), rng));
            called.map_err(|error| not_the_end(py, error))
        });
        called.unwrap_or_else(|| Err(failed("nobody waits for this run"))).map_err(|error| {
            let text = error.to_string();
            let mut raised = lock(&self.raised);
            raised.get_or_insert(error);
            text
        })
    }
}

/// Replaces a `StopIteration` that an operator raised: it would end the caller's loop over the run, as if the
/// run had ended.
fn not_the_end(py: Python<'_>, error: PyErr) -> PyErr {
    if !error.is_instance_of::<PyStopIteration>(py) {
        return error;
    }
    let raised = failed("an operator raised StopIteration");
    raised.set_cause(py, Some(error));
    raised
}

/// The random number generator of a family in a generation: a NumPy Philox generator. It depends only on the
/// seed of the run, the family, the generation and the island.
fn generator<'py>(
    py: Python<'py>,
    family: usize,
    at: GenerationPlace,
) -> PyResult<Bound<'py, PyAny>> {
    let random = py.import("numpy")?.getattr("random")?;
    let keywords = PyDict::new(py);
    // Of a list with a large number NumPy makes an array of floats.
    keywords.set_item("key", PyArray::from_slice(py, &[at.seed, family as u64]))?;
    keywords.set_item("counter", [0, 0, u64::from(at.generation), u64::from(at.island)])?;
    let bits = random.getattr("Philox")?.call((), Some(&keywords))?;
    random.getattr("Generator")?.call1((bits,))
}

impl GenerationOperators for PythonOperators {
    fn names(&self) -> Vec<OperatorName> {
        let name = |function: &Py<PyAny>| {
            Python::attach(|py| {
                let function = function.bind(py);
                // An object that can be called has the name of its class.
                let name = function
                    .getattr("__name__")
                    .or_else(|_| function.get_type().getattr("__name__"));
                name.and_then(|name| name.extract()).unwrap_or_else(|_| "function".to_owned())
            })
        };
        let named = self.named().into_iter();
        named.map(|(family, function)| OperatorName { family, name: name(&function) }).collect()
    }

    fn select(
        &self,
        at: GenerationPlace,
        fitness: &[u16],
        parents: &mut [[u32; 2]],
    ) -> Result<(), String> {
        let (fitness, children) = (fitness.to_vec(), parents.len());
        let pairs = self.call(0, at, move |function, rng| {
            let py = function.py();
            let individuals = fitness.len();
            let pairs = function.call1((PyArray::from_vec(py, fitness), children, rng))?;
            if is_masked(&pairs)? {
                return Err(PyTypeError::new_err(
                    "selection returned a masked array, and its mask would be ignored: return pairs without a mask",
                ));
            }
            let pairs = py.import("numpy")?.call_method1("asarray", (pairs,))?;
            let kind: String = pairs.getattr("dtype")?.getattr("kind")?.extract()?;
            let shape: Vec<usize> = pairs.getattr("shape")?.extract()?;
            if shape != [children, 2] || !matches!(&*kind, "i" | "u") {
                return Err(PyValueError::new_err(format!(
                    "selection returned an array of shape {} and dtype {}: it must return the slots of the parents of each child, as integers of shape ({children}, 2)",
                    tuple(&shape),
                    pairs.getattr("dtype")?
                )));
            }
            let pairs: Vec<i128> = pairs.call_method0("ravel")?.call_method0("tolist")?.extract()?;
            let slot = |(at, slot): (usize, &i128)| {
                let known = u32::try_from(*slot).ok().filter(|slot| (*slot as usize) < individuals);
                known.ok_or_else(|| {
                    PyValueError::new_err(format!(
                        "selection returned slot {slot} for a parent of child {}: the population has slots 0 to {}",
                        at / 2,
                        individuals - 1
                    ))
                })
            };
            pairs.iter().enumerate().map(slot).collect::<PyResult<Vec<u32>>>()
        })?;
        for (couple, pair) in parents.iter_mut().zip(pairs.chunks_exact(2)) {
            *couple = [pair[0], pair[1]];
        }
        Ok(())
    }

    fn cross(
        &self,
        at: GenerationPlace,
        population: &[u8],
        parents: &[[u32; 2]],
        children: &mut [u8],
    ) -> Result<(), String> {
        let (cells, stride) = (at.geometry.cells(), at.geometry.stride());
        let mut couples = vec![0; parents.len() * 2 * cells];
        let boards = couples.par_chunks_exact_mut(2 * cells).zip(parents);
        boards.with_min_len(256).for_each(|(couple, slots)| {
            for (board, slot) in couple.chunks_exact_mut(cells).zip(slots) {
                board.copy_from_slice(&population[*slot as usize * stride..][..cells]);
            }
        });
        let count = parents.len();
        let made = self.call(1, at, move |function, rng| {
            let couples = PyArray::from_vec(function.py(), couples).reshape([count, 2, cells])?;
            let made = function.call1((couples, rng))?;
            boards_of("crossover", &made, at, count)
        })?;
        write_children(&made, at, children);
        Ok(())
    }

    fn mutate(&self, at: GenerationPlace, children: &mut [u8]) -> Result<(), String> {
        let (cells, stride) = (at.geometry.cells(), at.geometry.stride());
        let boards: Vec<u8> =
            children.chunks_exact(stride).flat_map(|board| &board[..cells]).copied().collect();
        let count = boards.len() / cells;
        let made = self.call(2, at, move |function, rng| {
            let given = PyArray::from_vec(function.py(), boards).reshape([count, cells])?;
            let made = function.call1((&given, rng))?;
            // It may change them in place.
            let made = if made.is_none() { given.into_any() } else { made };
            boards_of("mutation", &made, at, count)
        })?;
        write_children(&made, at, children);
        Ok(())
    }
}

/// Copies the children that a function returned, one byte a cell.
fn boards_of(
    family: &str,
    made: &Bound<'_, PyAny>,
    at: GenerationPlace,
    count: usize,
) -> PyResult<Vec<u8>> {
    let py = made.py();
    let rows = BoardRows::new(made, "children", at.geometry).map_err(|error| {
        PyErr::from_type(error.get_type(py), format!("{family} returned: {}", error.value(py)))
    })?;
    if rows.count != count {
        return Err(PyValueError::new_err(format!(
            "{family} returned {} children: it must return {count}",
            rows.count
        )));
    }
    Ok(rows.boards(at.geometry).flatten().copied().collect())
}

/// Packs children of one byte a cell.
fn write_children(made: &[u8], at: GenerationPlace, children: &mut [u8]) {
    let (cells, stride) = (at.geometry.cells(), at.geometry.stride());
    for (child, board) in children.chunks_exact_mut(stride).zip(made.chunks_exact(cells)) {
        let (to, padding) = child.split_at_mut(cells);
        to.copy_from_slice(board);
        padding.fill(0);
    }
}
