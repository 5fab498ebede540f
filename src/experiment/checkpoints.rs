//! Checkpoints of the runs of an experiment: one that takes long goes on where it stood.
//!
//! Beside the JSON export is a folder with a file for each run that is under way for some while:
//!
//! ```text
//! r.json                               the export
//! r.json.journal                       runs that have ended
//! r.json.runs/8c1d0e9a44b1f0e3.keep    a run that is under way (src/checkpoint)
//! ```
//!
//! A file is named by the fingerprint of what its run is, so that a spec that has grown, another number
//! of jobs and a shard find it again. It goes when its run is in the journal, and the folder when
//! nothing is missing any more. What cannot be gone on from costs time alone: its run begins anew,
//! with a warning.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use super::asked::fingerprint;
use super::seat::Seat;
use super::{Plan, Runner};
use crate::checkpoint::{KeptFile, Kind, UnderWay, Unfit, read};
use crate::ga::{Checkpoint, Run, RunJob};
use crate::memory::NotEnoughMemory;
use crate::quantity::Interval;
use crate::report::FitnessHistory;

/// How the file of a run ends.
const SUFFIX: &str = ".keep";
/// How a file begins that is not whole yet, and is left by whoever is killed while it is written.
const BESIDE: &str = ".tmp";

/// What a file says before its population.
#[derive(Debug, Deserialize)]
struct Head {
    /// The fingerprint of the run.
    run: String,
    under_way: UnderWay,
}

/// The same as it is written.
#[derive(Debug, Serialize)]
pub(super) struct WrittenHead<'a> {
    pub run: &'a str,
    pub under_way: &'a UnderWay,
}

/// What a run goes on from: where it stood, and how it went until then.
pub(super) type Resumption = (Checkpoint, Option<FitnessHistory>);

/// The checkpoints of an experiment.
pub struct Checkpoints<'a> {
    folder: PathBuf,
    pub(super) every: Interval,
    tell: Box<dyn Fn(&str) + Send + Sync + 'a>,
    /// Runs of which there are files.
    there: Mutex<HashSet<String>>,
    /// Runs that have a seat.
    seated: Mutex<HashSet<String>>,
    /// How many of them have begun.
    pub(super) begun: AtomicUsize,
    /// Whether it was said that none can be written.
    told: AtomicBool,
}

impl<'a> Checkpoints<'a> {
    /// Those beside an export that nobody else writes, of runs that take longer than `every`, and so
    /// often; `tell` is told what goes wrong.
    pub fn beside(export: &Path, every: Interval, tell: impl Fn(&str) + Send + Sync + 'a) -> Self {
        let mut folder = export.as_os_str().to_owned();
        folder.push(".runs");
        let folder = PathBuf::from(folder);
        let there = Mutex::new(runs_in(&folder));
        Self {
            folder,
            every,
            tell: Box::new(tell),
            there,
            seated: Mutex::default(),
            begun: AtomicUsize::new(0),
            told: AtomicBool::new(false),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How many of these runs of a plan have one.
    pub fn count(&self, plan: &Plan, runs: &[usize]) -> usize {
        let there = self.there();
        if there.is_empty() {
            return 0;
        }
        let is_there = |run: &&usize| {
            let (cell, place) = plan.run(**run);
            let cell = &plan.cells[cell];
            there.contains(&fingerprint(cell, cell.seed(place)))
        };
        runs.iter().filter(is_there).count()
    }

    /// A run of a plan has ended, and is on disk.
    pub fn ended(&self, plan: &Plan, run: usize) {
        if self.there().is_empty() {
            return;
        }
        let (cell, place) = plan.run(run);
        let cell = &plan.cells[cell];
        let run = fingerprint(cell, cell.seed(place));
        if self.there().remove(&run) {
            self.remove(&run);
        }
    }

    /// Removes all of them, and the folder if nothing else is in it.
    pub fn clear(&self) {
        let runs = std::mem::take(&mut *self.there());
        runs.iter().for_each(|run| self.remove(run));
        self.leave();
    }

    /// Removes the folder if nothing is in it.
    pub fn leave(&self) {
        // A folder that holds something stays.
        let _ = fs::remove_dir(&self.folder);
    }

    fn remove(&self, run: &str) {
        let path = self.path(run);
        for path in [KeptFile::before(&path), path] {
            // What cannot be removed is not gone on from: its run is in the journal.
            let _ = fs::remove_file(path);
        }
    }

    /// A seat for a run that begins or goes on, unless another run that is the same has one.
    pub(super) fn seat<W>(&'a self, run: String, job: &RunJob<W>) -> Option<Seat<'a>> {
        let is_free = self.seated().insert(run.clone());
        is_free.then(|| Seat::new(self, run, job))
    }

    /// A run has left its seat.
    pub(super) fn left(&self, run: &str) {
        self.seated().remove(run);
    }

    /// What a run goes on from, if there is anything.
    ///
    /// # Errors
    /// When memory does not hold it: it is kept for another time.
    pub(super) fn of(
        &self,
        name: &str,
        run: &Run<'_>,
    ) -> Result<Option<Resumption>, NotEnoughMemory> {
        if !self.there().contains(name) {
            return Ok(None);
        }
        let path = self.path(name);
        let before = KeptFile::before(&path);
        let what = match read_run(&path, name, run) {
            Err(Unusable::Memory(error)) => return Err(error),
            Err(Unusable::Broken(what)) => what,
            Ok(found) => return Ok(Some(found)),
        };
        let (found, then) = match read_run(&before, name, run) {
            Err(Unusable::Memory(error)) => return Err(error),
            Err(Unusable::Broken(_)) => (None, "its run begins anew"),
            Ok(found) => (Some(found), "its run goes on from the one before it"),
        };
        (self.tell)(&format!("{} {what}; {then}", path.display()));
        Ok(found)
    }

    /// A file was written, or could not be.
    pub(super) fn wrote(&self, run: &str, written: io::Result<()>) {
        match written {
            Ok(()) => {
                self.told.store(false, Ordering::Relaxed);
                self.there().insert(run.to_owned());
            }
            Err(error) if !self.told.swap(true, Ordering::Relaxed) => {
                let folder = self.folder.display();
                let what = "runs go on, and would begin anew where they are resumed";
                (self.tell)(&format!("cannot write to {folder}: {error}; {what}"));
            }
            Err(_) => {}
        }
    }

    /// Where the file of a run is.
    pub(super) fn path(&self, run: &str) -> PathBuf {
        self.folder.join(format!("{run}{SUFFIX}"))
    }

    /// Nothing that panics is done under the lock.
    fn there(&self) -> MutexGuard<'_, HashSet<String>> {
        self.there.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn seated(&self) -> MutexGuard<'_, HashSet<String>> {
        self.seated.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Runner<'_> {
    /// How many of the runs that it is to do go on from a checkpoint.
    pub fn resumed(&self, missing: &[usize]) -> usize {
        self.checkpoints.map_or(0, |checkpoints| checkpoints.count(self.plan, missing))
    }
}

/// Why a file is of no use.
enum Unusable {
    Broken(String),
    Memory(NotEnoughMemory),
}

impl From<Unfit> for Unusable {
    fn from(unfit: Unfit) -> Self {
        match unfit {
            Unfit::Memory(error) => Self::Memory(error),
            unfit => Self::Broken(format!("is of no use: {unfit}")),
        }
    }
}

fn read_run(path: &Path, name: &str, run: &Run<'_>) -> Result<Resumption, Unusable> {
    let broken = |what: String| Unusable::Broken(what);
    let bytes = KeptFile::read(path).map_err(|error| broken(format!("cannot be read: {error}")))?;
    let (head, packed) =
        read::<Head>(&bytes, Kind::Experiment).map_err(|what| broken(what.to_string()))?;
    if head.run != name {
        return Err(broken("is of another run".to_owned()));
    }
    let checkpoint = head.under_way.checkpoint(run, packed)?;
    Ok((checkpoint, head.under_way.course))
}

/// The runs of which there are files in a folder; what a crash left half written is removed.
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
        // What cannot be removed is in nobody's way.
        let _ = fs::remove_file(folder.join(name));
    }
    whole.iter().filter_map(|name| run_of(name)).collect()
}
