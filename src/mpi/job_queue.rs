//! Jobs for workers on other ranks, which rank 0 sends one after the other.
//!
//! Every result has to come to rank 0, which writes the files, so that it asks for the next job at the
//! same time: one message each way for a job, and no counter that all ranks would draw from.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use super::{Communicator, JobReply, Message};
use crate::run::{Pool, Worker};
use crate::util::ordered_parallel::ResultOrder;

/// How often rank 0 looks whether everything is to end.
const POLL: Duration = Duration::from_millis(10);

/// The workers on other ranks, seen by rank 0.
#[derive(Debug)]
pub struct JobQueue<'a> {
    ranks: &'a Communicator,
    /// Runs at a time of each rank.
    jobs: Vec<usize>,
}

/// A worker on another rank.
#[derive(Debug)]
pub struct RemoteWorker<'a> {
    ranks: &'a Communicator,
    rank: usize,
    /// Its number on the rank.
    worker: usize,
    replies: Receiver<JobReply>,
}

impl RemoteWorker<'_> {
    /// The rank that it is on.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Has a job done there, and waits for its result.
    pub fn run(&mut self, job: String) -> JobReply {
        self.ranks.send(self.rank, &Message::Job { worker: self.worker, job });
        self.replies.recv().unwrap_or(Ok(None))
    }
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
        let most = self.jobs.iter().skip(1).copied().max().unwrap_or(0);
        let mut senders: Vec<Vec<Sender<JobReply>>> = vec![Vec::new(); self.jobs.len()];
        let mut workers = Vec::new();
        for worker in 0..most {
            for (rank, _) in self.jobs.iter().enumerate().skip(1).filter(|(_, has)| worker < **has)
            {
                let (sender, replies) = channel();
                senders[rank].push(sender);
                workers.push(RemoteWorker { ranks: self.ranks, rank, worker, replies });
            }
        }
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| self.deliver(&senders, interrupted, &over));
            let _over = SetOnDrop(&over);
            body(workers)
        })
    }

    /// Hands replies to the workers that wait for them, and tells the other ranks of an interrupt.
    fn deliver(
        &self,
        senders: &[Vec<Sender<JobReply>>],
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

/// The jobs that rank 0 sends to this rank, each with the number of its worker.
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

    /// Does all jobs on a pool, each by `work`, and sends the results to rank 0.
    pub fn serve<'b>(
        &self,
        pool: &mut Pool<'b>,
        work: impl Fn(&mut Worker<'b>, &str) -> JobReply + Sync,
    ) {
        let work = |own: &mut Worker<'b>, (worker, job): (usize, String)| (worker, work(own, &job));
        pool.run(self, ResultOrder::AsCompleted, work, |(worker, reply)| {
            self.ranks.send(0, &Message::JobDone { worker, reply });
            ControlFlow::Continue(())
        });
    }
}

impl Iterator for &JobStream<'_> {
    type Item = (usize, String);

    fn next(&mut self) -> Option<(usize, String)> {
        loop {
            match self.ranks.receive()?.1 {
                Message::Job { worker, job } => return Some((worker, job)),
                Message::Interrupt => self.interrupted.store(true, Ordering::Relaxed),
                _ => return None,
            }
        }
    }
}
