//! The documents: every command in them works, every link leads somewhere, and what is generated from the
//! parser is what the parser says.
//!
//! Commands of ```` ```console ```` blocks are run, in order, in a folder of each page that holds links to
//! `experiments` and `puzzles`, and print what the page shows below them, except what they measure. Those of
//! ```` ```sh ```` blocks are only parsed: they take long, or need ranks, a GPU, a terminal or a compiler. So are
//! those of [`PARSED_ONLY`] and [`NOT_RUN`].

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use evodoku::ga::{Config, Preset};
use evodoku::internals::check_arguments;

use crate::support::{self, DISPLAY_VARIABLES, Folder, binary, evodoku, root, stdout};

/// Beginnings of commands that are run: nothing that installs, builds or leaves the folder.
const RUN: [&str; 11] = [
    "evodoku ", "cat ", "printf ", "echo ", "gunzip ", "gzip ", "seq ", "cut ", "head ", "awk ",
    "COLUMNS=",
];
/// Beginnings of those that are not: they need a screen or measure the machine, or take long.
const PARSED_ONLY: [&str; 8] = [
    "evodoku bench",
    "evodoku compare",
    "evodoku devices",
    "evodoku tune",
    "evodoku solve 001-easy-03 --config best.toml",
    "evodoku solve large-36",
    "evodoku completions",
    "evodoku manual",
];

/// Beginnings of commands of other programs that are not run.
const NOT_RUN: [&str; 8] = [
    // They install or build, or take long.
    "cargo ",
    "pip ",
    "./scripts/",
    "scripts/",
    // It needs the Python package.
    "v/bin/python ",
    // It precedes a command that is only parsed.
    "sed -i ",
    // It prints times.
    "head -n 3 run.csv",
    // Its rows stand in the order in which runs end.
    "cut -d, -f2,8,9,16 results.csv",
];

/// A command of a document, with the lines of its here-document.
struct Shown {
    line: usize,
    text: String,
    is_run: bool,
    /// The lines below it.
    output: Vec<String>,
}

/// Every document, from the root.
fn documents() -> Vec<PathBuf> {
    fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() {
                if !name.starts_with('.') && name != "target" {
                    collect(&path, into);
                }
            } else if name.ends_with(".md") {
                into.push(path.strip_prefix(root()).unwrap().to_owned());
            }
        }
    }
    let mut documents = Vec::new();
    collect(&root().join("docs"), &mut documents);
    for folder in ["benches", "experiments", "fuzz", "puzzles", "python"] {
        collect(&root().join(folder), &mut documents);
    }
    for name in ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"] {
        documents.push(name.into());
    }
    documents.sort();
    assert!(documents.len() > 20, "{documents:?}");
    documents
}

/// The commands of a document.
fn commands(text: &str) -> Vec<Shown> {
    let mut shown: Vec<Shown> = Vec::new();
    let mut block = None;
    // The end of a here-document, or nothing; or the command goes on with the next line.
    let (mut until, mut continues) = (None::<String>, false);
    for (at, line) in text.lines().enumerate() {
        if let Some(fence) = line.trim_start().strip_prefix("```") {
            block = if block.is_some() { None } else { Some(fence.to_owned()) };
            (until, continues) = (None, false);
            continue;
        }
        let is_run = match block.as_deref() {
            Some("console") => true,
            Some("sh") => false,
            _ => continue,
        };
        let command = if is_run { line.strip_prefix("$ ") } else { Some(line) };
        match (&until, command) {
            (Some(end), _) => {
                let ended = line == end;
                let last = shown.last_mut().unwrap();
                last.text += &format!("\n{line}");
                if ended {
                    until = None;
                }
                continue;
            }
            (None, _) if continues => {
                shown.last_mut().unwrap().text += &format!("\n{line}");
            }
            (None, Some(command)) => {
                let text = command.to_owned();
                shown.push(Shown { line: at + 1, text, is_run, output: Vec::new() });
            }
            (None, None) => {
                shown.last_mut().unwrap().output.push(line.to_owned());
                continue;
            }
        }
        continues = line.ends_with('\\');
        until = line.split_once("<<").map(|(_, end)| end.trim_matches(['\'', ' ']).to_owned());
    }
    shown
}

/// Whether a command is known not to be run.
fn is_left_out(text: &str) -> bool {
    let mut spared = PARSED_ONLY.iter().chain(&NOT_RUN);
    spared.any(|start| text.starts_with(start)) || text.contains("--watch")
}

/// Whether a command is run.
fn is_run(text: &str) -> bool {
    RUN.iter().any(|start| text.starts_with(start)) && !is_left_out(text)
}

/// Checks the arguments of every call of the program in a command line.
fn parse(command: &str, place: &str) {
    let first = command.replace("\\\n", " ").replace("<(", "").replace(")", "");
    let first = first.lines().next().unwrap_or_default();
    let code = first.split(" # ").next().unwrap_or_default();
    for call in code.split(['|', ';', '&']) {
        let call = call.split(" > ").next().unwrap_or_default();
        let call = call.split(" 2> ").next().unwrap_or_default().trim();
        // A path or a package of that name is no call.
        let Some(at) = call.find("evodoku ") else { continue };
        if !matches!(&call[..at], "" | "./" | "source ") && !call.starts_with("mpirun") {
            continue;
        }
        let words = shlex::split(&call[at..]).unwrap_or_else(|| panic!("{place}: {call}"));
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        let is_help = words.iter().any(|word| word == "--help" || word == "-h");
        let refused = check_arguments(&words).err().filter(|_| !is_help);
        assert!(refused.is_none(), "{place}: {call}\n{}", refused.unwrap_or_default());
    }
}

/// The words of an output that are the same on every machine: no times, rates or numbers of threads, no other
/// fractions, which may be one of these, and no rules of tables, which are as wide as their columns.
///
/// `2 generations, work 639,085, 2.7 ms, 2 threads` becomes `2 generations, work 639,085,`.
fn repeatable_words(output: &str) -> Vec<&str> {
    let words: Vec<&str> = output.split_whitespace().collect();
    let is_number = |word: &str| {
        let number = word.trim_start_matches('(');
        number.starts_with(|c: char| c.is_ascii_digit())
    };
    // A row of a CSV file is no fraction.
    let is_fraction = |word: &str| {
        word.trim_end_matches(',').split_once('.').is_some_and(|(_, rest)| !rest.contains(','))
    };
    let is_unit = |word: &str| {
        let word = word.trim_end_matches(['.', ',', ';', ')']);
        ["s", "ms", "µs", "min", "thread", "threads", "at"].contains(&word) || word.ends_with("/s")
    };
    let is_measured = |at: usize| {
        let is_of =
            |at: usize, is: &dyn Fn(&str) -> bool| words.get(at).is_some_and(|word| is(word));
        is_number(words[at]) && (is_fraction(words[at]) || is_of(at + 1, &is_unit))
            || at > 0 && is_unit(words[at]) && is_number(words[at - 1])
    };
    let is_rule = |word: &str| word.len() > 1 && word.bytes().all(|byte| b"-+".contains(&byte));
    (0..words.len())
        .filter(|at| !is_measured(*at) && !is_rule(words[*at]))
        .map(|at| words[at])
        .collect()
}

/// The lines shown below a command whose words its output does not have in the same order. Other words may come
/// between them: a terminal shows fewer columns of a table than a pipe, and `...` stands for lines that are left out.
fn missing_lines<'a>(shown: &'a [String], output: &str) -> Vec<&'a String> {
    let words = repeatable_words(output);
    let mut words = words.iter();
    let is_text = |line: &&String| *line != "..." && !line.starts_with("(no room for: ");
    let mut is_missing = |line: &&String| {
        let mut rest = words.clone();
        let is_there =
            repeatable_words(line).into_iter().all(|word| rest.any(|other| *other == word));
        if is_there {
            words = rest;
        }
        !is_there
    };
    shown.iter().filter(is_text).filter(|line| is_missing(line)).collect()
}

/// Runs commands in one folder, one after the other.
fn run(commands: &[Shown], page: &Path) {
    let folder = Folder::new();
    for link in ["experiments", "puzzles"] {
        symlink(root().join(link), folder.path(link)).unwrap();
    }
    symlink(binary(), folder.path("evodoku")).unwrap();
    let path = format!("{}:{}", folder.path("").display(), env::var("PATH").unwrap());
    for Shown { line, text, output: shown, .. } in commands {
        let mut shell = Command::new("bash");
        // Both streams in one, as on a terminal.
        shell.args(["-o", "pipefail", "-c", &format!("exec 2>&1\n{text}")]).env("PATH", &path);
        // The pages show runs on the CPU.
        shell.env("VK_DRIVER_FILES", "/nowhere").env("VK_ICD_FILENAMES", "/nowhere");
        for name in DISPLAY_VARIABLES {
            shell.env_remove(name);
        }
        let output = shell.current_dir(folder.path("")).stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        // Code 1 is an answer: not solved, or no solution of the puzzle.
        let ended = matches!(output.status.code(), Some(0 | 1)) && !said.contains("panicked");
        let place = format!("{}:{line}", page.display());
        assert!(ended, "{place}: {text}\n{said}");
        let missing = missing_lines(shown, &said);
        assert!(missing.is_empty(), "{place}: {text} does not print {missing:#?}, but\n{said}");
    }
}

#[test]
fn every_command_of_a_document_works() {
    for page in documents() {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        let shown = commands(&text);
        for Shown { line, text, is_run: is_console, .. } in &shown {
            let place = format!("{}:{line}", page.display());
            parse(text, &place);
            // None is skipped in silence.
            assert!(
                !is_console || is_run(text) || is_left_out(text),
                "{place}: neither RUN nor NOT_RUN has {text}"
            );
        }
        let run_ones: Vec<Shown> =
            shown.into_iter().filter(|command| command.is_run && is_run(&command.text)).collect();
        run(&run_ones, &page);
    }
}

#[test]
fn every_example_of_the_help_works() {
    let page = Path::new("src/cli/examples.txt");
    let text = fs::read_to_string(root().join(page)).unwrap();
    let mut shown: Vec<Shown> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        // The main help indents all by two more: longer lines would wrap in 80 columns.
        assert!(line.len() <= 76, "line {} is too long: {line}", at + 1);
        match (line.strip_prefix("    "), line.strip_prefix("  ")) {
            (Some(rest), _) => {
                let command = shown.last_mut().unwrap();
                assert!(command.text.ends_with('\\'), "line {}", at + 1);
                command.text += &format!("\n{rest}");
            }
            (None, Some(text)) => {
                let (text, is_run) = (text.to_owned(), is_run(text));
                shown.push(Shown { line: at + 1, is_run, text, output: Vec::new() });
            }
            (None, None) => {}
        }
    }
    assert!(shown.len() > 40, "{}", shown.len());
    shown.iter().for_each(|command| parse(&command.text, &format!("line {}", command.line)));
    run(&shown.into_iter().filter(|command| command.is_run).collect::<Vec<_>>(), page);
    // Every command has some.
    for command in support::commands() {
        for flag in ["-h", "--help"] {
            let mut help = evodoku();
            help.args([command.as_str(), flag]);
            assert!(stdout(help, 0).contains("Examples:\n"), "{command} {flag}");
        }
    }
    // Every flag of a command with many is under a heading.
    for command in [
        &["solve"][..],
        &["experiment"],
        &["experiment", "merge"],
        &["tune"],
        &["bench"],
        &["compare"],
    ] {
        let mut help = evodoku();
        help.args(command).arg("--help");
        assert!(!stdout(help, 0).contains("\nOptions:\n"), "{command:?}");
    }
}

#[test]
fn every_link_of_a_document_leads_somewhere() {
    let anchors = |text: &str| -> BTreeSet<String> {
        let heads = text.lines().filter(|line| line.starts_with('#'));
        heads
            .map(|head| {
                let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
                let name: String =
                    head.trim_start_matches('#').trim().chars().filter(kept).collect();
                name.to_lowercase().replace(' ', "-")
            })
            .collect()
    };
    for page in documents() {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        for part in text.split("](").skip(1) {
            let target = part.split(')').next().unwrap();
            if target.contains("://") || target.contains(char::is_whitespace) {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = match file {
                "" => root().join(&page),
                file => root().join(page.parent().unwrap()).join(file),
            };
            assert!(file.exists(), "{}: {target}", page.display());
            if !anchor.is_empty() {
                let known = anchors(&fs::read_to_string(&file).unwrap());
                assert!(known.contains(anchor), "{}: {target}", page.display());
            }
        }
    }
}

/// The help of every command, as the reference shows it.
fn commands_page() -> String {
    let mut page =
        "# Commands\n\nThe text of `evodoku COMMAND --help`. `-h` shows only the main flags.\n"
            .to_owned();
    let mut help = |names: &[&str]| {
        let mut command = evodoku();
        command.args(names).arg("--help");
        let text = stdout(command, 0);
        page += &format!("\n## evodoku {}\n\n```text\n{}\n```\n", names.join(" "), text.trim_end());
    };
    for name in support::commands() {
        help(&[&name]);
        if name == "experiment" {
            help(&["experiment", "merge"]);
        }
    }
    page
}

#[test]
fn the_reference_of_commands_is_their_help() {
    let file = root().join("docs/reference/commands.md");
    let page = commands_page();
    if env::var_os("EVODOKU_BLESS").is_some() {
        fs::write(&file, &page).unwrap();
    }
    let is_same = fs::read_to_string(file).unwrap_or_default() == page;
    assert!(is_same, "docs/reference/commands.md is not the help: EVODOKU_BLESS=1 writes it");
}

#[test]
fn the_reference_has_every_preset_parameter_and_value() {
    let page = |name: &str| fs::read_to_string(root().join("docs/reference").join(name)).unwrap();
    let (presets, operators) = (page("presets.md"), page("operators.md"));
    for preset in Preset::ALL {
        assert!(presets.contains(&format!("\n## `{preset}`\n")), "{preset}");
    }
    for parameter in Config::PARAMETERS {
        assert!(presets.contains(&format!("`{}`", parameter.name)), "{}", parameter.name);
        if parameter.values.is_empty() || parameter.name == "presolve" {
            continue;
        }
        let head = format!("\n## {}\n", parameter.name);
        let section = operators.split(&head).nth(1).unwrap_or_else(|| panic!("{head}"));
        let section = section.split("\n## ").next().unwrap();
        for (value, _) in parameter.values {
            assert!(section.contains(&format!("\n### `{value}`\n")), "{}={value}", parameter.name);
        }
    }
}
