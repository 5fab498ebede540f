//! Jobs for workers on other ranks, which rank 0 sends one after the other.
//!
//! Every result has to come to rank 0, which writes the files, so that it asks for the next job at the
//! same time: one message each way for a job, and no counter that all ranks would draw from.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use super::{Communicator, Message, StoreOnDrop};
use crate::run::{RemoteReply, RemoteWorker};
use crate::util::lock;
use crate::util::threads::{ThreadError, spawn_scoped};

/// How often rank 0 looks whether everything is to end.
const POLL: Duration = Duration::from_millis(10);

/// The workers on other ranks, seen by rank 0.
#[derive(Debug)]
pub struct JobQueue<'a> {
    ranks: &'a Communicator,
    /// Runs at a time of each rank.
    jobs: Vec<usize>,
    pending: Mutex<PendingJobs>,
}

/// Jobs without a reply.
#[derive(Debug, Default)]
struct PendingJobs {
    /// The number of jobs that were sent to each rank.
    sent: Vec<u64>,
    /// Where the reply to each job goes, by its rank and its number on the rank.
    replies: BTreeMap<(usize, u64), Sender<RemoteReply>>,
}

impl<'a> JobQueue<'a> {
    /// The workers of ranks that agreed ([`Communicator::handshake`]) to so many runs at a time each.
    pub fn new(ranks: &'a Communicator, jobs: Vec<usize>) -> Self {
        let pending = PendingJobs { sent: vec![0; jobs.len()], replies: BTreeMap::new() };
        Self { ranks, jobs, pending: Mutex::new(pending) }
    }

    /// The number of workers on other ranks.
    pub fn workers(&self) -> usize {
        self.jobs.iter().skip(1).sum()
    }

    /// Calls `body` with the workers, and ends the work of the other ranks after it. The first worker
    /// of each rank comes before the second ones.
    ///
    /// # Errors
    /// When the system does not start the thread that receives.
    pub fn run<R>(
        &self,
        interrupted: &AtomicBool,
        body: impl FnOnce(Vec<RemoteWorker<'_>>) -> R,
    ) -> Result<R, ThreadError> {
        let ranks = || self.jobs.iter().enumerate().skip(1);
        let most = ranks().map(|(_, jobs)| *jobs).max().unwrap_or(0);
        let workers = (0..most).flat_map(|worker| ranks().filter(move |(_, jobs)| worker < **jobs));
        let worker = |(rank, _): (usize, _)| RemoteWorker {
            node: format!("rank {rank}"),
            run: Box::new(move |job| self.run_job(rank, job)),
        };
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            let started = spawn_scoped(scope, "replies", || self.deliver(interrupted, &over));
            // They wait for its last message.
            started.inspect_err(|_| self.ranks.broadcast(&Message::End))?;
            let _over = StoreOnDrop(&over, true);
            Ok(body(workers.map(worker).collect()))
        })
    }

    /// Has a job carried out on a rank, and waits for the reply.
    fn run_job(&self, rank: usize, job: String) -> RemoteReply {
        let (sender, reply) = channel();
        {
            let mut pending = lock(&self.pending);
            let number = pending.sent[rank];
            pending.sent[rank] += 1;
            pending.replies.insert((rank, number), sender);
            // Under the lock, so that the rank receives its jobs in the order of their numbers.
            self.ranks.send(rank, &Message::Job(job));
        }
        reply.recv().unwrap_or(Ok(None))
    }

    /// Passes replies to the workers that wait for them, and sends an interrupt on to the other ranks.
    fn deliver(&self, interrupted: &AtomicBool, over: &AtomicBool) {
        let mut told = false;
        loop {
            if !told && interrupted.load(Ordering::Relaxed) {
                told = true;
                self.ranks.broadcast(&Message::Interrupt);
            }
            match self.ranks.receive_timeout(POLL) {
                Ok((from, Message::JobDone { job, reply })) => {
                    if let Some(sender) = lock(&self.pending).replies.remove(&(from, job)) {
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

/// The jobs that rank 0 sends to this rank: a source of texts, numbered from 0, and where replies go.
#[derive(Debug)]
pub struct JobStream<'a> {
    ranks: &'a Communicator,
    interrupted: &'a AtomicBool,
}

impl<'a> JobStream<'a> {
    /// The jobs of this rank; `interrupted` is set when rank 0 says that everything is to end.
    pub fn new(ranks: &'a Communicator, interrupted: &'a AtomicBool) -> Self {
        Self { ranks, interrupted }
    }

    /// Sends the reply to the job with a number.
    pub fn reply(&self, job: u64, reply: RemoteReply) {
        self.ranks.send(0, &Message::JobDone { job, reply });
    }
}

impl Iterator for &JobStream<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        loop {
            match self.ranks.receive()?.1 {
                Message::Job(job) => return Some(job),
                Message::Interrupt => self.interrupted.store(true, Ordering::Relaxed),
                _ => return None,
            }
        }
    }
}
