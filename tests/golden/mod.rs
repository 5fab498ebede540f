//! Golden runs: what a command found, kept to the bit.
//!
//! A file holds a command and its run: how it ended, the best board, the counts, and the trace
//! without what depends on the machine. Both engines must give the same, the GPU engine where
//! `twin` says that it runs the configuration. The file remembers the results version in which the
//! run became what it is:
//!
//! ```toml
//! command = "evodoku solve 003-6x6 --preset boxes --max-generations 6 --seed 1 --on cpu"
//! twin = true
//!
//! [versions]            # results version = fingerprint of the run
//! 1 = "90a4eb1c"
//!
//! [run]
//! ```
//!
//! With `EVODOKU_BLESS=1` the tests write what the runs are now. A run that is another than before
//! is written under a higher results version alone, so that it cannot change unsaid. A new golden
//! run is a file of two lines, `command` and `twin`, and the tests with `EVODOKU_BLESS=1`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use evodoku::ga::Config;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::support::{Folder, REPRODUCIBLE, evodoku, export, root, trace};

/// What stands in a command for the engine that runs it.
const ON_CPU: &str = "--on cpu";

/// A golden run as it is kept.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Golden {
    /// The command that makes it.
    pub command: String,
    /// Whether the GPU engine runs it too.
    pub twin: bool,
    /// The fingerprint of the run in each results version in which it became another.
    #[serde(default)]
    versions: BTreeMap<String, String>,
    /// What the run was, unless it is new.
    run: Option<Found>,
}

/// What a command found.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Found {
    stop_reason: String,
    fitness: u64,
    evaluations: u64,
    moves: u64,
    steps: u64,
    board: String,
    trace: String,
}

/// Whether runs are to be written as they are now.
pub fn blessing() -> bool {
    std::env::var_os("EVODOKU_BLESS").is_some_and(|value| value == "1")
}

/// The files of all golden runs, by name.
pub fn files() -> Vec<PathBuf> {
    let folder = root().join("tests/golden");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|end| end == "toml")).collect();
    files.sort();
    files
}

impl Golden {
    /// Reads a file.
    pub fn read(file: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap();
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    }

    /// The arguments of the command, with `engine` in place of the CPU.
    pub fn arguments(&self, engine: &str) -> Vec<String> {
        assert!(self.command.contains(ON_CPU), "{} names no backend", self.command);
        let command = self.command.replace(ON_CPU, engine);
        command.split_whitespace().skip(1).map(str::to_owned).collect()
    }

    /// The effective configuration of the run with these flags, too, if they are not refused.
    #[allow(dead_code, reason = "one of the two test programs compares configurations")]
    pub fn config(&self, flags: &str) -> Option<Config> {
        let (run, _) = self.execute(&format!("{ON_CPU}{flags}")).ok()?;
        Some(serde_json::from_value(run["config"].clone()).unwrap())
    }

    /// The exported record of the run on an engine, and its trace; or what the command says where it refuses.
    fn execute(&self, engine: &str) -> Result<(Value, Vec<Vec<String>>), String> {
        let folder = Folder::new();
        let mut command = evodoku();
        command.args(self.arguments(engine));
        command.args(["--trace", &folder.argument("trace.csv")]);
        command.args(["--export-json", &folder.argument("runs.json")]);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        if !matches!(output.status.code(), Some(0 | 1)) {
            return Err(format!("{}: {said}", self.command));
        }
        let run = export(&folder.path("runs.json"))["runs"][0].take();
        Ok((run, trace(&folder.path("trace.csv"))))
    }

    /// Runs the command on an engine: `--on cpu`, or what takes its place.
    pub fn find(&self, engine: &str) -> Found {
        let (run, rows) = self.execute(engine).unwrap_or_else(|error| panic!("{error}"));
        let number = |name: &str| run[name].as_u64().unwrap();
        let text = |name: &str| run[name].as_str().unwrap().to_owned();
        // The first two columns are puzzle and seed, which the command names.
        let rows = rows.iter().map(|row| row[2..REPRODUCIBLE].join(",") + "\n");
        Found {
            stop_reason: text("stop_reason"),
            fitness: number("fitness"),
            evaluations: number("evaluations"),
            moves: number("moves"),
            steps: number("steps"),
            board: text("board"),
            trace: rows.collect(),
        }
    }

    /// Holds what was found against the file, or writes it there.
    ///
    /// # Errors
    /// A sentence on what is not as it was.
    pub fn check(mut self, file: &Path, found: Found, bless: bool) -> Result<(), String> {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let fingerprint = fingerprint(&found);
        let known = self.latest();
        let same = known.as_ref().is_some_and(|(_, known)| *known == fingerprint);
        if same && self.run.as_ref() == Some(&found) {
            return Ok(());
        }
        let version = evodoku::RESULTS_VERSION;
        if !bless {
            return Err(format!(
                "{name}: the run is another than before ({found:#?}, before {:#?}); where that is meant, raise RESULTS_VERSION and run the tests with EVODOKU_BLESS=1",
                self.run
            ));
        }
        if let Some((last, _)) = known.filter(|(last, _)| !same && version <= *last) {
            return Err(format!(
                "{name}: the run changed, but RESULTS_VERSION did not rise above {last}"
            ));
        }
        if !same {
            self.versions.insert(version.to_string(), fingerprint);
        }
        self.run = Some(found);
        fs::write(file, self.text()).map_err(|error| error.to_string())
    }

    /// The last version in which the run became another, and its fingerprint.
    fn latest(&self) -> Option<(u32, String)> {
        let known = self.versions.iter().map(|(version, fingerprint)| {
            let version: u32 = version.parse().expect("a results version is a number");
            assert!(version <= evodoku::RESULTS_VERSION, "{version} is still to come");
            (version, fingerprint.clone())
        });
        known.max()
    }

    fn text(&self) -> String {
        toml::to_string_pretty(self).unwrap()
    }
}

/// CRC-32 of the run as it is written, in 8 hexadecimal digits.
fn fingerprint(found: &Found) -> String {
    format!("{:08x}", crc32fast::hash(toml::to_string(found).unwrap().as_bytes()))
}
