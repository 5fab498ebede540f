//! Text on stdout and stderr: escaped, fitted to the width of the terminal, and coloured.
//!
//! A closed pipe is no error. Text for a terminal on which a screen is drawn is deferred until the screen
//! is closed.
//!
//! `--color` decides about colour where it is `always` or `never`. Where it is `auto`, `NO_COLOR` forbids
//! colour, then `CLICOLOR_FORCE` demands it, and otherwise a terminal has it and a pipe has none.
//!
//! Source of the variables: <https://no-color.org>, <https://bixense.com/clicolors>.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::mem;
use std::sync::Mutex;

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use clap::{ColorChoice, ValueEnum};
use textwrap::{Options, WordSeparator, WordSplitter, fill};

use crate::util::lock;
use crate::util::sanitize::{line, lines};

/// Characters of an error message, parts of which may come from a file.
pub const LONGEST_MESSAGE: usize = 4_000;
/// The start of an error.
const ERROR: Style = AnsiColor::Red.on_default().bold();
/// The start of a warning.
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

// --- Writing ---

/// One of the two standard streams for text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OutputStream {
    Stdout,
    Stderr,
}

impl OutputStream {
    fn is_terminal(self) -> bool {
        match self {
            Self::Stdout => io::stdout().is_terminal(),
            Self::Stderr => io::stderr().is_terminal(),
        }
    }

    /// Writes text at once.
    fn write(self, text: &[u8]) -> io::Result<()> {
        fn all(mut to: impl Write, text: &[u8]) -> io::Result<()> {
            to.write_all(text)?;
            to.flush()
        }
        match self {
            Self::Stdout => all(io::stdout().lock(), text),
            Self::Stderr => all(AutoStream::auto(io::stderr().lock()), text),
        }
    }

    /// Writes text, or defers it while a screen is drawn on the terminal.
    fn write_or_defer(self, text: String) -> io::Result<()> {
        let mut deferred = lock(&DEFERRED);
        if deferred.is_deferring && self.is_terminal() {
            deferred.texts.push((self, text));
            return Ok(());
        }
        drop(deferred);
        self.write(text.as_bytes())
    }
}

/// Writes to stdout. False once the reader of a pipe has closed it; the text is then discarded.
///
/// # Errors
/// Any other error of the system.
pub fn print(text: &str) -> io::Result<bool> {
    is_read(OutputStream::Stdout.write_or_defer(lines(text)))
}

/// Writes bytes for another program to stdout, unchanged. False once the reader of a pipe has closed it.
///
/// # Errors
/// Any other error of the system.
pub fn print_unchanged(bytes: &[u8]) -> io::Result<bool> {
    is_read(OutputStream::Stdout.write(bytes))
}

/// False where a pipe was closed by its reader.
fn is_read(written: io::Result<()>) -> io::Result<bool> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        written => written.map(|()| true),
    }
}

/// Writes lines to stderr, wrapped between words. An error is ignored: there is no other place to report it.
pub fn print_aside(text: &str) {
    let _ = OutputStream::Stderr.write_or_defer(fitted(&lines(text), 0) + "\n");
}

/// Writes a line to stderr, `text` after a coloured `start`.
fn print_marked(style: Style, start: &str, text: &str) {
    let text = fitted(text, start.len() + 1);
    let _ = OutputStream::Stderr.write_or_defer(format!("{style}{start}{style:#} {text}\n"));
}

/// Prints an error and its causes on one line of stderr.
pub fn print_error(error: &anyhow::Error) {
    print_marked(ERROR, "evodoku:", &line(&format!("{error:#}"), LONGEST_MESSAGE));
}

/// Messages on stderr, as `--quiet` and `--verbose` allow them.
#[derive(Clone, Copy, Debug)]
pub struct Logger {
    /// Whether nothing is written but errors.
    pub quiet: bool,
    /// Whether details are written too.
    pub verbose: bool,
}

impl Logger {
    /// Writes nothing.
    pub const NONE: Self = Self { quiet: true, verbose: false };

    /// Writes a message that is neither a result nor an error.
    pub fn say(&self, remark: &str) {
        if !self.quiet {
            print_aside(remark);
        }
    }

    /// Writes a message for `--verbose`.
    pub fn detail(&self, remark: &str) {
        if self.verbose {
            self.say(remark);
        }
    }

    /// Writes a warning: something may be wrong, but the command continues.
    pub fn warn(&self, warning: &str) {
        if !self.quiet {
            print_marked(WARNING, "warning:", &lines(warning));
        }
    }
}

// --- Colour ---

/// The value of `--color`, before the arguments are parsed: help and usage errors are coloured too.
pub fn requested_color(arguments: &[OsString]) -> ColorChoice {
    let words: Vec<&str> = arguments.iter().filter_map(|word| word.to_str()).collect();
    let after = |at: usize| words.get(at + 1).copied();
    let values = words.iter().enumerate().filter_map(|(at, word)| match *word {
        "--color" => after(at),
        other => other.strip_prefix("--color="),
    });
    let mut choices = values.filter_map(|value| ColorChoice::from_str(value, false).ok());
    choices.next_back().unwrap_or(ColorChoice::Auto)
}

/// Sets whether all further text is coloured.
pub fn set_color(choice: ColorChoice) {
    match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Whether text on stderr is coloured.
pub fn is_stderr_colored() -> bool {
    AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never
}

// --- Deferred text ---

/// Text that waits until the screen is closed. Text for a file or a pipe does not wait.
#[derive(Default)]
struct DeferredOutput {
    is_deferring: bool,
    texts: Vec<(OutputStream, String)>,
}

static DEFERRED: Mutex<DeferredOutput> =
    Mutex::new(DeferredOutput { is_deferring: false, texts: Vec::new() });

/// Defers text for the terminal from now on.
pub fn defer_output() {
    lock(&DEFERRED).is_deferring = true;
}

/// Writes the text that waits, in its order, and defers no more.
pub fn release_output() {
    for (stream, text) in mem::take(&mut *lock(&DEFERRED)).texts {
        // If the terminal is gone there is no place to report it.
        let _ = stream.write(text.as_bytes());
    }
}

// --- Line breaks ---

/// The narrowest column of words in a table, and the narrowest terminal on which sentences are wrapped.
pub const WORDS: usize = 24;

/// The width that text on stdout has to fit, if there is a limit.
pub fn width() -> Option<usize> {
    let given = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let seen = || columns(&io::stdout());
    given.or_else(seen).filter(|width| *width > 0)
}

/// The columns of a terminal, also of one that does not tell its rows; nothing for anything else.
#[cfg(unix)]
fn columns(stream: &(impl IsTerminal + std::os::fd::AsFd)) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(stream).ok().filter(|_| stream.is_terminal());
    size.map(|size| size.ws_col.into())
}

#[cfg(not(unix))]
fn columns(stream: &(impl IsTerminal + std::os::windows::io::AsHandle)) -> Option<usize> {
    let size = terminal_size::terminal_size_of(stream).filter(|_| stream.is_terminal());
    size.map(|(width, _)| width.0.into())
}

/// Lines wrapped between words to the width of stderr, if it is a terminal on which sentences have room. A
/// continued line is indented like its first line and two columns more. The first line starts at column `after`.
fn fitted(text: &str, after: usize) -> String {
    let stderr = io::stderr();
    let width = columns(&stderr).filter(|width| *width >= WORDS);
    width.map_or_else(|| text.to_owned(), |width| within(text, width, after))
}

fn within(text: &str, width: usize, after: usize) -> String {
    let broken = |(number, line): (usize, &str)| {
        let words = line.trim_start();
        let own = &line[..line.len() - words.len()];
        let further = format!("{own}  ");
        let start = if number == 0 { after } else { 0 };
        let before = " ".repeat(start) + own;
        if words.is_empty() {
            return line.to_owned();
        }
        let options = plain_options(width).initial_indent(&before).subsequent_indent(&further);
        fill(words, options).split_off(start)
    };
    text.split('\n').enumerate().map(broken).collect::<Vec<_>>().join("\n")
}

/// Names with hyphens stay whole, so that they can be searched for.
fn plain_options<'a>(width: usize) -> Options<'a> {
    Options::new(width)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false)
}

/// A paragraph wrapped to the width of stdout, at most 96 columns, each line after `indent`.
pub fn wrapped(paragraph: &str, indent: &str) -> String {
    const WIDTH: usize = 96;
    let options = plain_options(width().map_or(WIDTH, |width| width.min(WIDTH)))
        .initial_indent(indent)
        .subsequent_indent(indent);
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    fill(&words.join(" "), options) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_broken_between_words() {
        let text = "name: the budget of generations is spent\n  3 generations, work 1,074\n\nend";
        assert_eq!(
            within(text, 24, 0),
            "name: the budget of\n  generations is spent\n  3 generations, work\n    1,074\n\nend"
        );
        assert_eq!(within(text, 80, 0), text);
        // As after `warning: `.
        assert_eq!(within("one two three", 14, 9), "one\n  two three");
        let path = "/a/path/that/is/longer/than-the-terminal.json is gone";
        assert_eq!(within(path, 20, 0), "/a/path/that/is/longer/than-the-terminal.json\n  is gone");
    }

    #[test]
    fn the_last_color_flag_counts() {
        let requested =
            |line: &str| requested_color(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(requested("evodoku solve x"), ColorChoice::Auto);
        assert_eq!(requested("evodoku --color never solve x"), ColorChoice::Never);
        assert_eq!(requested("evodoku --color=never solve --color=always"), ColorChoice::Always);
        assert_eq!(requested("evodoku --color red"), ColorChoice::Auto);
    }
}
