//! Tables fit the width that they are given, and never split a header.

use assert_cmd::Command;

use crate::support::{evodoku, stdout};

/// What a command prints to so many columns, or to a pipe.
fn at(width: Option<usize>, arguments: &[&str]) -> String {
    let mut command: Command = evodoku();
    command.args(arguments);
    if let Some(width) = width {
        command.env("COLUMNS", width.to_string());
    }
    stdout(command, 0)
}

/// The headers of the tables in a text: the line above each line of dashes.
fn headers(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let is_rule = |line: &str| line.len() > 3 && line.bytes().all(|byte| byte == b'-');
    lines.windows(2).filter(|pair| is_rule(pair[1])).map(|pair| pair[0].to_owned()).collect()
}

const TABLES: [&[&str]; 6] = [
    &["puzzles"],
    &["presets"],
    &["presets", "memetic"],
    &["check", "large-16-40", "ai-escargot", "--presolve", "--cap=2"],
    &[
        "experiment", "--on=cpu", "-q", "--puzzle", "003-4x4", "003-6x6", "--preset", "boxes",
        "rows-tournament", "--set", "presolve=none", "population=20,40", "max_generations=2",
    ],
    &[
        "bench",
        "--on=cpu",
        "-q",
        "--populations=100",
        "--time-budget=0",
        "--threads=1",
        "--what=score,generation",
    ],
];

#[test]
fn tables_fit_and_their_headers_stay_whole() {
    for arguments in TABLES {
        let whole = at(None, arguments);
        for width in [80, 60] {
            let text = at(Some(width), arguments);
            for line in text.lines() {
                // The first line of check is one fact after the other.
                let free = arguments[0] == "check" && line.contains(": boxes ");
                assert!(free || line.chars().count() <= width, "{width}: {line}");
            }
            let (all, shown) = (headers(&whole), headers(&text));
            assert_eq!(all.len(), shown.len(), "{arguments:?}: {text}");
            for (all, shown) in all.iter().zip(&shown) {
                // Names stand two columns apart, and may hold single blanks.
                let names = |header: &str| -> Vec<String> {
                    let names = header.split("  ").map(str::trim);
                    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
                };
                let (all, shown) = (names(all), names(shown));
                assert!(shown.iter().all(|name| all.contains(name)), "{shown:?} of {all:?}");
                assert!(all.len() == shown.len() || text.contains("(no room for: "), "{text}");
            }
        }
    }
}

#[test]
fn a_pipe_gets_every_column_on_one_line_a_row() {
    let text = at(None, &["puzzles"]);
    assert!(headers(&text)[0].ends_with("origin"));
    let row = text.lines().find(|line| line.starts_with("001-16x16-beginner ")).unwrap();
    assert!(row.ends_with("(values 1..16, 0 blank)"), "{row}");
    // What is no width is none.
    let mut command = evodoku();
    command.arg("puzzles").env("COLUMNS", "wide");
    assert_eq!(stdout(command, 0), text);
}
