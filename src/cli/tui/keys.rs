//! Keys: reading them from a terminal that may hang up, and their commands.

use std::io;
use std::time::Duration;

use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// The keys of a live run, for the help line.
pub const LIVE: &str = "q quit  space pause or run  n one generation  + faster  - slower  \
                        tab other board  arrows, page up, page down scroll  ? fewer keys";
/// The keys of a recording.
pub const RECORDED: &str = "q quit  space pause or run  n or → next  p or ← previous  \
                            home first  end last  + faster  - slower  tab other board  \
                            arrows, page up, page down scroll  ? fewer keys";

/// A command of the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyCommand {
    Quit,
    /// Stops the program, as Ctrl-Z does.
    Suspend,
    Pause,
    Next,
    Previous,
    First,
    Last,
    Faster,
    Slower,
    OtherBoard,
    Help,
    /// Draws the whole screen again.
    Redraw,
    /// By lines and columns.
    Scroll([i32; 2]),
    /// By pages.
    Page(i32),
}

impl KeyCommand {
    /// The command of a key. The arrows to the sides scroll if the board is scrollable, and step
    /// otherwise.
    pub fn of(key: KeyEvent, is_scrollable: bool) -> Option<Self> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c') => Some(Self::Quit),
                KeyCode::Char('z') => Some(Self::Suspend),
                KeyCode::Char('l') => Some(Self::Redraw),
                _ => None,
            };
        }
        Some(match key.code {
            KeyCode::Char('q') => Self::Quit,
            KeyCode::Char(' ') => Self::Pause,
            KeyCode::Char('n') => Self::Next,
            KeyCode::Char('p') => Self::Previous,
            KeyCode::Char('+' | '=') => Self::Faster,
            KeyCode::Char('-') => Self::Slower,
            KeyCode::Char('?' | 'h') => Self::Help,
            KeyCode::Tab => Self::OtherBoard,
            KeyCode::Home => Self::First,
            KeyCode::End => Self::Last,
            KeyCode::Right if !is_scrollable => Self::Next,
            KeyCode::Left if !is_scrollable => Self::Previous,
            KeyCode::Right => Self::Scroll([0, 3]),
            KeyCode::Left => Self::Scroll([0, -3]),
            KeyCode::Up => Self::Scroll([-1, 0]),
            KeyCode::Down => Self::Scroll([1, 0]),
            KeyCode::PageUp => Self::Page(-1),
            KeyCode::PageDown => Self::Page(1),
            _ => return None,
        })
    }
}

/// The next event within `wait`, if there is one.
///
/// # Errors
/// The error of the system; if the terminal is gone, an unexpected end.
pub fn next_event(wait: Duration) -> io::Result<Option<Event>> {
    // The first round reads an event that the library has read already, which is no longer in the terminal.
    for wait in [Duration::ZERO, wait] {
        await_keys(wait)?;
        if event::poll(Duration::ZERO)? {
            return event::read().map(Some);
        }
    }
    Ok(None)
}

/// Waits for input, at most so long; a change of the terminal's size ends the wait too.
///
/// crossterm 0.29 would read without end once the terminal is gone, so that is checked first.
#[cfg(unix)]
fn await_keys(wait: Duration) -> io::Result<()> {
    use std::fs::File;
    use std::io::{IsTerminal, stdin};
    use std::os::fd::AsFd;
    use std::sync::OnceLock;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;

    // Keys come from stdin, or else from the terminal of the process.
    static TERMINAL: OnceLock<Option<File>> = OnceLock::new();
    let stdin = stdin();
    let other = || File::open("/dev/tty").ok();
    let terminal = if stdin.is_terminal() { None } else { TERMINAL.get_or_init(other).as_ref() };
    let from = terminal.map_or_else(|| stdin.as_fd(), |terminal| terminal.as_fd());
    let mut from = [PollFd::from_borrowed_fd(from, PollFlags::IN)];
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

/// Waits for input, at most so long.
#[cfg(not(unix))]
fn await_keys(wait: Duration) -> io::Result<()> {
    event::poll(wait).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_step_where_nothing_is_to_be_scrolled() {
        let right = KeyEvent::new(KeyCode::Right, KeyModifiers::NONE);
        assert_eq!(KeyCommand::of(right, false), Some(KeyCommand::Next));
        assert_eq!(KeyCommand::of(right, true), Some(KeyCommand::Scroll([0, 3])));
        let ctrl_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(KeyCommand::of(ctrl_c, true), Some(KeyCommand::Quit));
        let c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::NONE);
        assert_eq!(KeyCommand::of(c, true), None);
    }

    #[test]
    fn each_key_means_what_the_help_says() {
        let plain = |code| KeyCommand::of(KeyEvent::new(code, KeyModifiers::NONE), true);
        for (key, wanted) in [
            ('q', KeyCommand::Quit),
            (' ', KeyCommand::Pause),
            ('n', KeyCommand::Next),
            ('p', KeyCommand::Previous),
            ('+', KeyCommand::Faster),
            ('=', KeyCommand::Faster),
            ('-', KeyCommand::Slower),
            ('?', KeyCommand::Help),
            ('h', KeyCommand::Help),
        ] {
            assert_eq!(plain(KeyCode::Char(key)), Some(wanted), "{key}");
        }
        for (key, wanted) in [
            (KeyCode::Tab, KeyCommand::OtherBoard),
            (KeyCode::Home, KeyCommand::First),
            (KeyCode::End, KeyCommand::Last),
            (KeyCode::Left, KeyCommand::Scroll([0, -3])),
            (KeyCode::Up, KeyCommand::Scroll([-1, 0])),
            (KeyCode::Down, KeyCommand::Scroll([1, 0])),
            (KeyCode::PageUp, KeyCommand::Page(-1)),
            (KeyCode::PageDown, KeyCommand::Page(1)),
        ] {
            assert_eq!(plain(key), Some(wanted), "{key}");
        }
        let left = KeyEvent::new(KeyCode::Left, KeyModifiers::NONE);
        assert_eq!(KeyCommand::of(left, false), Some(KeyCommand::Previous));
        let control =
            |key| KeyCommand::of(KeyEvent::new(KeyCode::Char(key), KeyModifiers::CONTROL), false);
        assert_eq!(control('z'), Some(KeyCommand::Suspend));
        assert_eq!(control('l'), Some(KeyCommand::Redraw));
        assert_eq!(control('q'), None);
        let release = KeyEventKind::Release;
        let released = KeyEvent::new_with_kind(KeyCode::Char('q'), KeyModifiers::NONE, release);
        assert_eq!(KeyCommand::of(released, false), None);
    }
}
