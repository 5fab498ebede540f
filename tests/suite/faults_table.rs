//! The table of docs/explanation/faults.md: every row ends with a test that there is, or says why there is none.

use std::fs;

use crate::support::root;

/// The words between backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// The text of the file that a row calls so: under `src`, or else under `tests`.
fn source(name: &str) -> String {
    let path = if name.starts_with("src/") { name.to_owned() } else { format!("tests/{name}") };
    fs::read_to_string(root().join(&path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Finds that a last cell names tests that there are, each after its file; gives how many.
fn tests_in(cell: &str) -> usize {
    let (mut text, mut found) = (String::new(), 0);
    for word in quoted(cell) {
        if word.ends_with(".rs") {
            text = source(word);
        } else {
            let is_there = [format!("fn {word}("), format!("\"{word}\"")];
            let is_there = is_there.iter().any(|mark| text.contains(mark));
            assert!(is_there, "there is no test {word} in its file: {cell}");
            found += 1;
        }
    }
    found
}

#[test]
fn every_row_ends_with_a_test_that_there_is_or_says_why_there_is_none() {
    let page = fs::read_to_string(root().join("docs/explanation/faults.md")).unwrap();
    let is_row = |line: &&str| line.starts_with("| ") && !line.starts_with("| ---");
    let rows: Vec<&str> = page.lines().filter(is_row).collect();
    let heads = rows.iter().filter(|row| row.starts_with("| fault |")).count();
    assert!(heads > 2, "the tables have another form");
    for row in rows.iter().filter(|row| !row.starts_with("| fault |")) {
        let last = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        let reason = last.strip_prefix("none: ").is_some_and(|reason| reason.len() > 10);
        assert!(reason || tests_in(last) > 0, "{row}");
    }
}

#[test]
#[should_panic(expected = "there is no test a_test_that_nobody_wrote")]
fn a_test_that_is_missing_is_found() {
    tests_in("`suite/faults_table.rs`, `a_test_that_nobody_wrote_yet`");
}
