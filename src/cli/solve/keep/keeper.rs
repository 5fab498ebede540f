//! The keeper: writes a checkpoint while runs go on.
//!
//! A run by itself is written as it stands, island by island, without a copy of it. Of several side by
//! side each leaves its packed population with the keeper when it is due, and whoever finds that the
//! file is due writes it with what the others left last: runs share nothing, so that it does not
//! matter that they stand at different times. What a run did after that it does again.
//!
//! With an interval of time the next comes no sooner than 50 times as long as writing took after the
//! last: a checkpoint takes a fiftieth of the time at most, however slow the disk is.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::form::{Done, Key, Marks, Task, WrittenHead};
use super::resumed::Resumed;
use crate::checkpoint::{KeptFile, Kind, SHARE, UnderWay, fingerprint, for_each_island, write};
use crate::ga::{Outcome, Run, RunHandle, StopReason};
use crate::plural::counted;
use crate::quantity::Interval;
use crate::report::{FitnessHistory, OutputError};

/// Writes the checkpoint of a command.
pub struct Keeper {
    pub(super) file: KeptFile,
    pub(super) task: Task,
    /// Whether there are several runs, and whether they go side by side.
    many: bool,
    pub(super) side_by_side: bool,
    /// The file that it all goes on from.
    resumed: Option<PathBuf>,
    pub(super) kept: Mutex<Kept>,
}

/// What is known of all runs.
#[derive(Default)]
pub(super) struct Kept {
    pub(super) marks: Marks,
    done: BTreeMap<Key, Done>,
    pub(super) under_way: BTreeMap<Key, (UnderWay, Vec<u8>)>,
    /// When the file was written last, and how long that took.
    pub(super) written: Option<Instant>,
    took: Duration,
    /// How often it was, how long all of that took, and how large it was last.
    times: u32,
    spent: Duration,
    bytes: u64,
    /// Whether it was said that it cannot be written.
    pub(super) told: bool,
}

impl Keeper {
    /// A keeper of what was asked for, and of what was `resumed`; of `many` runs, several of which
    /// may go `side_by_side`.
    pub fn new(
        file: KeptFile,
        task: Task,
        resumed: Option<Resumed>,
        many: bool,
        side_by_side: bool,
    ) -> Self {
        let mut kept = Kept::default();
        let mut from = None;
        if let Some(resumed) = resumed {
            let Resumed { path, marks, done, under_way, .. } = resumed;
            from = Some(path);
            kept.marks = marks;
            kept.done = done.into_iter().map(|done| ((done.place, done.number), done)).collect();
            kept.under_way = under_way.into_iter().collect();
        }
        Self { file, task, many, side_by_side, resumed: from, kept: Mutex::new(kept) }
    }

    /// Nothing that panics is done under the lock.
    pub(super) fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A run that was done before the command was resumed.
    pub fn done(&self, key: Key) -> Option<Done> {
        self.kept().done.get(&key).cloned()
    }

    /// A run that was under way then.
    pub fn under_way(&self, key: Key) -> Option<(UnderWay, Vec<u8>)> {
        self.kept().under_way.get(&key).cloned()
    }

    /// Time that passes between two checkpoints, if they go by time.
    pub(super) fn interval(&self, kept: &Kept) -> Option<Duration> {
        match self.task.every {
            Interval::Time(time) => Some(time.max(kept.took * SHARE)),
            Interval::Generations(_) => None,
        }
    }

    /// A run has ended. Gives what failed that was not told before.
    pub fn ended(
        &self,
        key: Key,
        run: &Run<'_>,
        outcome: &Outcome,
        course: Option<&FitnessHistory>,
        marks: impl FnOnce() -> Marks,
    ) -> Option<OutputError> {
        use StopReason::{Interrupted, Lost, Observer};
        // A run that was cut off is still under way, and one whose budget is spent may get more.
        let goes_on = matches!(outcome.stop_reason, Interrupted | Lost | Observer);
        if goes_on || !self.many {
            return None;
        }
        let mut kept = self.kept();
        kept.under_way.remove(&key);
        let (place, number) = key;
        let (puzzle, course) = (fingerprint(&run.space.puzzle), course.cloned());
        let done = Done { place, number, puzzle, outcome: outcome.clone(), course };
        kept.done.insert(key, done);
        let rest = self.interval(&kept).unwrap_or(kept.took * SHARE);
        let due = kept.written.is_none_or(|written| written.elapsed() >= rest);
        if !due {
            return None;
        }
        kept.marks = marks();
        self.write(&mut kept, None)
    }

    /// The command ends; `is_over` says that nobody will want to go on: all runs have ended, and all
    /// outputs are written. Gives what failed that was not told before.
    pub fn finish(&self, is_over: bool) -> Option<OutputError> {
        if is_over {
            self.file.remove();
            return None;
        }
        // A run by itself has written how it ended.
        if self.side_by_side { self.write(&mut self.kept(), None) } else { None }
    }

    /// What writing has cost, if anything was written.
    pub fn cost(&self) -> Option<String> {
        let Kept { times, spent, bytes, .. } = &*self.kept();
        let (megabytes, milliseconds) = (*bytes as f64 / 1e6, 1e3 * spent.as_secs_f64());
        let each = milliseconds / f64::from((*times).max(1));
        let count = counted((*times).into(), "checkpoint");
        let said = format!("{count}, the last of {megabytes:.1} MB, {each:.1} ms each");
        (*times > 0).then_some(said)
    }

    /// Whether there are several runs: one of them that has spent its budget is done.
    pub fn has_many(&self) -> bool {
        self.many
    }

    /// The file that can be gone on from: the one that was written, and could be to the last, or the one
    /// that it went on from, where nothing came after.
    pub fn path(&self) -> Option<&Path> {
        let kept = self.kept();
        match kept.times {
            0 => self.resumed.as_deref(),
            _ => (!kept.told).then(|| self.file.output().path()),
        }
    }

    /// Writes all that is known, with the population of a run that is not known yet.
    pub(super) fn write(
        &self,
        kept: &mut Kept,
        own: Option<(Key, UnderWay, &mut RunHandle<'_>)>,
    ) -> Option<OutputError> {
        let start = Instant::now();
        let (own, view) = own.map(|(key, run, view)| ((key, run), view)).unzip();
        let own_key = own.as_ref().map(|(key, _)| *key);
        let others = kept.under_way.iter().filter(|(key, _)| Some(**key) != own_key);
        let mut under_way: Vec<(Key, &UnderWay)> =
            others.clone().map(|(key, (run, _))| (*key, run)).collect();
        let mut bytes: u64 = others.clone().map(|(_, (_, packed))| packed.len() as u64).sum();
        let packing = own.as_ref().and_then(|(_, run)| run.packing());
        if let (Some((key, run)), Some(packing)) = (&own, &packing) {
            // Its population follows those of the others.
            under_way.push((*key, run));
            bytes += packing.bytes(&run.sizes);
        }
        let done = kept.done.values().collect();
        let head = WrittenHead { task: &self.task, marks: &kept.marks, done, under_way };
        let written = self.file.replace(|to| {
            write(to, Kind::Solve, &head, bytes, |to| {
                for (_, (_, packed)) in others {
                    to.write_all(packed)?;
                }
                match (view, packing) {
                    (Some(view), Some(packing)) => for_each_island(view, &mut |boards, fitness| {
                        packing.write(boards, fitness, to)
                    }),
                    _ => Ok(()),
                }
            })
        });
        (kept.written, kept.took) = (Some(Instant::now()), start.elapsed());
        (kept.times, kept.spent, kept.bytes) = (kept.times + 1, kept.spent + kept.took, bytes);
        match written {
            Ok(()) => {
                if let Some(key) = own_key {
                    kept.under_way.remove(&key);
                }
                kept.told = false;
                None
            }
            Err(error) => (!std::mem::replace(&mut kept.told, true)).then_some(error),
        }
    }
}
