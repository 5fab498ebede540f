//! The way from a rank's islands to those before and after them: letters between two ranks.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Post;
use crate::ga::{IslandSnapshot, MigrationChannel};
use crate::ranks::Letter;

/// Letters to the rank that has the next island, and from the one that has the island before.
///
/// An engine that may fail does generations again from its seed, or from where it began. Who came
/// meanwhile is kept for that, until the engine begins anew.
#[derive(Debug)]
pub struct PostedStrait<'a> {
    post: &'a Post<'a>,
    run: u32,
    /// The rank that has the next island.
    next: usize,
    /// Whether generations may be done again.
    keeps: bool,
    log: Mutex<Log>,
}

#[derive(Debug, Default)]
struct Log {
    /// The last generation whose emigrants were sent.
    sent: Option<u32>,
    /// Who came, by generation.
    received: BTreeMap<u32, IslandSnapshot>,
    bytes: usize,
}

impl<'a> PostedStrait<'a> {
    /// The strait of a run, to the islands of rank `next`; `keeps` where an engine may do
    /// generations again.
    pub fn new(post: &'a Post<'a>, run: u32, next: usize, keeps: bool) -> Self {
        Self { post, run, next, keeps, log: Mutex::default() }
    }

    /// Bytes of boards that are kept.
    pub(super) fn kept(&self) -> usize {
        self.log().bytes
    }

    /// Forgets who came: nothing before the generation that is next will be done again.
    pub(super) fn forget(&self) {
        let mut log = self.log();
        log.received.clear();
        log.bytes = 0;
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MigrationChannel for PostedStrait<'_> {
    fn send(&self, generation: u32, emigrants: IslandSnapshot) {
        let mut log = self.log();
        if log.sent.is_none_or(|sent| sent < generation) {
            log.sent = Some(generation);
            let (run, individuals) = (self.run, emigrants);
            self.post.ranks().send(self.next, Letter::Migrants { run, generation, individuals });
        }
    }

    fn receive(&self, generation: u32, stop: &(dyn Fn() -> bool + Sync)) -> Option<IslandSnapshot> {
        if let Some(known) = self.log().received.get(&generation) {
            return Some(known.clone());
        }
        let key = (self.run, generation);
        let come = self.post.wait(stop, |sorted| sorted.migrants.remove(&key))?;
        if self.keeps {
            let mut log = self.log();
            log.bytes += come.boards.len();
            log.received.insert(generation, come.clone());
        }
        Some(come)
    }
}
