//! Arrays of boards: read where they lie, whatever their shape.

use evodoku_library::board::Geometry;
use numpy::{
    BorrowError, Element, PyArray, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn,
    PyReadwriteArray1, PyUntypedArray, PyUntypedArrayMethods, dtype,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::invalid;

/// The shape of boxes as Python has it: rows and columns.
pub type BoxShape = (usize, usize);

/// The geometry of boards whose boxes have this shape.
pub fn geometry(shape: BoxShape) -> PyResult<Geometry> {
    Geometry::new(shape.0, shape.1).map_err(invalid)
}

/// The shape of the boxes of a geometry.
pub fn box_shape(geometry: Geometry) -> BoxShape {
    (geometry.box_rows(), geometry.box_cols())
}

/// Boards of a population, row by row.
pub struct BoardRows<'py> {
    array: PyReadonlyArrayDyn<'py, u8>,
    /// Boards.
    pub count: usize,
    /// Bytes from one board to the next.
    pub pitch: usize,
    /// Bytes from the first board to the end of the last.
    bytes: usize,
}

impl<'py> BoardRows<'py> {
    /// The boards of `population`, an array that Python knows by this name.
    ///
    /// # Errors
    /// `TypeError` when it is no array of `uint8`, `ValueError` when it has another shape or its boards do not lie byte by
    /// byte.
    pub fn new(population: &Bound<'py, PyAny>, name: &str, geometry: Geometry) -> PyResult<Self> {
        let array = typed::<u8>(population, name)?;
        let (side, cells, stride) = (geometry.side(), geometry.cells(), geometry.stride());
        let (shape, strides) = (array.shape().to_vec(), array.strides().to_vec());
        let (width, is_dense) = match shape[..] {
            [_, width] if width == cells || width == stride => {
                (width, width < 2 || strides[1] == 1)
            }
            [_, rows, columns] if rows == side && columns == side => {
                (cells, strides[2] == 1 && strides[1] == side as isize)
            }
            _ => {
                let padded =
                    if stride == cells { String::new() } else { format!(" or (n, {stride})") };
                return Err(PyValueError::new_err(format!(
                    "{name} has shape {}: boards with boxes of {geometry} have shape (n, {cells}), (n, {side}, {side}){padded}",
                    tuple(&shape)
                )));
            }
        };
        let count = shape[0];
        let pitch = if count < 2 { width as isize } else { strides[0] };
        if count > 0 && (!is_dense || pitch < width as isize) {
            return Err(PyValueError::new_err(format!(
                "{name} is a view whose boards do not lie byte by byte, one after the other: pass numpy.ascontiguousarray({name})"
            )));
        }
        let pitch = pitch as usize;
        let bytes = count.saturating_sub(1) * pitch + if count == 0 { 0 } else { width };
        let array = array.try_readonly().map_err(|error| borrowed(name, &error))?;
        Ok(Self { array, count, pitch, bytes })
    }

    /// The bytes from the first board to the end of the last.
    pub fn bytes(&self) -> &[u8] {
        match self.bytes {
            0 => &[],
            // SAFETY: rows do not overlap and lie in ascending order, so that all bytes from the first to the last are
            // within the memory of the array, and the borrow of `numpy` keeps other Rust code from writing there.
            bytes => unsafe { std::slice::from_raw_parts(self.array.data().cast_const(), bytes) },
        }
    }

    /// The boards, one byte a cell.
    pub fn boards(&self, geometry: Geometry) -> impl Iterator<Item = &[u8]> {
        self.bytes().chunks(self.pitch.max(1)).map(move |row| &row[..geometry.cells()])
    }
}

/// An array of this type of elements.
///
/// # Errors
/// `TypeError` says how to convert it.
pub fn typed<'py, T: Element>(
    given: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let wanted = dtype::<T>(given.py());
    let Ok(array) = given.cast::<PyUntypedArray>() else {
        return Err(PyTypeError::new_err(format!(
            "{name} is a {}: pass a numpy array, as numpy.asarray({name}, dtype=numpy.{wanted}) makes one",
            given.get_type().name()?
        )));
    };
    array.cast::<PyArrayDyn<T>>().cloned().map_err(|_| {
        PyTypeError::new_err(format!(
            "{name} has dtype {}: pass {name}.astype(numpy.{wanted})",
            array.dtype()
        ))
    })
}

/// The array `out` of a caller, which takes this many elements.
///
/// # Errors
/// `TypeError` and `ValueError` say what it should be.
pub fn out_of<'py, T: Element>(
    out: &Bound<'py, PyAny>,
    count: usize,
) -> PyResult<PyReadwriteArray1<'py, T>> {
    let array = typed::<T>(out, "out")?;
    if array.shape() != [count] || !array.is_contiguous() {
        return Err(PyValueError::new_err(format!(
            "out has shape {}: pass a contiguous array of shape ({count},)",
            tuple(array.shape())
        )));
    }
    let array = array.cast_into::<PyArray<T, numpy::Ix1>>().map_err(invalid)?;
    array.try_readwrite().map_err(|error| borrowed("out", &error))
}

fn borrowed(name: &str, error: &BorrowError) -> PyErr {
    PyValueError::new_err(match error {
        BorrowError::NotWriteable => {
            format!("{name} is read-only: pass an array that can be written to")
        }
        _ => format!("{name} is in use by another call, or overlaps another argument: pass a copy"),
    })
}

/// A board of one byte a cell out of an array of any integers, flat or square.
///
/// # Errors
/// `TypeError` when it is no array of integers, `ValueError` for values that no board has.
pub fn board(given: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<u8>> {
    let numpy = given.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (given,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !matches!(&*kind, "i" | "u") {
        return Err(PyTypeError::new_err(format!(
            "{name} has dtype {}: a board is an array of integers, 0 where a cell is blank",
            array.getattr("dtype")?
        )));
    }
    let flat = array.call_method0("ravel")?.call_method0("tolist")?;
    let values: Vec<i128> = flat.extract()?;
    let value = |(cell, value): (usize, &i128)| {
        u8::try_from(*value).map_err(|_| {
            PyValueError::new_err(format!(
                "{name} holds {value} in cell {cell}: a board holds 0 to 64"
            ))
        })
    };
    values.iter().enumerate().map(value).collect()
}

/// The geometry of a board of so many cells: the one that is given, or that with the squarest boxes.
pub fn geometry_of(cells: usize, shape: Option<BoxShape>) -> PyResult<Geometry> {
    let geometry = match shape {
        Some(shape) => geometry(shape)?,
        None => Geometry::squarest(cells.isqrt())
            .filter(|geometry| geometry.cells() == cells)
            .ok_or_else(|| {
                PyValueError::new_err(format!(
                    "a board of {cells} cells is no square that boxes divide: 9x9 boards have 81"
                ))
            })?,
    };
    match geometry.cells() == cells {
        true => Ok(geometry),
        false => Err(PyValueError::new_err(format!(
            "the board has {cells} cells, but with boxes of {geometry} it has {}",
            geometry.cells()
        ))),
    }
}

/// An array of shape `(side, side)`.
pub fn square<'py>(
    py: Python<'py>,
    geometry: Geometry,
    board: &[u8],
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let side = geometry.side();
    PyArray::from_slice(py, &board[..geometry.cells()]).reshape([side, side])
}

/// A shape as Python writes it.
pub fn tuple(shape: &[usize]) -> String {
    let sizes: Vec<String> = shape.iter().map(ToString::to_string).collect();
    match &sizes[..] {
        [one] => format!("({one},)"),
        sizes => format!("({})", sizes.join(", ")),
    }
}
