//! Ranks: the processes that `mpirun` started as one job, and the letters that they write each other.
//!
//! Rank 0 leads: it alone reads what is asked, writes files and speaks to the user. The others are
//! its crew (`crew.rs`), or breed some of the islands of a run ([`islands`]). On each rank one
//! thread alone calls MPI, the courier (`courier.rs`); all else passes [`Letter`]s through
//! channels, so that it is the same in a build without MPI, which tests connect by channels.
//!
//! Before anything is done all ranks tell rank 0 what they are about to do ([`Ranks::agree`]). What
//! differs is refused, and named.

#[cfg(feature = "mpi")]
mod courier;
mod crew;
pub mod islands;
mod letter;
mod traffic;

pub use crew::{Away, Crew, Orders};
pub use letter::{Fact, Letter, Purpose, Reply, Sharing};
pub use traffic::{Sent, Traffic};

use std::env;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::fitness::Place;

/// Variables that hold the rank and the number of ranks, of Open MPI and of MPICH and its kin.
const VARIABLES: [(&str, &str); 2] =
    [("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE")];

/// The rank of this process and how many there are, where there are several.
pub fn launched() -> Option<(usize, usize)> {
    let number = |name: &str| env::var(name).ok()?.parse::<usize>().ok();
    let of = |(rank, size): (&str, &str)| Some((number(rank)?, number(size)?));
    VARIABLES.into_iter().find_map(of).filter(|(_, size)| *size > 1)
}

/// The number of this process among those of the job on its machine, from 0.
pub fn on_machine() -> usize {
    let names = ["OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"];
    names.iter().find_map(|name| env::var(name).ok()?.parse().ok()).unwrap_or(0)
}

/// The ranks of a job, seen by one of them.
#[derive(Debug)]
pub struct Ranks {
    rank: usize,
    size: usize,
    /// What a number stands for.
    place: fn(usize) -> Place,
    outbox: Sender<Errand>,
    inbox: Mutex<Inbox>,
    /// Whether somebody waits for a letter that is about to come.
    awaited: Arc<AtomicBool>,
    traffic: Traffic,
    #[cfg(feature = "mpi")]
    _courier: Option<courier::Courier>,
}

/// Letters that came, and from whom.
type Inbox = Receiver<(usize, Vec<u8>)>;

/// What a courier is asked to do.
#[derive(Debug)]
enum Errand {
    /// To carry a letter.
    Send {
        /// To whom.
        to: usize,
        /// As it travels.
        letter: Vec<u8>,
    },
    /// To look for letters, because one is waited for.
    Look,
}

/// Why several ranks do not work together.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RanksError {
    /// This build cannot.
    #[error(
        "mpirun started {0} processes, but this evodoku was built without the feature mpi and would \
         do everything {0} times: build it with --features mpi, or see experiment --shard"
    )]
    NotBuilt(usize),
    /// MPI does not begin.
    #[error("MPI does not begin: {0}")]
    Mpi(String),
    /// Somewhere else there is something to say, which is said here.
    #[error("{place}: {what}")]
    Elsewhere {
        /// Where.
        place: Place,
        /// What it says.
        what: String,
    },
    /// Two ranks are about to do different things.
    #[error("rank {rank} has {name} {found}, but rank 0 {expected}: all ranks must have the same")]
    Differs {
        /// The rank.
        rank: usize,
        /// What differs.
        name: String,
        /// There.
        found: String,
        /// And on rank 0.
        expected: String,
    },
    /// Rank 0 has said what is wrong.
    #[error("rank 0 has called it off")]
    CalledOff,
}

impl Ranks {
    /// The ranks of this job, if there are several.
    ///
    /// # Errors
    /// [`RanksError`] when this build knows no MPI, or MPI does not begin.
    pub fn join() -> Result<Option<Self>, RanksError> {
        let Some((_, size)) = launched() else { return Ok(None) };
        #[cfg(not(feature = "mpi"))]
        return Err(RanksError::NotBuilt(size));
        #[cfg(feature = "mpi")]
        {
            let _ = size;
            courier::Courier::begin().map(Some)
        }
    }

    fn new(
        rank: usize,
        size: usize,
        outbox: Sender<Errand>,
        inbox: Mutex<Inbox>,
        awaited: Arc<AtomicBool>,
        #[cfg(feature = "mpi")] courier: Option<courier::Courier>,
    ) -> Self {
        Self {
            rank,
            size,
            place: Place::Rank,
            outbox,
            inbox,
            awaited,
            traffic: Traffic::default(),
            #[cfg(feature = "mpi")]
            _courier: courier,
        }
    }

    /// Ranks that are threads of this process. Their letters travel as between processes.
    pub fn connected(size: usize) -> Vec<Self> {
        let (senders, inboxes): (Vec<_>, Vec<_>) = (0..size).map(|_| channel()).unzip();
        let ranks = inboxes.into_iter().enumerate().map(|(rank, inbox)| {
            let (outbox, outgoing) = channel();
            let senders: Vec<Sender<(usize, Vec<u8>)>> = senders.clone();
            thread::spawn(move || {
                for errand in outgoing {
                    if let Errand::Send { to, letter } = errand {
                        let _ = senders[to].send((rank, letter));
                    }
                }
            });
            let awaited = Arc::new(AtomicBool::new(false));
            Self::new(
                rank,
                size,
                outbox,
                Mutex::new(inbox),
                awaited,
                #[cfg(feature = "mpi")]
                None,
            )
        });
        ranks.collect()
    }

    /// The same for the adapters of this process, a thread each.
    pub fn adapters(size: usize) -> Vec<Self> {
        let ranks = Self::connected(size).into_iter();
        ranks.map(|ranks| Self { place: Place::Adapter, ..ranks }).collect()
    }

    /// How this rank is called.
    pub fn place(&self) -> Place {
        (self.place)(self.rank)
    }

    /// This rank, from 0.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// How many there are.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether this is rank 0.
    pub fn leads(&self) -> bool {
        self.rank == 0
    }

    /// Sends a letter. It leaves soon; whoever is gone does not get it.
    pub fn send(&self, to: usize, letter: Letter) {
        // Nothing in a letter can fail to be written.
        let bytes = postcard::to_stdvec(&letter).unwrap_or_default();
        self.traffic.note(letter.purpose(), bytes.len());
        let _ = self.outbox.send(Errand::Send { to, letter: bytes });
    }

    /// What this rank has sent so far.
    pub fn traffic(&self) -> &Traffic {
        &self.traffic
    }

    /// Sends a letter to all others.
    pub fn send_all(&self, letter: &Letter) {
        (0..self.size).filter(|to| *to != self.rank).for_each(|to| self.send(to, letter.clone()));
    }

    /// The next letter, and whom it is from; nothing when there will be none.
    pub fn receive(&self) -> Option<(usize, Letter)> {
        let inbox = self.inbox.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(letter) = read(inbox.recv().ok()?) {
                return Some(letter);
            }
        }
    }

    /// The same if there is one within so long.
    fn receive_within(&self, time: Duration) -> Result<(usize, Letter), RecvTimeoutError> {
        let inbox = self.inbox.lock().unwrap_or_else(PoisonError::into_inner);
        let deadline = Instant::now() + time;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if let Some(letter) = read(inbox.recv_timeout(left)?) {
                return Ok(letter);
            }
        }
    }

    /// Says that a letter is about to come, for which the courier looks all the time at first.
    fn awaiting(&self) -> Awaiting<'_> {
        self.awaited.store(true, Ordering::Relaxed);
        let _ = self.outbox.send(Errand::Look);
        Awaiting(&self.awaited)
    }

    /// The next letter if it is there already.
    fn look(&self) -> Option<(usize, Letter)> {
        let inbox = self.inbox.try_lock().ok()?;
        read(inbox.try_recv().ok()?)
    }

    /// Tells rank 0 what this rank is about to do, and with how many runs at a time, and waits until
    /// all have. Rank 0 says what ranks share, which all others are told, and gets the runs at a time
    /// of each rank.
    ///
    /// # Errors
    /// On rank 0 the first thing that keeps a rank from it or that differs; on others that it was
    /// called off.
    pub fn agree(
        &self,
        facts: Vec<Fact>,
        seats: usize,
        sharing: Sharing,
    ) -> Result<(Vec<usize>, Sharing), RanksError> {
        if !self.leads() {
            self.send(0, Letter::Hello { facts: Ok(facts), seats });
            return match self.receive() {
                Some((_, Letter::Begin(sharing))) => Ok((Vec::new(), sharing)),
                _ => Err(RanksError::CalledOff),
            };
        }
        let mut seats_of = vec![seats; self.size];
        let mut found = vec![Ok(facts); self.size];
        for _ in 1..self.size {
            if let Some((from, Letter::Hello { facts, seats })) = self.receive() {
                (found[from], seats_of[from]) = (facts, seats);
            }
        }
        let agreed = agreement(&found);
        if agreed.is_ok() {
            self.send_all(&Letter::Begin(sharing));
        }
        agreed.map(|()| (seats_of, sharing))
    }

    /// Says at the end of the command that nothing more will come of this rank: to all others that
    /// wait for rank 0, or to rank 0 what kept this one from beginning.
    pub fn leave(self, failure: Option<String>) {
        match failure {
            _ if self.leads() => self.send_all(&Letter::End),
            Some(what) => self.send(0, Letter::Hello { facts: Err(what), seats: 0 }),
            None => {}
        }
    }
}

/// As long as a letter is awaited.
struct Awaiting<'a>(&'a AtomicBool);

impl Drop for Awaiting<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// A letter as it came; nothing if it is none.
fn read((from, bytes): (usize, Vec<u8>)) -> Option<(usize, Letter)> {
    Some((from, postcard::from_bytes(&bytes).ok()?))
}

/// Whether all ranks are about to do the same.
fn agreement(found: &[Result<Vec<Fact>, String>]) -> Result<(), RanksError> {
    let mut said = found.iter().enumerate();
    if let Some((rank, what)) = said.find_map(|(rank, facts)| Some((rank, facts.as_ref().err()?))) {
        return Err(RanksError::Elsewhere { place: Place::Rank(rank), what: what.clone() });
    }
    let Some(Ok(first)) = found.first() else { return Ok(()) };
    for (rank, facts) in found.iter().enumerate() {
        let pairs = facts.iter().flatten().zip(first);
        for (Fact(name, found), Fact(_, expected)) in pairs {
            if found != expected {
                let (name, found, expected) = (name.clone(), found.clone(), expected.clone());
                return Err(RanksError::Differs { rank, name, found, expected });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
