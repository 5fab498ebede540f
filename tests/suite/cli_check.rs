//! `evodoku check`: the first word, the facts after it, and the exit code.

use assert_cmd::Command;

/// The exit code, stdout and stderr.
fn check(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evodoku"));
    let output = command.arg("check").args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[track_caller]
fn assert_line(arguments: &[&str], line: &str) {
    let (code, stdout, stderr) = check(arguments);
    assert_eq!((code, stdout.trim_end(), stderr.as_str()), (0, line, ""));
}

#[test]
fn a_puzzle_with_one_solution_is_unique() {
    assert_line(
        &["003-puzzle1"],
        "unique 003-puzzle1: boxes 3x3, 30 givens, 51 blanks, 0 after presolve, 1 solution, 0 guesses",
    );
    let (code, stdout, _) = check(&["ai-escargot", "001-16x16-01"]);
    assert_eq!(code, 0);
    assert!(stdout.lines().all(|line| line.starts_with("unique ")), "{stdout}");
}

#[test]
fn several_solutions_are_counted_up_to_the_cap() {
    let blank = "................";
    let (_, stdout, _) = check(&[blank]);
    assert!(stdout.starts_with("several typed: boxes 2x2, 0 givens, 16 blanks,"), "{stdout}");
    assert!(stdout.contains(", at least 2 solutions, "), "{stdout}");
    let (_, stdout, _) = check(&[blank, "--cap", "1000"]);
    assert!(stdout.contains(", 288 solutions, "), "{stdout}");
}

#[test]
fn contradictions_are_named_where_presolve_finds_them() {
    assert_line(
        &["003-puzzle5-unsolvable"],
        "contradictory 003-puzzle5-unsolvable: boxes 3x3, 30 givens, 51 blanks, column 5 holds 2 twice, column 5 holds 8 twice, column 6 holds 6 twice",
    );
    assert_line(
        &[&format!("234.........1...........1..{}", ".".repeat(54))],
        "contradictory typed: boxes 3x3, 5 givens, 76 blanks, row 1 has no place for 1 (presolve naked)",
    );
}

#[test]
fn presolve_is_shown_level_by_level() {
    let (code, stdout, _) = check(&["001-hard-02", "--presolve"]);
    let words = |line: &str| line.split_whitespace().take(4).map(str::to_owned).collect::<Vec<_>>();
    let rows: Vec<Vec<String>> = stdout.lines().skip(3).map(words).collect();
    assert_eq!(code, 0);
    assert_eq!(rows[0], ["none", "57", "513", "0"]);
    assert_eq!(rows[2], ["singles", "49", "175", "46"]);
    assert_eq!(rows[3], ["subsets", "0", "0", "175"]);
    assert_eq!(rows.len(), 6);

    let (_, stdout, _) = check(&["123. ...4 .... ....", "--presolve"]);
    let last = stdout.lines().last().unwrap();
    assert_eq!(words(last)[..3], ["naked", "contradiction", "-"]);
}

#[test]
fn sizes_of_encodings_are_shown() {
    let (code, stdout, _) = check(&["000-notebook", "--sizes"]);
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let rows: Vec<Vec<String>> = stdout.lines().skip(3).map(words).collect();
    assert_eq!(code, 0);
    assert_eq!(rows[4], ["cells", "10^38.2", "10^0.0"]);
    assert_eq!(rows[3][..2], ["board", "10^32.0"]);
    assert_eq!(rows.len(), 6);
}

#[test]
fn a_method_says_how_it_ended() {
    let (code, stdout, _) = check(&["ai-escargot", "--method", "backtracking"]);
    assert_eq!(code, 0);
    assert!(stdout.starts_with("solved ai-escargot: boxes 3x3, 23 givens, "), "{stdout}");
    assert!(stdout.contains(", backtracking in ") && stdout.ends_with("guesses\n"), "{stdout}");
    let built = cfg!(feature = "ilp");
    let (code, stdout, _) = check(&["004-easy-02", "--method", "integer-program"]);
    assert_eq!((code, stdout.starts_with("solved ")), if built { (0, true) } else { (2, false) });
}

#[test]
fn the_integer_program_is_written_for_one_puzzle() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("program.lp");
    let name = file.to_str().unwrap();
    let (code, stdout, _) = check(&["003-4x4", "--write-lp", name]);
    assert_eq!((code, stdout.starts_with("unique 003-4x4")), (0, true));
    let program = std::fs::read_to_string(&file).unwrap();
    assert!(
        program.contains("\n cell_1_1: x_1_1_1 + x_1_1_2 + x_1_1_3 + x_1_1_4 = 1\n"),
        "{program}"
    );
    let (code, _, stderr) = check(&["003-4x4", "003-6x6", "--write-lp", name]);
    assert!(code == 2 && stderr.contains("--write-lp takes one puzzle, but 003-6x6"), "{stderr}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), program);
    let (code, _, stderr) = check(&[name, "--write-lp", name]);
    assert!(
        code == 2 && stderr.contains("is read by this command: name another output"),
        "{stderr}"
    );
    // A shipped puzzle is no file.
    let mut own = Command::cargo_bin("evodoku").unwrap();
    own.current_dir(folder.path()).args(["check", "003-4x4", "--write-lp", "003-4x4"]);
    own.assert().success();
    assert_eq!(std::fs::read_to_string(folder.path().join("003-4x4")).unwrap(), program);
}

#[test]
fn a_spent_limit_is_unknown() {
    let large = "0 ".repeat(4096);
    let (code, stdout, _) = check(&[&large, "--time-limit", "0.01", "--quiet"]);
    assert_eq!(code, 0);
    assert!(stdout.starts_with("unknown "), "{stdout}");
    assert!(stdout.contains("ended by the time limit"), "{stdout}");
}

#[test]
fn bad_input_exits_with_2_and_the_others_are_checked() {
    let (code, stdout, stderr) = check(&["003-puzzle1", "123", "003-puzzle2"]);
    assert_eq!((code, stdout.lines().count()), (2, 2));
    assert!(!stderr.is_empty());
    for wrong in [["--cap", "1"], ["--time-limit", "-1"], ["--time-limit", "soon"]] {
        assert_eq!(check(&["003-puzzle1", wrong[0], wrong[1]]).0, 2, "{wrong:?}");
    }
}
