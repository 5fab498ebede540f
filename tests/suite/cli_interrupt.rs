//! Ctrl-C: the run ends at once, prints its best board and writes what it was to write.
#![cfg(unix)]

use std::fs;
use std::process::{Child, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{COLUMNS, Folder, export, in_time, trace};
use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

/// What a machine may take that does many things besides; the aim is a second.
const PATIENCE: Duration = Duration::from_secs(120);
/// What a run may take to get going.
const START: Duration = Duration::from_secs(120);
/// No board of this is ever solved, and nothing else ends it.
const ENDLESS: [&str; 7] = [
    "easter-monster",
    "--presolve=none",
    "--set=max-generations=0",
    "--set=mutation-rate=0",
    "--set=restart-after=0",
    "--seed=1",
    "--format=line",
];

/// A run that was interrupted.
struct Interrupted {
    output: Output,
    runs: Vec<Value>,
    trace: Vec<Vec<String>>,
}

/// Starts a run, waits until its trace has `rows` rows and then for `pause`, and sends a signal, or several.
fn interrupt(arguments: &[&str], rows: usize, pause: Duration, signals: &str) -> Interrupted {
    let folder = Folder::new();
    let mut command = std::process::Command::new(cargo_bin!("evodoku"));
    command.args(["solve", "--on=cpu"]).args(ENDLESS).args(arguments);
    command.args(["--trace", &folder.argument("trace.csv")]);
    command.args(["--export-json", &folder.argument("runs.json")]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();

    // The trace is begun when signals are listened to already.
    let written = || {
        fs::read_to_string(folder.path("trace.csv")).is_ok_and(|text| text.lines().count() > rows)
    };
    await_or_kill(&mut child, START, "did not get going", |_| written());
    sleep(pause);
    // All from one shell, which takes less time than a process for each.
    let send = "for signal in $1; do kill -s $signal $2 || exit 1; done";
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", send, "sh", signals, &child.id().to_string()]);
    assert!(shell.status().unwrap().success());
    await_or_kill(&mut child, PATIENCE, "was not ended", |child| {
        child.try_wait().unwrap().is_some()
    });

    let runs = export(&folder.path("runs.json"))["runs"].as_array().unwrap().clone();
    Interrupted {
        output: child.wait_with_output().unwrap(),
        runs,
        trace: trace(&folder.path("trace.csv")),
    }
}

fn await_or_kill(
    child: &mut Child,
    longest: Duration,
    fault: &str,
    done: impl Fn(&mut Child) -> bool,
) {
    let start = Instant::now();
    while !done(child) {
        if start.elapsed() > longest {
            child.kill().unwrap();
            panic!("the run {fault} within {longest:?}");
        }
        sleep(Duration::from_millis(20));
    }
}

/// Checks what every interrupted run leaves behind; returns its record.
fn check(interrupted: &Interrupted) -> &Value {
    let Interrupted { output, runs, trace } = interrupted;
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("interrupted with "), "{said}");
    assert_eq!(runs.len(), 1, "an interrupt ends all runs");
    let run = &runs[0];
    assert_eq!(run["stop_reason"], "interrupted");
    assert_eq!(run["solved"], false);
    assert_eq!(trace[0], COLUMNS);
    let printed = String::from_utf8_lossy(&output.stdout);
    let expected = format!(
        "# not solved: {} conflicts left\n# {}\n",
        run["fitness"],
        run["board"].as_str().unwrap()
    );
    assert!(printed.starts_with(&expected), "{printed}");
    run
}

#[test]
fn a_long_run_ends_with_its_best_board() {
    let interrupted =
        interrupt(&["--preset=boxes", "--population=20000"], 3, Duration::ZERO, "INT");
    let run = check(&interrupted);
    assert!(!run["board"].as_str().unwrap().contains('.'));
    // A row for every complete generation, and none for the one that was abandoned.
    let last = interrupted.trace.last().unwrap();
    assert_eq!(run["generations"].to_string(), last[2]);
    assert_eq!(interrupted.trace.len() as u64, run["generations"].as_u64().unwrap() + 2);
    assert_eq!(run["fitness"].to_string(), last[5]);
}

#[test]
fn a_generation_that_takes_long_is_abandoned() {
    // The first generation is soon there, the next would take an hour.
    let slow = ["--preset=cellular", "--population=10000", "--set=tries=100000000", "--threads=2"];
    let interrupted = interrupt(&slow, 0, Duration::from_millis(500), "INT");
    let run = check(&interrupted);
    assert_eq!(run["generations"], 0);
    assert_eq!(run["moves"], 0, "what an abandoned generation cost is not counted");
    assert!(interrupted.trace.len() <= 2);
}

#[test]
fn a_run_that_has_not_begun_ends_too() {
    in_time(|| {
        // The first population alone takes a while.
        let interrupted = interrupt(
            &["--preset=boxes", "--population=1000000", "--threads=1"],
            0,
            Duration::ZERO,
            "INT",
        );
        let run = check(&interrupted);
        (run["generations"].as_u64().unwrap() <= 1).then_some(())
    });
}

#[test]
fn an_interrupt_ends_further_runs_and_puzzles_too() {
    let more = ["--preset=boxes", "--population=1000", "--runs=3", "003-4x4"];
    let interrupted = interrupt(&more, 1, Duration::ZERO, "INT");
    check(&interrupted);
    let printed = String::from_utf8_lossy(&interrupted.output.stdout);
    assert!(printed.contains("# none of 3 runs finished\n"), "{printed}");
    assert!(interrupted.trace[1..].iter().all(|row| row[0] == "easter-monster"));
}

#[test]
fn a_wish_that_comes_twice_at_once_is_one() {
    // As `timeout` sends it to a process and to its group.
    check(&interrupt(
        &["--preset=boxes", "--population=1000"],
        1,
        Duration::ZERO,
        "TERM TERM CONT",
    ));
}
