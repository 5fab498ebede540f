//! `evodoku completions`: what a shell completes commands and flags with.

use std::ffi::OsString;
use std::path::Path;

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use super::output::print_script;
use super::{Cli, Exit};

/// Print a script that completes commands and flags in a shell
///
/// For this session: source <(evodoku completions bash) in bash and zsh, evodoku completions fish |
/// source in fish. For good: write it to the shell's folder of completions, as in
/// ~/.local/share/bash-completion/completions/evodoku, ~/.config/fish/completions/evodoku.fish, or
/// _evodoku in a folder of zsh's fpath.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub fn run(self) -> Result<Exit> {
        let mut script = Vec::new();
        generate(self.shell, &mut Cli::command(), called(), &mut script);
        print_script(&script)?;
        Ok(Exit::Done)
    }
}

/// What the program is called here.
fn called() -> String {
    let path = std::env::args_os().next().unwrap_or_else(|| OsString::from("evodoku"));
    let stem = Path::new(&path).file_stem().and_then(|stem| stem.to_str());
    stem.unwrap_or("evodoku").to_owned()
}
