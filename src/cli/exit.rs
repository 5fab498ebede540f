//! Exit codes, and how signals end the process.
//!
//! A hang-up that is ignored at the start, as under `nohup`, stays ignored, and a write beyond the largest
//! size of a file fails instead of ending the process.

use std::env;
use std::process::{self, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::tui;
use crate::util::interrupt::INTERRUPT;
use crate::util::threads::spawn;

/// How the command ends. Of several puzzles the highest code counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// The command succeeded, and the answer is yes.
    Done = 0,
    /// The budget was spent without a solution, there is no solution, or there is a mismatch.
    Not = 1,
    /// Bad usage, bad input, or a failure.
    Failure = 2,
    /// Interrupted by the user.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Ignores a signal; returns whether it was ignored before.
#[cfg(unix)]
#[expect(unsafe_code, reason = "only a system call returns the disposition of a signal")]
pub fn ignore(signal: libc::c_int) -> bool {
    // SAFETY: no handler is installed, and nothing of the program's memory is touched.
    unsafe { libc::signal(signal, libc::SIG_IGN) == libc::SIG_IGN }
}

/// Keeps a layer of Mesa from looking for a screen where there is none: it would print an error, although nothing is
/// wrong. Without the layer Vulkan lists the same adapters, in the order of their drivers. To be called before there
/// are threads.
#[expect(unsafe_code, reason = "the environment is that of all threads")]
pub fn expect_no_screen() {
    if env::var_os("XDG_RUNTIME_DIR").is_none() {
        // SAFETY: this is the only thread.
        unsafe { env::set_var("NODEVICE_SELECT", "1") };
    }
}

/// Ends the process at once, without the destructors of libraries, if a driver still compiles a shader:
/// they would destroy what the driver uses.
#[cfg_attr(
    all(unix, feature = "gpu"),
    expect(unsafe_code, reason = "std::process::exit runs destructors of libraries")
)]
pub fn exit_if_compiling(exit: Exit) {
    #[cfg(feature = "gpu")]
    if crate::gpu::is_compiling() {
        // An error of writing was reported where it happened.
        let _ = std::io::Write::flush(&mut std::io::stdout());
        #[cfg(unix)]
        // SAFETY: nothing of the program is run any more.
        unsafe {
            libc::_exit(exit as i32)
        }
        #[cfg(not(unix))]
        process::exit(exit as i32)
    }
    #[cfg(not(feature = "gpu"))]
    let _ = exit;
}

/// Interrupts within this time count as one.
const SAME_INTERRUPT: Duration = Duration::from_millis(500);

/// Sets [`INTERRUPT`] at the first interrupt, and ends the process at the second.
///
/// # Errors
/// When the system installs no handler.
pub fn install_interrupt_handler() -> Result<()> {
    let mut first: Option<Instant> = None;
    on_interrupt(move || {
        // A program that ends a process and its group, as `timeout` does, sends the signal twice.
        if first.get_or_insert_with(Instant::now).elapsed() > SAME_INTERRUPT {
            tui::restore();
            exit_if_compiling(Exit::Interrupted);
            process::exit(Exit::Interrupted as i32);
        }
        INTERRUPT.request();
    })
    .context("cannot listen for interrupts")
}

/// Calls `handler` at each interrupt, on a thread of its own.
#[cfg(unix)]
fn on_interrupt(mut handler: impl FnMut() + Send + 'static) -> Result<()> {
    let hang_up = Some(libc::SIGHUP).filter(|signal| !ignore(*signal));
    let signals = [libc::SIGINT, libc::SIGTERM].into_iter().chain(hang_up);
    let mut signals = signal_hook::iterator::Signals::new(signals)?;
    spawn("signals", move || signals.forever().for_each(|_| handler()))?;
    Ok(())
}

/// Calls `handler` at each interrupt, on a thread of its own.
#[cfg(not(unix))]
fn on_interrupt(handler: impl FnMut() + Send + 'static) -> Result<()> {
    Ok(ctrlc::set_handler(handler)?)
}
