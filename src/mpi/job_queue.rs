//! Jobs for workers on other ranks, which rank 0 sends one after the other.
//!
//! Every result has to come to rank 0, which writes the files, so that it asks for the next job at the
//! same time: one message each way for a job, and no counter that all ranks would draw from.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::{Communicator, Message};
use crate::run::{RemoteReply, RemoteWorker};

/// How often rank 0 looks whether everything is to end.
const POLL: Duration = Duration::from_millis(10);

/// The workers on other ranks, seen by rank 0.
#[derive(Debug)]
pub struct JobQueue<'a> {
    ranks: &'a Communicator,
    /// Runs at a time of each rank.
    jobs: Vec<usize>,
}

impl<'a> JobQueue<'a> {
    /// The workers of ranks that agreed ([`Communicator::handshake`]) to so many runs at a time each.
    pub fn new(ranks: &'a Communicator, jobs: Vec<usize>) -> Self {
        Self { ranks, jobs }
    }

    /// The number of workers on other ranks.
    pub fn workers(&self) -> usize {
        self.jobs.iter().skip(1).sum()
    }

    /// Calls `body` with the workers, and ends the work of the other ranks after it. The first worker
    /// of each rank comes before the second ones.
    pub fn run<R>(
        &self,
        interrupted: &AtomicBool,
        body: impl FnOnce(Vec<RemoteWorker<'a>>) -> R,
    ) -> R {
        let ranks = self.ranks;
        let most = self.jobs.iter().skip(1).copied().max().unwrap_or(0);
        let mut senders: Vec<Vec<Sender<RemoteReply>>> = vec![Vec::new(); self.jobs.len()];
        let mut workers = Vec::new();
        for worker in 0..most {
            for (rank, _) in self.jobs.iter().enumerate().skip(1).filter(|(_, has)| worker < **has)
            {
                let (sender, replies) = channel();
                senders[rank].push(sender);
                let run = move |job| {
                    ranks.send(rank, &Message::Job { worker, job });
                    replies.recv().unwrap_or(Ok(None))
                };
                workers.push(RemoteWorker { node: format!("rank {rank}"), run: Box::new(run) });
            }
        }
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| self.deliver(&senders, interrupted, &over));
            let _over = SetOnDrop(&over);
            body(workers)
        })
    }

    /// Passes replies to the workers that wait for them, and sends an interrupt on to the other ranks.
    fn deliver(
        &self,
        senders: &[Vec<Sender<RemoteReply>>],
        interrupted: &AtomicBool,
        over: &AtomicBool,
    ) {
        let mut told = false;
        loop {
            if !told && interrupted.load(Ordering::Relaxed) {
                told = true;
                self.ranks.broadcast(&Message::Interrupt);
            }
            match self.ranks.receive_timeout(POLL) {
                Ok((from, Message::JobDone { worker, reply })) => {
                    if let Some(sender) = senders.get(from).and_then(|workers| workers.get(worker))
                    {
                        let _ = sender.send(reply);
                    }
                }
                // There are no other messages to rank 0 by now.
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) if over.load(Ordering::Relaxed) => break,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.ranks.broadcast(&Message::End);
    }
}

/// Sets a flag at the end of a scope, also when that is a panic.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The jobs that rank 0 sends to this rank: a source of texts, numbered from 0, and where replies go.
#[derive(Debug)]
pub struct JobStream<'a> {
    ranks: &'a Communicator,
    interrupted: &'a AtomicBool,
    /// The worker of each job without a reply, by the number of the job.
    workers: Mutex<BTreeMap<u64, usize>>,
    received: AtomicU64,
}

impl<'a> JobStream<'a> {
    /// The jobs of this rank; `interrupted` is set when rank 0 says that everything is to end.
    pub fn new(ranks: &'a Communicator, interrupted: &'a AtomicBool) -> Self {
        Self { ranks, interrupted, workers: Mutex::default(), received: AtomicU64::new(0) }
    }

    /// Sends the reply to the job with a number.
    pub fn reply(&self, job: u64, reply: RemoteReply) {
        if let Some(worker) = self.workers().remove(&job) {
            self.ranks.send(0, &Message::JobDone { worker, reply });
        }
    }

    fn workers(&self) -> MutexGuard<'_, BTreeMap<u64, usize>> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Iterator for &JobStream<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        loop {
            match self.ranks.receive()?.1 {
                Message::Job { worker, job } => {
                    let number = self.received.fetch_add(1, Ordering::Relaxed);
                    self.workers().insert(number, worker);
                    return Some(job);
                }
                Message::Interrupt => self.interrupted.store(true, Ordering::Relaxed),
                _ => return None,
            }
        }
    }
}
