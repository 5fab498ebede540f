//! `evodoku completions`: what a shell completes commands, flags and names with.
//!
//! Closed lists are what the flags themselves know (`known.rs`). Here some more is suggested where
//! anything else may stand as well: shipped puzzles beside files, shapes of boxes, and parameters before their
//! values.

use std::ffi::OsString;
use std::path::Path;

use anyhow::Result;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command, CommandFactory, ValueHint};
use clap_complete::{Shell, generate};

use super::output::print_script;
use super::{Cli, Exit};
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
    pub fn run(self) -> Result<Exit> {
        let name = called();
        let mut command = suggesting(Cli::command());
        let mut script = Vec::new();
        generate(self.shell, &mut command, &name, &mut script);
        let script = String::from_utf8(script)?;
        let script = match self.shell {
            Shell::Zsh => zsh(&script),
            Shell::Fish => fish(&script, &command, &name),
            _ => script,
        };
        print_script(script.as_bytes())?;
        Ok(Exit::Done)
    }
}

/// What the program is called here.
fn called() -> String {
    let path = std::env::args_os().next().unwrap_or_else(|| OsString::from("evodoku"));
    let stem = Path::new(&path).file_stem().and_then(|stem| stem.to_str());
    stem.unwrap_or("evodoku").to_owned()
}

/// The command, with suggestions for what is no closed list.
fn suggesting(command: Command) -> Command {
    command.mut_args(suggested).mut_subcommands(suggesting)
}

fn suggested(argument: Arg) -> Arg {
    let name = argument.get_value_names().and_then(|names| names.first());
    match name.map(|name| name.as_str()) {
        Some("PUZZLE") => argument.value_hint(ValueHint::AnyPath).value_parser(puzzles()),
        Some("NAME=VALUE" | "NAME=VALUE,...") => argument.value_parser(parameters()),
        Some("RxC") => argument.value_parser(PossibleValuesParser::new(SHAPES)),
        _ if argument.get_value_hint() == ValueHint::AnyPath => {
            argument.value_hint(ValueHint::FilePath)
        }
        _ => argument,
    }
}

fn puzzles() -> PossibleValuesParser {
    PossibleValuesParser::new(shipped().map(|puzzle| puzzle.name))
}

/// What is set: a parameter, whose value follows.
fn parameters() -> PossibleValuesParser {
    // Names that clap knows live as long as the program, which ends with this script.
    let begun = |parameter: &Parameter| -> &'static str {
        Box::leak(format!("{}=", parameter.name).into_boxed_str())
    };
    PossibleValuesParser::new(Config::PARAMETERS.iter().map(begun))
}

/// Where zsh completes puzzles alone, files as well.
fn zsh(script: &str) -> String {
    let names: Vec<&str> = shipped().map(|puzzle| puzzle.name).collect();
    let names = names.join(" ");
    let both = format!("'puzzles:shipped puzzle:({names})' 'files:file:_files'");
    let both = format!("_evodoku_puzzles() {{\n    _alternative {both}\n}}\n\n");
    let script = script.replace(&format!(":({names})'"), ":_evodoku_puzzles'");
    // The script ends by calling or registering what it defined; its first line names the command.
    match script.split_once('\n') {
        Some((head, rest)) => format!("{head}\n\n{both}{rest}"),
        None => script,
    }
}

/// Where fish completes puzzles alone, files as well; and what stands without a flag.
fn fish(script: &str, command: &Command, name: &str) -> String {
    let alone: Vec<String> = shipped().map(|puzzle| format!("{}\\t''", puzzle.name)).collect();
    let alone = format!(" -r -f -a \"{}\"", alone.join("\n"));
    let mut script = script.replace(&alone, &alone.replace(" -f ", " -F "));
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
