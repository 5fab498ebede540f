//! The user's request to stop the process.
//!
//! A process has one flag, which Ctrl-C and the termination signal set; all long work polls it. Operations
//! that may block (reading or writing a pipe) run on a thread of their own, so that the caller can keep
//! polling the flag.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use super::clock::Instant;

/// The interval at which a wait polls the flag.
const LOOK: Duration = Duration::from_millis(20);

/// Set by Ctrl-C and by the termination signal.
pub static INTERRUPT: Interrupt = Interrupt::new();

/// A flag that the signal handler sets and all long work polls.
#[derive(Debug, Default)]
pub struct Interrupt(AtomicBool);

impl Interrupt {
    /// A flag that is not set.
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Sets the flag.
    pub fn request(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether the user asked to stop.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// The flag itself, for a run to poll.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Receives the next message. After an interrupt it waits for at most `grace` more. `None` when that
    /// time is over or the sender is gone.
    pub fn receive<T>(&self, from: &Receiver<T>, grace: Duration) -> Option<T> {
        let mut asked = None;
        loop {
            match from.recv_timeout(LOOK) {
                Ok(next) => return Some(next),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if self.is_requested() => {
                    if asked.get_or_insert_with(Instant::now).elapsed() >= grace {
                        return None;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_wait_ends_with_what_comes_or_with_the_users_wish() {
        let interrupt = Interrupt::new();
        let (send, receive) = channel();
        send.send(1).unwrap();
        assert_eq!(interrupt.receive(&receive, Duration::ZERO), Some(1));
        interrupt.request();
        assert_eq!(interrupt.receive(&receive, Duration::ZERO), None);
        send.send(2).unwrap();
        assert_eq!(interrupt.receive(&receive, Duration::ZERO), Some(2));
        drop(send);
        assert_eq!(Interrupt::new().receive(&receive, Duration::ZERO), None);
    }
}
