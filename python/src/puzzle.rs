//! Puzzles: reading, presolve, checking, making.

use std::ffi::OsString;
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use evodoku_library::board::{self, Geometry, Presolve};
use evodoku_library::exact::{Backtracking, GuessBudget, SearchEnd};
use evodoku_library::format::{self, Options, ParsedPuzzle};
use evodoku_library::{GenerateError, Generator, PuzzleSpec};
use numpy::{PyArray, PyArray2, PyArray3, PyArrayMethods};
use pyo3::exceptions::{PyFileNotFoundError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use rayon::prelude::*;

use crate::boards::{BoxShape, board as board_of, box_shape, geometry_of, integer, real, square};
use crate::history::warn;
use crate::interrupt::{Caller, interruptible};
use crate::invalid;
use crate::pool::pool;

/// A Sudoku puzzle: a board with givens and blanks.
///
/// Parameters
/// ----------
/// source : str, os.PathLike or array_like of int
///     A file, the name of a shipped puzzle, or the puzzle itself: as text in any common format, or as
///     an array of shape ``(side, side)`` or ``(cells,)`` with 0 for blanks.
/// box : tuple of int, optional
///     Rows and columns of a box. By default, the boxes that the text states, or else those
///     closest to a square.
/// name : str, optional
///     Name of the puzzle in results. By default, the name of the file.
/// alphabet : str, optional
///     Characters for the values 1, 2, and so on, in text with one character per cell.
///
/// Raises
/// ------
/// ValueError
///     The text is not exactly one valid puzzle; the message says where.
/// TypeError
///     The array does not hold integers.
///
/// Warns
/// -----
/// UserWarning
///     Text fits several shapes of boxes, and ``box`` was not passed.
///
/// Examples
/// --------
/// >>> evodoku.Puzzle("ai-escargot")
/// Puzzle('ai-escargot', box=(3, 3), givens=23)
/// >>> evodoku.Puzzle("1... ..1. .... ...1").givens
/// array([[1, 0, 0, 0],
///        [0, 0, 1, 0],
///        [0, 0, 0, 0],
///        [0, 0, 0, 1]], dtype=uint8)
///
/// Notes
/// -----
/// Puzzles are equal if their boxes and givens are equal; names do not count.
#[pyclass(frozen, eq, hash, module = "evodoku")]
pub struct Puzzle(pub board::Puzzle);

impl PartialEq for Puzzle {
    fn eq(&self, other: &Self) -> bool {
        (self.0.geometry, &self.0.givens) == (other.0.geometry, &other.0.givens)
    }
}

impl Eq for Puzzle {}

impl Hash for Puzzle {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0.geometry, &self.0.givens).hash(state);
    }
}

/// Converts text or a path to an argument of the command line; `None` for any other object.
///
/// # Errors
/// `FileNotFoundError` if the path does not exist.
fn argument(source: &Bound<'_, PyAny>) -> PyResult<Option<OsString>> {
    let is_path = source.hasattr("__fspath__")?;
    if !is_path && !source.is_instance_of::<PyString>() {
        return Ok(None);
    }
    let text: OsString = source.py().import("os")?.call_method1("fspath", (source,))?.extract()?;
    if is_path && !Path::new(&text).exists() {
        let text = text.to_string_lossy();
        return Err(PyFileNotFoundError::new_err(format!("there is no file {text}")));
    }
    // For the command it is the standard input.
    if text == "-" {
        return Err(PyValueError::new_err("'-' is not a puzzle"));
    }
    Ok(Some(text))
}

/// The options of the reader.
///
/// # Errors
/// `ValueError` if `alphabet` cannot be one, for example because a character occurs twice.
fn options(shape: Option<BoxShape>, alphabet: Option<&str>) -> PyResult<Options> {
    let refused = |error: format::AlphabetError| invalid(format!("alphabet: {error}"));
    let alphabet = alphabet.map(str::parse).transpose().map_err(refused)?;
    Ok(Options { shape: shape.map(|shape| shape.0), alphabet, ..Options::default() })
}

/// The exception for text that cannot be read as puzzles.
fn unread(error: impl ToString) -> PyErr {
    // The library's messages name flags of the command: Python has arguments instead.
    let text = error.to_string().replace("--alphabet", "alphabet").replace("--box", "box");
    let hint =
        if text.contains("only one is expected") { ": evodoku.read reads all puzzles" } else { "" };
    invalid(text + hint)
}

#[pymethods]
impl Puzzle {
    #[new]
    #[pyo3(signature = (source, *, r#box = None, name = None, alphabet = None))]
    fn new(
        source: &Bound<'_, PyAny>,
        r#box: Option<BoxShape>,
        name: Option<String>,
        alphabet: Option<&str>,
    ) -> PyResult<Self> {
        let options = options(r#box, alphabet)?;
        let for_text = |other: &str| match alphabet {
            Some(_) => Err(PyTypeError::new_err(format!(
                "alphabet is for text, but the puzzle is {other}: leave it out"
            ))),
            None => Ok(()),
        };
        let mut puzzle = if let Ok(puzzle) = source.cast::<Puzzle>() {
            for_text("a Puzzle")?;
            let mut puzzle = puzzle.get().0.clone();
            if r#box.is_some() {
                puzzle.geometry = geometry_of(puzzle.givens.len(), r#box)?;
            }
            puzzle
        } else if let Some(text) = argument(source)? {
            let parsed =
                source.py().detach(|| format::load_with(text, &options)).map_err(unread)?;
            warn_of_boxes(source.py(), &parsed)?;
            parsed.puzzle
        } else {
            for_text("an array")?;
            let givens = board_of(source, "the puzzle")?;
            let geometry = geometry_of(givens.len(), r#box)?;
            board::Puzzle { name: "array".to_owned(), geometry, givens }
        };
        puzzle.check().map_err(invalid)?;
        if let Some(name) = name {
            puzzle.name = name;
        }
        Ok(Self(puzzle))
    }

    /// Its name in results.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// Rows and columns of a box.
    #[getter]
    fn r#box(&self) -> (usize, usize) {
        box_shape(self.0.geometry)
    }

    /// The length of a row.
    #[getter]
    fn side(&self) -> usize {
        self.0.geometry.side()
    }

    /// The givens, 0 where a cell is blank: an array of uint8 of shape ``(side, side)``.
    #[getter]
    fn givens<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        square(py, self.0.geometry, &self.0.givens)
    }

    /// Derives what follows from the givens alone.
    ///
    /// Parameters
    /// ----------
    /// level : {"none", "naked", "singles", "subsets", "fish", "probing"}, default "probing"
    ///     How much is derived; each level includes the levels before it.
    ///
    /// Returns
    /// -------
    /// SearchSpace
    ///     The cells that are fixed, and the candidates of the other cells.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     The givens contradict each other; the message says where.
    #[pyo3(signature = (level = "probing"))]
    fn presolve(&self, py: Python<'_>, level: &str) -> PyResult<SearchSpace> {
        let level: Presolve = level.parse().map_err(invalid)?;
        py.detach(|| board::presolve(&self.0, level)).map(SearchSpace).map_err(invalid)
    }

    /// Whether a board solves the puzzle: every row, column and box holds every value, and the board has the givens.
    ///
    /// Parameters
    /// ----------
    /// board : array_like of int
    ///     A board of shape ``(side, side)`` or ``(cells,)``.
    ///
    /// Returns
    /// -------
    /// bool
    fn verify(&self, board: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.mistake(board)?.is_none())
    }

    /// The first reason why a board does not solve the puzzle.
    ///
    /// Parameters
    /// ----------
    /// board : array_like of int
    ///     A board of shape ``(side, side)`` or ``(cells,)``.
    ///
    /// Returns
    /// -------
    /// str or None
    ///     A sentence that counts rows and columns from 1, or None if the board is a solution.
    fn mistake(&self, board: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let board = board_of(board, "board")?;
        Ok(board::verify(&self.0, &board).err().map(|error| error.to_string()))
    }

    /// Counts the solutions by exact search.
    ///
    /// Parameters
    /// ----------
    /// solutions : int, default 2
    ///     The search ends after this many solutions. Two are enough to show that there are several.
    /// max_guesses : int, optional
    ///     The search ends after this many guesses. By default there is no limit.
    /// time_limit : float, optional
    ///     The search ends after this many seconds.
    ///
    /// Returns
    /// -------
    /// Solutions
    ///
    /// Raises
    /// ------
    /// KeyboardInterrupt
    ///     Ctrl-C ended the search.
    #[pyo3(signature = (solutions = None, *, max_guesses = None, time_limit = None), text_signature = "($self, solutions=2, *, max_guesses=None, time_limit=None)")]
    fn check(
        &self,
        py: Python<'_>,
        solutions: Option<&Bound<'_, PyAny>>,
        max_guesses: Option<&Bound<'_, PyAny>>,
        time_limit: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Solutions> {
        let cap = match solutions {
            Some(solutions) => integer(solutions, "solutions", 1..=u64::MAX)?,
            None => 2,
        };
        let guesses = match max_guesses {
            Some(guesses) => integer(guesses, "max_guesses", 0..=u64::MAX)?,
            None => u64::MAX,
        };
        let time = time_limit.map(|seconds| {
            let seconds = real(seconds, "time_limit")?;
            Duration::try_from_secs_f64(seconds).map_err(|_| {
                PyValueError::new_err(format!(
                    "time_limit is {seconds}: it takes seconds from 0 to 1e19; without it there is no limit"
                ))
            })
        });
        let time = time.transpose()?;
        let interrupted = Arc::new(AtomicBool::new(false));
        let geometry = self.0.geometry;
        let caller = Caller::default();
        let ((found, boards), exception) = interruptible(py, &interrupted, &caller, || {
            let interrupted = Some(&*interrupted);
            let budget = GuessBudget { cap, guesses, time, interrupted };
            let mut boards = Vec::new();
            let mut search = Backtracking::new(geometry);
            let found = search.search_each(&self.0.givens, &budget, |board| {
                if boards.len() < MOST_BOARDS {
                    boards.push(board[..geometry.cells()].to_vec());
                }
            });
            (found, boards)
        })?;
        match exception {
            Some(exception) => Err(exception),
            None => Ok(Solutions { geometry, found, boards }),
        }
    }

    fn __repr__(&self) -> String {
        let (rows, columns) = self.r#box();
        let givens = self.0.given_count();
        format!("Puzzle('{}', box=({rows}, {columns}), givens={givens})", self.0.name)
    }

    fn __str__(&self) -> String {
        format::grid(self.0.geometry, &self.0.givens).trim_end().to_owned()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let keywords = PyDict::new(py);
        keywords.set_item("box", self.r#box())?;
        keywords.set_item("name", self.name())?;
        let partial = py.import("functools")?.getattr("partial")?;
        let make = partial.call((py.get_type::<Self>(),), Some(&keywords))?;
        Ok((make, PyTuple::new(py, [self.givens(py)?])?))
    }
}

/// The maximum number of solutions whose boards are kept.
const MOST_BOARDS: usize = 10_000;

/// Converts an argument to a puzzle: a `Puzzle`, or anything that `Puzzle` accepts.
pub fn puzzle_of(source: &Bound<'_, PyAny>) -> PyResult<board::Puzzle> {
    match source.cast::<Puzzle>() {
        Ok(puzzle) => Ok(puzzle.get().0.clone()),
        Err(_) => Puzzle::new(source, None, None, None).map(|puzzle| puzzle.0),
    }
}

/// A puzzle after presolve.
#[pyclass(frozen, module = "evodoku")]
pub struct SearchSpace(board::SearchSpace);

#[pymethods]
impl SearchSpace {
    /// The givens and the cells that presolve fixed, 0 elsewhere: an array of uint8 of shape ``(side, side)``.
    #[getter]
    fn fixed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        square(py, self.0.geometry(), &self.0.fixed)
    }

    /// Whether a cell may hold a value: an array of bool of shape ``(side, side, side)``, indexed by row,
    /// column and value minus 1.
    #[getter]
    fn candidates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<bool>>> {
        let side = self.0.geometry().side();
        let sets = self.0.candidates.iter();
        let bits = sets.flat_map(|set| (0..side).map(move |value| set >> value & 1 == 1));
        PyArray::from_iter(py, bits).reshape([side, side, side])
    }

    /// The number of cells that are not fixed.
    #[getter]
    fn blanks(&self) -> usize {
        self.0.free.len()
    }

    fn __repr__(&self) -> String {
        let candidates = self.0.candidate_count();
        format!("SearchSpace(blanks={}, candidates={candidates})", self.0.free.len())
    }
}

/// The result of a search for all solutions.
#[pyclass(frozen, module = "evodoku")]
pub struct Solutions {
    geometry: Geometry,
    found: evodoku_library::exact::Solutions,
    boards: Vec<Vec<u8>>,
}

#[pymethods]
impl Solutions {
    /// The number of solutions found. If the search was complete, there are no others.
    #[getter]
    fn count(&self) -> u64 {
        self.found.count
    }

    /// Whether the whole search space was covered, so that ``count`` is exact.
    #[getter]
    fn complete(&self) -> bool {
        self.found.complete()
    }

    /// Whether there is exactly one solution; None if that is not known.
    #[getter]
    fn unique(&self) -> Option<bool> {
        self.found.unique()
    }

    /// Number of guesses that the search made; 0 if singles alone decided the puzzle.
    #[getter]
    fn guesses(&self) -> u64 {
        self.found.guesses
    }

    /// The solutions found, at most 10,000: an array of uint8 of shape ``(count, side, side)``.
    #[getter]
    fn boards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let side = self.geometry.side();
        PyArray::from_vec(py, self.boards.concat()).reshape([self.boards.len(), side, side])
    }

    fn __repr__(&self) -> String {
        let end = match self.found.end {
            SearchEnd::Exhausted => "complete=True".to_owned(),
            end => format!("complete=False, ended by {end}"),
        };
        format!("Solutions(count={}, {end}, guesses={})", self.found.count, self.found.guesses)
    }
}

/// Reads all puzzles of a text.
///
/// Parameters
/// ----------
/// source : str or os.PathLike
///     A file, the name of a shipped puzzle, or text.
/// box : tuple of int, optional
///     Rows and columns of a box. By default, the boxes that the text states, or else those
///     closest to a square.
/// alphabet : str, optional
///     Characters for the values 1, 2, and so on, in text with one character per cell.
///
/// Returns
/// -------
/// list of Puzzle
///
/// Raises
/// ------
/// ValueError
///     A puzzle is not valid; the message says where.
///
/// Warns
/// -----
/// UserWarning
///     Lines of a list hold no puzzle, or text fits several shapes of boxes, and ``box`` was not passed.
///
/// Examples
/// --------
/// >>> evodoku.read("list.sdm")[:2]
/// [Puzzle('list:1', box=(3, 3), givens=22), Puzzle('list:2', box=(3, 3), givens=21)]
#[pyfunction]
#[pyo3(signature = (source, *, r#box = None, alphabet = None))]
pub fn read(
    source: &Bound<'_, PyAny>,
    r#box: Option<BoxShape>,
    alphabet: Option<&str>,
) -> PyResult<Vec<Puzzle>> {
    let text = argument(source)?.ok_or_else(|| {
        PyTypeError::new_err("source is neither text nor a path: for an array, use Puzzle")
    })?;
    let options = options(r#box, alphabet)?;
    let (puzzles, remark) = source.py().detach(|| {
        let mut reader = format::open(text, &options).map_err(unread)?;
        let puzzles: PyResult<Vec<_>> = reader.by_ref().map(|read| read.map_err(unread)).collect();
        Ok::<_, PyErr>((puzzles?, reader.remark()))
    })?;
    remark.iter().try_for_each(|remark| warn(source.py(), remark))?;
    // Once for a list, whose puzzles are alike.
    puzzles
        .iter()
        .find(|puzzle| !puzzle.others.is_empty())
        .map_or(Ok(()), |puzzle| warn_of_boxes(source.py(), puzzle))?;
    Ok(puzzles.into_iter().map(of_parsed).collect())
}

/// Issues a warning if other boxes than those that were taken fit a puzzle too.
fn warn_of_boxes(py: Python<'_>, parsed: &ParsedPuzzle) -> PyResult<()> {
    let Some(other) = parsed.others.first() else { return Ok(()) };
    let (name, geometry) = (&parsed.puzzle.name, parsed.puzzle.geometry);
    let (rows, columns) = (other.box_rows(), other.box_cols());
    let assumed = format!("{name}: assuming boxes of {geometry}");
    warn(py, &format!("{assumed}; box=({rows}, {columns}) would also fit"))
}

fn of_parsed(parsed: ParsedPuzzle) -> Puzzle {
    Puzzle(parsed.puzzle)
}

/// The puzzles that come with evodoku.
///
/// Returns
/// -------
/// list of Puzzle
///     The puzzles, sorted by group (documents, hard, large) and name.
#[pyfunction]
pub fn puzzles() -> PyResult<Vec<Puzzle>> {
    let shipped = format::shipped();
    shipped
        .map(|bundled| format::load(bundled.name, None).map(of_parsed).map_err(invalid))
        .collect()
}

/// Makes random puzzles. The same arguments and seed make the same puzzles.
///
/// Parameters
/// ----------
/// count : int, default 1
///     The number of puzzles.
/// box : tuple of int, default (3, 3)
///     Rows and columns of a box.
/// fill : float, optional
///     The share of the cells that are givens, 0 to 1; 0.45 if none of ``fill``, ``givens`` and ``unique`` is set.
/// givens : int, optional
///     The number of givens.
/// unique : bool, default False
///     Whether each puzzle must have exactly one solution, which exact search checks. If ``unique`` is set
///     and ``givens`` is not, givens are removed until no more can be removed.
/// seed : int
///     The seed, 0 to 2**64 - 1.
/// max_guesses : int, default 500000
///     The maximum number of guesses and checks for each puzzle, if ``unique`` is set.
///
/// Returns
/// -------
/// list of Puzzle
///
/// Raises
/// ------
/// ValueError
///     No such puzzle can exist, or an argument is out of range.
/// RuntimeError
///     No such puzzle was found within ``max_guesses``.
/// KeyboardInterrupt
///     Ctrl-C ended the call.
///
/// Warns
/// -----
/// UserWarning
///     A puzzle may have redundant givens, because ``max_guesses`` ended a search.
///
/// Examples
/// --------
/// >>> evodoku.generate(box=(2, 2), unique=True, seed=1)
/// [Puzzle('generated-2x2-1', box=(2, 2), givens=4)]
#[pyfunction]
#[pyo3(signature = (count = None, *, r#box = BoxShape::default(), fill = None, givens = None, unique = false, seed, max_guesses = None), text_signature = "(count=1, *, box=(3, 3), fill=None, givens=None, unique=False, seed, max_guesses=500000)")]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub fn generate(
    py: Python<'_>,
    count: Option<&Bound<'_, PyAny>>,
    r#box: BoxShape,
    fill: Option<&Bound<'_, PyAny>>,
    givens: Option<&Bound<'_, PyAny>>,
    unique: bool,
    seed: &Bound<'_, PyAny>,
    max_guesses: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Puzzle>> {
    const FILL: f64 = 0.45;
    let BoxShape(geometry) = r#box;
    let fill = fill.map(|fill| real(fill, "fill")).transpose()?;
    if fill.is_some() && (givens.is_some() || unique) {
        return Err(PyValueError::new_err(
            "fill cannot be combined with givens or unique: leave it out",
        ));
    }
    let whole = |given: Option<&Bound<'_, PyAny>>, name| {
        given.map(|given| integer(given, name, 0..=u64::MAX)).transpose()
    };
    let givens = whole(givens, "givens")?.map(|givens| givens as usize);
    let guesses = whole(max_guesses, "max_guesses")?.unwrap_or(500_000);
    let spec = match (unique, givens) {
        (true, givens) => PuzzleSpec::Unique { givens, guesses },
        (false, Some(givens)) => PuzzleSpec::Solvable { givens },
        (false, None) => PuzzleSpec::share(geometry, fill.unwrap_or(FILL))
            .map_err(|error| invalid(format!("fill: {error}")))?,
    };
    let seed = integer(seed, "seed", 0..=u64::MAX)?;
    let count = match count {
        Some(count) => integer(count, "count", 0..=u32::MAX.into())? as u32,
        None => 1,
    };
    let generator = Generator::new(geometry, spec, seed).map_err(invalid)?;
    let (interrupted, pool) = (Arc::new(AtomicBool::new(false)), pool()?);
    let (puzzles, exception) = interruptible(py, &interrupted, &Caller::default(), || {
        let puzzle = |number| generator.puzzle_and_proof(number, &interrupted);
        pool.install(|| (0..count).into_par_iter().map(puzzle).collect::<Result<Vec<_>, _>>())
    })?;
    match (exception, puzzles) {
        (Some(exception), _) => Err(exception),
        (None, Err(error @ GenerateError::Spent { .. })) => {
            Err(PyRuntimeError::new_err(error.to_string().replace("--max-guesses", "max_guesses")))
        }
        (None, puzzles) => {
            let (puzzles, proofs): (Vec<_>, Vec<_>) = puzzles.map_err(invalid)?.into_iter().unzip();
            if let Some(first) = proofs.iter().position(|is_proved| !is_proved) {
                let count = proofs.iter().filter(|is_proved| !**is_proved).count();
                let text = format!(
                    "{count} of the puzzles may have redundant givens, because max_guesses ended a search; the first is {}",
                    puzzles[first].name
                );
                warn(py, &text)?;
            }
            Ok(puzzles.into_iter().map(Puzzle).collect())
        }
    }
}
