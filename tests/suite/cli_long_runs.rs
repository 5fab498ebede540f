//! Runs of an experiment that take long: they are kept while they go on, and a command that was killed
//! goes on with them where they stood.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

use crate::support::{Folder, in_time, is_written, runs_of, solve, under_way, wait_until};

/// Runs of a second or so, with restarts and on islands, none of which is solved.
const SPEC: &str = "puzzles = ['easter-monster']
methods = ['boxes', 'columns']
seeds = 1
[parameters]
presolve = 'none'
population = 4_000
max_generations = 400
restart_after = 9
islands = [1, 3]
";

/// An experiment in a folder of its own.
struct Place(Folder);

impl Place {
    fn new(spec: &str) -> Self {
        let folder = Folder::new();
        folder.file("spec.toml", spec);
        Self(folder)
    }

    /// Begins it, or goes on with it.
    fn begin(&self, more: &[&str]) -> Child {
        let mut command = Command::new(cargo_bin!("evodoku"));
        command.current_dir(self.0.path("")).args(["experiment", "--on=cpu", "spec.toml"]);
        command.args(["--export-json=r.json", "--threads=2"]).args(more);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn kept(&self) -> PathBuf {
        self.0.path("r.json.runs")
    }

    /// Checkpoints, and what stands in them; of the names only those that end so.
    fn files(&self, end: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let Ok(entries) = fs::read_dir(self.kept()) else { return BTreeMap::new() };
        let paths = entries.map(|entry| entry.unwrap().path());
        let is_kept = |path: &PathBuf| path.to_str().unwrap().contains(".keep");
        let named = paths.filter(is_kept).filter(|path| path.to_str().unwrap().ends_with(end));
        named.filter_map(|path| Some((path.clone(), fs::read(path).ok()?))).collect()
    }

    /// Kills it once so many runs were kept twice, and nothing else is left; `None` where it was over or
    /// further on already.
    fn kill(&self, mut child: Child, runs: usize) -> Option<()> {
        wait_until(&mut child, || self.files(".keep.1").len() >= runs)?;
        self.kill_now(child)?;
        let left = [".keep", ".keep.1"].map(|end| self.files(end).len());
        (left == [runs; 2]).then_some(())
    }

    fn kill_now(&self, mut child: Child) -> Option<()> {
        under_way(&mut child)?;
        child.kill().unwrap();
        child.wait().unwrap();
        Some(())
    }

    /// Waits for its end: what it came to, and what it said.
    fn end(&self, child: Child) -> (Vec<Value>, String) {
        let (code, said) = ended(child.wait_with_output().unwrap());
        assert_eq!(code, Some(0), "{said}");
        assert!(!self.kept().exists(), "nothing is missing any more");
        (runs_of(&self.0.path("r.json")), said)
    }
}

fn ended(output: Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// What a spec comes to that nobody disturbs.
fn undisturbed(spec: &str, more: &[&str]) -> Vec<Value> {
    let place = Place::new(spec);
    let (runs, said) = place.end(place.begin(more));
    assert!(!said.contains("go on"), "{said}");
    runs
}

const OFTEN: &str = "--checkpoint-every=2g";

#[test]
fn an_experiment_that_was_killed_twice_ends_as_if_it_had_not_been() {
    let grown = SPEC.replace("seeds = 1", "seeds = 2").replace("['boxes', ", "['cells', 'boxes', ");
    let expected = undisturbed(&grown, &[]);
    assert_eq!(expected.len(), 12);
    in_time(|| {
        let place = Place::new(SPEC);
        place.kill(place.begin(&[OFTEN, "--jobs=2"]), 2)?;
        let before = place.files(".keep");
        // What is left where it was killed while it wrote.
        fs::write(place.kept().join(".tmpAbCdEf"), "half").unwrap();
        // One job alone, which goes on with the first.
        let mut child = place.begin(&[OFTEN, "--jobs=1", "--resume"]);
        wait_until(&mut child, || {
            place.files(".keep").iter().any(|file| before.get(file.0) != Some(file.1))
        })?;
        place.kill_now(child)?;
        (place.files(".keep").len() == 2).then_some(())?;
        // The spec has grown, and runs have other numbers in it.
        place.0.file("spec.toml", &grown);
        let (found, said) = place.end(place.begin(&[OFTEN, "--jobs=3", "--resume"]));
        assert!(said.contains("2 resumed"), "{said}");
        assert_eq!(found, expected);
        Some(())
    });
}

#[test]
fn a_shard_that_was_killed_goes_on_with_its_runs() {
    let shard = ["--shard=1/2"];
    let expected = undisturbed(SPEC, &shard);
    in_time(|| {
        let place = Place::new(SPEC);
        place.kill(place.begin(&[&shard[..], &[OFTEN, "--jobs=1"]].concat()), 1)?;
        let (found, said) = place.end(place.begin(&[&shard[..], &["--resume"]].concat()));
        assert!(said.contains("1 resumed"), "{said}");
        assert_eq!(found, expected);
        Some(())
    });
}

#[test]
fn a_request_to_end_keeps_runs_that_took_long() {
    let expected = undisturbed(SPEC, &[]);
    for (every, kept) in [("--checkpoint-every=5g", true), ("--checkpoint-every=1h", false)] {
        in_time(|| {
            let place = Place::new(SPEC);
            let mut child = place.begin(&[every, "--jobs=1"]);
            if kept {
                wait_until(&mut child, || !place.files(".keep").is_empty())?;
            } else {
                wait_until(&mut child, || is_written(&place.0.path("r.json")))?;
                sleep(Duration::from_millis(100));
            }
            under_way(&mut child)?;
            let pid = child.id().to_string();
            assert!(Command::new("kill").args(["-s", "TERM", &pid]).status().unwrap().success());
            let (code, said) = ended(child.wait_with_output().unwrap());
            (code != Some(0)).then_some(())?;
            assert_eq!((code, place.kept().exists()), (Some(130), kept), "{said}");
            let told =
                said.contains("--resume continues 1 run from the checkpoints in r.json.runs");
            assert_eq!(told, kept, "{said}");
            assert_eq!(place.end(place.begin(&["--resume"])).0, expected);
            Some(())
        });
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_experiment_of_short_runs_keeps_none() {
    let place = Place::new(&SPEC.replace("400", "3"));
    // A folder in which nobody writes: a checkpoint would be told.
    std::os::unix::fs::symlink("/proc", place.kept()).unwrap();
    let (code, said) = ended(place.begin(&[]).wait_with_output().unwrap());
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("cannot write to r.json.runs"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_kept_costs_nothing_but_itself() {
    let expected = undisturbed(SPEC, &[]);
    let place = Place::new(SPEC);
    // A folder in which nobody writes.
    std::os::unix::fs::symlink("/proc", place.kept()).unwrap();
    let (code, said) = ended(place.begin(&[OFTEN]).wait_with_output().unwrap());
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(said.matches("cannot write to r.json.runs").count(), 1, "{said}");
    assert_eq!(runs_of(&place.0.path("r.json")), expected);
}

#[test]
fn what_is_torn_or_of_something_else_is_begun_anew_with_a_warning() {
    let expected = undisturbed(SPEC, &[]);
    let folder = Folder::new();
    let keep = folder.argument("run.keep");
    let run = ["easter-monster", "--presolve=none", "--population=50", "--max-generations=2"];
    solve(&[&run[..], &["--preset=boxes", "--checkpoint", &keep]].concat()).assert().code(1);
    let of_solve = fs::read(&keep).unwrap();
    let torn = |bytes: &[u8]| bytes[..bytes.len() / 2].to_vec();
    type Spoil<'s> = &'s dyn Fn(&[u8]) -> Vec<u8>;
    let cases: [(&str, Spoil<'_>, &str); 4] = [
        (".keep", &torn, "its run resumes from the previous checkpoint"),
        ("", &torn, "its run starts over"),
        ("", &|_| of_solve.clone(), "is a checkpoint of solve: use solve --resume; its"),
        ("", &|_| Vec::new(), "is not a checkpoint; its run starts over"),
    ];
    for (end, spoil, sentence) in cases {
        in_time(|| {
            let place = Place::new(SPEC);
            place.kill(place.begin(&[OFTEN, "--jobs=1"]), 1)?;
            for (path, bytes) in place.files(end) {
                // Killed while it was replaced, a checkpoint may be another name of the one before it.
                fs::remove_file(&path).unwrap();
                fs::write(path, spoil(&bytes)).unwrap();
            }
            let (found, said) = place.end(place.begin(&["--resume"]));
            assert_eq!(said.matches("warning: ").count(), 1, "{said}");
            assert!(said.contains(sentence), "{said}");
            assert_eq!(found, expected);
            Some(())
        });
    }
    // That of another run of the same experiment.
    in_time(|| {
        let place = Place::new(SPEC);
        place.kill(place.begin(&[OFTEN, "--jobs=2"]), 2)?;
        let files: Vec<PathBuf> = place.files(".keep").into_keys().collect();
        for end in ["", ".1"] {
            let of = |file: &PathBuf| PathBuf::from(format!("{}{end}", file.display()));
            fs::copy(of(&files[0]), of(&files[1])).unwrap();
        }
        let (found, said) = place.end(place.begin(&["--resume"]));
        assert_eq!(said.matches("is for another run; its run starts over").count(), 1, "{said}");
        assert_eq!(found, expected);
        Some(())
    });
}

#[test]
fn what_is_begun_anew_leaves_no_checkpoints_behind() {
    in_time(|| {
        let place = Place::new(SPEC);
        place.kill(place.begin(&[OFTEN, "--jobs=1"]), 1)?;
        let (_, said) = place.end(place.begin(&["--overwrite"]));
        assert!(!said.contains(" resumed"), "{said}");
        Some(())
    });
}
