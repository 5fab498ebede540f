//! The I/O thread: the one thread of a process that calls MPI.
//!
//! It sends the messages of the outbox and puts received ones into the inbox. It never waits inside of MPI,
//! where Open MPI would use up a core: it polls, and sleeps when there was nothing, ever longer up to a
//! millisecond; a message to send wakes it. While a thread waits for a message it polls again at once
//! and only yields the core in between, and sleeps little when that lasts.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ::mpi::Threading;
use ::mpi::request::scope;
use ::mpi::topology::{Communicator as _, SimpleCommunicator};
use ::mpi::traits::*;

use super::{Communicator, IoCommand, MpiError, NodeKind};
use crate::util::threads::spawn;

/// How long it sleeps at first, and at most.
const SLEEP: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(1));
/// While a thread waits for a message: how long it does not sleep at first, and how long it sleeps
/// then at most.
const AWAKE: Duration = Duration::from_millis(2);
const SHORT_SLEEP: Duration = Duration::from_micros(200);

/// Ends when all senders to it are gone, and waits for the I/O threads of all ranks.
#[derive(Debug)]
pub(super) struct IoThread(Option<JoinHandle<()>>);

/// The channels and the flag that the thread works with.
struct IoState<'a> {
    world: &'a SimpleCommunicator,
    outgoing: &'a Receiver<IoCommand>,
    incoming: &'a Sender<(usize, Vec<u8>)>,
    is_urgent: &'a AtomicBool,
}

impl IoThread {
    /// Starts MPI on a thread of its own.
    pub fn start() -> Result<Communicator, MpiError> {
        let (outbox, outgoing) = channel();
        let (incoming, inbox) = channel();
        let (started, start) = channel();
        let is_urgent = Arc::new(AtomicBool::new(false));
        let shared = is_urgent.clone();
        let work = move || {
            let Some((universe, _)) = ::mpi::initialize_with_threading(Threading::Funneled) else {
                return;
            };
            let world = universe.world();
            let _ = started.send((world.rank() as usize, world.size() as usize));
            let (outgoing, incoming, is_urgent) = (&outgoing, &incoming, &*shared);
            IoState { world: &world, outgoing, incoming, is_urgent }.run();
            // Dropped here, the universe waits for those of all ranks.
        };
        let thread = spawn("MPI", work).map_err(|error| MpiError::Start(error.to_string()))?;
        let (rank, size) =
            start.recv().map_err(|_| MpiError::Start("it was started before".to_owned()))?;
        let (kind, inbox) = (NodeKind::Rank, Mutex::new(inbox));
        let _io_thread = Some(Self(Some(thread)));
        Ok(Communicator { rank, size, kind, outbox, inbox, is_urgent, _io_thread })
    }
}

impl Drop for IoThread {
    fn drop(&mut self) {
        if let Some(thread) = self.0.take() {
            let _ = thread.join();
        }
    }
}

impl IoState<'_> {
    /// Sends and receives until all senders to it are gone.
    fn run(&self) {
        let mut sleep = SLEEP.0;
        let mut busy_at = Instant::now();
        loop {
            if self.receive() {
                (sleep, busy_at) = (SLEEP.0, Instant::now());
            }
            let is_urgent = self.is_urgent.load(Ordering::Relaxed);
            let command = if is_urgent && busy_at.elapsed() < AWAKE {
                thread::yield_now();
                self.outgoing.try_recv()
            } else {
                let time = if is_urgent { sleep.min(SHORT_SLEEP) } else { sleep };
                sleep = (2 * sleep).min(SLEEP.1);
                self.outgoing.recv_timeout(time).map_err(|error| match error {
                    RecvTimeoutError::Timeout => TryRecvError::Empty,
                    RecvTimeoutError::Disconnected => TryRecvError::Disconnected,
                })
            };
            match command {
                Ok(command) => {
                    if let IoCommand::Send(to, message) = command {
                        self.send(to, &message);
                    }
                    (sleep, busy_at) = (SLEEP.0, Instant::now());
                }
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => return,
            }
        }
    }

    /// Sends a message, and receives others meanwhile: two ranks may send each other large ones.
    fn send(&self, to: usize, message: &[u8]) {
        scope(|scope| {
            let mut request = self.world.process_at_rank(to as i32).immediate_send(scope, message);
            let start = Instant::now();
            while let Err(unfinished) = request.test() {
                request = unfinished;
                match self.receive() {
                    true => {}
                    false if start.elapsed() < AWAKE => thread::yield_now(),
                    false => thread::sleep(SLEEP.0),
                }
            }
        });
    }

    /// Receives the messages that are there; false if there are none.
    fn receive(&self) -> bool {
        let mut any = false;
        while let Some(probed) = self.world.any_process().immediate_matched_probe() {
            any = true;
            let from = probed.1.source_rank() as usize;
            let (message, _) = probed.matched_receive_vec::<u8>();
            let _ = self.incoming.send((from, message));
        }
        any
    }
}
