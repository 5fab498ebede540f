//! The post of a rank: letters about runs whose islands are shared, sorted until they are wanted.
//!
//! Letters of different ranks come in any order: a wish may come before the run that it is about, and
//! what migrates before the generation is bred here.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Told, Wish};
use crate::ga::IslandSnapshot;
use crate::ranks::{Letter, Ranks};

/// How often a wait is broken off to look whether it should end.
const LOOK: Duration = Duration::from_millis(10);

/// The letters of a rank.
#[derive(Debug)]
pub struct Post<'a> {
    ranks: &'a Ranks,
    /// Wishes up to this one are called off.
    called_off: AtomicU64,
    sorted: Mutex<Sorted>,
}

/// Letters that nobody has asked for yet.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    pub runs: VecDeque<(u32, String)>,
    pub wishes: VecDeque<Wish>,
    pub told: VecDeque<(usize, Told)>,
    /// Who comes here, by run and generation.
    pub migrants: BTreeMap<(u32, u32), IslandSnapshot>,
    /// The last run that is over.
    pub over: u32,
    /// Whether nothing more will come.
    pub ended: bool,
}

impl<'a> Post<'a> {
    /// That of a rank.
    pub fn new(ranks: &'a Ranks) -> Self {
        Self { ranks, called_off: AtomicU64::new(0), sorted: Mutex::default() }
    }

    /// The ranks.
    pub fn ranks(&self) -> &'a Ranks {
        self.ranks
    }

    /// Whether a wish is called off; looks at what came.
    pub(super) fn is_called_off(&self, wish: u64) -> bool {
        if let Ok(mut sorted) = self.sorted.try_lock() {
            while let Some((from, letter)) = self.ranks.look() {
                self.sort(&mut sorted, from, letter);
            }
        }
        wish <= self.called_off.load(Ordering::Relaxed)
    }

    /// Calls a wish off: by way of rank 0, which tells all.
    pub(super) fn call_off(&self, wish: u64) {
        if self.called_off.fetch_max(wish, Ordering::Relaxed) >= wish {
            return;
        }
        let letter = Letter::CallOff { wish };
        if self.ranks.leads() { self.ranks.send_all(&letter) } else { self.ranks.send(0, letter) }
    }

    /// Waits until `find` finds what it looks for; nothing when `stop` says so, or nothing more will
    /// come.
    pub(super) fn wait<T>(
        &self,
        stop: impl Fn() -> bool,
        mut find: impl FnMut(&mut Sorted) -> Option<T>,
    ) -> Option<T> {
        let mut sorted = self.sorted();
        if let Some(found) = find(&mut sorted) {
            return Some(found);
        }
        let _awaiting = self.ranks.awaiting();
        loop {
            if let Some(found) = find(&mut sorted) {
                return Some(found);
            }
            if sorted.ended || stop() {
                return None;
            }
            match self.ranks.receive_within(LOOK) {
                Ok((from, letter)) => self.sort(&mut sorted, from, letter),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => sorted.ended = true,
            }
        }
    }

    /// The next run, or nothing when there are no more. Nobody is in a hurry.
    pub fn next_run(&self) -> Option<(u32, String)> {
        let mut sorted = self.sorted();
        loop {
            if let Some(run) = sorted.runs.pop_front() {
                return Some(run);
            }
            if sorted.ended {
                return None;
            }
            match self.ranks.receive() {
                Some((from, letter)) => self.sort(&mut sorted, from, letter),
                None => sorted.ended = true,
            }
        }
    }

    /// Forgets who came in runs up to this one.
    pub(super) fn forget(&self, run: u32) {
        self.sorted().migrants.retain(|(of, _), _| *of > run);
    }

    fn sorted(&self) -> MutexGuard<'_, Sorted> {
        self.sorted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sort(&self, sorted: &mut Sorted, from: usize, letter: Letter) {
        match letter {
            Letter::Run { run, job } => sorted.runs.push_back((run, job)),
            Letter::Wish(wish) => sorted.wishes.push_back(wish),
            Letter::Told(told) => sorted.told.push_back((from, told)),
            Letter::Migrants { run, generation, individuals } => {
                sorted.migrants.insert((run, generation), individuals);
            }
            Letter::CallOff { wish } if self.ranks.leads() => self.call_off(wish),
            Letter::CallOff { wish } => {
                self.called_off.fetch_max(wish, Ordering::Relaxed);
            }
            Letter::Over { run } => sorted.over = run,
            Letter::End => sorted.ended = true,
            // Nobody writes anything else while islands are shared.
            _ => {}
        }
    }
}
