//! Puzzles as text: reading, writing, and their sources.
//!
//! A text is read by its content, never by a file's extension: rows, lines and tables of digits, numbers or
//! letters, frames of any characters, labels, arrays, XML. Where it may be two boards, the error names
//! both. [`Format`] lists what is written. A text is read line by line, and no more of it is kept in
//! memory than one puzzle needs, except for arrays and XML, which are kept as a whole.
//!
//! ```
//! use evodoku::format;
//!
//! let puzzle = format::read("1234 34.. 2143 432.", "small", None)?.puzzle;
//! assert_eq!((puzzle.geometry.side(), puzzle.given_count()), (4, 13));
//! assert_eq!(format::line(puzzle.geometry, &puzzle.givens), "123434..2143432.");
//!
//! let short = format::read("1234 34.. 2143 432", "short", None).unwrap_err();
//! assert_eq!(short.to_string(), "short: 15 cells; the nearest board is 4x4 with 16 cells");
//! # Ok::<(), format::FormatError>(())
//! ```
//!
//! # Arguments
//! `-` is standard input; else a file of that name; else a shipped puzzle; else the text of the
//! puzzle itself, typed as the argument. So `evodoku solve ai-escargot` reads the file
//! `ai-escargot` if it exists, and the shipped puzzle otherwise.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::Path;

use include_dir::{Dir, include_dir};

use crate::board::Geometry;
use crate::util::named_enum::nearest;
use crate::util::sanitize;
pub use evodoku_core::format::*;

/// The number of characters of an invalid argument that an error shows.
const LONGEST: usize = 60;
/// More than any system allows for a file name.
const LONGEST_PATH: usize = 8_192;

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
    open(argument, options)?.one()
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
    let argument = argument.as_ref();
    if argument == "-" {
        return Ok(PuzzleReader::new(BufReader::new(io::stdin()), "stdin", "stdin", options));
    }
    if let Some(puzzles) = open_file(argument, options)? {
        return Ok(puzzles);
    }
    // Only a file name may be other than UTF-8.
    let argument = &*argument.to_string_lossy();
    if let Some(BundledPuzzle { name, text, .. }) = find(argument) {
        return Ok(PuzzleReader::new(text.as_bytes(), name, name, options));
    }
    if is_typed(argument, options) {
        let typed = io::Cursor::new(argument.to_owned());
        return Ok(PuzzleReader::new(typed, "typed", "typed grid", options));
    }
    let nearest = nearest_shipped(argument);
    Err(InputError::Unknown { argument: sanitize::line(argument, LONGEST), nearest })
}

/// Whether an argument is meant as a puzzle, valid or not, and not as the name of one: it has lines or brackets, or
/// most of it is cells.
fn is_typed(argument: &str, options: &Options) -> bool {
    /// Cells of the smallest board, less one.
    const FEWEST: usize = 15;
    let cell = |c: char| {
        let is_value = options.alphabet.as_ref().is_some_and(|all| all.value(c).is_some());
        is_value || c.is_ascii_digit() || "._*?-xX".contains(c)
    };
    let all: Vec<char> = argument.chars().filter(|c| !c.is_whitespace()).map(to_ascii).collect();
    let cells = all.iter().filter(|c| cell(**c)).count();
    let is_frame = |c: char| "|+,;:".contains(c);
    // `x` could be a file.
    let plain = options.alphabet.is_some() || all.iter().any(|c| c.is_ascii_digit() || *c == '.');
    let is_pure = all.iter().all(|c| cell(*c) || is_frame(*c));
    let opens = all.first().is_some_and(|c| "[{<".contains(*c));
    let is_drawn = opens || argument.lines().count() > 3;
    plain && cells >= FEWEST && (is_pure || is_drawn || cells * 4 > all.len() * 3)
}

/// The puzzles of the file of that name, if there is one. A pipe is waited for until another program writes to it.
fn open_file(
    argument: &OsStr,
    options: &Options,
) -> Result<Option<PuzzleReader<'static>>, InputError> {
    let path = Path::new(argument);
    let label = sanitize::line(&path.to_string_lossy(), LONGEST_PATH);
    let stem = path.file_stem().unwrap_or(argument);
    let name = sanitize::line(&stem.to_string_lossy(), LONGEST_PATH);
    match fs::metadata(path) {
        Ok(data) if data.is_dir() => Err(InputError::Directory(label)),
        Ok(_) => match File::open(path) {
            Ok(file) => Ok(Some(PuzzleReader::new(BufReader::new(file), &name, &label, options))),
            Err(error) => Err(InputError::Unreadable { label, error }),
        },
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            Err(InputError::Unreadable { label, error })
        }
        // There is no such file, or the name is invalid: a typed grid is longer than names may be.
        Err(_) => Ok(None),
    }
}

/// Every `puzzles/GROUP/NAME.txt`.
static PUZZLES: Dir = include_dir!("$CARGO_MANIFEST_DIR/puzzles");

/// A puzzle built into the program: `ai-escargot` is `puzzles/hard/ai-escargot.txt`. Its file opens with three
/// comments: its title, `origin: ...` and `givens: ...`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BundledPuzzle {
    /// Its folder: `documents`, `hard`, `large`.
    pub group: &'static str,
    /// Its name: the file's stem.
    pub name: &'static str,
    /// The file's text.
    pub text: &'static str,
}

impl BundledPuzzle {
    /// The origin of the puzzle, if its comments name it.
    pub fn origin(&self) -> Option<&'static str> {
        self.comment("origin")
    }

    /// The text after `# key:` in its comments.
    fn comment(&self, key: &str) -> Option<&'static str> {
        let mut comments = self.text.lines().filter_map(|line| line.strip_prefix("# "));
        comments.find_map(|line| line.strip_prefix(key)?.strip_prefix(':')).map(str::trim)
    }
}

/// All shipped puzzles, by group and then by name.
pub fn shipped() -> impl Iterator<Item = BundledPuzzle> {
    let mut all: Vec<BundledPuzzle> = PUZZLES
        .dirs()
        .flat_map(|dir| dir.files().map(move |file| (dir, file)))
        .filter(|(_, file)| file.path().extension().is_some_and(|ending| ending == "txt"))
        .filter_map(|(dir, file)| {
            let group = dir.path().file_name()?.to_str()?;
            let name = file.path().file_stem()?.to_str()?;
            Some(BundledPuzzle { group, name, text: file.contents_utf8()? })
        })
        .collect();
    all.sort();
    all.into_iter()
}

/// The shipped puzzle with this name.
pub fn find(name: &str) -> Option<BundledPuzzle> {
    shipped().find(|puzzle| puzzle.name == name)
}

/// The shipped name most similar to `name`, if any is similar.
fn nearest_shipped(name: &str) -> Option<String> {
    let typed = name.to_lowercase();
    let names = || shipped().map(|puzzle| puzzle.name);
    // `escargot` clearly means `ai-escargot`, although the similarity measure rates it low.
    let part = names().find(|name| typed.len() > 3 && name.contains(&typed));
    part.map(str::to_owned).or_else(|| nearest(&typed, names()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{grid, read};

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
    fn an_unknown_argument_is_an_error_with_the_nearest_name() {
        assert_eq!(sentence("foo"), "'foo' is not a file, a shipped puzzle or a grid");
        let near =
            "'ai-escargo' is not a file, a shipped puzzle (did you mean ai-escargot?) or a grid";
        assert_eq!(sentence("ai-escargo"), near);
        assert_eq!(sentence(""), "'' is not a file, a shipped puzzle or a grid");
        let near = "'003-4x' is not a file, a shipped puzzle (did you mean 003-4x4?) or a grid";
        assert_eq!(sentence("003-4x"), near);
        assert!(sentence(&"x".repeat(5000)).len() < 150);
        assert!(sentence("no\0file").contains("is not a file"));
    }

    #[test]
    fn a_typed_grid_with_an_error_is_still_a_grid() {
        let eighty = "typed grid: 80 cells; the nearest board is 9x9 with 81 cells";
        assert_eq!(sentence(&"1".repeat(80)), eighty);
        let letter = format!("{}y", "1".repeat(80));
        assert_eq!(
            sentence(&letter),
            "typed grid: line 1 column 81: unexpected character 'y'; a blank is a single . 0 _ * ? or x"
        );
        assert!(load("1234 34__ 2143 43xx", None).is_ok());
        assert!(sentence("1234y412....1234").contains("column 5"));
        assert!(sentence(&"00 ".repeat(1000)).starts_with("typed grid: 1000 cells"));
        assert!(sentence("runs/2024-01-01/12345.txt").contains("is not a file"));
    }

    #[test]
    fn errors_of_files_have_the_path() {
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
        assert_eq!(sentence(&two), "typed grid: 2 puzzles, but only one is expected");
        let names: Vec<String> = open(&two, &Options::default())
            .unwrap()
            .map(|reading| reading.unwrap().puzzle.name)
            .collect();
        assert_eq!(names, ["typed:1", "typed:2"]);
    }

    #[test]
    fn every_shipped_puzzle_agrees_with_its_comments() {
        for puzzle in shipped() {
            let name = puzzle.name;
            let read = read(puzzle.text, name, None).unwrap().puzzle;
            let givens = puzzle.comment("givens").map(|givens| givens.parse().unwrap());
            assert_eq!(givens, Some(read.given_count()), "{name}");
            assert!(puzzle.origin().is_some(), "{name}");
            let board = grid(read.geometry, &read.givens);
            assert!(puzzle.text.ends_with(&board), "{name} is not in the framed form:\n{board}");
        }
    }

    #[test]
    fn the_documents_the_hard_ones_and_the_large_ones_are_shipped() {
        let group = |group| shipped().filter(|puzzle| puzzle.group == group).count();
        assert_eq!((group("documents"), group("hard"), group("large")), (16, 19, 10));
        let mut names: Vec<_> = shipped().map(|puzzle| puzzle.name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), shipped().count(), "two puzzles of one name");
    }

    #[test]
    fn the_nearest_name_is_found() {
        for (typed, name) in [
            ("ai-escargo", Some("ai-escargot")),
            ("Escargot", Some("ai-escargot")),
            ("001-easy3", Some("001-easy-03")),
            ("003-puzzle5", Some("003-puzzle5-unsolvable")),
            ("xyzzy", None),
        ] {
            assert_eq!(nearest_shipped(typed).as_deref(), name, "{typed}");
        }
    }
}
