//! `evodoku generate`: puzzles at random, the same for the same seed.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{evodoku, stdout};
use evodoku::format::shipped;
use predicates::str::contains;

fn generate(arguments: &[&str]) -> String {
    let mut command = evodoku();
    command.arg("generate").args(arguments);
    stdout(command, 0)
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads() {
    for request in [
        &["--box=4x4", "--fill=0.5", "--count=20"][..],
        &["--unique", "--givens=26", "--count=12"],
        &["--box=2x3", "--unique", "--count=9", "--format=grid"],
    ] {
        let with = |more: &[&str]| generate(&[request, more].concat());
        let one = with(&["--seed=5", "--threads=1"]);
        for threads in ["--threads=2", "--threads=7"] {
            assert_eq!(with(&["--seed=5", threads]), one, "{request:?} {threads}");
        }
        assert_ne!(with(&["--seed=6"]), one, "{request:?}");
    }
}

#[test]
fn unique_puzzles_are_unique_and_others_are_solved() {
    let unique = generate(&["--unique", "--givens=25", "--count=5", "--seed=2"]);
    assert_eq!(unique.lines().count(), 5);
    let check = evodoku().args(["check", "-"]).write_stdin(unique).assert().success();
    let told = String::from_utf8(check.get_output().stdout.clone()).unwrap();
    assert_eq!(told.lines().filter(|line| line.starts_with("unique ")).count(), 5, "{told}");
    assert!(told.lines().all(|line| line.contains("25 givens")), "{told}");

    for (shape, fill) in [("--box=2x3", "--fill=0.4"), ("--box=4x4", "--fill=0.55")] {
        let puzzles = generate(&[shape, fill, "--count=4", "--seed=2"]);
        let mut command = evodoku();
        command.args(["solve", "-", "--on=cpu", "--format=line", "--seed=1", shape]);
        command.arg("--population=2000").write_stdin(puzzles.clone());
        let solutions = stdout(command, 0);
        for (puzzle, solution) in puzzles.lines().zip(solutions.lines()) {
            evodoku().args(["verify", shape, puzzle, solution]).assert().success();
        }
        assert_eq!(solutions.lines().count(), 4);
    }
}

#[test]
fn givens_that_may_be_spare_are_told() {
    let unique = |arguments: &[&str]| {
        let mut command = evodoku();
        command.args(["generate", "--unique", "--seed=1"]).args(arguments);
        let output = command.assert().success().get_output().clone();
        String::from_utf8(output.stderr).unwrap()
    };
    let first =
        "may have redundant givens, because a search stopped early; the first is generated-3x3-1";
    assert_eq!(unique(&["--max-guesses=0"]), format!("warning: 1 puzzle {first}\n"));
    assert_eq!(unique(&["--max-guesses=60", "--count=9"]), format!("warning: 9 puzzles {first}\n"));
    // Searches of larger boards end before they know.
    assert!(unique(&["--box=4x4"]).contains("1 puzzle may have redundant givens"));
    for proved in [&["--count=20"][..], &["--max-guesses=100", "--givens=40"]] {
        assert_eq!(unique(proved), "", "{proved:?}");
    }
}

#[test]
fn impossible_requests_are_refused() {
    for (arguments, code, sentence) in [
        (&["--fill=1.2"][..], 2, "the share of cells to keep is 1.2, but it takes 0 to 1"),
        (&["--fill", "-0.1"], 2, "it takes 0 to 1"),
        (&["--fill=nan"], 2, "the share of cells to keep is NaN, but it takes 0 to 1"),
        (&["--fill=half"], 2, "it takes a number from 0 to 1"),
        (&["--givens=82"], 2, "has 81 cells, so it cannot have 82 givens"),
        (&["--unique", "--givens=16"], 2, "at least 17 givens are needed"),
        (&["--box=9x9"], 2, "a box of 9x9 is not supported"),
        (&["--fill=0.4", "--givens=30"], 2, "cannot be used with"),
        (&["--fill=0.4", "--max-guesses=5"], 2, "cannot be used with"),
        (&["--count=0"], 2, "it takes a whole number from 1 to 4294967295"),
        (&["--count=5000000000"], 2, "it takes a whole number from 1 to 4294967295"),
        (&["--box=4x4", "--format=sdm"], 2, "sdm holds only boards up to side 9"),
        (
            &["--unique", "--givens=17", "--max-guesses=2000"],
            1,
            "puzzle 1: no puzzle with 17 givens and exactly one solution was found within 2000 guesses",
        ),
    ] {
        let mut command = evodoku();
        command.arg("generate").args(arguments).arg("--seed=1");
        command.assert().code(code).stdout("").stderr(contains(sentence));
    }
}

#[test]
fn the_large_puzzles_come_from_the_commands_in_their_files() {
    for puzzle in shipped().filter(|puzzle| puzzle.group == "large") {
        let command = puzzle.origin().unwrap().strip_prefix("evodoku generate ").unwrap();
        let arguments: Vec<&str> = command.split(' ').chain(["--format=grid"]).collect();
        assert!(puzzle.text.ends_with(&generate(&arguments)), "{}", puzzle.name);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it() {
    for kind in ["--fill=0.45", "--unique"] {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("evodoku"));
        command.args(["generate", kind, "--count=4000000000", "--seed=1"]);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut made = BufReader::new(child.stdout.take().unwrap());
        // The first puzzle tells that signals are listened to.
        made.read_line(&mut String::new()).unwrap();
        let kill = ["-s", "INT", &child.id().to_string()].map(str::to_owned);
        assert!(std::process::Command::new("kill").args(kill).status().unwrap().success());
        let reader = std::thread::spawn(move || made.read_to_end(&mut Vec::new()).unwrap());
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if start.elapsed() > Duration::from_secs(120) {
                child.kill().unwrap();
                panic!("generate {kind} was not ended");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        reader.join().unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{kind}");
    }
}
