//! The user's wish that everything should end.
//!
//! A process has one, which Ctrl-C and the request to end raise; whoever works looks at it. What
//! waits for others (a pipe that nobody writes or reads) waits on a thread of its own, so that
//! whoever needs it can go on looking.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often a wait is broken off to look.
const LOOK: Duration = Duration::from_millis(20);

/// Raised by Ctrl-C and by the request to end.
pub static INTERRUPT: Interrupt = Interrupt::new();

/// Shared with whoever listens for Ctrl-C.
#[derive(Debug, Default)]
pub struct Interrupt(AtomicBool);

impl Interrupt {
    /// Nothing is to end.
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// The user wants everything to end.
    pub fn ask(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether the user wants everything to end.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// What a run looks at.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// What comes next, if the user does not lose patience: once everything is to end, it still has
    /// the time of `grace`. Nothing, too, when nobody is left to send.
    pub fn await_next<T>(&self, from: &Receiver<T>, grace: Duration) -> Option<T> {
        let mut asked = None;
        loop {
            match from.recv_timeout(LOOK) {
                Ok(next) => return Some(next),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if self.asked() => {
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
        assert_eq!(interrupt.await_next(&receive, Duration::ZERO), Some(1));
        interrupt.ask();
        assert_eq!(interrupt.await_next(&receive, Duration::ZERO), None);
        send.send(2).unwrap();
        assert_eq!(interrupt.await_next(&receive, Duration::ZERO), Some(2));
        drop(send);
        assert_eq!(Interrupt::new().await_next(&receive, Duration::ZERO), None);
    }
}
