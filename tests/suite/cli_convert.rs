//! `evodoku convert`, and commands on inputs with several puzzles.

use assert_cmd::Command;
use evodoku::format::Format;
use predicates::prelude::*;

const LINE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

fn evodoku(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evodoku"));
    command.args(arguments);
    command
}

#[test]
fn a_bad_puzzle_of_a_list_leaves_the_others() {
    let list = format!("{LINE}\n{}\n{LINE}\n", &LINE[..80]);
    evodoku(&["convert", "-", "--to", "sdm"])
        .write_stdin(list)
        .assert()
        .code(2)
        .stdout(format!("{LINE}\n").replace('.', "0").repeat(2))
        .stderr(
            "evodoku: stdin: puzzle 2, line 2 column 1: 80 cells; the nearest board is 9x9 with 81 cells\n",
        );
}

#[test]
fn every_format_converts_back() {
    let mut text = format!("{LINE}\n").repeat(3);
    // Lines come last, as they came first.
    for format in Format::ALL.iter().rev() {
        let mut command = evodoku(&["convert", "-", "--to", format.name()]);
        let output = command.write_stdin(text).assert().code(0);
        text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    }
    assert_eq!(text, format!("{LINE}\n").repeat(3));
}

#[test]
fn help_names_every_format() {
    let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
    let (last, others) = names.split_last().unwrap();
    let choices = format!("{} or {last}", others.join(", "));
    for command in ["convert", "generate"] {
        let help = evodoku(&[command, "--help"]).assert().code(0);
        help.stdout(predicate::str::contains(choices.as_str()));
    }
}

#[test]
fn several_inputs_come_one_after_the_other() {
    evodoku(&["convert", "003-6x6", "no-such-file", LINE, "--to", "line", "--quiet"])
        .assert()
        .code(2)
        .stdout(predicate::str::is_match("^[0-9.]{36}\n[0-9.]{81}\n$").unwrap())
        .stderr(predicate::str::contains("'no-such-file' is not a file"));
}

#[test]
fn letters_need_an_alphabet() {
    let text = "0F..".repeat(64);
    evodoku(&["convert", "-", "--to", "line"])
        .write_stdin(text.as_str())
        .assert()
        .code(2)
        .stderr(predicate::str::contains("with --alphabet, as in --alphabet 0123456789ABCDEF"));
    evodoku(&["convert", "-", "--to", "line", "--alphabet", "0123456789ABCDEF"])
        .write_stdin(text)
        .assert()
        .code(0)
        .stdout("1 16 0 0 ".repeat(64).trim_end().to_owned() + "\n");
    evodoku(&["convert", "-", "--to", "line", "--alphabet", "0123"])
        .write_stdin("0123".repeat(4))
        .assert()
        .code(0)
        .stdout("1234".repeat(4) + "\n");
    evodoku(&["convert", "-", "--to", "line", "--alphabet", "ABCA"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("'A' stands for two values"));
}

#[test]
fn a_board_that_a_format_cannot_express_is_refused() {
    evodoku(&["convert", "1234 34.. 2143 432.", LINE, "--to", "opensudoku"])
        .assert()
        .code(2)
        .stdout(predicate::str::contains("<game data=").count(1))
        .stderr(
            "evodoku: typed: opensudoku holds only 9x9 boards with boxes of 3x3, but this board has boxes of 2x2\n",
        );
}

#[test]
fn every_puzzle_of_a_list_is_solved() {
    let list = format!("{LINE}\n{}\n{LINE}\n", &LINE[..80]);
    let arguments = ["solve", "-", "--on", "cpu", "--format", "line", "--seed", "1", "--quiet"];
    evodoku(&arguments)
        .write_stdin(list.as_str())
        .assert()
        .code(2)
        .stdout(predicate::str::is_match("^([1-9]{81}\n){2}$").unwrap())
        .stderr(predicate::str::contains("stdin: puzzle 2, line 2 column 1: 80 cells"));
    evodoku(&["verify", "-", LINE])
        .write_stdin(list)
        .assert()
        .code(2)
        .stderr("evodoku: stdin: puzzle 2, line 2 column 1: 80 cells; the nearest board is 9x9 with 81 cells\n");
}
