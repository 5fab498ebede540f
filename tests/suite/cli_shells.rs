//! Completions load in the shells that this machine has, and the manual is whole.

use std::fs;
use std::process::Command;

use crate::support::{Folder, commands, evodoku, stdout};

/// What a shell prints when it has loaded the completions and been asked by `script`; nothing where
/// there is no such shell.
fn ask(shell: &str, options: &[&str], script: &str) -> Option<String> {
    let folder = Folder::new();
    let mut command = evodoku();
    command.args(["completions", shell]);
    let file = folder.file("completions", stdout(command, 0));
    let mut asked = Command::new(shell);
    asked.args(options).args(["-c", script, shell, &file]).env("HOME", folder.path(""));
    let Ok(output) = asked.output() else {
        let required = std::env::var("EVODOKU_REQUIRE_SHELLS").is_ok_and(|value| value == "1");
        assert!(!required, "{shell} is not installed");
        return None;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{shell}: {said}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn bash_completes_commands_and_flags() {
    let script = "source \"$1\"; COMP_WORDS=(evodoku sol); COMP_CWORD=1; \
                  _evodoku evodoku sol evodoku; echo \"${COMPREPLY[@]}\"; \
                  COMP_WORDS=(evodoku solve --max-g); COMP_CWORD=2; \
                  _evodoku evodoku --max-g solve; echo \"${COMPREPLY[@]}\"";
    if let Some(said) = ask("bash", &["--norc", "--noprofile"], script) {
        assert_eq!(said, "solve\n--max-generations\n");
    }
}

/// Asks bash for the words that complete the last of a command line.
const BASH_ASKS: &str = "source \"$1\"; compopt() { :; }; words() { COMP_WORDS=(\"$@\"); \
                         COMP_CWORD=$(($# - 1)); _evodoku evodoku \"${@: -1}\" \"${@: -2:1}\"; \
                         echo \"${COMPREPLY[@]}\"; };";

#[test]
fn bash_completes_names() {
    let script = format!(
        "{BASH_ASKS} words evodoku solve --preset mem; words evodoku convert --to o; \
         words evodoku presets cellu; words evodoku check --method b; \
         words evodoku solve --config \"$1\""
    );
    if let Some(said) = ask("bash", &["--norc", "--noprofile"], &script) {
        let lines: Vec<&str> = said.lines().collect();
        let [preset, format, explained, method, file] = lines[..] else { panic!("{said}") };
        assert!(preset.split(' ').any(|name| name == "memetic"), "{said}");
        assert_eq!((format, explained, method), ("opensudoku", "cellular", "backtracking"));
        assert!(file.ends_with("completions"), "{said}");
    }
}

#[test]
fn fish_completes_names() {
    let script = "source $argv[2]; for line in 'solve --preset memeti' 'convert --to o'; \
                  complete -C \"evodoku $line\" | string split -f 1 \\t | string join ' '; end";
    if let Some(said) = ask("fish", &["--no-config"], script) {
        assert_eq!(said.lines().collect::<Vec<_>>(), ["memetic", "opensudoku"]);
    }
}

#[test]
fn zsh_loads_its_completions() {
    let script = "autoload -Uz compinit && compinit -u -d \"$HOME/dump\"; source \"$1\"; \
                  echo $_comps[evodoku] $+functions[_evodoku__subcmd__solve_commands] \
                  $+functions[_evodoku_commands]";
    if let Some(said) = ask("zsh", &["-f"], script) {
        assert!(said.starts_with("_evodoku ") && said.ends_with(" 1\n"), "{said}");
    }
}

#[test]
fn fish_completes_commands_and_flags() {
    let script = "source $argv[2]; complete -C 'evodoku sol'; complete -C 'evodoku solve --max-g'";
    if let Some(said) = ask("fish", &["--no-config"], script) {
        let words: Vec<&str> = said.lines().filter_map(|line| line.split('\t').next()).collect();
        assert_eq!(words, ["solve", "--max-generations"]);
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = Folder::new();
    let mut command = evodoku();
    command.args(["manual", "--to", &folder.argument("man/man1")]);
    assert_eq!(stdout(command, 0), "");
    let page = |name: &str| fs::read_to_string(folder.path("man/man1").join(name)).unwrap();
    let main = page("evodoku.1");
    for name in commands() {
        assert!(main.contains(&format!("evodoku\\-{name}(1)")), "{name}: {main}");
        assert!(page(&format!("evodoku-{name}.1")).contains(".SH OPTIONS"), "{name}");
    }
    assert!(page("evodoku-solve.1").contains("max\\-generations"));
    let mut command = evodoku();
    command.arg("manual");
    assert_eq!(stdout(command, 0), main);
    let mut command = evodoku();
    command.args(["manual", "solve", "--to", &folder.argument("man")]);
    assert_eq!(stdout(command, 2), "");
}
