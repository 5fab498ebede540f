//! The courier: the one thread of a process that calls MPI.
//!
//! It sends what is in the outbox and puts what comes into the inbox. It never waits inside of MPI,
//! where Open MPI would use up a core: it looks, and sleeps for a while when there was nothing, ever
//! longer up to a millisecond.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use mpi::Threading;
use mpi::request::scope;
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;

use super::{Letter, Ranks, RanksError};

/// How long it sleeps at first, and at most.
const NAPS: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(1));

/// Ends when nobody can give it letters any more, and waits for the couriers of all ranks.
#[derive(Debug)]
pub(super) struct Courier(Option<JoinHandle<()>>);

impl Courier {
    /// Begins MPI on a thread of its own.
    pub fn begin() -> Result<Ranks, RanksError> {
        let (outbox, outgoing) = channel();
        let (incoming, inbox) = channel();
        let (place, placed) = channel();
        let thread = thread::spawn(move || {
            let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
                return;
            };
            let world = universe.world();
            let _ = place.send((world.rank() as usize, world.size() as usize));
            run(&world, &outgoing, &incoming);
            // Dropped here, the universe waits for those of all ranks.
        });
        let (rank, size) =
            placed.recv().map_err(|_| RanksError::Mpi("it has begun before".to_owned()))?;
        let _courier = Some(Self(Some(thread)));
        Ok(Ranks { rank, size, outbox, inbox: Mutex::new(inbox), _courier })
    }
}

impl Drop for Courier {
    fn drop(&mut self) {
        if let Some(thread) = self.0.take() {
            let _ = thread.join();
        }
    }
}

/// Carries letters until there is nobody who could write one.
fn run(
    world: &SimpleCommunicator,
    outgoing: &Receiver<(usize, Letter)>,
    incoming: &Sender<(usize, Letter)>,
) {
    let mut nap = NAPS.0;
    loop {
        let mut busy = receive(world, incoming);
        match outgoing.try_recv() {
            Ok((to, letter)) => {
                send(world, to, &letter, incoming);
                busy = true;
            }
            Err(TryRecvError::Empty) => {}
            Err(TryRecvError::Disconnected) => return,
        }
        nap = if busy { NAPS.0 } else { (2 * nap).min(NAPS.1) };
        if !busy {
            thread::sleep(nap);
        }
    }
}

/// Sends a letter, and receives others meanwhile: two ranks may send each other large ones.
fn send(
    world: &SimpleCommunicator,
    to: usize,
    letter: &Letter,
    incoming: &Sender<(usize, Letter)>,
) {
    // Every key is a string and every number finite: nothing here can fail.
    let bytes = serde_json::to_vec(letter).unwrap_or_default();
    scope(|scope| {
        let mut request = world.process_at_rank(to as i32).immediate_send(scope, &bytes[..]);
        while let Err(unfinished) = request.test() {
            request = unfinished;
            if !receive(world, incoming) {
                thread::sleep(NAPS.0);
            }
        }
    });
}

/// Takes in the letters that are there; false if there are none.
fn receive(world: &SimpleCommunicator, incoming: &Sender<(usize, Letter)>) -> bool {
    let mut any = false;
    while let Some(message) = world.any_process().immediate_matched_probe() {
        any = true;
        let from = message.1.source_rank() as usize;
        let (bytes, _) = message.matched_receive_vec::<u8>();
        if let Ok(letter) = serde_json::from_slice(&bytes) {
            let _ = incoming.send((from, letter));
        }
    }
    any
}
