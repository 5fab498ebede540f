//! What the command says about itself: examples, groups of commands, hints for flags and commands of other
//! names; `evodoku completions` and `evodoku manual`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Command, Error, ValueHint};
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::exit::Exit;
use super::output::print_unchanged;
use crate::format;
use crate::ga::{Config, Preset};
use crate::report::OutputFile;

/// Examples of every command: `[command]`, then what an example does, and below it the command line.
const EXAMPLES: &str = include_str!("examples.txt");

/// The groups in which `--help` lists the commands.
const GROUPS: [(&str, &[&str]); 3] = [
    ("Evolve", &["solve", "experiment", "tune", "play", "presets"]),
    ("Puzzles", &["puzzles", "check", "verify", "generate", "convert"]),
    ("Machine", &["devices", "compare", "bench", "completions", "manual"]),
];

/// The headings under which `--help` lists flags of commands that have many.
const HEADINGS: [(&str, &str); 9] = [
    ("Puzzles", "puzzle box alphabet check-unique dig step until"),
    ("Algorithm", "preset population populations presolve set config"),
    ("Budget", "max-generations max-work time-limit time-budget"),
    (
        "Runs",
        "seed runs rounds generations seeds first-seed first-seeds only shard incomplete skip-unfit",
    ),
    ("Where it runs", "on threads jobs simd chunk replay"),
    ("Watching", "watch slow record"),
    ("Checkpoints", "checkpoint journal resume checkpoint-every overwrite"),
    ("Output", "what format trace init compare plot report"),
    ("Messages", "verbose quiet color help version"),
];

/// The flags that `-h` lists, of commands that have many.
const MAIN: [(&str, &str); 3] = [
    ("evodoku", "verbose help"),
    (
        "solve",
        "preset population presolve set max-generations max-work on seed runs watch checkpoint report verbose help",
    ),
    (
        "experiment",
        "init puzzle preset set seeds on resume compare export-csv export-json plot report verbose help",
    ),
];

/// Flags that other programs have, and what they are called here.
const OTHER_NAMES: [(&str, &str); 13] = [
    ("--runs", "--seeds N"),
    ("--seeds", "--runs N, and --seed S for the first run"),
    ("--max-evaluations", "--max-work N, which counts evaluations plus moves"),
    ("--budget", "--max-generations N, --max-work N or --time-limit TIME"),
    ("--algorithm", "--preset NAME"),
    ("--generations", "--max-generations N"),
    ("--iterations", "--max-generations N"),
    ("--pop-size", "--population N"),
    ("--timeout", "--time-limit TIME"),
    ("--gpu", "--on gpu"),
    ("--cpu", "--on cpu"),
    ("--output", "--export-csv, --export-json or --report FILE"),
    ("--json", "--export-json FILE"),
];

/// The lines of a command's examples: what an example does, and its command lines, which are indented.
fn examples(name: &str) -> impl Iterator<Item = &'static str> {
    let head = format!("[{name}]");
    let lines = EXAMPLES.lines().skip_while(move |line| *line != head).skip(1);
    lines.take_while(|line| !line.is_empty())
}

/// The command with its groups and examples, as `--help` shows them.
pub fn with_help(command: Command) -> Command {
    let header = *command.get_styles().get_header();
    let title = |text: &str| format!("{header}{text}:{header:#}\n");
    let literal = *command.get_styles().get_literal();
    let mut groups = String::new();
    for (group, names) in GROUPS {
        groups += &title(group);
        for command in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            groups += &format!("  {literal}{:<11}{literal:#}  {about}\n", command.get_name());
        }
        groups.push('\n');
    }
    let examples = move |name: &str| {
        let lines = examples(name).map(|line| format!("\n  {line}"));
        format!("{header}Examples:{header:#}{}", lines.collect::<String>())
    };
    let messages = title("Messages");
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{messages}{{options}}{{after-help}}"
    );
    let dress = move |command: Command| {
        let of = examples(command.get_name());
        with_headings(command).after_help(of)
    };
    dress(command)
        .help_template(template)
        .mut_subcommands(move |command| dress(command).mut_subcommands(dress))
}

/// The command with its flags under headings. Descriptions name the possible values.
fn with_headings(command: Command) -> Command {
    let are_many = command.get_arguments().count() > 10;
    let main = MAIN.iter().find(|(name, _)| *name == command.get_name());
    command.mut_args(move |argument| {
        let takes_values = argument.get_action().takes_values();
        let argument = argument.hide_possible_values(takes_values);
        let Some(name) = argument.get_long().map(str::to_owned) else { return argument };
        let has = |flags: &str| flags.split(' ').any(|flag| flag == name);
        let is_listed = |heading: &str| are_many || heading == "Messages";
        let heading = HEADINGS.iter().find(|(heading, flags)| is_listed(heading) && has(flags));
        let other = if are_many && name.starts_with("export-") { "Output" } else { "Options" };
        let heading = heading.map_or(other, |(heading, _)| *heading);
        argument.help_heading(heading).hide_short_help(main.is_some_and(|(_, flags)| !has(flags)))
    })
}

/// What to do instead of the arguments that were refused, where they have another name here.
pub fn hint(refused: &Error, words: &[OsString]) -> Option<String> {
    let given = |kind| match refused.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let command =
        words.iter().skip(1).find_map(|word| word.to_str().filter(|w| !w.starts_with('-')));
    match refused.kind() {
        ErrorKind::UnknownArgument => {
            let flag = given(ContextKind::InvalidArg)?;
            let is_run = matches!(command, Some("solve" | "experiment"));
            if let Some((_, here)) = OTHER_NAMES.iter().find(|(name, _)| is_run && *name == flag) {
                return Some(format!("there is no {flag}: use {here}"));
            }
            if let Some(name) = flag.strip_prefix("--").filter(|_| is_run)
                && let Ok(parameter) = Config::parameter(name)
            {
                let name = parameter.name;
                return Some(format!(
                    "{flag} is a parameter of the algorithm: use --set {name}=VALUE"
                ));
            }
            let of_presets = words.iter().filter_map(|word| word.to_str()?.parse::<Preset>().ok());
            let presets: Vec<_> = of_presets.map(Preset::name).collect();
            (command == Some("compare") && !presets.is_empty()).then(|| {
                let presets = presets.join(" ");
                format!(
                    "compare checks a GPU against the CPU; to compare algorithms: evodoku experiment --puzzle \
                     ai-escargot --preset {presets} --compare method"
                )
            })
        }
        ErrorKind::InvalidSubcommand => {
            let name = given(ContextKind::InvalidSubcommand)?;
            let what = match name.parse::<Preset>() {
                Ok(_) => "presets",
                // `-` would wait for standard input.
                Err(_) if name != "-" && format::load(name, None).is_ok() => "solve",
                Err(_) => return None,
            };
            Some(format!("there is no command {name}: use evodoku {what} {name}"))
        }
        ErrorKind::ArgumentConflict if given(ContextKind::InvalidArg) == Some("--init") => {
            Some("--init prints a spec: write it to a file with --init > spec.toml".to_owned())
        }
        ErrorKind::MissingRequiredArgument if command == Some("experiment") => {
            let Some(ContextValue::Strings(missing)) = refused.get(ContextKind::InvalidArg) else {
                return None;
            };
            let text = "name a spec (experiment --init prints one), or puzzles with --puzzle";
            missing.iter().any(|name| name == "<SPEC.toml>").then(|| text.to_owned())
        }
        _ => None,
    }
}

// --- Completions and manual pages ---

/// Print completions for a shell
///
/// To keep the completions, write them to ~/.local/share/bash-completion/completions/evodoku (bash),
/// ~/.config/fish/completions/evodoku.fish (fish), or a file _evodoku in a folder of fpath (zsh).
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell: bash, elvish, fish, powershell or zsh
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

/// Print a manual page, or write a page for each command
#[derive(Debug, Args)]
pub struct Manual {
    /// Command whose page is printed (default: evodoku itself)
    name: Option<String>,
    /// Write evodoku.1 and a page for each command to this folder
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, conflicts_with = "name")]
    to: Option<PathBuf>,
}

impl Manual {
    pub fn run(self, command: Command) -> Result<Exit> {
        // The page of `help` would repeat the others.
        let mut command = command.disable_help_subcommand(true);
        command.build();
        let Some(folder) = self.to else {
            let name = self.name.as_deref();
            let found = name.map_or(Some(&command), |name| command.find_subcommand(name));
            let found = found
                .with_context(|| format!("there is no command {}", name.unwrap_or_default()))?;
            print_unchanged(page(found)?.as_bytes())?;
            return Ok(Exit::Done);
        };
        let made = fs::create_dir_all(&folder);
        made.with_context(|| format!("cannot write to {}", folder.display()))?;
        write_pages(&command, &folder)?;
        Ok(Exit::Done)
    }
}

/// Writes the pages of a command and of those below it.
fn write_pages(command: &Command, folder: &Path) -> Result<()> {
    let file = Man::new(command.clone()).get_filename();
    OutputFile::new(&folder.join(file))?.replace(page(command)?.as_bytes())?;
    command.get_subcommands().try_for_each(|below| write_pages(below, folder))
}

/// The manual page of a command, with its examples before the version.
fn page(command: &Command) -> Result<String> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    let page = String::from_utf8(page)?;
    let mut roff = Roff::new();
    roff.control("SH", ["EXAMPLES"]);
    for line in examples(command.get_name()) {
        match line.strip_prefix("  ") {
            None => roff.control("PP", []).text([roman(line)]),
            Some(line) => roff.control("RS", []).text([roman(line)]).control("RE", []),
        };
    }
    let (before, after) = page.split_at(page.find(".SH VERSION\n").unwrap_or(page.len()));
    Ok(format!("{before}{}{after}", roff.to_roff()))
}
