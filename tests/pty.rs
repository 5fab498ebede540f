//! A terminal for tests: the command runs on a pseudo terminal, and what it draws is read as a person
//! sees it.
#![expect(unsafe_code, reason = "a process is given its terminal before it runs")]

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{ioctl_tiocsctty, setsid};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use vt100::{Parser, Screen};

use crate::support::{DISPLAY_VARIABLES, binary};

/// What a busy machine may take to draw something.
const PATIENCE: Duration = Duration::from_secs(120);

/// Columns and lines.
pub type Size = (u16, u16);

/// What stands around a frame, which is shown once it is whole.
const FRAME: [&[u8]; 2] = [b"\x1b[?2026h", b"\x1b[?2026l"];

/// What was drawn: as a terminal shows it, and as it came.
struct Drawn {
    parser: Parser,
    bytes: Vec<u8>,
    /// How many of the bytes are shown.
    shown: usize,
}

impl Drawn {
    fn take(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        let last = |mark: &[u8]| self.bytes.windows(mark.len()).rposition(|found| found == mark);
        let [begun, ended] = FRAME.map(last);
        let whole = if begun > ended { begun } else { None };
        let end = whole.unwrap_or(self.bytes.len()).max(self.shown);
        self.parser.process(&self.bytes[self.shown..end]);
        self.shown = end;
    }
}

/// A command on a terminal of its own.
pub struct Terminal {
    master: Arc<OwnedFd>,
    child: Child,
    drawn: Arc<Mutex<Drawn>>,
    reader: JoinHandle<()>,
    is_gone: Arc<AtomicBool>,
}

impl Terminal {
    /// Runs the command with these arguments on so many columns and lines. With `stdout` its stdout
    /// goes there.
    pub fn run(size: Size, term: &str, arguments: &[&str], stdout: Option<File>) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        // Nobody else holds it, so that it can be closed.
        fcntl_setfd(&master, FdFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        tcsetwinsize(&master, winsize(size)).unwrap();
        let slave = File::options().read(true).write(true).open(name).unwrap();
        let mut command = Command::new(binary());
        for name in DISPLAY_VARIABLES {
            command.env_remove(name);
        }
        command.args(arguments).env("TERM", term);
        command.stdin(slave.try_clone().unwrap()).stderr(slave.try_clone().unwrap());
        command.stdout(stdout.map_or_else(|| Stdio::from(slave), Stdio::from));
        // SAFETY: both are system calls and touch no memory of the parent's.
        unsafe {
            command.pre_exec(|| {
                setsid()?;
                ioctl_tiocsctty(std::io::stdin())?;
                Ok(())
            });
        }
        let child = command.spawn().unwrap();
        drop(command);
        let (master, parser) = (Arc::new(master), parser(size));
        let drawn = Arc::new(Mutex::new(Drawn { parser, bytes: Vec::new(), shown: 0 }));
        let (mut from, to) = (File::from(master.try_clone().unwrap()), drawn.clone());
        let is_gone = Arc::new(AtomicBool::new(false));
        let gone = is_gone.clone();
        let reader = thread::spawn(move || {
            let mut bytes = [0; 4096];
            let wait = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
            while !gone.load(Ordering::Relaxed) {
                let mut ready = [PollFd::new(&from, PollFlags::IN)];
                if poll(&mut ready, Some(&wait)) == Ok(0) {
                    continue;
                }
                // It ends with an error once nobody has the terminal any more.
                let Ok(length @ 1..) = from.read(&mut bytes) else { break };
                to.lock().unwrap().take(&bytes[..length]);
            }
        });
        Self { master, child, drawn, reader, is_gone }
    }

    /// Waits until what is shown is as wanted, and gives its text.
    pub fn await_shown(&mut self, what: &str, shown: impl Fn(&Screen) -> bool) -> String {
        self.await_drawn(what, |drawn| shown(drawn.parser.screen()))
    }

    /// Waits until what came is as wanted.
    pub fn await_bytes(&mut self, what: &str, came: impl Fn(&str) -> bool) {
        self.await_drawn(what, |drawn| came(&String::from_utf8_lossy(&drawn.bytes)));
    }

    fn await_drawn(&mut self, what: &str, done: impl Fn(&Drawn) -> bool) -> String {
        let start = Instant::now();
        loop {
            let drawn = self.drawn.lock().unwrap();
            let text = drawn.parser.screen().contents();
            if done(&drawn) {
                return text;
            }
            drop(drawn);
            if start.elapsed() > PATIENCE {
                self.child.kill().unwrap();
                panic!("{what} was not there:\n{text}");
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for a text.
    pub fn await_text(&mut self, text: &str) -> String {
        self.await_shown(text, |screen| screen.contents().contains(text))
    }

    /// Types.
    pub fn type_keys(&self, keys: &[u8]) {
        File::from(self.master.try_clone().unwrap()).write_all(keys).unwrap();
    }

    /// Gives the terminal another size.
    pub fn resize(&self, size: Size) {
        let [columns, lines] = [size.0, size.1].map(|side| NonZero::new(side).unwrap());
        self.drawn.lock().unwrap().parser.screen_mut().set_size(lines, columns);
        tcsetwinsize(&self.master, winsize(size)).unwrap();
    }

    /// Says another size, of which what is read from it knows nothing.
    pub fn claim_size(&self, size: Size) {
        tcsetwinsize(&self.master, winsize(size)).unwrap();
    }

    /// Sends a signal.
    pub fn signal(&self, name: &str) {
        let kill = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status();
        assert!(kill.unwrap().success());
    }

    /// Closes the terminal, as its window is closed, and waits for the end.
    pub fn hang_up(mut self) {
        self.is_gone.store(true, Ordering::Relaxed);
        self.reader.join().unwrap();
        drop(self.master);
        let start = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            if start.elapsed() > PATIENCE {
                self.child.kill().unwrap();
                panic!("it goes on without a terminal");
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for the end; the exit code, what is shown then, and all that came.
    pub fn end(mut self) -> (i32, String, Vec<u8>) {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if start.elapsed() > PATIENCE {
                self.child.kill().unwrap();
                panic!(
                    "it did not end:\n{}",
                    self.drawn.lock().unwrap().parser.screen().contents()
                );
            }
            thread::sleep(Duration::from_millis(20));
        };
        // What was written last may still be on its way: the reader ends with it, as nobody has the
        // terminal any more.
        self.reader.join().unwrap();
        let modes = tcgetattr(&*self.master).unwrap().local_modes;
        assert!(modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG));
        let drawn = self.drawn.lock().unwrap();
        let screen = drawn.parser.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor());
        (status.code().unwrap_or(-1), screen.contents(), drawn.bytes.clone())
    }
}

/// A terminal where nothing is drawn yet.
fn parser((columns, lines): Size) -> Parser {
    let [columns, lines] = [columns, lines].map(|side| NonZero::new(side).unwrap());
    Parser::new(lines, columns, 0)
}

fn winsize((columns, lines): Size) -> Winsize {
    Winsize { ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }
}
