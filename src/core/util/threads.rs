//! Starting threads, which the system may refuse: no other file starts one.
#![expect(clippy::disallowed_methods, reason = "they are called here alone")]

use std::io;
use std::thread::{self, Builder, JoinHandle, Scope, ScopedJoinHandle};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};
use thiserror::Error;

/// The system started no thread, for want of memory or because of a limit.
#[derive(Debug, Error)]
#[error("cannot start a thread: {0}")]
pub struct ThreadError(String);

impl From<ThreadError> for io::Error {
    fn from(error: ThreadError) -> Self {
        Self::other(error)
    }
}

/// Starts a thread with this name.
///
/// # Errors
/// When the system starts none.
pub fn spawn<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<T>, ThreadError> {
    spawn_with_stack(name, None, work)
}

/// Starts a thread with this name and a stack of so many bytes.
///
/// # Errors
/// When the system starts none.
pub fn spawn_with_stack<T: Send + 'static>(
    name: &str,
    stack: Option<usize>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<T>, ThreadError> {
    let builder = Builder::new().name(name.to_owned());
    let builder = stack.into_iter().fold(builder, Builder::stack_size);
    builder.spawn(work).map_err(|error| ThreadError(error.to_string()))
}

/// Starts a thread with this name that ends before its scope.
///
/// # Errors
/// When the system starts none.
pub fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>, ThreadError> {
    let started = Builder::new().name(name.to_owned()).spawn_scoped(scope, work);
    started.map_err(|error| ThreadError(error.to_string()))
}

/// A pool of so many threads; with 0 one a core.
///
/// # Errors
/// When the system does not start as many.
pub fn pool(threads: usize) -> Result<ThreadPool, ThreadError> {
    ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| {
        // Its own text says only what failed.
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        ThreadError(cause.unwrap_or_else(|| error.to_string()))
    })
}

/// A pool of so many threads, or of as many as leave room for one more; with 0 one a core.
///
/// # Errors
/// When the system does not start two.
pub fn pool_of_at_most(threads: usize) -> Result<ThreadPool, ThreadError> {
    // Threads count for a moment after their end.
    const ENDING: Duration = Duration::from_millis(20);
    let (mut threads, mut rest) = (if threads == 0 { cores() } else { threads }, Duration::ZERO);
    loop {
        // There has to be room for one more: the thread that reads what the pool works on.
        let room = |pool| spawn("room", || ()).map(|it| (it.join(), thread::sleep(rest), pool).2);
        match pool(threads).and_then(room).inspect_err(|_| thread::sleep(ENDING)) {
            Err(_) if threads > 1 => (threads, rest) = (threads / 2, ENDING),
            pool => return pool,
        }
    }
}

/// The number of threads that run at the same time, as far as the system tells.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
