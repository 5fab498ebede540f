//! Threads that score and generate, in this process: a fork has none of those of its parent.

use std::process::id;
use std::sync::{Arc, Mutex, PoisonError};

use evodoku_core::util::threads::pool_of_at_most;
use pyo3::prelude::*;
use rayon::ThreadPool;

use crate::failed;

static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// The threads of this process.
///
/// # Errors
/// `RuntimeError` if the system cannot start threads.
pub fn pool() -> PyResult<Arc<ThreadPool>> {
    let mut known = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((process, pool)) = &*known
        && *process == id()
    {
        return Ok(Arc::clone(pool));
    }
    let pool = Arc::new(pool_of_at_most(0).map_err(failed)?);
    // That of the parent is left as it is: its threads are not there to end it.
    std::mem::forget(known.replace((id(), Arc::clone(&pool))));
    Ok(pool)
}

/// The process in which an object was made. Only this process may use the threads of the object.
pub struct Process(u32);

impl Process {
    pub fn this() -> Self {
        Self(id())
    }

    /// # Errors
    /// `RuntimeError` in another process.
    pub fn check(&self, what: &str) -> PyResult<()> {
        match self.0 == id() {
            true => Ok(()),
            false => Err(failed(format!(
                "this {what} was made before the process was forked, and its threads do not exist in this process: make it again here"
            ))),
        }
    }
}
