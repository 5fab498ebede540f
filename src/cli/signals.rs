//! What is done about signals that nobody listens for: a hang-up that is ignored from the start, as under
//! `nohup`, stays ignored, and a file that grows too large is a failed write. And the end of a process that
//! waits for nobody.

use std::process;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::exit::Exit;
use super::tui;
use crate::util::interrupt::INTERRUPT;

/// Ignores hang-ups from now on; tells whether they were ignored before.
#[cfg(unix)]
pub fn ignore_hang_ups() -> bool {
    ignore(libc::SIGHUP)
}

/// Lets a write that goes beyond the bound on the size of files fail, in place of ending the program.
#[cfg(unix)]
pub fn ignore_large_files() {
    ignore(libc::SIGXFSZ);
}

#[cfg(unix)]
#[expect(unsafe_code, reason = "a system call alone tells what is done about a signal")]
fn ignore(signal: libc::c_int) -> bool {
    // SAFETY: no handler is installed, and nothing of the program's memory is touched.
    unsafe { libc::signal(signal, libc::SIG_IGN) == libc::SIG_IGN }
}

/// Elsewhere there are none.
#[cfg(not(unix))]
pub fn ignore_hang_ups() -> bool {
    false
}

/// Elsewhere it fails of itself.
#[cfg(not(unix))]
pub fn ignore_large_files() {}

/// Ends the process at once, without anything that libraries want to tidy up.
#[cfg(all(unix, feature = "gpu"))]
#[expect(unsafe_code, reason = "the standard library ends no process without it")]
pub fn end(code: u8) -> ! {
    // SAFETY: nothing of the program is run any more.
    unsafe { libc::_exit(code.into()) }
}

/// Ends the process.
#[cfg(all(not(unix), feature = "gpu"))]
pub fn end(code: u8) -> ! {
    std::process::exit(code.into())
}

/// Ends the process at once if a driver still compiles what nobody waits for: what it would tidy up at the
/// end is in use.
pub fn exit_if_compiling(exit: Exit) {
    #[cfg(feature = "gpu")]
    if crate::gpu::is_compiling() {
        // What cannot be written was told.
        let _ = std::io::Write::flush(&mut std::io::stdout());
        end(exit as u8);
    }
    #[cfg(not(feature = "gpu"))]
    let _ = exit;
}

/// An interrupt that comes again within this time is the same interrupt.
const SAME_INTERRUPT: Duration = Duration::from_millis(500);

/// Listens for the user's wish that everything should end ([`INTERRUPT`]), and ends at once when
/// they ask again.
pub fn install_interrupt_handler() -> Result<()> {
    let mut asked: Option<Instant> = None;
    let is_ignored = ignore_hang_ups();
    let set = ctrlc::set_handler(move || {
        // Whoever ends a process and its group, as `timeout` does, sends one wish twice.
        if asked.get_or_insert_with(Instant::now).elapsed() > SAME_INTERRUPT {
            tui::restore();
            exit_if_compiling(Exit::Interrupted);
            process::exit(Exit::Interrupted as i32);
        }
        INTERRUPT.ask();
    });
    if is_ignored {
        ignore_hang_ups();
    }
    set.context("cannot listen for interrupts")
}
