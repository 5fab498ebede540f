//! stdout and stderr, on which a closed pipe is no error. What a terminal would obey is written out.

use std::io::{self, Write};

use comfy_table::Table;
use textwrap::{Options, WordSeparator, WordSplitter, fill};

use super::held::{self, Sink};
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

/// Writes lines to stderr. When nobody reads them, there is nobody to tell.
pub fn print_aside(text: &str) {
    if let Some(text) = held::keep(Sink::Aside, lines(text) + "\n") {
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

/// A table without lines but one under its header, so that it reads well and cuts well.
pub fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset("     --            ").set_header(header);
    table
}

/// Remarks on stderr, unless the user wants none.
#[derive(Clone, Copy, Debug)]
pub struct Notes {
    /// Whether nothing is said.
    pub quiet: bool,
}

impl Notes {
    /// Says something that is neither a result nor an error.
    pub fn say(&self, remark: &str) {
        if !self.quiet {
            print_aside(remark);
        }
    }
}

/// A paragraph in lines of at most 96 columns, each after `indent`.
pub fn wrapped(paragraph: &str, indent: &str) -> String {
    const WIDTH: usize = 96;
    // Names with hyphens are looked up, and stay whole.
    let options = Options::new(WIDTH)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false)
        .initial_indent(indent)
        .subsequent_indent(indent);
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    fill(&words.join(" "), options) + "\n"
}
