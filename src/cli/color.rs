//! Whether text is coloured: decided here, for errors, warnings and help alike.
//!
//! `--color` decides where it is `always` or `never`. Where it is `auto`, `NO_COLOR` forbids colour, then
//! `CLICOLOR_FORCE` asks for it, and else a terminal has it and a pipe has none.
//!
//! Source of the variables: <https://no-color.org>, <https://bixense.com/clicolors>.

use std::ffi::OsString;
use std::io::{self, StderrLock, Write};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use clap::{ColorChoice, ValueEnum};

use super::deferred_output::{self, OutputStream};
use super::output::fitted;

/// How an error begins.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// How a warning begins.
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// What `--color` says, before it is known whether the arguments are right: help and usage errors are
/// coloured too.
pub fn asked(arguments: &[OsString]) -> ColorChoice {
    let words: Vec<&str> = arguments.iter().filter_map(|word| word.to_str()).collect();
    let after = |at: usize| words.get(at + 1).copied().unwrap_or_default();
    let values = words.iter().enumerate().filter_map(|(at, word)| match *word {
        "--color" => Some(after(at)),
        other => other.strip_prefix("--color="),
    });
    let known = |value: &str| ColorChoice::from_str(value, false).ok();
    values.filter_map(known).next_back().unwrap_or(ColorChoice::Auto)
}

/// From now on all text is coloured as `choice` says.
pub fn decide(choice: ColorChoice) {
    match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Writes a line to stderr, `text` after a coloured `start`. When nobody reads it, there is nobody to tell.
pub fn write_aside(style: Style, start: &str, text: &str) {
    let text = fitted(text, start.len() + 1);
    if let Some(text) =
        deferred_output::keep(OutputStream::Aside, format!("{style}{start}{style:#} {text}\n"))
    {
        let _ = stderr().write_all(text.as_bytes());
    }
}

/// Whether what is drawn on stderr is coloured.
pub fn is_wanted() -> bool {
    AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never
}

/// stderr, coloured or not.
pub fn stderr() -> AutoStream<StderrLock<'static>> {
    AutoStream::auto(io::stderr().lock())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_on_colour_counts() {
        let asked = |line: &str| asked(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(asked("evodoku solve x"), ColorChoice::Auto);
        assert_eq!(asked("evodoku --color never solve x"), ColorChoice::Never);
        assert_eq!(asked("evodoku --color=never solve --color=always"), ColorChoice::Always);
        assert_eq!(asked("evodoku --color red"), ColorChoice::Auto);
    }
}
