//! Sudoku boards evolved in very large populations, from Python.
//!
//! Docstrings of what Python sees are written in the form of numpydoc; `evodoku.pyi` has the types.

mod boards;
mod evolution;
mod history;
mod interrupt;
mod operators;
mod pool;
mod puzzle;
mod result;
mod score;
mod settings;

use evodoku_library::RESULTS_VERSION;
use pyo3::PyTypeInfo;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What `pickle` needs to rebuild an object: the method `_unpickle` of its class, and bytes.
type Pickled<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>,));

/// Writes an object for `pickle`.
fn pickle<'py, T: Serialize + PyTypeInfo>(py: Python<'py>, object: &T) -> PyResult<Pickled<'py>> {
    let make = py.get_type::<T>().getattr("_unpickle")?;
    Ok((make, (PyBytes::new(py, &to_bytes(object)?),)))
}

/// Writes an object as bytes: the version of results, the object, and a checksum.
fn to_bytes<T: Serialize>(object: &T) -> PyResult<Vec<u8>> {
    let mut bytes = postcard::to_stdvec(&(RESULTS_VERSION, object)).map_err(failed)?;
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    Ok(bytes)
}

/// Reads an object that [`to_bytes`] wrote; `name` names it in errors.
///
/// # Errors
/// `ValueError` if the bytes are damaged, or another version wrote them.
fn from_bytes<T: DeserializeOwned>(bytes: &[u8], name: &str) -> PyResult<T> {
    let damaged = || invalid(format!("this is not the {name}, or it is damaged"));
    let (body, sum) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
    if crc32fast::hash(body).to_le_bytes() != *sum {
        return Err(damaged());
    }
    let (version, body) = postcard::take_from_bytes::<u32>(body).map_err(|_| damaged())?;
    if version != RESULTS_VERSION {
        return Err(invalid(format!(
            "the {name} has results version {version}, not {RESULTS_VERSION}: use the evodoku that saved it"
        )));
    }
    postcard::from_bytes(body).map_err(|_| damaged())
}

/// The exception for an invalid argument.
fn invalid(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The exception for a failure that the caller did not cause.
fn failed(error: impl ToString) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// Sudoku boards evolved in very large populations.
///
/// A board is an array of ``uint8``, 0 where a cell is blank, of shape ``(side, side)`` or flat in row-major order. Its
/// *fitness* is the number of values that its rows, columns and boxes lack: a solved board has 0.
///
/// Functions
/// ---------
/// score, duplicates : the fitness of each board of a population
/// solve : a run, until the puzzle is solved or a limit is reached
/// read, puzzles, generate : puzzles from a file, shipped puzzles, random puzzles
/// presets, parameters, devices : the choices for a run
///
/// Classes
/// -------
/// Puzzle : a board with givens and blanks
/// Evolution : a run that you advance step by step
/// Scorer : a device that scores many populations
///
/// Exceptions
/// ----------
/// Interrupted : Ctrl-C ended a run; ``result`` has its best board
#[pymodule]
mod evodoku {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::evolution::Evolution;
    #[pymodule_export]
    use crate::history::Generation;
    #[pymodule_export]
    use crate::puzzle::{Puzzle, SearchSpace, Solutions, generate, puzzles, read};
    #[pymodule_export]
    use crate::result::{RunResult, solve};
    #[pymodule_export]
    use crate::score::{Scorer, duplicates, score};
    #[pymodule_export]
    use crate::settings::{devices, parameters, presets};

    #[pymodule_export]
    use crate::result::Interrupted;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let ending = wrap_pyfunction!(crate::interrupt::end_interpreter, module)?;
        module.py().import("atexit")?.call_method1("register", (ending,))?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
