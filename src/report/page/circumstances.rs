//! Where a page was written, and by what command.

use std::env;
use std::ffi::OsString;
use std::path::Path;

use crate::report::Machine;

/// The command line, and the machine.
#[derive(Clone, Debug, Default)]
pub(in crate::report) struct Circumstances {
    /// As a shell would read it.
    pub command: String,
    /// Processor and memory.
    pub machine: Machine,
}

impl Circumstances {
    /// Of this process.
    pub fn here() -> Self {
        Self { command: command(env::args_os()), machine: Machine::here() }
    }
}

/// The words of a command line, quoted where a shell needs that.
fn command(mut words: impl Iterator<Item = OsString>) -> String {
    let program = words.next().unwrap_or_default();
    let program = Path::new(&program).file_name().unwrap_or_default().to_os_string();
    let words = [program].into_iter().chain(words);
    let words: Vec<String> = words.map(|word| quoted(&word.to_string_lossy())).collect();
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=./:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_can_be_typed_again() {
        let words = ["/usr/bin/evodoku", "solve", "it's.txt", "", "a b", "--set=x=1,2"];
        let told = command(words.into_iter().map(OsString::from));
        assert_eq!(told, r"evodoku solve 'it'\''s.txt' '' 'a b' --set=x=1,2");
    }
}
