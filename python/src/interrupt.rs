//! Rust at work while Python lives on: Ctrl-C, callbacks, and functions of Python as operators.
//!
//! A run is carried out on threads of its own. The thread that called it waits meanwhile: it looks at signals, and calls what the
//! run wants called of Python, so that callbacks and operators are called where their author expects it, and Ctrl-C reaches
//! them.
//!
//! ```text
//! caller   wait ... call the crossover ... wait ... look at signals ... wait ... result
//!                    ^        |                                                    ^
//!                    parents  children                                             |
//! run      select    |        v   mutate, score                                   end
//! ```

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use evodoku_core::util::lock;
use evodoku_core::util::threads::spawn_scoped;
use pyo3::prelude::*;

use crate::failed;

/// The time between two checks for signals that Python has received.
const PAUSE: Duration = Duration::from_millis(20);

/// The thread that ends the interpreter, once it does.
static ENDED_BY: OnceLock<ThreadId> = OnceLock::new();
/// The number of callers that wait for a run, and use Python meanwhile.
static WAITING: AtomicUsize = AtomicUsize::new(0);

/// Stops the callers on daemon threads before the interpreter ends: `atexit` calls it.
///
/// Python ends a daemon thread when the thread next uses Python. If Rust is on its stack, the process then aborts.
#[pyfunction]
pub fn end_interpreter(py: Python<'_>) {
    /// As long as a function of Python may take to return.
    const LONGEST: Duration = Duration::from_secs(1);
    ENDED_BY.get_or_init(|| thread::current().id());
    py.detach(|| {
        let start = Instant::now();
        while WAITING.load(Ordering::SeqCst) > 0 && start.elapsed() < LONGEST {
            thread::sleep(PAUSE / 4);
        }
    });
}

/// Whether the interpreter ends, and this thread with it. The runs of exit handlers go on.
fn is_ending() -> bool {
    ENDED_BY.get().is_some_and(|thread| *thread != thread::current().id())
}

/// A function to call on the caller's thread.
type Job = Box<dyn FnOnce(Python<'_>) + Send>;

/// The thread that started a run, while it waits for that run.
#[derive(Clone, Default)]
pub struct Caller(Arc<Mutex<Option<Sender<Job>>>>);

impl Caller {
    /// Calls a function on the caller's thread, and waits for its result; `None` if the caller no longer
    /// waits for the run.
    pub fn call<R: Send + 'static>(
        &self,
        function: impl FnOnce(Python<'_>) -> R + Send + 'static,
    ) -> Option<R> {
        let (sender, receiver) = channel();
        let job: Job = Box::new(move |py| {
            // Who has asked waits.
            let _ = sender.send(function(py));
        });
        let caller = lock(&self.0).clone();
        caller?.send(job).ok()?;
        receiver.recv().ok()
    }

    fn set(&self, sender: Option<Sender<Job>>) {
        *lock(&self.0) = sender;
    }
}

/// Calls `work` on a separate thread, without holding the interpreter lock. If Python receives a signal whose
/// handler raises an exception (such as Ctrl-C), sets `interrupted`, and returns the exception with the
/// result.
///
/// # Errors
/// `RuntimeError` when the system starts no thread.
pub fn interruptible<R: Send>(
    py: Python<'_>,
    interrupted: &Arc<AtomicBool>,
    caller: &Caller,
    work: impl FnOnce() -> R + Send,
) -> PyResult<(R, Option<PyErr>)> {
    WAITING.fetch_add(1, Ordering::SeqCst);
    let ended = py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = channel::<Job>();
            caller.set(Some(sender));
            let worker = spawn_scoped(scope, "evodoku", || {
                let result = work();
                // Nobody sends any more, which ends the loop below.
                caller.set(None);
                result
            });
            let worker = worker.map_err(failed)?;
            let mut exception = None;
            loop {
                let received = receiver.recv_timeout(PAUSE);
                if is_ending() {
                    // This thread waits for the end of the process.
                    interrupted.store(true, Ordering::Relaxed);
                    WAITING.fetch_sub(1, Ordering::SeqCst);
                    loop {
                        thread::park();
                    }
                }
                match received {
                    Ok(job) => Python::attach(job),
                    Err(RecvTimeoutError::Disconnected) => break,
                    Err(RecvTimeoutError::Timeout) => {}
                }
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
    });
    WAITING.fetch_sub(1, Ordering::SeqCst);
    ended
}
