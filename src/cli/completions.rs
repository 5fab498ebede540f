//! `evodoku completions`: scripts by which a shell completes commands, flags and names; and
//! `evodoku manual`: manual pages, made of the text of `--help`.
//!
//! Closed lists of names come from the value parsers of the flags. Here suggestions are added for values
//! that may be something else too: shipped puzzles besides files, shapes of boxes, and names of parameters.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command, ValueHint};
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use super::exit::Exit;
use super::output::print_script;
use crate::format::shipped;
use crate::ga::{Config, Parameter};

/// Boxes that are squares, or nearest to one.
const SHAPES: [&str; 13] =
    ["2x2", "2x3", "3x3", "3x4", "4x4", "4x5", "5x5", "5x6", "6x6", "6x7", "7x7", "7x8", "8x8"];

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
    pub fn run(self, command: Command) -> Result<Exit> {
        let path = std::env::args_os().next().unwrap_or_else(|| OsString::from("evodoku"));
        let name = Path::new(&path).file_stem().and_then(|stem| stem.to_str()).unwrap_or("evodoku");
        let mut command = with_suggestions(command);
        let mut script = Vec::new();
        generate(self.shell, &mut command, name, &mut script);
        let script = String::from_utf8(script)?;
        let script = match self.shell {
            Shell::Zsh => zsh(&script),
            Shell::Fish => fish(&script, &command, name),
            _ => script,
        };
        print_script(script.as_bytes())?;
        Ok(Exit::Done)
    }
}

/// The command, with suggestions for values of open lists.
fn with_suggestions(command: Command) -> Command {
    command.mut_args(with_suggestion).mut_subcommands(with_suggestions)
}

fn with_suggestion(argument: Arg) -> Arg {
    let name = argument.get_value_names().and_then(|names| names.first());
    match name.map(|name| name.as_str()) {
        Some("PUZZLE") => argument
            .value_hint(ValueHint::AnyPath)
            .value_parser(PossibleValuesParser::new(shipped().map(|puzzle| puzzle.name))),
        Some("NAME=VALUE" | "NAME=VALUE,...") => {
            // Names that clap takes live as long as the program, which ends with this script.
            let start =
                |parameter: &Parameter| -> &'static str { format!("{}=", parameter.name).leak() };
            argument.value_parser(PossibleValuesParser::new(Config::PARAMETERS.iter().map(start)))
        }
        Some("RxC") => argument.value_parser(PossibleValuesParser::new(SHAPES)),
        _ if argument.get_value_hint() == ValueHint::AnyPath => {
            argument.value_hint(ValueHint::FilePath)
        }
        _ => argument,
    }
}

/// Adds files where zsh would complete only puzzles.
fn zsh(script: &str) -> String {
    let names = shipped().map(|puzzle| puzzle.name).collect::<Vec<_>>().join(" ");
    let both = format!("'puzzles:shipped puzzle:({names})' 'files:file:_files'");
    let both = format!("_evodoku_puzzles() {{\n    _alternative {both}\n}}\n\n");
    let script = script.replace(&format!(":({names})'"), ":_evodoku_puzzles'");
    // The first line of the script names the command.
    match script.split_once('\n') {
        Some((head, rest)) => format!("{head}\n\n{both}{rest}"),
        None => script,
    }
}

/// Adds files where fish would complete only puzzles, and the arguments without a flag.
fn fish(script: &str, command: &Command, name: &str) -> String {
    let puzzles: Vec<String> = shipped().map(|puzzle| format!("{}\\t''", puzzle.name)).collect();
    let puzzles = format!(" -r -f -a \"{}\"", puzzles.join("\n"));
    let mut script = script.replace(&puzzles, &puzzles.replace(" -f ", " -F "));
    for subcommand in command.get_subcommands() {
        for argument in subcommand.get_positionals() {
            let values = argument.get_possible_values();
            let values: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
            if values.is_empty() {
                continue;
            }
            let files = if argument.get_value_hint() == ValueHint::AnyPath { "" } else { " -f" };
            script += &format!(
                "complete -c {name} -n \"__fish_{}_using_subcommand {}\"{files} -a \"{}\"\n",
                name.replace('-', "_"),
                subcommand.get_name(),
                values.join(" ")
            );
        }
    }
    script
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
            print_script(&page)?;
            return Ok(Exit::Done);
        };
        let written =
            fs::create_dir_all(&folder).and_then(|()| clap_mangen::generate_to(command, &folder));
        written.with_context(|| format!("cannot write to {}", folder.display()))?;
        Ok(Exit::Done)
    }
}
