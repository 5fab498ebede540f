//! The mailbox of a rank: messages about runs whose islands are shared, stored until they are
//! received.
//!
//! Messages of different ranks come in any order: migrants may come before the generation is bred here,
//! or even before the run begins here.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use super::message::CommandId;
use super::{Communicator, Message};
use crate::util::lock;

/// How often a wait is interrupted to look whether it should end.
const POLL: Duration = Duration::from_millis(10);

/// The messages of a rank.
#[derive(Debug)]
pub struct Mailbox<'a> {
    /// The ranks.
    pub ranks: &'a Communicator,
    /// Commands up to this one are cancelled.
    cancelled: AtomicU64,
    pending: Mutex<PendingMessages>,
}

/// Messages that were not received yet, with their senders.
#[derive(Debug, Default)]
struct PendingMessages {
    messages: Vec<(usize, Message)>,
    /// Whether no more will come.
    ended: bool,
}

/// A number that is higher for later commands.
fn order(CommandId { run, number }: CommandId) -> u64 {
    u64::from(run) << 32 | u64::from(number)
}

impl<'a> Mailbox<'a> {
    /// The mailbox of a rank.
    pub fn new(ranks: &'a Communicator) -> Self {
        Self { ranks, cancelled: AtomicU64::new(0), pending: Mutex::default() }
    }

    /// Whether a command is cancelled; reads the messages that are there.
    pub(super) fn is_cancelled(&self, id: CommandId) -> bool {
        if let Ok(mut pending) = self.pending.try_lock() {
            while let Some((from, message)) = self.ranks.try_receive() {
                self.take_in(&mut pending, from, message);
            }
        }
        order(id) <= self.cancelled.load(Ordering::Relaxed)
    }

    /// Cancels a command: on rank 0 for all ranks, which are told.
    pub(super) fn cancel(&self, id: CommandId) {
        let earlier = self.cancelled.fetch_max(order(id), Ordering::Relaxed);
        if self.ranks.is_root() && earlier < order(id) {
            self.ranks.broadcast(&Message::Cancel(id));
        }
    }

    /// Waits for a message that `is_wanted` and is about to come; `None` when `stop` says so, or no more will
    /// come.
    pub(super) fn wait(
        &self,
        stop: impl Fn() -> bool,
        is_wanted: impl Fn(&Message) -> bool,
    ) -> Option<(usize, Message)> {
        self.take(true, stop, is_wanted)
    }

    /// The number and the job of the next run; `None` when there are no more. It may be long in coming.
    pub fn next_run(&self) -> Option<(u32, String)> {
        let begins = |message: &Message| matches!(message, Message::RunBegins { .. });
        match self.take(false, || false, begins)? {
            (_, Message::RunBegins { run, job }) => Some((run, job)),
            _ => None,
        }
    }

    fn take(
        &self,
        is_urgent: bool,
        stop: impl Fn() -> bool,
        is_wanted: impl Fn(&Message) -> bool,
    ) -> Option<(usize, Message)> {
        let mut pending = lock(&self.pending);
        let mut polling = None;
        loop {
            if let Some(at) = pending.messages.iter().position(|(_, message)| is_wanted(message)) {
                return Some(pending.messages.remove(at));
            }
            if pending.ended || stop() {
                return None;
            }
            if is_urgent {
                polling.get_or_insert_with(|| self.ranks.poll_eagerly());
            }
            match self.ranks.receive_timeout(POLL) {
                Ok((from, message)) => self.take_in(&mut pending, from, message),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => pending.ended = true,
            }
        }
    }

    /// Drops the migrants of runs up to this one.
    pub(super) fn drop_run(&self, ended: u32) {
        let is_late =
            |message: &Message| matches!(message, Message::Migrants { run, .. } if *run <= ended);
        lock(&self.pending).messages.retain(|(_, message)| !is_late(message));
    }

    fn take_in(&self, pending: &mut PendingMessages, from: usize, message: Message) {
        match message {
            Message::Cancel(id) => return self.cancel(id),
            Message::End => return pending.ended = true,
            // The others may wait for the rank that failed.
            Message::Reply(ref reply) if reply.result.is_failure() => self.cancel(reply.id),
            _ => {}
        }
        pending.messages.push((from, message));
    }
}
