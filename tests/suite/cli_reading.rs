//! How commands take puzzles, and how they speak of them: from a pipe without `-`, in the user's own symbols, with a
//! word on other boxes and other solutions.

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty, starts_with};

use crate::support::Folder;

const LINE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// A board of 4x4 in letters, and its solution.
const LETTERS: &str = "DO.GU......UG..D";
const SOLVED: &str = "DOUGUGDOODGUGUOD";

fn evodoku(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evodoku"));
    command.args(arguments);
    command
}

#[test]
fn a_pipe_needs_no_dash() {
    for arguments in [
        &["convert", "--to", "line"][..],
        &["check", "--quiet"],
        &["solve", "--seed", "1", "--format", "line", "--quiet"],
    ] {
        let output = evodoku(arguments).write_stdin(LINE).assert().code(0);
        output.stdout(contains("53").or(starts_with("unique stdin: "))).stderr(is_empty());
    }
    evodoku(&["convert", "--to", "line"])
        .write_stdin("")
        .assert()
        .code(2)
        .stderr("evodoku: stdin: the text has no cells\n");
}

#[test]
fn a_typed_puzzle_is_read_as_widely_as_a_file() {
    let rows: Vec<String> = LINE
        .as_bytes()
        .chunks(9)
        .map(|row| format!("{:?}", String::from_utf8_lossy(row)))
        .collect();
    let array = format!("[{}]", rows.join(", "));
    for typed in
        [&array, &LINE.replace('.', "·"), &LINE.replace('.', "□"), &LINE.replace('5', "５")]
    {
        let line = format!("{LINE}\n");
        evodoku(&["convert", typed, "--to", "line"]).assert().code(0).stdout(line);
    }
    evodoku(&["convert", LETTERS, "--alphabet", "DOUG", "--to", "line"])
        .assert()
        .code(0)
        .stdout("12.43......34..1\n");
}

#[test]
fn sentences_name_the_symbols_of_the_user() {
    let twice = LETTERS.replacen('.', "O", 1);
    evodoku(&["check", &twice, "--alphabet", "DOUG"])
        .assert()
        .code(0)
        .stdout(contains(", row 1 holds O twice"));
    evodoku(&["solve", &twice, "--alphabet", "DOUG"])
        .assert()
        .code(2)
        .stderr(contains("typed has no solution: row 1 holds O twice"));
    let wrong = SOLVED.replacen("UGD", "UDG", 1);
    evodoku(&["verify", LETTERS, &wrong, "--alphabet", "DOUG"])
        .assert()
        .code(1)
        .stdout("not solved: column 2 holds D twice\n");
    let given = SOLVED.replacen("DO", "OD", 1);
    evodoku(&["verify", LETTERS, &given, "--alphabet", "DOUG"])
        .assert()
        .code(1)
        .stdout("not solved: row 1 column 1 holds O, but the puzzle gives D\n");
}

#[test]
fn of_many_faults_three_are_named() {
    let all = "1".repeat(81);
    let said = evodoku(&["solve", &all]).assert().code(2);
    said.stderr(
        "evodoku: typed has no solution: row 1 holds 1 9 times, row 2 holds 1 9 times, row 3 holds 1 9 times and 24 more\n",
    );
}

#[test]
fn a_file_that_hides_a_shipped_puzzle_is_said() {
    let folder = Folder::new();
    folder.file("ai-escargot", LINE);
    let mut command = evodoku(&["convert", "ai-escargot", "--to", "line"]);
    command
        .current_dir(folder.path(""))
        .assert()
        .code(0)
        .stdout(format!("{LINE}\n"))
        .stderr(contains("ai-escargot: reading the file, not the shipped puzzle"));
}

#[test]
fn another_solution_is_told_of_a_puzzle_that_stands_alone() {
    let several = "1...............";
    let solve = |arguments: &[&str]| {
        let mut command = evodoku(&["solve", "--seed", "1"]);
        command.args(arguments).assert().code(0)
    };
    // Enough givens for one solution, which has two.
    let two = "..343412..434321";
    for puzzle in [several, two] {
        solve(&["--set", "presolve=none", "--", puzzle])
            .stderr(contains("solved and checked; the puzzle has several solutions"));
    }
    solve(&["--set", "presolve=none", LINE]).stderr(contains("several").not());
    // In exports, and on request of each puzzle of a list.
    let exported = |arguments: &[&str]| {
        let csv = [arguments, &["--set", "presolve=none", "--export-csv", "-"]].concat();
        let output = solve(&csv).get_output().stdout.clone();
        let mut rows = csv::Reader::from_reader(&output[..]);
        let column = rows.headers().unwrap().iter().position(|name| name == "uniqueness").unwrap();
        let mut words: Vec<String> =
            rows.records().map(|row| row.unwrap()[column].to_owned()).collect();
        words.sort_unstable();
        words
    };
    assert_eq!(exported(&[LINE]), ["unique"]);
    assert_eq!(exported(&[two, "--runs", "2"]), ["several", "several"]);
    assert_eq!(exported(&["large-25-45"]), ["undecided"]);
    assert_eq!(exported(&[two, LINE]), ["", ""]);
    assert_eq!(exported(&[two, LINE, "--check-unique"]), ["several", "unique"]);
    solve(&[two, LINE, "--set", "presolve=none", "--check-unique"])
        .stderr(contains("solved and checked; the puzzle has several solutions"));
    let check = |most: &str| {
        let output = evodoku(&["check", two, "--solutions", most]).assert().code(0);
        let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
        text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(check("5"), ["1234341221434321", "2134341212434321"]);
    assert_eq!(check("1").len(), 1);
}

#[test]
fn an_experiment_reads_puzzles_as_solve_does() {
    let folder = Folder::new();
    let six = "1.....2.....3.....4.....5.....6.....";
    let flags = ["--preset", "boxes", "--set", "max_generations=1", "--seeds", "1", "--on", "cpu"];
    let run = |arguments: &[&str]| {
        let mut command = evodoku(&["experiment"]);
        command.args(arguments).args(flags).assert()
    };
    let assumed = "assuming boxes of 2x3; --box 3x2 would also fit";
    run(&["--puzzle", six]).code(0).stderr(contains(assumed));
    run(&["--puzzle", six, "--box", "3x2"]).code(0).stderr(contains("would also fit").not());
    run(&["--puzzle", LETTERS, "--alphabet", "DOUG"]).code(0);
    let spec = "puzzles = ['DO.GU......UG..D']\nalphabet = 'DOUG'\nmethods = ['backtracking']\n";
    let spec = folder.file("letters.toml", spec);
    evodoku(&["experiment", &spec]).assert().code(0).stdout(contains("1/1"));
    let spec = folder.file("box.toml", "puzzles = ['003-6x6']\nbox = '5x5'\nmethods = ['boxes']\n");
    evodoku(&["experiment", &spec]).assert().code(2).stderr(contains("boxes of 5x5"));
}

#[test]
fn shapes_survive_what_is_written() {
    for format in ["line", "sdm", "pairs", "sdk", "ss", "grid", "spaced"] {
        let made =
            evodoku(&["generate", "--box", "3x2", "--unique", "--seed", "8", "--count", "3"])
                .args(["--format", format])
                .assert()
                .code(0);
        let text = made.get_output().stdout.clone();
        evodoku(&["check"])
            .write_stdin(text)
            .assert()
            .code(0)
            .stdout(predicates::str::is_match("^(unique .*: boxes 3x2, .*\n){3}$").unwrap())
            .stderr(is_empty());
    }
    let solved = evodoku(&["solve", "--box", "3x2", "--seed", "1", "--format", "line", "--quiet"])
        .write_stdin("1.....2.....3.....4.....5.....6.....")
        .assert()
        .code(0);
    let text = solved.get_output().stdout.clone();
    evodoku(&["check"]).write_stdin(text).assert().code(0).stdout(contains("boxes 3x2"));
}

#[test]
fn a_second_board_of_a_line_is_no_loss() {
    let solved =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    let other = LINE.replacen("53", "35", 1);
    let second = "a second board, which is not the solution of the first: write it on another line";
    for separator in [" ", ",", ";", "|", "\t"] {
        let of = |fields: [&str; 2]| {
            evodoku(&["convert", "--to", "line"]).write_stdin(fields.join(separator)).assert()
        };
        of([LINE, solved]).code(0).stdout(format!("{LINE}\n"));
        of([LINE, &solved[1..]]).code(0).stdout(format!("{LINE}\n"));
        for fields in [[LINE, &other], [solved, LINE.replacen("53", "35", 1).as_str()]] {
            of(fields).code(2).stdout("").stderr(contains(second));
        }
        // A damaged puzzle is not replaced by its solution.
        let damaged = "line 1 column 1: 80 cells; the nearest board is 9x9 with 81 cells";
        of([&LINE[..80], solved]).code(2).stdout("").stderr(contains(damaged));
    }
    let head = format!("quizzes,solutions\n,{solved}\n");
    let output = evodoku(&["convert", "--to", "line"]).write_stdin(head).assert();
    output.code(2).stdout("").stderr(contains("the text has no cells"));
    // A column that is named is read, whatever the others hold.
    let named = format!("puzzle,variant\n{LINE},{other}\n");
    let output = evodoku(&["convert", "--to", "line"]).write_stdin(named).assert();
    output.code(0).stdout(format!("{LINE}\n"));
    // Of two names for puzzles, the one whose boards have blanks.
    for named in
        [format!("grid,initial\n{solved},{LINE}\n"), format!("grid,input\n{LINE},{solved}\n")]
    {
        let output = evodoku(&["convert", "--to", "line"]).write_stdin(named).assert();
        output.code(0).stdout(format!("{LINE}\n"));
    }
}

#[test]
fn a_comment_above_a_list_states_the_boxes_of_all() {
    let puzzle = ".4.6.......61..3.261.524.3.21...4..3";
    let wide = "1....2......................2.....1.";
    let list =
        format!("# my puzzles\n# boxes of 3x2\n\n{puzzle}\n{puzzle}\n{wide} # boxes of 2x3\n");
    let output = evodoku(&["check"]).write_stdin(list).assert();
    let output = output.code(0).stderr("").get_output().clone();
    let said = String::from_utf8(output.stdout).unwrap();
    let boxes: Vec<&str> = said.lines().filter_map(|line| line.split(' ').nth(3)).collect();
    assert_eq!(boxes, ["3x2,", "3x2,", "2x3,"], "{said}");
}
