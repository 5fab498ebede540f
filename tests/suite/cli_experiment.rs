//! `evodoku experiment`, as its users run it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{in_time, under_way, wait_until};

/// What depends on the machine, in cells and in runs, and so their checksums.
const TIMES: [&str; 5] = ["seconds", "median_seconds", "children_per_second", "threads", "crc32"];

/// Runs that find nothing, a second or two in all.
pub const SLOW: &str = "puzzles = ['ai-escargot', '001-hard-01']
methods = ['boxes']
seeds = 10
[parameters]
population = [500, 1000]
max_generations = 150
";

/// A folder with a spec, and the files that it is exported to.
pub struct Folder(TempDir);

impl Folder {
    pub fn new(spec: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("spec.toml"), spec).unwrap();
        Self(folder)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_evodoku"));
        command.current_dir(self.0.path()).args(["experiment", "--on", "cpu"]);
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the spec with all exports.
    pub fn export(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(&["spec.toml", "--export-json", "r.json"]);
        command.args(["--export-csv", "r.csv", "--export-markdown", "r.md", "--plot", "r.svg"]);
        command.args(arguments);
        command
    }

    pub fn done(&self, arguments: &[&str]) -> Output {
        let output = self.export(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output
    }

    /// All files, times left out.
    pub fn files(&self) -> [String; 4] {
        [
            json_without_times(&self.read("r.json")),
            csv_without_times(&self.read("r.csv")),
            markdown_without_times(&self.read("r.md")),
            self.read("r.svg"),
        ]
    }
}

fn json_without_times(text: &str) -> String {
    let mut value: Value = serde_json::from_str(text).unwrap();
    for list in ["cells", "runs"] {
        for item in value[list].as_array_mut().unwrap() {
            let item = item.as_object_mut().unwrap();
            item.retain(|key, _| !TIMES.contains(&key.as_str()));
        }
    }
    serde_json::to_string_pretty(&value).unwrap()
}

fn csv_without_times(text: &str) -> String {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    let keep = |column: &usize| !TIMES.contains(&&header[*column]);
    let columns: Vec<usize> = (0..header.len()).filter(keep).collect();
    let row = |record: &csv::StringRecord| {
        columns.iter().map(|column| record[*column].to_owned()).collect::<Vec<_>>().join(",")
    };
    let rows: Vec<String> = reader.records().map(|record| row(&record.unwrap())).collect();
    format!("{}\n{}", row(&header), rows.join("\n"))
}

/// The last two columns are times.
fn markdown_without_times(text: &str) -> String {
    let line = |line: &str| {
        let cells: Vec<&str> = line.split('|').collect();
        if line.starts_with('|') { cells[..cells.len() - 3].join("|") } else { line.to_owned() }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

/// Waits until a few runs are in the journal; `None` where all were over before.
pub fn wait_for_runs(folder: &Folder, child: &mut Child) -> Option<()> {
    wait_until(child, || lines(&folder.path("r.json.journal")) >= 6)
}

#[test]
fn killed_and_resumed_gives_the_files_of_an_uninterrupted_run() {
    let whole = Folder::new(SLOW);
    whole.done(&["--jobs", "1"]);
    assert!(!whole.path("r.json.journal").exists());

    in_time(|| killed_and_resumed(&whole));
}

fn killed_and_resumed(whole: &Folder) -> Option<()> {
    let killed = Folder::new(SLOW);
    let mut child = killed.export(&["--jobs", "2"]).spawn().unwrap();
    wait_for_runs(&killed, &mut child)?;
    under_way(&mut child)?;
    child.kill().unwrap();
    child.wait().unwrap();
    let stored: Value = serde_json::from_str(&killed.read("r.json")).unwrap();
    (stored["runs"].as_array().unwrap().len() < 40).then_some(())?;

    // A line that was cut off is as if it had never been begun.
    let journal = killed.read("r.json.journal");
    fs::write(killed.path("r.json.journal"), format!("{journal}{{\"cell\":1,\"na")).unwrap();
    let said = String::from_utf8(killed.done(&["--resume"]).stderr).unwrap();
    assert!(said.contains("finished)"), "{said}");
    assert!(!killed.path("r.json.journal").exists());
    assert_eq!(killed.files(), whole.files());

    // Nothing is missing: nothing is run, and nothing changes, times included.
    let before = killed.read("r.json");
    killed.done(&["--resume"]);
    assert_eq!(killed.read("r.json"), before);
    Some(())
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_at_once_and_leaves_complete_files() {
    in_time(interrupted);
}

#[cfg(unix)]
fn interrupted() -> Option<()> {
    let folder = Folder::new(SLOW);
    let mut child = folder.export(&["--jobs", "2"]).spawn().unwrap();
    wait_for_runs(&folder, &mut child)?;
    let start = Instant::now();
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    (output.status.code() != Some(0)).then_some(())?;
    // The aim is a second; a busy machine may take more.
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    assert_eq!(output.status.code(), Some(130));
    let stored: Value = serde_json::from_str(&folder.read("r.json")).unwrap();
    let runs = stored["runs"].as_array().unwrap().len();
    assert!((5..40).contains(&runs), "{runs}");
    assert!(!folder.path("r.json.journal").exists());
    assert!(String::from_utf8(output.stdout).unwrap().contains(" of 10 "), "rows are marked");
    assert!(folder.read("r.csv").contains(",unfinished,"));
    assert!(folder.read("r.svg").trim_end().ends_with("</svg>"));
    Some(())
}

const SMALL: &str = "puzzles = ['003-4x4', '003-6x6']
methods = ['boxes']
seeds = 6
[parameters]
population = [8, 40]
max_generations = 30
";

#[test]
fn jobs_and_threads_change_nothing_but_times() {
    let one = Folder::new(SMALL);
    one.done(&["--jobs", "1", "--threads", "2"]);
    for arguments in [["--jobs", "2", "--threads", "2"], ["--jobs", "5", "--threads", "3"]] {
        let other = Folder::new(SMALL);
        other.done(&arguments);
        assert_eq!(other.files(), one.files());
    }
}

#[test]
fn results_of_another_version_are_not_resumed_over() {
    let folder = Folder::new(SMALL);
    folder.done(&[]);
    let before = folder.read("r.json");
    let refused = |folder: &Folder| {
        let output = folder.export(&["--resume"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    fs::write(
        folder.path("r.json"),
        before.replace("\"results_version\": ", "\"results_version\": 9"),
    )
    .unwrap();
    let said = refused(&folder);
    assert!(said.contains(" with results version 9"), "{said}");
    fs::write(folder.path("r.json"), &before[..before.len() / 2]).unwrap();
    let said = refused(&folder);
    assert!(said.contains("it is cut off in line "), "{said}");
    fs::write(folder.path("r.json"), "{\"version\": 5}").unwrap();
    let said = refused(&folder);
    assert!(said.contains("r.json is not a results file of an experiment: "), "{said}");
    assert_eq!(folder.read("r.json"), "{\"version\": 5}");
}

#[test]
fn exports_have_a_row_a_cell_and_json_every_run() {
    let folder = Folder::new(
        "puzzles = ['003-4x4', '003-puzzle5-unsolvable', '003-puzzle1']
methods = ['boxes', 'memetic']
seeds = 4
[parameters]
population = [60]
max_generations = 3
",
    );
    let output = folder.done(&[]);
    let json: Value = serde_json::from_str(&folder.read("r.json")).unwrap();
    assert_eq!(json["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(json["fingerprint"].as_str().unwrap().len(), 16);
    let cells = json["cells"].as_array().unwrap();
    let column = |name: &str| -> Vec<&Value> { cells.iter().map(|cell| &cell[name]).collect() };
    let statuses = ["done", "presolved", "contradictory", "contradictory", "done", "presolved"];
    assert_eq!(column("status"), statuses);
    assert_eq!(column("runs"), [4, 4, 0, 0, 4, 4]);
    assert_eq!(column("population")[0], 60);
    assert_eq!(column("success")[1], &Value::Null, "presolve is no success");
    assert_eq!(column("solved")[1], 0);
    assert!(column("remark")[2].as_str().unwrap().starts_with("column 5 holds 2 twice"));
    assert!(column("success_low")[0].as_f64().unwrap() > 0.0);

    let runs = json["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 16);
    let order: Vec<(u64, u64)> = runs
        .iter()
        .map(|run| (run["cell"].as_u64().unwrap(), run["seed"].as_u64().unwrap()))
        .collect();
    let mut sorted = order.clone();
    sorted.sort();
    assert_eq!(order, sorted);
    for key in ["puzzle", "solution", "stop_reason", "work", "config", "series", "seconds"] {
        assert!(runs[0].get(key).is_some(), "{key}");
    }

    let csv = folder.read("r.csv");
    assert_eq!(csv.lines().count(), 7);
    assert!(csv.starts_with("cell,block,puzzle,method,population,max_generations,status,remark,"));
    assert!(csv.contains("\n2,,003-4x4,memetic,60,3,presolved,,4,4,0,0,,,,"), "{csv}");
    // A sum of nothing is 0, not -0.
    assert!(!csv.contains("-0.0"), "{csv}");
    let markdown = folder.read("r.md");
    assert!(markdown.starts_with("# spec\n\nboxes solved "), "{markdown}");
    assert!(markdown.contains("\n\n| puzzle | method | solved | success (95 %) | "), "{markdown}");
    assert!(
        markdown.contains("| 003-puzzle5-unsolvable | boxes | contradictory | - | "),
        "{markdown}"
    );
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(
        table.contains("003-puzzle5-unsolvable has no solution: column 5 holds 2 twice"),
        "{table}"
    );
}

#[test]
fn exact_methods_stand_beside_presets_and_are_resumed() {
    let spec = "puzzles = ['003-4x4', 'ai-escargot']\nmethods = ['backtracking', 'boxes']\nseeds = 2\n\
                time_limit = 20\n[parameters]\npopulation = 30\nmax_generations = 9\n";
    let folder = Folder::new(spec);
    folder.done(&[]);
    let before = folder.read("r.json");
    let json: Value = serde_json::from_str(&before).unwrap();
    let cell = &json["cells"][2];
    assert_eq!((&cell["puzzle"], &cell["method"]), (&"ai-escargot".into(), &"backtracking".into()));
    assert_eq!((&cell["solved"], &cell["runs"]), (&1.into(), &1.into()));
    assert_eq!((&cell["work_median"], &cell["expected_work"]), (&Value::Null, &Value::Null));
    assert_eq!(json["runs"].as_array().unwrap().len(), 6);
    folder.done(&["--resume"]);
    assert_eq!(folder.read("r.json"), before);
}

#[test]
fn flags_say_the_same_as_a_spec() {
    let folder = Folder::new(SMALL);
    folder.done(&[]);
    let flags = Folder::new("");
    let arguments = "--puzzle 003-4x4 003-6x6 --preset boxes --set population=8,40 \
                     --set max_generations=30 --seeds 6 --export-json r.json --quiet";
    let output = flags.command(&arguments.split_whitespace().collect::<Vec<_>>()).output().unwrap();
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
    let strip = |text: String| json_without_times(&text).replace(": \"experiment\"", ": \"spec\"");
    assert_eq!(strip(flags.read("r.json")), strip(folder.read("r.json")));
}

#[test]
fn what_presolve_solves_is_no_failure_while_runs_are_missing() {
    let folder = Folder::new("");
    let begun = "--puzzle 001-easy-03 ai-escargot --preset memetic --seeds 4 --set population=16,24 \
                 --set max_work=2000 --first-seeds 2 --export-csv r.csv";
    let output = folder.command(&begun.split_whitespace().collect::<Vec<_>>()).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("of 4 runs (presolve alone solved 4 more)"), "{said}");
    let rows = folder.read("r.csv");
    let presolved = rows.lines().filter(|row| row.contains("001-easy-03"));
    assert!(
        presolved.clone().count() == 2 && presolved.clone().all(|row| row.contains(",presolved,")),
        "{rows}"
    );
    // Planned runs of evolution are those of the other puzzle, in both tables.
    assert!(said.matches("/2 of 4 ").count() == 4 && !said.contains("of 8 "), "{said}");
}

#[test]
fn what_is_wrong_is_said_before_anything_runs() {
    let folder = Folder::new("puzzles = ['003-4x4']\nmethods = ['boxs']\n");
    let refused = |arguments: &[&str]| {
        let output = folder.command(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    };
    let said = refused(&["spec.toml", "--export-json", "r.json"]);
    assert!(said.starts_with("evodoku: spec.toml, line 2: 'boxs' is not one of "), "{said}");
    assert!(!folder.path("r.json").exists());
    let said = refused(&["none.toml"]);
    assert!(said.starts_with("evodoku: none.toml: cannot be read"), "{said}");
    let said = refused(&["--puzzle", "003-4x4", "--set", "population=5,0"]);
    assert_eq!(
        said,
        "evodoku: --set: population is '0', but it takes a whole number from 1 to 4294967294\n"
    );
    let said = refused(&["--puzzle", "003-4x4", "--export-csv", "no/such/folder.csv"]);
    assert!(said.starts_with("evodoku: cannot write no/such/folder.csv"), "{said}");
    assert!(refused(&["spec.toml", "--resume"]).contains("--export-json"));
    for flag in ["--resume", "--checkpoint-every=9s"] {
        let said = refused(&["--puzzle", "003-4x4", "--export-json", "-", flag]);
        assert!(said.contains("need --export-json with a file"), "{said}");
    }
    assert!(refused(&[]).starts_with("evodoku: name a spec (experiment --init prints one)"));
    let said = refused(&["003-4x4"]);
    assert_eq!(said, "evodoku: 003-4x4 is a puzzle, not a spec: use --puzzle 003-4x4\n");
}
