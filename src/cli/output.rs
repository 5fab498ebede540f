//! stdout and stderr, on which a closed pipe is no error. What a terminal would obey is written out.

use std::io::{self, Write};

use textwrap::{Options, WordSeparator, WordSplitter, fill};

use super::color;
use super::held::{self, Sink};
use super::table::width;
use crate::plain::lines;

/// Writes to stdout, and tells whether anybody reads it. What nobody does is thrown away.
///
/// # Errors
/// Everything else that the system says.
pub fn print(text: &str) -> io::Result<bool> {
    let Some(text) = held::keep(Sink::Out, lines(text)) else { return Ok(true) };
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        written => written.map(|()| true),
    }
}

/// Writes what another program reads to stdout, as it is.
///
/// # Errors
/// What the system says, unless nobody reads it any more.
pub fn print_script(script: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(script).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

/// Writes lines to stderr. When nobody reads them, there is nobody to tell.
pub fn print_aside(text: &str) {
    if let Some(text) = held::keep(Sink::Aside, lines(text) + "\n") {
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

/// Remarks on stderr, unless the user wants none.
#[derive(Clone, Copy, Debug)]
pub struct Notes {
    /// Whether nothing is said.
    pub quiet: bool,
    /// Whether more is said than what matters to most.
    pub verbose: bool,
}

impl Notes {
    /// Says nothing at all.
    pub const NONE: Self = Self { quiet: true, verbose: false };

    /// Says something that is neither a result nor an error.
    pub fn say(&self, remark: &str) {
        if !self.quiet {
            print_aside(remark);
        }
    }

    /// Says what only some want to know.
    pub fn detail(&self, remark: &str) {
        if self.verbose {
            self.say(remark);
        }
    }

    /// Says what may be wrong, although it goes on.
    pub fn warn(&self, warning: &str) {
        if !self.quiet {
            color::write_aside(color::WARNING, "warning:", &format!(" {}\n", lines(warning)));
        }
    }
}

/// A paragraph in lines that fit the terminal, of at most 96 columns, each after `indent`.
pub fn wrapped(paragraph: &str, indent: &str) -> String {
    const WIDTH: usize = 96;
    // Names with hyphens are looked up, and stay whole.
    let options = Options::new(width().map_or(WIDTH, |width| width.min(WIDTH)))
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false)
        .initial_indent(indent)
        .subsequent_indent(indent);
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    fill(&words.join(" "), options) + "\n"
}
