//! Own operators in Python, which take a whole generation at a time.

use std::sync::{Arc, Mutex, PoisonError};

use evodoku_library::ga::{GenerationOperators, GenerationPlace, OperatorName};
use numpy::{PyArray, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

use crate::boards::{BoardRows, tuple};

/// The families, in the order in which a generation uses them.
const FAMILIES: [&str; 3] = ["selection", "crossover", "mutation"];

/// Functions of Python, at most one of each family.
#[derive(Clone, Default)]
pub struct PythonOperators {
    functions: [Option<Arc<Py<PyAny>>>; 3],
    /// The exception that one of them raised.
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl PythonOperators {
    /// Takes a function for a parameter; returns the value that the parameter then has, if it is another than the preset's.
    ///
    /// # Errors
    /// `TypeError` when the parameter takes no function.
    pub fn set(&mut self, parameter: &str, function: Py<PyAny>) -> PyResult<Option<&'static str>> {
        let family = FAMILIES.iter().position(|family| *family == parameter);
        let family = family.ok_or_else(|| {
            PyTypeError::new_err(format!(
                "{parameter} takes no function: selection, crossover and mutation do"
            ))
        })?;
        self.functions[family] = Some(Arc::new(function));
        // What the preset has in its place takes no part, and so do its parameters.
        Ok((family > 0).then_some("none"))
    }

    pub fn is_empty(&self) -> bool {
        self.functions.iter().all(Option::is_none)
    }

    /// The functions by name.
    pub fn keywords<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let keywords = PyDict::new(py);
        for (family, function) in FAMILIES.iter().zip(&self.functions) {
            if let Some(function) = function {
                keywords.set_item(family, function.bind(py))?;
            }
        }
        Ok(keywords)
    }

    /// The exception that one of them raised, if one did.
    pub fn take_raised(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Calls `work` with the function of a family and its random number generator.
    fn call<R>(
        &self,
        family: usize,
        at: GenerationPlace,
        work: impl FnOnce(&Bound<'_, PyAny>, Bound<'_, PyAny>) -> PyResult<R>,
    ) -> Result<R, String> {
        Python::attach(|py| {
            let called = || {
                let function = self.functions[family]
                    .as_ref()
                    .ok_or_else(|| PyValueError::new_err("there is no such function"))?;
                work(function.bind(py), generator(py, family, at)?)
            };
            called().map_err(|error: PyErr| {
                let text = error.to_string();
                let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
                raised.get_or_insert(error);
                text
            })
        })
    }
}

/// The random number generator of a family in a generation: a Philox of numpy, which depends on the seed of the run, the
/// family, the generation and the island alone.
fn generator<'py>(
    py: Python<'py>,
    family: usize,
    at: GenerationPlace,
) -> PyResult<Bound<'py, PyAny>> {
    let random = py.import("numpy")?.getattr("random")?;
    let keywords = PyDict::new(py);
    keywords.set_item("key", [at.seed, family as u64])?;
    keywords.set_item("counter", [0, 0, u64::from(at.generation), u64::from(at.island)])?;
    let bits = random.getattr("Philox")?.call((), Some(&keywords))?;
    random.getattr("Generator")?.call1((bits,))
}

impl GenerationOperators for PythonOperators {
    fn names(&self) -> Vec<OperatorName> {
        let name = |function: &Py<PyAny>| {
            Python::attach(|py| {
                let name = function.bind(py).getattr("__name__");
                name.and_then(|name| name.extract()).unwrap_or_else(|_| "function".to_owned())
            })
        };
        let families = FAMILIES.iter().zip(&self.functions);
        families
            .filter_map(|(family, function)| {
                Some(OperatorName { family, name: name(function.as_ref()?) })
            })
            .collect()
    }

    fn select(
        &self,
        at: GenerationPlace,
        fitness: &[u16],
        parents: &mut [[u32; 2]],
    ) -> Result<(), String> {
        self.call(0, at, |function, generator| {
            let py = function.py();
            let fitness = PyArray::from_slice(py, fitness);
            let pairs = function.call1((fitness, parents.len(), generator))?;
            let pairs = py.import("numpy")?.call_method1("asarray", (pairs,))?;
            let kind: String = pairs.getattr("dtype")?.getattr("kind")?.extract()?;
            let shape: Vec<usize> = pairs.getattr("shape")?.extract()?;
            if shape != [parents.len(), 2] || !matches!(&*kind, "i" | "u") {
                return Err(PyValueError::new_err(format!(
                    "selection returned an array of shape {} and dtype {}: it returns the slots of the parents of each child, integers of shape ({}, 2)",
                    tuple(&shape),
                    pairs.getattr("dtype")?,
                    parents.len()
                )));
            }
            let pairs: Vec<i64> =
                pairs.call_method1("astype", ("int64",))?.call_method0("ravel")?.extract()?;
            for (couple, pair) in parents.iter_mut().zip(pairs.chunks_exact(2)) {
                // What is no slot is told by its number.
                *couple = [pair[0], pair[1]].map(|slot| u32::try_from(slot).unwrap_or(u32::MAX));
            }
            Ok(())
        })
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
        self.call(1, at, |function, generator| {
            let couples = PyArray::from_vec(function.py(), couples);
            let couples = couples.reshape([parents.len(), 2, cells])?;
            let made = function.call1((couples, generator))?;
            take_children("crossover", &made, at, children)
        })
    }

    fn mutate(&self, at: GenerationPlace, children: &mut [u8]) -> Result<(), String> {
        let (cells, stride) = (at.geometry.cells(), at.geometry.stride());
        let boards: Vec<u8> =
            children.chunks_exact(stride).flat_map(|board| &board[..cells]).copied().collect();
        self.call(2, at, |function, generator| {
            let count = boards.len() / cells;
            let given = PyArray::from_vec(function.py(), boards).reshape([count, cells])?;
            let made = function.call1((&given, generator))?;
            // It may change them in place.
            let made = if made.is_none() { given.into_any() } else { made };
            take_children("mutation", &made, at, children)
        })
    }
}

/// Copies the children that a function returned.
fn take_children(
    family: &str,
    made: &Bound<'_, PyAny>,
    at: GenerationPlace,
    children: &mut [u8],
) -> PyResult<()> {
    let (cells, stride) = (at.geometry.cells(), at.geometry.stride());
    let rows = BoardRows::new(made, "children", at.geometry)?;
    let count = children.len() / stride;
    if rows.count != count {
        return Err(PyValueError::new_err(format!(
            "{family} returned {} children: it returns {count}",
            rows.count
        )));
    }
    for (child, board) in children.chunks_exact_mut(stride).zip(rows.boards(at.geometry)) {
        let (to, padding) = child.split_at_mut(cells);
        to.copy_from_slice(board);
        padding.fill(0);
    }
    Ok(())
}
