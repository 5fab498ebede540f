//! What the tests of the command share: how it is called, and how what it writes is read.

// Each test binary needs its own part of it.
#![allow(dead_code)]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Child, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use tempfile::TempDir;

/// Two blanks, which presolve fills.
pub const TINY: &str = "123434..21434321";
/// The solution of the shipped `003-6x6`.
pub const SOLUTION_6X6: &str = "136452245613653124412365564231321546";
/// The columns of a trace: those that every machine fills alike, then the times.
pub const COLUMNS: [&str; 15] = [
    "puzzle", "seed", "generation", "restart", "best", "best_so_far", "mean", "worst", "distinct",
    "evaluations", "moves", "breed_seconds", "upload_seconds", "kernel_seconds",
    "readback_seconds",
];
/// Columns of a trace that depend on nothing but the run.
pub const REPRODUCIBLE: usize = 11;
/// What a record says about the machine and not about the run.
pub const OF_THE_MACHINE: [&str; 6] =
    ["seconds", "children_per_second", "threads", "backend", "adapter", "driver"];

/// Whether the tests may take long, as `EVODOKU_TEST_LONG=1` says.
pub fn is_long() -> bool {
    env::var("EVODOKU_TEST_LONG").is_ok_and(|value| value == "1")
}

/// Tells by the number of a random case, from 0, whether it is tested: the first `count` cases are, or if [`is_long`]
/// all cases within an hour from now.
pub fn is_tested(count: u64) -> impl Fn(&u64) -> bool + Sync {
    let until = is_long().then(|| Instant::now() + Duration::from_secs(3600));
    move |number| until.map_or(*number < count, |until| Instant::now() < until)
}

/// Where the command is: what `EVODOKU` says, so that tests run on machines that did not build
/// them, or else where it was built.
pub fn binary() -> PathBuf {
    env::var_os("EVODOKU").map_or_else(|| cargo_bin!("evodoku").into(), PathBuf::from)
}

/// `mpirun` of so many ranks of it, in a folder. More ranks than cores take turns.
pub fn mpirun(folder: &Path, ranks: usize, arguments: &[&str]) -> process::Command {
    let mut command = process::Command::new("mpirun");
    command.current_dir(folder).args(["--oversubscribe", "--allow-run-as-root", "-n"]);
    command.arg(ranks.to_string()).arg(binary()).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What a machine may take that does many things besides.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A test of a moment, which is missed where a busy machine holds the test up until what it watches is
/// over: `None` says so, and it is tried again. Whatever else is wrong fails at once.
pub fn in_time(mut attempt: impl FnMut() -> Option<()>) {
    assert!((0..20).any(|_| attempt().is_some()), "the moment was missed twenty times");
}

/// Waits until something is so; `None` where the command was over before.
pub fn wait_until(child: &mut Child, mut done: impl FnMut() -> bool) -> Option<()> {
    let start = Instant::now();
    while !done() {
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("nothing came of it within {PATIENCE:?}");
        }
        under_way(child)?;
        sleep(Duration::from_millis(2));
    }
    Some(())
}

/// Whether something was written to a file: one that is empty may be there to find out whether it can be.
pub fn is_written(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| data.len() > 0)
}

/// `None` where a command is over.
pub fn under_way(child: &mut Child) -> Option<()> {
    child.try_wait().unwrap().is_none().then_some(())
}

/// Whether SIGTERM is caught, where the system tells.
pub fn listens(child: &mut Child) -> bool {
    let Ok(status) = fs::read_to_string(format!("/proc/{}/status", child.id())) else {
        sleep(Duration::from_secs(1));
        return true;
    };
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(caught.trim(), 16).unwrap() & 1 << (15 - 1) != 0
}

/// What the user who runs the tests may have set, and what would change the output: widths and colours.
pub const DISPLAY_VARIABLES: [&str; 4] = ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"];

/// The command.
pub fn evodoku() -> Command {
    let mut command = Command::new(binary());
    for name in DISPLAY_VARIABLES {
        command.env_remove(name);
    }
    command
}

/// The names of all commands, in the order of the help.
pub fn commands() -> Vec<String> {
    let mut help = evodoku();
    help.arg("--help");
    let text = stdout(help, 0);
    // A command is indented by two; flags begin with a dash, headings of examples with a capital letter.
    let rows = text.lines().filter_map(|line| line.strip_prefix("  "));
    let rows = rows.filter(|row| row.starts_with(|c: char| c.is_ascii_lowercase()));
    let names: Vec<String> =
        rows.filter_map(|row| row.split_whitespace().next()).map(str::to_owned).collect();
    assert!(names.len() >= 15, "{names:?}");
    names
}

/// The folder of the sources: as it was when the tests were built, unless `CARGO_MANIFEST_DIR` says
/// otherwise.
pub fn root() -> PathBuf {
    let built = || PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    env::var_os("CARGO_MANIFEST_DIR").map_or_else(built, PathBuf::from)
}

/// `evodoku solve` on the CPU, whatever the machine has.
pub fn solve(arguments: &[&str]) -> Command {
    let mut command = evodoku();
    command.args(["solve", "--on", "cpu"]).args(arguments);
    command
}

/// A run that cannot be solved: boards without mutation soon are all alike.
const HOPELESS: [&str; 8] = [
    "easter-monster",
    "--preset=boxes",
    "--population=100",
    "--set=mutation-rate=0",
    "--set=restart-after=0",
    "--set=max-generations=0",
    "--seed=1",
    "--format=line",
];

/// Such a run, with more arguments.
pub fn hopeless<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&HOPELESS, more].concat()
}

/// What a command that ends with `code` wrote to stdout.
pub fn stdout(mut command: Command, code: i32) -> String {
    let output = command.assert().code(code).get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

/// A folder for the files of a test.
pub struct Folder(TempDir);

impl Folder {
    /// An empty one.
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The same as an argument.
    pub fn argument(&self, name: &str) -> String {
        self.path(name).into_os_string().into_string().unwrap()
    }

    /// Writes a file, and gives its path as an argument.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), content).unwrap();
        self.argument(name)
    }
}

/// The exported JSON.
pub fn export(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The runs of an experiment's export, without what depends on the machine.
pub fn runs_of(path: &Path) -> Vec<Value> {
    let mut runs = without_machine(export(path)["runs"].take());
    let runs = runs.as_array_mut().unwrap();
    for run in runs.iter_mut() {
        run.as_object_mut().unwrap().remove("crc32").unwrap();
    }
    std::mem::take(runs)
}

/// The rows of a trace, its header first.
pub fn trace(path: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(path).unwrap();
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// Solves with an export, and returns its only run.
pub fn record(arguments: &[&str], code: i32) -> Value {
    let folder = Folder::new();
    let file = folder.argument("runs.json");
    solve(arguments).args(["--export-json", &file]).assert().code(code);
    let runs = export(&folder.path("runs.json"))["runs"].clone();
    assert_eq!(runs.as_array().unwrap().len(), 1);
    runs[0].clone()
}

/// Records without what they say about the machine.
pub fn without_machine(mut runs: Value) -> Value {
    for run in runs.as_array_mut().unwrap() {
        let run = run.as_object_mut().unwrap();
        assert_eq!(run["fault"], Value::Null);
        for name in OF_THE_MACHINE {
            run.remove(name).unwrap();
        }
    }
    runs
}

/// Everything that must be the same wherever and however a run is done.
#[derive(Clone, Debug, PartialEq)]
pub struct Witness {
    /// The result.
    pub stdout: String,
    /// The records, without what they say about the machine.
    pub runs: Value,
    /// The rows of the trace, without times.
    pub trace: Vec<Vec<String>>,
    /// The recording.
    pub recording: String,
}

impl Witness {
    /// That of `evodoku solve` with these arguments.
    pub fn of(arguments: &[&str]) -> Self {
        let folder = Folder::new();
        let mut command = evodoku();
        command.arg("solve").args(arguments);
        command.args(["--trace", &folder.argument("trace.csv")]);
        command.args(["--export-json", &folder.argument("runs.json")]);
        command.args(["--record", &folder.argument("run.rec")]);
        Self::left_in(&folder, command.output().unwrap())
    }

    /// What a command left in a folder, and printed.
    pub fn left_in(folder: &Folder, output: Output) -> Self {
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{said}");

        let runs = without_machine(export(&folder.path("runs.json"))["runs"].take());
        let mut trace = trace(&folder.path("trace.csv"));
        assert!(trace.len() > 3, "too few generations to compare: {said}");
        trace.iter_mut().for_each(|row| row.truncate(REPRODUCIBLE));
        let recording = fs::read_to_string(folder.path("run.rec")).unwrap();
        Self { stdout: String::from_utf8(output.stdout).unwrap(), runs, trace, recording }
    }
}
