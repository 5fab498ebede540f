//! Arrays of boards: read where they lie, whatever their shape.

use evodoku_library::board::Geometry;
use numpy::{
    BorrowError, Element, PyArray, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn,
    PyReadwriteArray1, PyUntypedArray, PyUntypedArrayMethods, dtype,
};
use std::fmt::Display;
use std::ops::RangeInclusive;

use pyo3::Borrowed;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyList, PyString, PyTuple};

use crate::invalid;

/// The argument `box`: rows and columns.
#[derive(Clone, Copy)]
pub struct BoxShape(pub Geometry);

impl Default for BoxShape {
    fn default() -> Self {
        Self(Geometry::new(3, 3).unwrap_or_else(|_| unreachable!("boards of 9x9")))
    }
}

impl<'py> FromPyObject<'_, 'py> for BoxShape {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let numbers = given.extract::<Vec<usize>>().ok().filter(|numbers| numbers.len() == 2);
        let is_text = given.is_instance_of::<PyString>() || given.is_instance_of::<PyBytes>();
        let Some(numbers) = numbers.filter(|_| !is_text) else {
            return Err(PyTypeError::new_err(format!(
                "box is {}: it takes rows and columns of a box, as in box=(4, 4)",
                given.repr()?
            )));
        };
        Geometry::new(numbers[0], numbers[1]).map(Self).map_err(invalid)
    }
}

/// The shape of the boxes of a geometry.
pub fn box_shape(geometry: Geometry) -> (usize, usize) {
    (geometry.box_rows(), geometry.box_cols())
}

/// Whether it is a truth value, of Python or of NumPy.
pub fn is_bool(given: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(given.get_type().name()?.to_string().starts_with("bool"))
}

/// An argument that is an integer.
///
/// # Errors
/// `TypeError` if the argument is no integer, `ValueError` if it is out of range.
pub fn integer(given: &Bound<'_, PyAny>, name: &str, range: RangeInclusive<u64>) -> PyResult<u64> {
    let (least, most) = (range.start(), range.end());
    let is_bool = is_bool(given)?;
    let out_of_range = |number: &dyn Display| {
        PyValueError::new_err(format!("{name} is {number}, but it takes {least} to {most}"))
    };
    // An integer of more than 128 bits.
    if !is_bool && given.is_instance_of::<PyInt>() && given.extract::<i128>().is_err() {
        return Err(out_of_range(&given.repr()?));
    }
    let Some(number) = given.extract::<i128>().ok().filter(|_| !is_bool) else {
        return Err(PyTypeError::new_err(format!(
            "{name} is {}: it takes an integer from {least} to {most}",
            given.repr()?
        )));
    };
    let found = u64::try_from(number).ok().filter(|number| range.contains(number));
    found.ok_or_else(|| out_of_range(&number))
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
                let hint = match shape[..] {
                    [one] if one == cells => format!("; for one board pass {name}[None]"),
                    [rows, columns] if rows == side && columns == side => {
                        format!("; for one board pass {name}[None]")
                    }
                    _ => "; set other boxes with box=(rows, columns)".to_owned(),
                };
                return Err(PyValueError::new_err(format!(
                    "{name} has shape {}: boards with boxes of {geometry} have shape (n, {cells}) or (n, {side}, {side}){padded}{hint}",
                    tuple(&shape)
                )));
            }
        };
        let count = shape[0];
        let pitch = if count < 2 { width as isize } else { strides[0] };
        if count > 0 && (!is_dense || pitch < width as isize) {
            return Err(PyValueError::new_err(format!(
                "{name} is transposed, reversed or strided within its boards: pass numpy.ascontiguousarray({name})"
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
            // within the memory of the array, and the borrow of `numpy` keeps other Rust code from writing there. Python
            // code that changes the array meanwhile on another thread gets scores of what was there then or now; any byte
            // is valid.
            bytes => unsafe { std::slice::from_raw_parts(self.array.data().cast_const(), bytes) },
        }
    }

    /// The boards, one byte a cell.
    pub fn boards(&self, geometry: Geometry) -> impl Iterator<Item = &[u8]> {
        self.bytes().chunks(self.pitch.max(1)).map(move |row| &row[..geometry.cells()])
    }
}

/// Refuses a masked array, or a list of them: the code that reads its memory does not see the mask.
///
/// # Errors
/// `TypeError` says how to convert it.
fn check_unmasked(given: &Bound<'_, PyAny>, name: &str) -> PyResult<()> {
    match is_masked(given)? {
        true => Err(PyTypeError::new_err(format!(
            "{name} is a masked array, and its mask would be ignored: pass {}.filled(0) to make masked cells blank",
            name.trim_start_matches("the ")
        ))),
        false => Ok(()),
    }
}

/// Whether it is a masked array, or a list or tuple of masked arrays.
pub fn is_masked(given: &Bound<'_, PyAny>) -> PyResult<bool> {
    let masked_array = given.py().import("numpy.ma")?.getattr("MaskedArray")?;
    if given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() {
        for item in given.try_iter()? {
            if item?.is_instance(&masked_array)? {
                return Ok(true);
            }
        }
    }
    given.is_instance(&masked_array)
}

/// An argument that is a number of any kind, but no truth value.
///
/// # Errors
/// `TypeError` if the argument is no number.
pub fn real(given: &Bound<'_, PyAny>, name: &str) -> PyResult<f64> {
    let is_bool = is_bool(given)?;
    given.extract().ok().filter(|_| !is_bool).ok_or_else(|| match given.repr() {
        Ok(text) => PyTypeError::new_err(format!("{name} is {text}: it takes a number")),
        Err(error) => error,
    })
}

/// An array of this type of elements.
///
/// # Errors
/// `TypeError` says how to convert it.
pub fn typed<'py, T: Element>(
    given: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    check_unmasked(given, name)?;
    let wanted = dtype::<T>(given.py());
    let Ok(array) = given.cast::<PyUntypedArray>() else {
        return Err(PyTypeError::new_err(format!(
            "{name} is a {}: it takes a numpy array of dtype {wanted}",
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
    let fitting = || format!("pass numpy.empty({count}, dtype=numpy.{})", dtype::<T>(out.py()));
    let Ok(array) = out.cast::<PyArrayDyn<T>>() else {
        let what = match out.cast::<PyUntypedArray>() {
            Ok(array) => format!("out has dtype {}", array.dtype()),
            Err(_) => format!("out is a {}", out.get_type().name()?),
        };
        return Err(PyTypeError::new_err(format!("{what}: {}", fitting())));
    };
    if array.shape() != [count] {
        let shape = tuple(array.shape());
        return Err(PyValueError::new_err(format!("out has shape {shape}: {}", fitting())));
    }
    if !array.is_contiguous() || !array.is_aligned() {
        return Err(PyValueError::new_err(format!("out is strided or misaligned: {}", fitting())));
    }
    if is_masked(out)? {
        let what = "out is a masked array, and its mask would be ignored";
        return Err(PyTypeError::new_err(format!("{what}: {}", fitting())));
    }
    let array = array.clone().cast_into::<PyArray<T, numpy::Ix1>>().map_err(invalid)?;
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
    check_unmasked(given, name)?;
    let numpy = given.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (given,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    if !matches!(&*kind, "i" | "u") {
        let what = match shape.is_empty() {
            true => format!("is a {}", given.get_type().name()?),
            false => format!("has dtype {}", array.getattr("dtype")?),
        };
        return Err(PyTypeError::new_err(format!(
            "{name} {what}: a board is an array of integers, with 0 for blanks"
        )));
    }
    let is_square = matches!(shape[..], [rows, columns] if rows == columns);
    if !is_square && shape.len() != 1 {
        return Err(PyValueError::new_err(format!(
            "{name} has shape {}: a board has shape (side, side) or (cells,)",
            tuple(&shape)
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
        Some(BoxShape(geometry)) => geometry,
        None => Geometry::squarest(cells.isqrt())
            .filter(|geometry| geometry.cells() == cells)
            .ok_or_else(|| {
                PyValueError::new_err(format!(
                    "no board has {cells} cells: it has side * side, and the side is rows * columns of a box, such as 3 * 3"
                ))
            })?,
    };
    match geometry.cells() == cells {
        true => Ok(geometry),
        false => Err(PyValueError::new_err(format!(
            "the board has {cells} cells, but a board with boxes of {geometry} has {}",
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
