//! stdout and stderr, on which a closed pipe is no error. What a terminal would obey is written out.

use std::io::{self, IsTerminal, Write};

use textwrap::{Options, WordSeparator, WordSplitter, fill};

use super::color;
use super::deferred_output::{self, OutputStream};
use super::table::{WORDS, aside_width, width};
use crate::util::sanitize::lines;

/// Writes to stdout, and tells whether anybody reads it. What nobody does is thrown away.
///
/// # Errors
/// Everything else that the system says.
pub fn print(text: &str) -> io::Result<bool> {
    let Some(text) = deferred_output::keep(OutputStream::Out, lines(text)) else { return Ok(true) };
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

/// Writes lines to stderr, by words where a terminal is narrower. When nobody reads them, there is nobody
/// to tell.
pub fn print_aside(text: &str) {
    if let Some(text) = deferred_output::keep(OutputStream::Aside, fitted(&lines(text), 0) + "\n") {
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

/// Remarks on stderr, unless the user wants none.
#[derive(Clone, Copy, Debug)]
pub struct Logger {
    /// Whether nothing is said.
    pub quiet: bool,
    /// Whether more is said than what matters to most.
    pub verbose: bool,
}

impl Logger {
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
            color::write_aside(color::WARNING, "warning:", &lines(warning));
        }
    }
}

/// Lines as they fit the terminal that stderr is, broken between words; each goes on as far in as it began,
/// and a little more. The first begins `after` so many columns. What is no terminal gets them as they are.
pub fn fitted(text: &str, after: usize) -> String {
    match aside_width() {
        Some(width) => within(text, width, after),
        None => text.to_owned(),
    }
}

/// The same of the terminal that stdout is.
pub fn fitted_out(text: &str) -> String {
    match width().filter(|width| *width >= WORDS && io::stdout().is_terminal()) {
        Some(width) => within(text, width, 0),
        None => text.to_owned(),
    }
}

fn within(text: &str, width: usize, after: usize) -> String {
    let broken = |(number, line): (usize, &str)| {
        let words = line.trim_start();
        let own = &line[..line.len() - words.len()];
        let further = format!("{own}  ");
        let before = if number == 0 { " ".repeat(after) + own } else { own.to_owned() };
        let options = plain_options(width).initial_indent(&before).subsequent_indent(&further);
        if words.is_empty() {
            return line.to_owned();
        }
        let filled = fill(words, options);
        let start = if number == 0 { after } else { 0 };
        filled.get(start..).unwrap_or(&filled).to_owned()
    };
    text.split('\n').enumerate().map(broken).collect::<Vec<_>>().join("\n")
}

/// Names with hyphens are looked up, and stay whole.
fn plain_options<'a>(width: usize) -> Options<'a> {
    Options::new(width)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false)
}

/// A paragraph in lines that fit the terminal, of at most 96 columns, each after `indent`.
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
    use super::within;

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
}
