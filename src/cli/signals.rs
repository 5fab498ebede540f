//! A hang-up that is ignored from the start, as under `nohup`, stays ignored.

/// Ignores hang-ups from now on; tells whether they were ignored before.
#[cfg(unix)]
#[expect(unsafe_code, reason = "a system call alone tells what is done about a signal")]
pub fn ignore() -> bool {
    // SAFETY: no handler is installed, and nothing of the program's memory is touched.
    unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) == libc::SIG_IGN }
}

/// Elsewhere there is none.
#[cfg(not(unix))]
pub fn ignore() -> bool {
    false
}
