//! What is said while a screen is shown: it waits until the terminal is given back.
//!
//! What goes to a file or a pipe does not wait.

use std::io::{self, IsTerminal, Write};
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::color;

/// Bytes from which on the screen makes room for them.
const MUCH: usize = 1 << 20;

/// Where something is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputStream {
    Out,
    Aside,
}

#[derive(Default)]
struct DeferredOutput {
    /// Whether anything waits at all.
    holds: bool,
    texts: Vec<(OutputStream, String)>,
    bytes: usize,
}

static HELD: Mutex<DeferredOutput> =
    Mutex::new(DeferredOutput { holds: false, texts: Vec::new(), bytes: 0 });

/// From now on texts for the terminal wait.
pub fn hold() {
    held().holds = true;
}

/// Keeps a text, or gives it back where it need not wait.
pub fn keep(sink: OutputStream, text: String) -> Option<String> {
    let mut held = held();
    let is_terminal = match sink {
        OutputStream::Out => io::stdout().is_terminal(),
        OutputStream::Aside => io::stderr().is_terminal(),
    };
    if !held.holds || !is_terminal {
        return Some(text);
    }
    held.bytes += text.len();
    held.texts.push((sink, text));
    None
}

/// Whether so much waits that the screen should make room for it.
pub fn is_much() -> bool {
    held().bytes > MUCH
}

/// Writes what waits, in the order in which it was said, and holds nothing any more.
pub fn release() {
    let DeferredOutput { texts, .. } = mem::take(&mut *held());
    for (sink, text) in texts {
        // A terminal that is gone has nobody to tell.
        let _ = match sink {
            OutputStream::Out => write(io::stdout().lock(), &text),
            OutputStream::Aside => write(color::stderr(), &text),
        };
    }
}

fn write(mut to: impl Write, text: &str) -> io::Result<()> {
    to.write_all(text.as_bytes())?;
    to.flush()
}

/// Nothing that panics is done under the lock.
fn held() -> MutexGuard<'static, DeferredOutput> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}
