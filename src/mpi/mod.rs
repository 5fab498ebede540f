//! The processes (ranks) that `mpirun` started as one job, and the messages that they send each other.
//!
//! Rank 0, the root, alone reads the input, writes files and talks to the user. The others carry out
//! jobs that it sends them ([`JobQueue`]), or breed some of the islands of a run ([`RootEngine`],
//! [`RankEngine`]). One thread of each rank calls MPI (`io_thread.rs`). All others pass
//! [`Message`]s through channels, so that ranks may also be threads of one process: tests, and the
//! adapters of one machine.
//!
//! Before the first run all ranks compare their settings ([`handshake`](Communicator::handshake)). A
//! difference is an error that names it.
//!
//! # Islands of one run
//!
//! ```text
//! rank 0: RootEngine --Command--> rank 1, 2, ...: RankEngine     carries out some generations
//!         RootEngine <--Reply---- rank 1, 2, ...                 summaries of its islands
//! rank k: last island --Migrants--> rank k + 1: first island     MigrationChannel, in a ring
//! ```
//!
//! Each rank holds consecutive islands ([`parts`](crate::ga::parts)) in an engine of its own, on
//! its threads or its GPU. Rank 0 sends a command to every rank, breeds its own islands meanwhile,
//! and appends the summaries in the order of islands, so that the run is the same on any number of
//! ranks, bit for bit.
//!
//! - **A command is for several generations** where nothing is decided in between: as many as take
//!   some 20 ms. Each has its summary; those after the one in which the run ends are not looked at.
//! - **Cancelling.** Rank 0 cancels a command when the run is to end early, or as soon as a reply
//!   says that a rank failed or was interrupted. Every rank replies to every command, and rank 0 waits
//!   for that, so that nothing of a run is under way when it is over.

#[cfg(feature = "mpi")]
mod io_thread;
mod islands;
mod job_queue;
mod mailbox;
mod message;
#[cfg(test)]
mod tests;

pub use islands::{MpiMigrationChannel, RankEngine, RootEngine, refuse};
pub use job_queue::{JobQueue, JobStream};
pub use mailbox::Mailbox;
pub use message::{Message, MpiError, SharedSettings, SharingMode, shared_settings};

use std::env;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::util::lock;
use crate::util::named_enum::named;
use crate::util::threads::{ThreadError, spawn};

/// Variables that hold the rank and the number of ranks, of Open MPI and of MPICH and its relatives.
const VARIABLES: [(&str, &str); 2] =
    [("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE")];

/// The rank of this process and the number of ranks, as the environment says, if there are several.
pub fn rank_and_size() -> Option<(usize, usize)> {
    let number = |name: &str| env::var(name).ok()?.parse::<usize>().ok();
    let of = |(rank, size): (&str, &str)| Some((number(rank)?, number(size)?));
    VARIABLES.into_iter().find_map(of).filter(|(_, size)| *size > 1)
}

/// The number of this process among those of the job on its machine, from 0.
pub fn local_rank() -> usize {
    let names = ["OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"];
    names.iter().find_map(|name| env::var(name).ok()?.parse().ok()).unwrap_or(0)
}

named! {
    /// The kind of ranks.
    pub enum NodeKind {
        /// A process of the job.
        Rank = "rank",
        /// A thread of this process with a graphics adapter of its own.
        Adapter = "adapter",
    }
}

/// The ranks of a job, seen by one of them.
#[derive(Debug)]
pub struct Communicator {
    /// This rank, from 0.
    pub rank: usize,
    /// The number of ranks.
    pub size: usize,
    /// The kind of the ranks.
    pub kind: NodeKind,
    outbox: Sender<IoCommand>,
    inbox: Mutex<Inbox>,
    /// Whether a thread waits for a message that is about to come.
    is_urgent: Arc<AtomicBool>,
    /// Dropped after the outbox: the thread ends when that is closed.
    #[cfg(feature = "mpi")]
    _io_thread: Option<io_thread::IoThread>,
}

/// Messages that came, with their senders.
type Inbox = Receiver<(usize, Vec<u8>)>;

/// A command for the I/O thread.
#[derive(Debug)]
enum IoCommand {
    /// To send a message, as it travels, to a rank.
    Send(usize, Vec<u8>),
    /// To look for messages, because a thread waits for one.
    Poll,
}

impl Communicator {
    /// The ranks of this job, if there are several.
    ///
    /// # Errors
    /// [`MpiError`] when this build knows no MPI, or MPI does not start.
    pub fn join() -> Result<Option<Self>, MpiError> {
        match rank_and_size() {
            None => Ok(None),
            #[cfg(feature = "mpi")]
            Some(_) => io_thread::IoThread::start().map(Some),
            #[cfg(not(feature = "mpi"))]
            Some((_, size)) => Err(MpiError::NotBuilt(size)),
        }
    }

    /// Ranks that are threads of this process. Their messages travel as between processes.
    ///
    /// # Errors
    /// When the system does not start as many.
    pub fn threads(size: usize, kind: NodeKind) -> Result<Vec<Self>, ThreadError> {
        let (senders, inboxes): (Vec<_>, Vec<_>) = (0..size).map(|_| channel()).unzip();
        let communicators = inboxes.into_iter().enumerate().map(|(rank, inbox)| {
            let (outbox, outgoing) = channel();
            let senders: Vec<Sender<(usize, Vec<u8>)>> = senders.clone();
            spawn("messages", move || {
                for command in outgoing {
                    if let IoCommand::Send(to, message) = command {
                        let _ = senders[to].send((rank, message));
                    }
                }
            })?;
            Ok(Self {
                rank,
                size,
                kind,
                outbox,
                inbox: Mutex::new(inbox),
                is_urgent: Arc::default(),
                #[cfg(feature = "mpi")]
                _io_thread: None,
            })
        });
        communicators.collect()
    }

    /// The name of this rank in messages to the user, as in `rank 1`.
    pub fn node(&self) -> String {
        format!("{} {}", self.kind, self.rank)
    }

    /// Whether this is rank 0.
    pub fn is_root(&self) -> bool {
        self.rank == 0
    }

    /// Sends a message. It leaves soon; a rank that is gone does not get it.
    pub fn send(&self, to: usize, message: &Message) {
        // Nothing in a message can fail to be written.
        let bytes = postcard::to_stdvec(message).unwrap_or_default();
        let _ = self.outbox.send(IoCommand::Send(to, bytes));
    }

    /// Sends a message to all others.
    pub fn broadcast(&self, message: &Message) {
        (0..self.size).filter(|to| *to != self.rank).for_each(|to| self.send(to, message));
    }

    /// Waits for the next message, with its sender; `None` when there will be none.
    pub fn receive(&self) -> Option<(usize, Message)> {
        let inbox = lock(&self.inbox);
        inbox.iter().find_map(decode)
    }

    /// The same for so long at most.
    fn receive_timeout(&self, time: Duration) -> Result<(usize, Message), RecvTimeoutError> {
        let inbox = lock(&self.inbox);
        let deadline = Instant::now() + time;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if let Some(message) = decode(inbox.recv_timeout(left)?) {
                return Ok(message);
            }
        }
    }

    /// The next message if it is there already.
    fn try_receive(&self) -> Option<(usize, Message)> {
        decode(self.inbox.try_lock().ok()?.try_recv().ok()?)
    }

    /// Has the I/O thread look for messages without a pause at first, until the guard is dropped.
    fn poll_eagerly(&self) -> StoreOnDrop<'_> {
        self.is_urgent.store(true, Ordering::Relaxed);
        let _ = self.outbox.send(IoCommand::Poll);
        StoreOnDrop(&self.is_urgent, false)
    }

    /// Sends rank 0 the settings of this rank and the number of runs that it carries out at a time, and waits
    /// until all ranks have. Rank 0 chooses what ranks share, which the others get back; it gets the
    /// runs at a time of each rank.
    ///
    /// # Errors
    /// On rank 0 the first rank that cannot start or that differs; on others
    /// [`MpiError::Cancelled`].
    pub fn handshake(
        &self,
        settings: SharedSettings,
        jobs: usize,
        sharing: SharingMode,
    ) -> Result<(Vec<usize>, SharingMode), MpiError> {
        if !self.is_root() {
            self.send(0, &Message::Hello { settings: Ok(settings), jobs });
            return match self.receive() {
                Some((_, Message::Begin(sharing))) => Ok((Vec::new(), sharing)),
                _ => Err(MpiError::Cancelled),
            };
        }
        let mut jobs_of = vec![jobs; self.size];
        let mut settings_of = vec![Ok(settings); self.size];
        for _ in 1..self.size {
            if let Some((from, Message::Hello { settings, jobs })) = self.receive() {
                (settings_of[from], jobs_of[from]) = (settings, jobs);
            }
        }
        check_equal(&settings_of)?;
        self.broadcast(&Message::Begin(sharing));
        Ok((jobs_of, sharing))
    }

    /// Ends the work of this rank: rank 0 tells all others, which may wait for it; another rank tells
    /// rank 0 of an error that kept it from beginning.
    pub fn finish(self, error: Option<String>) {
        match error {
            _ if self.is_root() => self.broadcast(&Message::End),
            Some(error) => self.send(0, &Message::Hello { settings: Err(error), jobs: 0 }),
            None => {}
        }
    }
}

/// Stores a value in a flag at the end of a scope, also when that is a panic.
struct StoreOnDrop<'a>(&'a AtomicBool, bool);

impl Drop for StoreOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(self.1, Ordering::Relaxed);
    }
}

/// A message from its bytes; `None` if they are none.
fn decode((from, bytes): (usize, Vec<u8>)) -> Option<(usize, Message)> {
    Some((from, postcard::from_bytes(&bytes).ok()?))
}

/// Checks that all ranks can start, with the settings of rank 0.
fn check_equal(settings_of: &[Result<SharedSettings, String>]) -> Result<(), MpiError> {
    for (rank, settings) in settings_of.iter().enumerate() {
        let node = format!("rank {rank}");
        let remote = |error: &String| MpiError::Remote { node, error: error.clone() };
        let settings = settings.as_ref().map_err(remote)?;
        let mut pairs = settings.iter().zip(settings_of[0].iter().flatten());
        if let Some(((name, found), (_, expected))) = pairs.find(|(here, root)| here != root) {
            return Err(MpiError::Mismatch(format!(
                "rank {rank} has {name} {found}, but rank 0 has {expected}: all ranks need the same"
            )));
        }
    }
    Ok(())
}
