//! What surrounds a command is missing, odd, or changes meanwhile: no home, no stdin, a folder in which
//! nothing can be written, files that are taken away, a terminal that hangs up, a machine that sleeps.
#![cfg(unix)]

use std::fs;
use std::process::{Child, Command, Output, Stdio};
use std::thread::{self, sleep};
use std::time::Duration;

use crate::support::{
    Folder, SOLUTION_6X6, binary, export, hopeless, in_time, runs_of, under_way, wait_until,
};

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The same by a shell that does something before.
fn after(shell: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{shell}; exec \"$@\""), "sh"]).arg(binary()).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn ended(output: Output) -> (Option<i32>, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn send(signal: &str, child: &Child) {
    let arguments = ["-s", signal, &child.id().to_string()].map(str::to_owned);
    assert!(Command::new("kill").args(arguments).status().unwrap().success());
}

/// A run that goes on for some seconds, with a trace that says that it does.
fn long<'a>(trace: &'a str, limit: &'a str) -> Vec<&'a str> {
    let mut all = vec!["solve", "--on=cpu"];
    all.extend(hopeless(&["--trace", trace, "--set=distinct_every=0", "--time-limit", limit]));
    all
}

fn lines(folder: &Folder, name: &str) -> usize {
    fs::read_to_string(folder.path(name)).map_or(0, |text| text.lines().count())
}

#[test]
fn a_command_without_surroundings_solves() {
    let solve = ["solve", "003-6x6", "--on=cpu", "--format=line", "--quiet"];
    for nothing in
        ["exec <&-", "exec 2>&-", "unset HOME PATH", "cd /proc", "umask 777", "cd /; HOME=/none"]
    {
        let (code, printed, said) = ended(after(nothing, &solve).output().unwrap());
        assert_eq!((code, printed.trim_end()), (Some(0), SOLUTION_6X6), "{nothing}: {said}");
    }
    let mut bare = command(&solve);
    let (code, printed, said) = ended(bare.env_clear().output().unwrap());
    assert_eq!((code, printed.trim_end()), (Some(0), SOLUTION_6X6), "{said}");
}

#[test]
fn new_files_are_as_public_as_the_user_wants_and_old_ones_stay_as_they_are() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let mode = |name: &str| fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777;
    folder.file("old.json", "");
    fs::set_permissions(folder.path("old.json"), fs::Permissions::from_mode(0o640)).unwrap();
    let [new, old] = ["new.json", "old.json"].map(|name| folder.argument(name));
    for (mask, json) in [("umask 077", &new), ("umask 022", &old)] {
        let solve = ["solve", "003-6x6", "--on=cpu", "--quiet", "--export-json", json];
        let (code, _, said) = ended(after(mask, &solve).output().unwrap());
        assert_eq!(code, Some(0), "{said}");
    }
    assert_eq!((mode("new.json"), mode("old.json")), (0o600, 0o640));
}

#[test]
fn a_closed_stdin_is_an_empty_one() {
    let (code, _, said) = ended(after("exec <&-", &["solve", "-"]).output().unwrap());
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("stdin: the text has no cells"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_takes_no_file_is_told_before_anything_runs() {
    // Nobody writes there, not even who may do everything.
    for (flag, name) in [
        ("--export-json", "r.json"),
        ("--trace", "t.csv"),
        ("--record", "r.rec"),
        ("--checkpoint", "r.keep"),
        ("--plot", "r.svg"),
    ] {
        let mut solve = after("cd /proc", &["solve", "003-6x6", "--on=cpu", flag, name]);
        let (code, printed, said) = ended(solve.output().unwrap());
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{said}");
        assert!(said.starts_with(&format!("evodoku: cannot write {name}: ")), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_limit_on_memory_does_not_hold_is_told_before_anything_runs() {
    for command in [
        &["solve", "ai-escargot", "--on=cpu", "--preset=boxes", "--population=60000000"][..],
        &["bench", "--on=cpu", "--what=score", "--populations=60000000"],
    ] {
        // As batch systems set it: four million KiB.
        let (code, printed, said) = ended(after("ulimit -v 4000000", command).output().unwrap());
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{said}");
        assert!(said.contains(" GiB, but only ") && said.contains("GiB are available"), "{said}");
    }
}

/// A bound on memory that leaves no room for the stacks of threads, at every number of threads.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_start_are_told_and_nothing_hangs() {
    const STEP: usize = 1_024;
    let within = |limit: usize, arguments: &[&str]| {
        // With a backtrace the standard library waits for itself where it has no memory for one.
        let limit = format!("unset RUST_BACKTRACE; ulimit -c 0; ulimit -v {limit}");
        let (code, _, said) = ended(after(&limit, arguments).output().unwrap());
        (code, said)
    };
    // What the program takes by itself.
    let starts = |limit: &usize| within(*limit, &["--version"]).0 == Some(0);
    let least = (10_000..).step_by(STEP).find(starts).unwrap();
    for command in [
        "solve 001-hard-01 --on=cpu --threads=4 --seed=1",
        "solve 001-hard-01 001-hard-02 --on=cpu --threads=4 --seed=1",
        "check 001-hard-01",
        "generate --unique --count=4 --threads=4 --seed=1",
        "experiment --puzzle=003-6x6 --preset=boxes --set=population=10 --set=max_generations=2 --seeds=4 --jobs=4 --on=cpu",
        "bench --what=score --populations=100 --time-budget=0.1 --on=cpu --threads=2",
    ] {
        let arguments: Vec<&str> = command.split(' ').collect();
        let (mut is_told, mut good) = (false, 0);
        for limit in (least..).step_by(STEP).take_while(|limit| *limit < 4_000_000) {
            let (code, said) = within(limit, &arguments);
            // Where not even a small allocation succeeds, the standard library aborts the process.
            assert!(
                code.is_none_or(|code| code <= 2) && !said.contains("failed to spawn thread"),
                "{limit}: {said}"
            );
            is_told |= code == Some(2) && said.contains("cannot start a thread: ");
            good = if code.is_some_and(|code| code < 2) { good + 1 } else { 0 };
            if good == 3 {
                break;
            }
        }
        assert!(is_told && good == 3, "{command}: {is_told}, {good}");
    }
}

/// As another user than root, for whom limits on processes hold. With room for two threads the command runs with
/// fewer threads, and with more room it runs, too.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_processes_costs_threads_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let program = folder.path("evodoku");
    fs::copy(binary(), &program).unwrap();
    for path in [folder.path(""), program.clone()] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let limited = |limit: usize, arguments: &str| {
        let script = format!("ulimit -u {limit}; exec {} {arguments}", program.display());
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65533", "--regid=65533", "--clear-groups", "bash", "-c", &script]);
        command.current_dir("/").output().map(ended)
    };
    // Only root may become another user.
    if !limited(100, "--version").is_ok_and(|(code, ..)| code == Some(0)) {
        return;
    }
    for arguments in [
        "solve 003-6x6 --on=cpu --presolve=none --preset=boxes --seed=1 --threads=64",
        "experiment --puzzle=003-6x6 --preset=boxes --set=max_generations=2 --seeds=8 --jobs=8 --on=cpu",
    ] {
        let mut is_enough = false;
        for limit in (3..16).chain([40]) {
            let (code, _, said) = limited(limit, arguments).unwrap();
            let is_told = code == Some(2) && said.contains("cannot start a thread: ");
            assert!(code == Some(0) || is_told && !is_enough, "{arguments}, {limit}: {said}");
            is_enough = code == Some(0);
        }
        assert!(is_enough, "{arguments}");
    }
}

/// What only root can arrange, in a space of names of its own: a file that a container mounts, and no `/proc`.
#[cfg(target_os = "linux")]
#[test]
fn a_container_without_proc_that_mounts_a_file_changes_nothing() {
    let folder = Folder::new();
    let [file, other] = ["r.json", "other"].map(|name| {
        folder.file(name, "");
        folder.argument(name)
    });
    let mount = format!("mount --bind {other} {file} && mount -t tmpfs none /proc");
    let mounted = |arguments: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-c", &format!("{mount} && exec \"$@\""), "sh"]);
        command.arg(binary()).args(arguments).output().map(ended)
    };
    if !mounted(&["--version"]).is_ok_and(|(code, ..)| code == Some(0)) {
        return;
    }
    let solve =
        ["solve", "003-6x6", "--on=cpu", "--quiet", "--format=line", "--export-json", &file];
    for _ in 0..2 {
        let (code, printed, said) = mounted(&solve).unwrap();
        assert_eq!((code, printed.trim_end()), (Some(0), SOLUTION_6X6), "{said}");
        assert_eq!(export(&folder.path("other"))["runs"].as_array().unwrap().len(), 1);
    }
    // Memory that is not known is no bound.
    let large = ["solve", "003-6x6", "--on=cpu", "--population=1M", "--preset=boxes"];
    let (code, _, said) = mounted(&[&large[..], &["--max-generations=1"]].concat()).unwrap();
    assert!(code.is_some_and(|code| code < 2), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_only_reads_costs_the_checkpoint_and_not_the_run() {
    // Nobody writes there, not even who may do everything.
    let refused = |error: std::io::Error| error.kind() == std::io::ErrorKind::PermissionDenied;
    if !fs::write("/sys/r.keep", "").is_err_and(refused) {
        return;
    }
    let run = ["solve", "003-6x6", "--on=cpu", "--format=line", "--checkpoint", "r.keep"];
    let (code, printed, said) = ended(after("cd /sys", &run).output().unwrap());
    assert_eq!((code, printed.lines().count()), (Some(0), 1), "{said}");
    let warnings: Vec<&str> = said.lines().filter(|line| line.starts_with("warning: ")).collect();
    let [warning] = warnings[..] else { panic!("{said}") };
    assert!(warning.contains("cannot write r.keep: "), "{said}");
    assert!(warning.ends_with("; the run continues without checkpoints"), "{said}");
}

#[test]
fn a_hang_up_ends_a_run_with_its_best_board_unless_it_is_ignored() {
    let folder = Folder::new();
    let trace = folder.argument("t.csv");
    let mut child = command(&long(&trace, "1h")).spawn().unwrap();
    wait_until(&mut child, || lines(&folder, "t.csv") > 2).unwrap();
    send("HUP", &child);
    let (code, printed, said) = ended(child.wait_with_output().unwrap());
    assert_eq!(code, Some(130), "{said}");
    assert!(printed.contains("not solved"), "{printed}");
    // As under nohup.
    in_time(|| {
        let _ = fs::remove_file(&trace);
        let mut child = after("trap '' HUP", &long(&trace, "3s")).spawn().unwrap();
        wait_until(&mut child, || lines(&folder, "t.csv") > 2)?;
        send("HUP", &child);
        under_way(&mut child)?;
        let (code, _, said) = ended(child.wait_with_output().unwrap());
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("time"), "{said}");
        Some(())
    });
}

#[test]
fn a_run_that_was_stopped_for_a_while_is_the_same() {
    let folder = Folder::new();
    let of = |name: &str| {
        let run = ["solve", "easter-monster", "--on=cpu", "--preset=boxes", "--presolve=none"];
        let budget = ["--population=2000", "--max-generations=60", "--seed=1", "--format=line"];
        command(&[&run[..], &budget, &["--trace", &folder.argument(name)]].concat())
    };
    let expected = ended(of("whole.csv").output().unwrap());
    in_time(|| {
        let _ = fs::remove_file(folder.path("t.csv"));
        let mut child = of("t.csv").spawn().unwrap();
        wait_until(&mut child, || lines(&folder, "t.csv") > 2)?;
        send("STOP", &child);
        under_way(&mut child)?;
        sleep(Duration::from_millis(600));
        send("CONT", &child);
        let found = ended(child.wait_with_output().unwrap());
        assert_eq!((found.0, &found.1), (expected.0, &expected.1));
        Some(())
    });
    let rows = |name| -> Vec<String> {
        let text = fs::read_to_string(folder.path(name)).unwrap();
        text.lines().map(|line| line.split(',').take(9).collect::<Vec<_>>().join(",")).collect()
    };
    assert_eq!(rows("t.csv"), rows("whole.csv"));
}

#[test]
fn a_trace_that_is_taken_away_is_told() {
    let folder = Folder::new();
    let trace = folder.argument("t.csv");
    let json = folder.argument("r.json");
    let run = [&long(&trace, "2s")[..], &["--export-json", &json]].concat();
    in_time(|| {
        let _ = fs::remove_file(&trace);
        let mut child = command(&run).spawn().unwrap();
        wait_until(&mut child, || lines(&folder, "t.csv") > 2)?;
        fs::remove_file(&trace).unwrap();
        under_way(&mut child)?;
        let (code, printed, said) = ended(child.wait_with_output().unwrap());
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("t.csv: it was removed while it was being written"), "{said}");
        assert!(printed.contains("not solved"), "{printed}");
        assert_eq!(export(&folder.path("r.json"))["runs"].as_array().unwrap().len(), 1);
        Some(())
    });
}

/// An experiment of runs of some tenths of a second.
const SPEC: &str = "puzzles = ['easter-monster']
methods = ['boxes']
seeds = 6
[parameters]
presolve = 'none'
population = 2_000
max_generations = 40
";

#[test]
fn results_that_are_taken_away_are_written_again() {
    let folder = Folder::new();
    folder.file("spec.toml", SPEC);
    let all = ["experiment", "spec.toml", "--on=cpu", "--jobs=1", "--export-json=r.json"];
    let begin = || command(&all).current_dir(folder.path("")).spawn().unwrap();
    let (code, _, said) = ended(begin().wait_with_output().unwrap());
    assert_eq!(code, Some(0), "{said}");
    let expected = runs_of(&folder.path("r.json"));
    in_time(|| {
        fs::remove_file(folder.path("r.json")).unwrap();
        let mut child = begin();
        wait_until(&mut child, || lines(&folder, "r.json.journal") > 2)?;
        send("STOP", &child);
        let journal = fs::remove_file(folder.path("r.json.journal"));
        journal.is_ok().then(|| fs::remove_file(folder.path("r.json")).unwrap());
        send("CONT", &child);
        let (code, _, said) = ended(child.wait_with_output().unwrap());
        assert_eq!(code, Some(0), "{said}");
        assert_eq!(runs_of(&folder.path("r.json")), expected);
        journal.ok()
    });
}

#[test]
fn a_folder_that_is_taken_away_has_all_that_was_done() {
    in_time(|| {
        let folder = Folder::new();
        folder.file("spec.toml", SPEC);
        fs::create_dir(folder.path("here")).unwrap();
        let all = ["experiment", "spec.toml", "--on=cpu", "--jobs=1", "--export-json"];
        let begin = |path: &str, more: &[&str]| {
            let arguments = [&all[..], &[path], more].concat();
            command(&arguments).current_dir(folder.path("")).spawn().unwrap()
        };
        let mut child = begin("here/r.json", &[]);
        wait_until(&mut child, || lines(&folder, "here/r.json.journal") > 2)?;
        fs::rename(folder.path("here"), folder.path("there")).unwrap();
        under_way(&mut child)?;
        let (code, printed, said) = ended(child.wait_with_output().unwrap());
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("cannot write here/r.json: "), "{said}");
        assert!(printed.contains("easter-monster"), "{printed}");
        let again = begin("there/r.json", &["--resume"]).wait_with_output();
        let (code, _, said) = ended(again.unwrap());
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("(6 finished)"), "{said}");
        Some(())
    });
}

#[test]
fn two_runs_on_one_file_leave_the_one_that_ended_last() {
    in_time(|| {
        let folder = Folder::new();
        let file = |flag: &str, name: &str| format!("{flag}={}", folder.argument(name));
        let files = [
            file("--export-json", "r.json"),
            file("--export-csv", "r.csv"),
            file("--checkpoint", "r.keep"),
        ];
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let begin = |seed| {
            let run = ["solve", "easter-monster", "--on=cpu", "--preset=boxes", "--presolve=none"];
            let limits = ["--population=20000", "--max-generations=6", "--threads=1"];
            let more = ["--checkpoint-every=1g", seed];
            command(&[&run[..], &limits, &more, &files].concat()).spawn().unwrap()
        };
        let children = ["--seed=1", "--seed=2", "--seed=3"].map(begin);
        let mut missed = false;
        for child in children {
            let (code, _, said) = ended(child.wait_with_output().unwrap());
            // All are to begin before the first of them has a generation, and so a checkpoint, that
            // the others would find.
            let found = ["exists: use", "only one process may continue a run"];
            if code == Some(2) && found.iter().any(|sentence| said.contains(sentence)) {
                missed = true;
                continue;
            }
            assert_eq!(code, Some(1), "{said}");
        }
        if missed {
            return None;
        }
        let runs = export(&folder.path("r.json"))["runs"].as_array().unwrap().clone();
        assert!(runs.len() == 1 && (1..=3).contains(&runs[0]["seed"].as_u64().unwrap()));
        assert_eq!(lines(&folder, "r.csv"), 2);
        // The checkpoint is a whole one of one of them.
        let keep = folder.argument("r.keep");
        let resumed = ["solve", "--on=cpu", "--resume", &keep, "--max-generations=7", "--quiet"];
        let (code, _, said) = ended(command(&resumed).output().unwrap());
        assert_eq!((code, said.as_str()), (Some(1), ""));
        Some(())
    });
}

/// A tuning of some dozen runs of a few milliseconds.
const TUNING: &str = "method = 'boxes'
training = ['003-4x4']
validation = ['003-6x6']
budget = 60
[parameters]
max_work = 1_000
population = { from = 4, to = 400 }
";

#[test]
fn a_spec_that_comes_late_is_waited_for() {
    let folder = Folder::new();
    let fifo = folder.argument("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    for (arguments, content) in [
        (&["experiment", &*fifo][..], SPEC),
        (&["tune", &fifo], TUNING),
        (&["solve", "003-6x6", "--config", &fifo], "population = 50\n"),
    ] {
        let mut child = command(arguments).arg("--on=cpu").spawn().unwrap();
        sleep(Duration::from_millis(300));
        assert!(child.try_wait().unwrap().is_none(), "{arguments:?}");
        // Who writes to it waits, too, until somebody reads.
        let path = fifo.clone();
        let writer = thread::spawn(move || fs::write(path, content));
        let (code, _, said) = ended(child.wait_with_output().unwrap());
        assert_eq!(code, Some(0), "{arguments:?}: {said}");
        writer.join().unwrap().unwrap();
    }
}

#[test]
fn what_is_nested_without_end_is_refused_in_a_sentence() {
    let folder = Folder::new();
    let deep = 1 << 20;
    folder.file("deep.json", "[".repeat(deep));
    folder.file("deeper.json", "{\"a\":".repeat(deep));
    folder.file("deep.xml", "<a>".repeat(deep));
    folder.file("spec.toml", SPEC);
    for arguments in [
        &["experiment", "spec.toml", "--resume", "--export-json", "deep.json"][..],
        &["experiment", "spec.toml", "--resume", "--export-json", "deeper.json"],
        &["experiment", "merge", "deep.json", "deeper.json"],
        &["solve", "deep.xml"],
        &["play", "deep.json"],
        &["solve", "--resume", "deep.json"],
    ] {
        let output = command(arguments).current_dir(folder.path("")).output().unwrap();
        let (code, _, said) = ended(output);
        assert_eq!(code, Some(2), "{arguments:?}: {said}");
        assert!(said.lines().count() == 1 && said.len() < 500, "{arguments:?}: {said}");
    }
}

#[test]
fn a_line_without_an_end_is_refused_in_a_sentence() {
    for path in ["/dev/zero", "-"] {
        let mut check = command(&["check", path]);
        if path == "-" {
            check.stdin(fs::File::open("/dev/zero").unwrap());
        }
        let (code, _, said) = ended(check.output().unwrap());
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("more than 64 MiB in one puzzle or one XML file"), "{said}");
    }
}
