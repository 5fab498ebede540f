//! Ctrl-C while Rust works.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use evodoku_core::util::threads::spawn_scoped;
use pyo3::prelude::*;

use crate::failed;

/// The time between two looks at the signals that Python has received.
const PAUSE: Duration = Duration::from_millis(20);

/// Calls `work` on a thread of its own, with Python free for other threads, and sets `interrupted` when Python receives a
/// signal whose handler raises an exception, as that of Ctrl-C does. Returns that exception too.
///
/// # Errors
/// `RuntimeError` when the system starts no thread.
pub fn interruptible<R: Send>(
    py: Python<'_>,
    interrupted: &Arc<AtomicBool>,
    work: impl FnOnce() -> R + Send,
) -> PyResult<(R, Option<PyErr>)> {
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            let worker = spawn_scoped(scope, "evodoku", move || {
                let result = work();
                // The receiver waits as long as this thread works.
                let _ = sender.send(());
                result
            })
            .map_err(failed)?;
            let mut exception = None;
            while receiver.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    interrupted.store(true, Ordering::Relaxed);
                    exception.get_or_insert(error);
                }
            }
            match worker.join() {
                Ok(result) => Ok((result, exception)),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    })
}
