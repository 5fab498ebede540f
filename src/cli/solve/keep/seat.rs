//! The seat of a run with the keeper: it is kept when it is due.

use std::io;
use std::time::{Duration, Instant};

use super::form::{Key, Marks};
use super::keeper::Keeper;
use crate::checkpoint::{UnderWay, for_each_island};
use crate::ga::{Run, RunHandle, StopReason};
use crate::quantity::Interval;
use crate::report::{FitnessHistory, OutputError};

impl Keeper {
    /// Whoever keeps a run that begins or goes on now.
    pub fn seat<'a>(&'a self, key: Key, run: &'a Run<'a>) -> Seat<'a> {
        let generation = run.from.map_or(0, |from| from.progress.generation);
        Seat { keeper: self, key, run, since: Instant::now(), generation }
    }
}

/// Keeps one run.
pub struct Seat<'a> {
    keeper: &'a Keeper,
    key: Key,
    run: &'a Run<'a>,
    /// When it was kept last, and at which generation.
    since: Instant,
    generation: u32,
}

impl Seat<'_> {
    /// Whether the run is to be kept as it stands.
    pub fn wants(&self, generation: u32, ending: Option<StopReason>) -> bool {
        match ending {
            Some(StopReason::Solved) => false,
            Some(_) => true,
            None => {
                // Whoever writes it holds it: the others go on.
                let Ok(kept) = self.keeper.kept.try_lock() else { return false };
                // The first at once, so that it is known that it can be written.
                kept.written.is_none()
                    || match self.keeper.task.every {
                        Interval::Generations(every) => generation - self.generation >= every,
                        Interval::Time(_) => {
                            let interval = self.keeper.interval(&kept);
                            interval.is_some_and(|interval| self.since.elapsed() >= interval)
                        }
                    }
            }
        }
    }

    /// Keeps it. Gives what failed that was not told before.
    pub fn keep(
        &mut self,
        view: &mut RunHandle<'_>,
        course: Option<&FitnessHistory>,
        marks: Option<Marks>,
    ) -> Option<OutputError> {
        let Self { keeper, key, run, .. } = *self;
        let progress = view.progress();
        self.generation = progress.generation;
        let head = UnderWay::new(run.space, run.config, progress, course);
        let failed = |error: io::Error| Some(keeper.file.output().error(error));
        let head = match head {
            Ok(head) => head,
            Err(error) => return failed(io::Error::other(error)),
        };
        let failure = if keeper.side_by_side {
            let packing = head.packing()?;
            let mut packed = Vec::with_capacity(packing.bytes(&head.sizes) as usize);
            let left = for_each_island(view, &mut |boards, fitness| {
                packing.write(boards, fitness, &mut packed)
            });
            let mut kept = keeper.kept();
            match left {
                Ok(()) => {
                    kept.under_way.insert(key, (head, packed));
                    let rest = keeper.interval(&kept).unwrap_or(Duration::ZERO);
                    let due = kept.written.is_none_or(|written| written.elapsed() >= rest);
                    if due { keeper.write(&mut kept, None) } else { None }
                }
                Err(error) if !std::mem::replace(&mut kept.told, true) => failed(error),
                Err(_) => None,
            }
        } else {
            let mut kept = keeper.kept();
            kept.marks = marks.unwrap_or_default();
            keeper.write(&mut kept, Some((key, head, view)))
        };
        self.since = Instant::now();
        failure
    }
}
