//! The crew of rank 0: workers on other ranks, to which it gives one job after the other.
//!
//! Every result has to come to rank 0, which writes the files, so that the wish for the next job
//! travels with it: one letter each way for a job, and no counter that all ranks would draw from.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use super::{Letter, Ranks, Reply};

/// How often rank 0 looks whether everything is to end.
const LOOK: Duration = Duration::from_millis(10);

/// The workers on other ranks.
#[derive(Debug)]
pub struct Crew<'a> {
    ranks: &'a Ranks,
    /// Runs at a time of each rank.
    seats: Vec<usize>,
}

/// A worker on another rank.
#[derive(Debug)]
pub struct Away<'a> {
    ranks: &'a Ranks,
    rank: usize,
    seat: usize,
    replies: Receiver<Reply>,
}

impl Away<'_> {
    /// The rank that it is on.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Has a job done there, and waits for what came of it.
    pub fn work(&mut self, job: String) -> Reply {
        self.ranks.send(self.rank, Letter::Job { seat: self.seat, job });
        self.replies.recv().unwrap_or(Reply::Interrupted)
    }
}

impl<'a> Crew<'a> {
    /// The crew of ranks that [agreed](Ranks::agree), each with so many runs at a time.
    pub fn new(ranks: &'a Ranks, seats: Vec<usize>) -> Self {
        Self { ranks, seats }
    }

    /// Workers of all other ranks together.
    pub fn size(&self) -> usize {
        self.seats.iter().skip(1).sum()
    }

    /// Leads the crew as long as `body` takes, then dismisses it. The first seat of each rank comes
    /// before the second.
    pub fn lead<R>(&self, interrupted: &AtomicBool, body: impl FnOnce(Vec<Away<'a>>) -> R) -> R {
        let most = self.seats.iter().skip(1).copied().max().unwrap_or(0);
        let mut senders: Vec<Vec<Sender<Reply>>> = vec![Vec::new(); self.seats.len()];
        let mut crew = Vec::new();
        for seat in 0..most {
            for (rank, _) in self.seats.iter().enumerate().skip(1).filter(|(_, has)| seat < **has) {
                let (sender, replies) = channel();
                senders[rank].push(sender);
                crew.push(Away { ranks: self.ranks, rank, seat, replies });
            }
        }
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| self.deliver(&senders, interrupted, &over));
            let _over = Over(&over);
            body(crew)
        })
    }

    /// Hands replies to who waits for them, and passes the user's wish on.
    fn deliver(&self, senders: &[Vec<Sender<Reply>>], interrupted: &AtomicBool, over: &AtomicBool) {
        let mut told = false;
        loop {
            if !told && interrupted.load(Ordering::Relaxed) {
                told = true;
                self.ranks.send_all(&Letter::Interrupt);
            }
            match self.ranks.receive_within(LOOK) {
                Ok((from, Letter::Done { seat, reply })) => {
                    if let Some(sender) = senders.get(from).and_then(|seats| seats.get(seat)) {
                        let _ = sender.send(reply);
                    }
                }
                // Nobody else writes to rank 0 by now.
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) if over.load(Ordering::Relaxed) => break,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.ranks.send_all(&Letter::End);
    }
}

/// Says that it is over, also when it ends in a panic.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What rank 0 wants of another rank, seat by seat, until it is dismissed.
#[derive(Debug)]
pub struct Orders<'a> {
    ranks: &'a Ranks,
    interrupted: &'a AtomicBool,
}

impl<'a> Orders<'a> {
    /// Those for this rank; `interrupted` is set when everything is to end.
    pub fn new(ranks: &'a Ranks, interrupted: &'a AtomicBool) -> Self {
        Self { ranks, interrupted }
    }

    /// Says what came of a job.
    pub fn done(&self, seat: usize, reply: Reply) {
        self.ranks.send(0, Letter::Done { seat, reply });
    }
}

impl Iterator for &Orders<'_> {
    type Item = (usize, String);

    fn next(&mut self) -> Option<(usize, String)> {
        loop {
            match self.ranks.receive()?.1 {
                Letter::Job { seat, job } => return Some((seat, job)),
                Letter::Interrupt => self.interrupted.store(true, Ordering::Relaxed),
                _ => return None,
            }
        }
    }
}
