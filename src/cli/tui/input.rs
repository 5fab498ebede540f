//! Keys as they come, from a terminal that may hang up.
//!
//! What reads keys (crossterm 0.29) does so without an end once the terminal is gone. So that is looked at
//! first, and waited for by what else waits here.

use std::io;
use std::time::Duration;

use ratatui::crossterm::event::{self, Event};

/// The next event within `wait`, if there is any.
///
/// # Errors
/// What the system says; a terminal that is gone is an unexpected end.
pub fn next(wait: Duration) -> io::Result<Option<Event>> {
    // What came together is read together, so that it no longer waits in the terminal.
    for wait in [Duration::ZERO, wait] {
        await_keys(wait)?;
        if event::poll(Duration::ZERO)? {
            return event::read().map(Some);
        }
    }
    Ok(None)
}

/// Waits until there is something to be read, at most so long; a resized terminal ends the wait, too.
#[cfg(unix)]
fn await_keys(wait: Duration) -> io::Result<()> {
    use std::fs::File;
    use std::io::{IsTerminal, stdin};
    use std::os::fd::AsFd;
    use std::sync::OnceLock;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;

    // Where keys are read from: stdin, or the terminal of the process.
    static TERMINAL: OnceLock<Option<File>> = OnceLock::new();
    let stdin = stdin();
    let other = || File::open("/dev/tty").ok();
    let terminal = if stdin.is_terminal() { None } else { TERMINAL.get_or_init(other).as_ref() };
    let mut from = [PollFd::from_borrowed_fd(
        terminal.map_or_else(|| stdin.as_fd(), |terminal| terminal.as_fd()),
        PollFlags::IN,
    )];
    let wait = Timespec { tv_sec: wait.as_secs() as _, tv_nsec: wait.subsec_nanos().into() };
    match poll(&mut from, Some(&wait)) {
        Ok(_) | Err(Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    if from[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(())
}

/// Waits until there is something to be read, at most so long.
#[cfg(not(unix))]
fn await_keys(wait: Duration) -> io::Result<()> {
    event::poll(wait).map(|_| ())
}
