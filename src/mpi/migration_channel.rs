//! The migration channel of a rank: messages to the rank that has the next island, and from the one that
//! has the island before.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Mailbox, Message};
use crate::ga::islands::sizes;
use crate::ga::{ConfigError, IslandPartition, IslandSnapshot, MigrationChannel, Run, parts};

/// A rank's share of a run: some of the islands, and the messages by which individuals migrate to and
/// from those of other ranks.
///
/// An engine that may fail does generations again from its seed, or from where it began. Immigrants
/// are kept for that, until the engine begins anew.
#[derive(Debug)]
pub struct MpiMigrationChannel<'a> {
    pub(super) mailbox: &'a Mailbox<'a>,
    pub(super) run: u32,
    /// The number of ranks that have islands.
    pub(super) members: usize,
    /// The islands of this rank.
    pub(super) islands: Range<usize>,
    /// Whether generations may be done again.
    replays: bool,
    log: Mutex<MigrationLog>,
}

#[derive(Debug, Default)]
struct MigrationLog {
    /// The last generation whose emigrants were sent.
    sent: Option<u32>,
    /// Immigrants by generation.
    received: BTreeMap<u32, IslandSnapshot>,
    bytes: usize,
}

impl<'a> MpiMigrationChannel<'a> {
    /// The share that this rank has of a run with this number; `replays` where its engine may do
    /// generations again.
    ///
    /// # Errors
    /// [`ConfigError`] when the run cannot be split into islands.
    pub fn new(
        mailbox: &'a Mailbox<'a>,
        number: u32,
        run: &Run<'_>,
        replays: bool,
    ) -> Result<Self, ConfigError> {
        let all = sizes(run.space.geometry(), run.config)?.len();
        let ranks = mailbox.ranks();
        let members = all.min(ranks.size());
        let islands = parts(all, members).get(ranks.rank()).cloned().unwrap_or(0..0);
        let log = Mutex::default();
        Ok(Self { mailbox, run: number, members, islands, replays, log })
    }

    /// The same as a part of the run: see [`Run::part`].
    pub fn part(&self) -> IslandPartition<'_> {
        IslandPartition { islands: self.islands.clone(), channel: self }
    }

    /// Bytes of the boards of immigrants that are kept.
    pub(super) fn bytes(&self) -> usize {
        self.log().bytes
    }

    /// Drops the immigrants: nothing before the generation that is next will be done again.
    pub(super) fn clear(&self) {
        let mut log = self.log();
        log.received.clear();
        log.bytes = 0;
    }

    fn log(&self) -> MutexGuard<'_, MigrationLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MigrationChannel for MpiMigrationChannel<'_> {
    fn send(&self, generation: u32, emigrants: IslandSnapshot) {
        let mut log = self.log();
        if log.sent.is_none_or(|sent| sent < generation) {
            log.sent = Some(generation);
            let ranks = self.mailbox.ranks();
            let next = (ranks.rank() + 1) % self.members;
            let (run, individuals) = (self.run, emigrants);
            ranks.send(next, &Message::Migrants { run, generation, individuals });
        }
    }

    fn receive(&self, generation: u32, stop: &(dyn Fn() -> bool + Sync)) -> Option<IslandSnapshot> {
        if let Some(known) = self.log().received.get(&generation) {
            return Some(known.clone());
        }
        let key = (self.run, generation);
        let is_wanted = |message: &Message| matches!(message, Message::Migrants { run, generation, .. } if (*run, *generation) == key);
        let Some((_, Message::Migrants { individuals, .. })) = self.mailbox.wait(stop, is_wanted)
        else {
            return None;
        };
        if self.replays {
            let mut log = self.log();
            log.bytes += individuals.boards.len();
            log.received.insert(generation, individuals.clone());
        }
        Some(individuals)
    }
}
