//! Faults from outside while a command runs: who reads has gone, who writes does not come, the disk
//! is full, the process is killed. docs/explanation/faults.md says what is kept.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use crate::support::{Folder, SOLUTION_6X6, TINY, export, hopeless, in_time, listens, under_way};
use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

/// What a machine may take that does many things besides.
const PATIENCE: Duration = Duration::from_secs(120);

/// `evodoku` with its output piped.
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin!("evodoku"));
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Waits until something is so, or kills.
fn wait_until(child: &mut Child, fault: &str, mut done: impl FnMut(&mut Child) -> bool) {
    let start = Instant::now();
    while !done(child) {
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{fault} within {PATIENCE:?}");
        }
        sleep(Duration::from_millis(20));
    }
}

fn wait(mut child: Child) -> (Option<i32>, String, String) {
    wait_until(&mut child, "it was not ended", |child| child.try_wait().unwrap().is_some());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn send(signal: &str, child: &Child) {
    let arguments = ["-s", signal, &child.id().to_string()].map(str::to_owned);
    assert!(Command::new("kill").args(arguments).status().unwrap().success());
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

/// A list whose first puzzle is never solved, with so many others that are.
fn slow_first(folder: &Folder, others: usize) -> String {
    let slow = ".".repeat(36);
    folder.file("list.sdm", format!("{slow}\n{}", format!("{SOLUTION_6X6}\n").repeat(others)))
}

/// No blank 6x6 board is solved by ten boards that never change.
const ENDLESS: [&str; 8] = [
    "--on=cpu", "--presolve=none", "--preset=cells", "--population=10", "--set=mutation-rate=0",
    "--set=restart-after=0", "--max-generations=0", "--seed=1",
];

#[test]
fn runs_behind_a_slow_puzzle_are_on_disk_when_they_end() {
    let folder = Folder::new();
    let list = slow_first(&folder, 5);
    let (csv, json) = (folder.argument("r.csv"), folder.argument("r.json"));
    let mut solve = command(&["solve", &list, "--threads=2", "--format=line"]);
    solve.args(ENDLESS).args(["--export-csv", &csv, "--export-json", &json]);
    let mut child = solve.spawn().unwrap();
    let (csv, json) = (folder.path("r.csv"), folder.path("r.json"));
    // A run goes to one export after the other, and the program may be killed in between.
    let written = |path: &Path| {
        let text = fs::read(path).unwrap_or_default();
        let export = serde_json::from_slice::<Value>(&text).unwrap_or_default();
        export["runs"].as_array().map_or(0, Vec::len)
    };
    wait_until(&mut child, "no run was written", |_| lines(&csv) == 6 && written(&json) == 5);
    // It is killed, and what has ended is there.
    child.kill().unwrap();
    let (_, printed, _) = wait(child);
    assert_eq!(printed, "", "the first is printed before the others");
    let runs = export(&json)["runs"].as_array().unwrap().clone();
    assert_eq!(runs.len(), 5);
    assert!(runs.iter().all(|run| run["solution"] == SOLUTION_6X6), "{runs:?}");
}

#[test]
fn runs_of_a_puzzle_are_on_disk_when_they_end() {
    let folder = Folder::new();
    let csv = folder.argument("r.csv");
    let most = ["--runs=1000000", "--max-generations=20", "--export-csv", &csv];
    let mut child = command(&["solve", "--on=cpu"]).args(hopeless(&most)).spawn().unwrap();
    wait_until(&mut child, "no run was written", |_| lines(&folder.path("r.csv")) > 3);
    child.kill().unwrap();
    assert_eq!(wait(child).1, "", "what several runs come to is printed after the last");
    assert!(fs::read_to_string(&csv).unwrap().ends_with('\n'));
}

#[test]
fn a_list_ends_soon_after_its_reader() {
    let mut solve = command(&["solve", "-", "--on=cpu", "--format=line", "-q"]);
    let mut child = solve.stdin(Stdio::piped()).spawn().unwrap();
    // The list itself has no end.
    let mut stdin = child.stdin.take().unwrap();
    let feeder = thread::spawn(move || {
        let lines = format!("{SOLUTION_6X6}\n").repeat(1_000);
        while stdin.write_all(lines.as_bytes()).is_ok() {}
    });
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert_eq!(first.trim_end(), SOLUTION_6X6);
    // The pipe is closed now.
    let (code, _, said) = wait(child);
    assert_eq!((code, said.as_str()), (Some(0), ""));
    feeder.join().unwrap();
}

#[test]
fn a_list_that_is_exported_goes_on_without_its_reader() {
    let folder = Folder::new();
    let list = folder.file("list.sdm", format!("{SOLUTION_6X6}\n").repeat(2_000));
    let csv = folder.argument("r.csv");
    let mut solve = command(&["solve", &list, "--on=cpu", "--format=line", "-q"]);
    let mut child = solve.args(["--export-csv", &csv]).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(wait(child).0, Some(0));
    assert_eq!(lines(&folder.path("r.csv")), 2_001);
}

#[test]
fn an_error_is_told_by_the_exit_code_even_if_the_reader_has_gone() {
    let folder = Folder::new();
    let bad = folder.file("bad.txt", "1 2 3\n");
    let list = folder.file("list.sdm", format!("{SOLUTION_6X6}\n").repeat(200_000));
    let mut child = command(&["convert", &bad, &list, "--to=line"]).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert_eq!(first.trim_end(), SOLUTION_6X6);
    // The pipe is closed now.
    let (code, _, said) = wait(child);
    assert!(code == Some(2) && said.contains("bad.txt"), "{code:?} {said}");
}

#[test]
fn a_wait_for_input_ends_with_the_first_request() {
    let folder = Folder::new();
    let fifo = folder.argument("fifo");
    pipe(&folder.path("fifo"));
    for (subcommand, input) in
        [("solve", "-"), ("solve", &*fifo), ("check", "-"), ("check", &*fifo)]
    {
        let mut child = command(&[subcommand, input]).stdin(Stdio::piped()).spawn().unwrap();
        // Held open: no end of the input comes. The third line is not whole yet.
        let mut stdin = child.stdin.take().unwrap();
        if input == "-" {
            stdin.write_all(format!("{SOLUTION_6X6}\n{SOLUTION_6X6}\n12").as_bytes()).unwrap();
        }
        let mut printed = BufReader::new(child.stdout.take().unwrap()).lines();
        if (subcommand, input) == ("check", "-") {
            assert_eq!(printed.by_ref().take(2).count(), 2);
        }
        // Before it listens, a signal ends it as any other process.
        wait_until(&mut child, "it did not listen", listens);
        send("TERM", &child);
        let (code, _, said) = wait(child);
        assert_eq!(code, Some(130), "{subcommand} {input}: {said}");
        assert!(!said.contains("evodoku: "), "{said}");
        assert!(subcommand != "check" || printed.next().is_none(), "nothing more is whole");
    }
}

#[test]
fn an_export_to_a_pipe_waits_for_its_reader_and_not_for_ever() {
    let folder = Folder::new();
    pipe(&folder.path("fifo"));
    for flag in ["--export-json", "--export-csv", "--plot", "--trace"] {
        let mut solve = command(&["solve", "003-6x6", "--on=cpu", "--format=line", "--seed=3"]);
        solve.args(["--presolve=none", "--population=200", flag, &folder.argument("fifo")]);
        let mut child = solve.spawn().unwrap();
        if flag != "--trace" {
            // The solution comes before anybody reads the export.
            let mut printed = String::new();
            BufReader::new(child.stdout.take().unwrap()).read_line(&mut printed).unwrap();
            assert_eq!(printed.trim_end(), SOLUTION_6X6);
        } else {
            wait_until(&mut child, "it did not listen", listens);
        }
        send("TERM", &child);
        let (code, _, said) = wait(child);
        assert_eq!(code, Some(130), "{flag} {said}");
        assert!(said.contains("fifo: no process reads it"), "{said}");
    }
    let mut solve = command(&["solve", TINY, "--on=cpu", "--export-csv"]);
    let child = solve.arg(folder.argument("fifo")).spawn().unwrap();
    assert_eq!(lines(&folder.path("fifo")), 2);
    assert_eq!(wait(child).0, Some(0));
}

#[test]
fn a_bench_of_many_boards_ends_with_the_first_request() {
    let folder = Folder::new();
    let json = folder.argument("r.json");
    for what in ["--what=score", "--what=generation"] {
        let mut bench = command(&["bench", "--on=cpu", "--populations=2000000,2000001", what]);
        bench.args(["--time-budget=600", "--preset=boxes", "--export-json", &json]);
        let mut child = bench.spawn().unwrap();
        // It is written before the first measurement: signals are listened to.
        let path = folder.path("r.json");
        let begun = || fs::metadata(&path).is_ok_and(|data| data.len() > 0);
        wait_until(&mut child, "it did not get going", |_| begun());
        send("TERM", &child);
        let (code, printed, said) = wait(child);
        assert_eq!(code, Some(130), "{said}");
        assert!(!printed.is_empty());
        assert_eq!(export(&path)["complete"], false);
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn a_second_interrupt_ends_a_command_at_once() {
    in_time(|| {
        let endless = ["generate", "--fill=0.45", "--count=4000000000", "--seed=1"];
        let mut child = command(&endless).spawn().unwrap();
        wait_until(&mut child, "it did not listen", listens);
        // Soon it waits for its reader, and cannot end by itself.
        sleep(Duration::from_secs(1));
        send("INT", &child);
        // Two within half a second would be one.
        sleep(Duration::from_millis(1_500));
        under_way(&mut child)?;
        send("INT", &child);
        assert_eq!(wait(child).0, Some(130));
        Some(())
    });
}
