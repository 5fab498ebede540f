//! Checkpoints of the runs of an experiment: a long run resumes from its last checkpoint.
//!
//! Next to the JSON export is a folder with a file for each run that has been under way for some time:
//!
//! ```text
//! r.json                               the export
//! r.json.journal                       runs that have ended
//! r.json.runs/8c1d0e9a44b1f0e3.keep    a run that is under way (src/store/checkpoint.rs)
//! ```
//!
//! A file is named by the fingerprint of its run, so that a spec that has grown, another number of jobs and a
//! shard find it again. It is removed when its run is in the journal, and the folder when no run is missing.
//! A file that cannot be read costs time alone: its run starts from its seed, with a warning.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use super::Plan;
use super::run_index::fingerprint;
use crate::ga::{Checkpoint, Run, RunHandle, StopReason};
use crate::store::{
    CheckpointKind, FitnessHistory, Readiness, RotatingFile, RunCheckpointer, RunSnapshot,
    SnapshotError, SnapshotSink, TIME_SHARE, read_checkpoint, write_checkpoint,
};
use crate::util::lock;
use crate::util::memory::NotEnoughMemory;
use crate::util::quantity::Interval;

/// The suffix of the file of a run.
const SUFFIX: &str = ".keep";
/// The prefix of a file that is being written; a process that is killed meanwhile leaves it.
const BESIDE: &str = ".tmp";

/// A checkpoint of a run, and its fitness history until then.
pub(super) type Resumption = (Checkpoint, Option<FitnessHistory>);

/// The checkpoints of an experiment.
pub struct Checkpoints<'a> {
    /// The folder of their files.
    pub folder: PathBuf,
    every: Interval,
    tell: Box<dyn Fn(&str) + Send + Sync + 'a>,
    /// Runs that have a file.
    stored: Mutex<HashSet<String>>,
    /// Runs that are saved when that is due; only one of several equal runs is.
    claimed: Mutex<HashSet<String>>,
    /// How many of them have begun.
    begun: AtomicUsize,
    /// Whether it was reported that none can be written.
    told: AtomicBool,
}

impl<'a> Checkpoints<'a> {
    /// The folder of the checkpoints of an export.
    pub fn beside(export: &Path) -> PathBuf {
        export.with_added_extension("runs")
    }

    /// The checkpoints next to an export that no other process writes. A run is saved every so often; `tell` is
    /// called with each error.
    pub fn next_to(export: &Path, every: Interval, tell: impl Fn(&str) + Send + Sync + 'a) -> Self {
        let folder = Self::beside(export);
        let stored = Mutex::new(runs_in(&folder));
        Self {
            folder,
            every,
            tell: Box::new(tell),
            stored,
            claimed: Mutex::default(),
            begun: AtomicUsize::new(0),
            told: AtomicBool::new(false),
        }
    }

    /// How many of these runs of a plan have one.
    pub fn count(&self, plan: &Plan, runs: &[usize]) -> usize {
        let stored = lock(&self.stored);
        if stored.is_empty() {
            return 0;
        }
        runs.iter().filter(|run| stored.contains(&name(plan, **run))).count()
    }

    /// Removes the checkpoint of a run that has ended, and whose result is on disk.
    pub fn ended(&self, plan: &Plan, run: usize) {
        if lock(&self.stored).is_empty() {
            return;
        }
        let run = name(plan, run);
        if lock(&self.stored).remove(&run) {
            self.remove(&run);
        }
    }

    /// Removes all of them, and the folder if nothing else is in it.
    pub fn clear(&self) {
        let runs = std::mem::take(&mut *lock(&self.stored));
        runs.iter().for_each(|run| self.remove(run));
        self.remove_if_empty();
    }

    /// Removes the folder if nothing is in it.
    pub fn remove_if_empty(&self) {
        // A folder that holds something stays.
        let _ = fs::remove_dir(&self.folder);
    }

    fn remove(&self, run: &str) {
        let path = self.path(run);
        for path in [RotatingFile::backup_path(&path), path] {
            // A file that stays is not resumed from: its run is in the journal.
            let _ = fs::remove_file(path);
        }
    }

    /// Saves the checkpoints of a run that starts or resumes, unless those of an equal run are saved.
    pub(super) fn checkpointer(
        &'a self,
        name: String,
        run: &Run<'_>,
    ) -> Option<RunCheckpointer<'a, Self>> {
        let is_free = lock(&self.claimed).insert(name.clone());
        // A run whose islands are impossible says so itself.
        is_free.then(|| RunCheckpointer::new(self, name, run).ok()).flatten()
    }

    /// The checkpoint that a run resumes from, if there is one: the last that can be read.
    ///
    /// # Errors
    /// When memory does not hold it; its file stays.
    pub(super) fn of(
        &self,
        name: &str,
        run: &Run<'_>,
    ) -> Result<Option<Resumption>, NotEnoughMemory> {
        if !lock(&self.stored).contains(name) {
            return Ok(None);
        }
        let path = self.path(name);
        let tell =
            |what: &str, then: &str| (self.tell)(&format!("{} {what}; {then}", path.display()));
        let what = match read_run(&path, name, run) {
            Ok(found) => return found.map(Some),
            Err(what) => what,
        };
        let Ok(found) = read_run(&RotatingFile::backup_path(&path), name, run) else {
            tell(&what, "its run starts over");
            return Ok(None);
        };
        let found = found?;
        tell(&what, "its run resumes from the previous checkpoint");
        Ok(Some(found))
    }

    /// Where the file of a run is.
    fn path(&self, run: &str) -> PathBuf {
        self.folder.join(format!("{run}{SUFFIX}"))
    }

    fn write(
        &self,
        run: &String,
        snapshot: &RunSnapshot,
        view: &mut RunHandle<'_>,
    ) -> io::Result<()> {
        match fs::create_dir(&self.folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let file = RotatingFile::new(&self.path(run)).map_err(|failed| failed.error)?;
        // The file that is there is the run's own.
        file.lock();
        let written = file.replace(|to| {
            let live = Some((run, snapshot, view));
            write_checkpoint(to, CheckpointKind::Experiment, &(), &[], live)
        });
        written.map_err(|failed| failed.error)
    }
}

impl SnapshotSink for Checkpoints<'_> {
    type Key = String;

    fn interval(&self) -> Interval {
        self.every
    }

    fn readiness(&self, took: Duration) -> Readiness {
        // All runs together write for a part of the time: the wait of each grows with their number.
        let runs = u32::try_from(self.begun.load(Ordering::Relaxed)).unwrap_or(u32::MAX);
        Readiness::After(took * TIME_SHARE * runs)
    }

    fn saves_ended(&self, reason: StopReason, is_long: bool) -> bool {
        // A short run is repeated as soon.
        reason == StopReason::Interrupted && is_long
    }

    fn save(
        &self,
        run: &String,
        snapshot: RunSnapshot,
        view: &mut RunHandle<'_>,
    ) -> Option<String> {
        match self.write(run, &snapshot, view) {
            Ok(()) => {
                self.told.store(false, Ordering::Relaxed);
                lock(&self.stored).insert(run.clone());
            }
            Err(error) if !self.told.swap(true, Ordering::Relaxed) => {
                let folder = self.folder.display();
                let what = "runs continue, but --resume would start them over";
                (self.tell)(&format!("cannot write to {folder}: {error}; {what}"));
            }
            Err(_) => {}
        }
        None
    }

    fn begun(&self) {
        self.begun.fetch_add(1, Ordering::Relaxed);
    }

    fn over(&self, run: &String, had_begun: bool) {
        if had_begun {
            self.begun.fetch_sub(1, Ordering::Relaxed);
        }
        lock(&self.claimed).remove(run);
    }
}

/// The name of the file of a run of a plan.
fn name(plan: &Plan, run: usize) -> String {
    let (_, cell, seed) = plan.cell_of(run);
    fingerprint(cell, seed)
}

/// Reads the checkpoint of a run.
///
/// # Errors
/// Why the file is of no use.
fn read_run(
    path: &Path,
    name: &str,
    run: &Run<'_>,
) -> Result<Result<Resumption, NotEnoughMemory>, String> {
    let bytes = RotatingFile::read(path).map_err(|error| format!("cannot be read: {error}"))?;
    let ((), runs) = read_checkpoint::<(), String>(&bytes, CheckpointKind::Experiment)
        .map_err(|error| error.to_string())?;
    let found = runs.into_iter().find(|(key, _)| key == name);
    let (_, stored) = found.ok_or_else(|| "is for another run".to_owned())?;
    match stored.restore(run) {
        Ok(checkpoint) => Ok(Ok((checkpoint, stored.snapshot.history))),
        Err(SnapshotError::Memory(error)) => Ok(Err(error)),
        Err(error) => Err(format!("cannot be used: {error}")),
    }
}

/// The runs that have a file in a folder. Removes files that a crash left incomplete.
fn runs_in(folder: &Path) -> HashSet<String> {
    let Ok(entries) = fs::read_dir(folder) else { return HashSet::new() };
    let run_of = |name: &str| {
        let run = name.strip_suffix(".1").unwrap_or(name).strip_suffix(SUFFIX)?;
        let is_one = run.len() == 16 && run.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_one.then(|| run.to_owned())
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let (torn, whole): (Vec<String>, Vec<String>) =
        names.partition(|name| name.starts_with(BESIDE));
    for name in torn {
        // A file that stays does no harm.
        let _ = fs::remove_file(folder.join(name));
    }
    whole.iter().filter_map(|name| run_of(name)).collect()
}
