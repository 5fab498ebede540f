//! Sources of puzzles: the user's argument turned into text.
//!
//! `-` is standard input; else a file of that name; else a shipped puzzle; else the text of the
//! puzzle itself, typed as the argument. So `evodoku solve ai-escargot` reads the file
//! `ai-escargot` if it exists, and the shipped puzzle otherwise.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::tokenizer::{BLANKS, FRAMES};
use super::{FormatError, InputError, Options, ParsedPuzzle, PuzzleReader, SourceError, bundled};
use crate::board::{Geometry, MIN_SIDE};
use crate::util::sanitize::line;

/// The number of characters of an invalid argument that an error shows.
const LONGEST: usize = 60;
/// More than any system allows for a file name.
const LONGEST_PATH: usize = 8_192;

/// The kind of source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Standard input.
    Stdin,
    /// A file.
    File,
    /// A pipe or a device, by its path. It is opened when it is first read, which may block.
    Pipe,
    /// A shipped puzzle.
    Shipped,
    /// The argument itself.
    Typed,
}

/// A text with puzzles, and its names.
pub struct TextSource {
    /// Its origin.
    pub origin: Origin,
    /// The puzzle's name in traces and reports: `stdin`, a file's stem, the shipped name, `typed`.
    pub name: String,
    /// Its name in errors: as `name`, but the path of a file and `typed grid`.
    pub label: String,
    /// The text.
    pub reader: Box<dyn BufRead + Send>,
}

/// Reads one puzzle. `name` becomes its name and the beginning of every error. `shape` fixes the
/// boxes; without it the squarest shape with no more rows than columns is taken.
///
/// # Errors
/// [`FormatError`], one sentence with the problem and, if known, its position; also when
/// the text holds several puzzles.
pub fn read(text: &str, name: &str, shape: Option<Geometry>) -> Result<ParsedPuzzle, FormatError> {
    let options = Options { shape, ..Options::default() };
    PuzzleReader::new(text.as_bytes(), name, name, &options).one().map_err(|error| match error {
        InputError::Format(error) => error,
        InputError::Source(error) => unreachable!("a text in memory was not read: {error}"),
    })
}

/// The puzzle that an argument names, read with the box shape `shape`.
///
/// # Errors
/// [`InputError`] when there is no text, or when the text is not exactly one puzzle.
pub fn load(
    argument: impl AsRef<OsStr>,
    shape: Option<Geometry>,
) -> Result<ParsedPuzzle, InputError> {
    load_with(argument, &Options { shape, ..Options::default() })
}

/// The puzzle that an argument names.
///
/// # Errors
/// [`InputError`] when there is no text, or when the text is not exactly one puzzle.
pub fn load_with(
    argument: impl AsRef<OsStr>,
    options: &Options,
) -> Result<ParsedPuzzle, InputError> {
    TextSource::open(argument)?.puzzles(options).one()
}

/// The puzzles that an argument names, one after the other: no more than one is in memory.
/// An invalid puzzle is an item with its error; the others are still read.
///
/// ```
/// use evodoku::format::{self, Options};
///
/// let list = "1234341221434321\n12343412\n....1234........\n";
/// let puzzles = format::open(list, &Options::default())?;
/// let names: Vec<String> = puzzles
///     .map(|reading| reading.map_or_else(|error| error.to_string(), |reading| reading.puzzle.name))
///     .collect();
/// assert_eq!(names[0], "typed:1");
/// assert!(names[1].starts_with("typed grid: puzzle 2, line 2 column 1: 8 cells;"));
/// assert_eq!(names[2], "typed:3");
/// # Ok::<(), format::InputError>(())
/// ```
///
/// # Errors
/// When the argument names nothing that can be opened.
pub fn open(
    argument: impl AsRef<OsStr>,
    options: &Options,
) -> Result<PuzzleReader<'static>, InputError> {
    Ok(TextSource::open(argument)?.puzzles(options))
}

impl TextSource {
    /// The text that an argument names.
    ///
    /// # Errors
    /// When the argument names none, or one that cannot be read.
    pub fn open(argument: impl AsRef<OsStr>) -> Result<Self, SourceError> {
        let argument = argument.as_ref();
        if argument == "-" {
            let reader = BufReader::new(io::stdin());
            return Ok(Self::new(Origin::Stdin, "stdin", "stdin", reader));
        }
        if let Some(source) = Self::file(argument)? {
            return Ok(source);
        }
        // Only a file name may be other than UTF-8.
        let argument = &*argument.to_string_lossy();
        if let Some(puzzle) = bundled::find(argument) {
            let (name, text) = (puzzle.name, puzzle.text.as_bytes());
            return Ok(Self::new(Origin::Shipped, name, name, text));
        }
        if is_grid(argument) {
            let text = io::Cursor::new(argument.to_owned());
            return Ok(Self::new(Origin::Typed, "typed", "typed grid", text));
        }
        let nearest = bundled::nearest(argument);
        Err(SourceError::Unknown { argument: line(argument, LONGEST), nearest })
    }

    /// The file of that name, if there is one.
    fn file(argument: &OsStr) -> Result<Option<Self>, SourceError> {
        let path = Path::new(argument);
        let label = line(&path.to_string_lossy(), LONGEST_PATH);
        let stem = path.file_stem().unwrap_or(argument);
        let name = line(&stem.to_string_lossy(), LONGEST_PATH);
        let unreadable = |error| SourceError::Unreadable { label: label.clone(), error };
        match fs::metadata(path) {
            Ok(data) if data.is_dir() => {
                return Err(SourceError::Directory { path: label });
            }
            Ok(data) if !data.is_file() => {
                let pipe = PipedInput { path: path.to_owned(), file: None };
                return Ok(Some(Self::new(Origin::Pipe, &name, &label, BufReader::new(pipe))));
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                return Err(unreadable(error));
            }
            // There is no such file, or the name is invalid: a typed grid is longer than names may be.
            Err(_) => return Ok(None),
        }
        let reader = BufReader::new(File::open(path).map_err(unreadable)?);
        Ok(Some(Self::new(Origin::File, &name, &label, reader)))
    }

    /// The puzzles of the text.
    pub fn puzzles(self, options: &Options) -> PuzzleReader<'static> {
        let puzzles = PuzzleReader::new(self.reader, &self.name, &self.label, options);
        // The shape of a shipped puzzle is certain.
        if self.origin == Origin::Shipped { puzzles.sure() } else { puzzles }
    }

    fn new(origin: Origin, name: &str, label: &str, reader: impl BufRead + Send + 'static) -> Self {
        let reader = Box::new(reader);
        Self { origin, name: name.to_owned(), label: label.to_owned(), reader }
    }
}

/// A pipe or a device that is opened when it is first read: a pipe waits for its writer.
struct PipedInput {
    path: PathBuf,
    file: Option<File>,
}

impl Read for PipedInput {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let file = match self.file.take() {
            Some(file) => file,
            None => File::open(&self.path)?,
        };
        self.file.insert(file).read(into)
    }
}

/// Whether an argument is meant as a grid, valid or not: it consists only of characters of grids,
/// or it is as long as the smallest board and most of it is cells.
fn is_grid(argument: &str) -> bool {
    let cell = |c: char| c.is_ascii_digit() || BLANKS.contains(c);
    let cells = argument.chars().filter(|c| cell(*c)).count();
    let length = argument.chars().count();
    let pure = argument.chars().all(|c| cell(c) || c.is_whitespace() || FRAMES.contains(c));
    // `x` could be a file.
    let plain = argument.contains(|c: char| c.is_ascii_digit() || c == '.');
    plain
        && (pure
            || cells >= MIN_SIDE * MIN_SIDE - 1 && cells * 4 > length * 3
            || argument.contains('\n') && cells * 4 > length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(argument: &str) -> String {
        load(argument, None).unwrap_err().to_string()
    }

    #[test]
    fn a_file_comes_before_a_shipped_puzzle_and_that_before_a_grid() {
        let reading = load("003-6x6", None).unwrap();
        assert_eq!((reading.puzzle.name.as_str(), reading.others.len()), ("003-6x6", 0));

        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("ai-escargot.txt");
        fs::write(&path, "1234\n3412\n2143\n4321\n").unwrap();
        let reading = load(path.to_str().unwrap(), None).unwrap();
        assert_eq!(
            (reading.puzzle.name.as_str(), reading.puzzle.given_count()),
            ("ai-escargot", 16)
        );

        let typed = load("1234 34.. 2143 4321", None).unwrap();
        assert_eq!((typed.puzzle.name.as_str(), typed.puzzle.given_count()), ("typed", 14));
    }

    #[test]
    fn what_is_nothing_is_told_with_the_nearest_name() {
        assert_eq!(sentence("foo"), "'foo' is no file, no shipped puzzle and no grid");
        let near =
            "'ai-escargo' is no file, no shipped puzzle (did you mean ai-escargot?) and no grid";
        assert_eq!(sentence("ai-escargo"), near);
        assert_eq!(sentence(""), "'' is no file, no shipped puzzle and no grid");
        assert!(sentence(&"x".repeat(5000)).len() < 150);
        assert!(sentence("no\0file").contains("is no file"));
    }

    #[test]
    fn a_typed_grid_with_a_fault_is_still_a_grid() {
        let eighty = "typed grid: 80 cells; the nearest board is 9x9 with 81 cells";
        assert_eq!(sentence(&"1".repeat(80)), eighty);
        let letter = format!("{}y", "1".repeat(80));
        assert_eq!(
            sentence(&letter),
            "typed grid: line 1 column 81: unknown character 'y'; a blank is . 0 _ * or x"
        );
        assert!(load("1234 34__ 2143 43xx", None).is_ok());
        assert!(sentence("1234y412....1234").contains("column 5"));
        assert!(sentence(&"00 ".repeat(1000)).starts_with("typed grid: 1000 cells"));
        assert!(sentence("runs/2024-01-01/12345.txt").contains("is no file"));
    }

    #[test]
    fn files_that_are_no_text_are_told_with_their_path() {
        let directory = tempfile::tempdir().unwrap();
        let folder = directory.path().to_str().unwrap();
        assert_eq!(sentence(folder), format!("{folder} is a directory, not a puzzle"));

        let path = format!("{folder}/puzzle.txt");
        fs::write(&path, b"12\xff").unwrap();
        assert_eq!(sentence(&path), format!("{path} is not UTF-8 text (at byte 3)"));
        fs::write(&path, "").unwrap();
        assert_eq!(sentence(&path), format!("{path}: the text has no cells"));
    }

    #[test]
    fn several_puzzles_are_not_one() {
        let two = format!("{0}\n{0}\n", ".".repeat(81));
        assert_eq!(sentence(&two), "typed grid: 2 puzzles, where one is wanted");
        let names: Vec<String> = open(&two, &Options::default())
            .unwrap()
            .map(|reading| reading.unwrap().puzzle.name)
            .collect();
        assert_eq!(names, ["typed:1", "typed:2"]);
    }
}
