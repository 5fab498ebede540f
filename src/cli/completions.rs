//! `evodoku completions`: scripts by which a shell completes commands, flags and names; and
//! `evodoku manual`: manual pages, made of the text of `--help`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Command, ValueHint};
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use super::exit::Exit;
use super::output::print_unchanged;

/// Print a script that completes commands, flags, names and files in a shell
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
    pub fn run(self, mut command: Command) -> Result<Exit> {
        let mut script = Vec::new();
        generate(self.shell, &mut command, "evodoku", &mut script);
        print_unchanged(&script)?;
        Ok(Exit::Done)
    }
}

/// Print the manual page, or write the pages of all commands
///
/// To read one: evodoku manual | man -l -. To install them: evodoku manual --to
/// ~/.local/share/man/man1.
#[derive(Debug, Args)]
pub struct Manual {
    /// Write evodoku.1 and a page for each command to this folder, which is made if it is not there
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    to: Option<PathBuf>,
}

impl Manual {
    pub fn run(self, command: Command) -> Result<Exit> {
        // The page of `help` would repeat the others.
        let command = command.disable_help_subcommand(true);
        let Some(folder) = self.to else {
            let mut page = Vec::new();
            Man::new(command).render(&mut page)?;
            print_unchanged(&page)?;
            return Ok(Exit::Done);
        };
        let written =
            fs::create_dir_all(&folder).and_then(|()| clap_mangen::generate_to(command, &folder));
        written.with_context(|| format!("cannot write to {}", folder.display()))?;
        Ok(Exit::Done)
    }
}
