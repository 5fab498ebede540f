//! The courier: the one thread of a process that calls MPI.
//!
//! It sends what is in the outbox and puts what comes into the inbox. It never waits inside of MPI,
//! where Open MPI would use up a core: it looks, and sleeps for a while when there was nothing, ever
//! longer up to a millisecond; what is to be sent wakes it. While somebody waits for a letter it
//! looks again at once and only lets others have the core in between, and sleeps little when that
//! lasts.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use mpi::Threading;
use mpi::request::scope;
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;

use super::{Errand, Ranks, RanksError};

/// How long it sleeps at first, and at most.
const NAPS: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(1));
/// How long it does not sleep at first while somebody waits for a letter, and how long it sleeps then
/// at most.
const AWAKE: Duration = Duration::from_millis(2);
const SHORT: Duration = Duration::from_micros(200);

/// Ends when nobody can give it letters any more, and waits for the couriers of all ranks.
#[derive(Debug)]
pub(super) struct Courier(Option<JoinHandle<()>>);

/// What the courier works with.
struct Desk<'a> {
    world: &'a SimpleCommunicator,
    outgoing: &'a Receiver<Errand>,
    incoming: &'a Sender<(usize, Vec<u8>)>,
    awaited: &'a AtomicBool,
}

impl Courier {
    /// Begins MPI on a thread of its own.
    pub fn begin() -> Result<Ranks, RanksError> {
        let (outbox, outgoing) = channel();
        let (incoming, inbox) = channel();
        let (place, placed) = channel();
        let awaited = Arc::new(AtomicBool::new(false));
        let shared = awaited.clone();
        let thread = thread::spawn(move || {
            let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
                return;
            };
            let world = universe.world();
            let _ = place.send((world.rank() as usize, world.size() as usize));
            let (outgoing, incoming, awaited) = (&outgoing, &incoming, &*shared);
            Desk { world: &world, outgoing, incoming, awaited }.run();
            // Dropped here, the universe waits for those of all ranks.
        });
        let (rank, size) =
            placed.recv().map_err(|_| RanksError::Mpi("it has begun before".to_owned()))?;
        let courier = Some(Self(Some(thread)));
        Ok(Ranks::new(rank, size, outbox, Mutex::new(inbox), awaited, courier))
    }
}

impl Drop for Courier {
    fn drop(&mut self) {
        if let Some(thread) = self.0.take() {
            let _ = thread.join();
        }
    }
}

impl Desk<'_> {
    /// Carries letters until there is nobody who could write one.
    fn run(&self) {
        let mut nap = NAPS.0;
        let mut busy_at = Instant::now();
        loop {
            if self.receive() {
                (nap, busy_at) = (NAPS.0, Instant::now());
            }
            let awaited = self.awaited.load(Ordering::Relaxed);
            let errand = if awaited && busy_at.elapsed() < AWAKE {
                thread::yield_now();
                self.outgoing.try_recv()
            } else {
                let time = if awaited { nap.min(SHORT) } else { nap };
                nap = (2 * nap).min(NAPS.1);
                self.outgoing.recv_timeout(time).map_err(|error| match error {
                    RecvTimeoutError::Timeout => TryRecvError::Empty,
                    RecvTimeoutError::Disconnected => TryRecvError::Disconnected,
                })
            };
            match errand {
                Ok(errand) => {
                    if let Errand::Send { to, letter } = errand {
                        self.send(to, &letter);
                    }
                    (nap, busy_at) = (NAPS.0, Instant::now());
                }
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => return,
            }
        }
    }

    /// Sends a letter, and receives others meanwhile: two ranks may send each other large ones.
    fn send(&self, to: usize, letter: &[u8]) {
        scope(|scope| {
            let mut request = self.world.process_at_rank(to as i32).immediate_send(scope, letter);
            let start = Instant::now();
            while let Err(unfinished) = request.test() {
                request = unfinished;
                match self.receive() {
                    true => {}
                    false if start.elapsed() < AWAKE => thread::yield_now(),
                    false => thread::sleep(NAPS.0),
                }
            }
        });
    }

    /// Takes in the letters that are there; false if there are none.
    fn receive(&self) -> bool {
        let mut any = false;
        while let Some(message) = self.world.any_process().immediate_matched_probe() {
            any = true;
            let from = message.1.source_rank() as usize;
            let (letter, _) = message.matched_receive_vec::<u8>();
            let _ = self.incoming.send((from, letter));
        }
        any
    }
}
