//! `evodoku manual`: the manual pages, made of what `--help` says.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, CommandFactory, ValueHint};
use clap_mangen::Man;

use super::output::print_script;
use super::{Cli, Exit};

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
    pub fn run(self) -> Result<Exit> {
        // `help` says what the pages say.
        let command = Cli::command().disable_help_subcommand(true);
        let Some(folder) = self.to else {
            let mut page = Vec::new();
            Man::new(command).render(&mut page)?;
            print_script(&page)?;
            return Ok(Exit::Done);
        };
        let written =
            fs::create_dir_all(&folder).and_then(|()| clap_mangen::generate_to(command, &folder));
        written.with_context(|| format!("cannot write to {}", folder.display()))?;
        Ok(Exit::Done)
    }
}
