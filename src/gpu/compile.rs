//! Compiling of kernels, which takes some drivers almost a minute and cannot be interrupted.
//!
//! It is done on a separate thread, so that an interrupted run need not wait for it. That thread
//! continues until the driver is done or the process ends. The process then has to end at once, because the
//! data that a driver frees at the end is still in use.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use super::{Device, DeviceError};
use crate::util::threads::spawn_with_stack;

/// The time between two checks for an interrupt.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// Bytes of the stack: compilers of drivers recurse, and an overflow ends the process.
const STACK: usize = 16 << 20;

/// Each thread that compiles has a clone for as long as it exists.
static COMPILING: LazyLock<Arc<()>> = LazyLock::new(Arc::default);

/// Whether a driver is compiling, for a run or after an interrupted one.
pub fn is_compiling() -> bool {
    Arc::strong_count(&COMPILING) > 1
}

/// Compiles with `make` on a separate thread; `None` when `interrupted` was set before it was done.
///
/// # Errors
/// The error of `make`, or [`DeviceError::Driver`] when it panics.
pub fn compile<T: Send + 'static>(
    device: &Device,
    interrupted: &AtomicBool,
    make: impl FnOnce(&Device) -> Result<T, DeviceError> + Send + 'static,
) -> Result<Option<T>, DeviceError> {
    let device = device.clone();
    // `make` drops its device before the result is sent: the caller may drop the last other one on receipt.
    on_thread(interrupted, move || make(&device))
}

/// Calls `make` on a separate thread and waits for the result, until `interrupted`.
fn on_thread<T: Send + 'static>(
    interrupted: &AtomicBool,
    make: impl FnOnce() -> Result<T, DeviceError> + Send + 'static,
) -> Result<Option<T>, DeviceError> {
    let is_interrupted = || interrupted.load(Ordering::Relaxed);
    if is_interrupted() {
        return Ok(None);
    }
    let (send, made) = channel();
    let guard = Arc::clone(&COMPILING);
    let work = move || {
        let _guard = guard;
        // After an interrupt the receiver is gone.
        let _ = send.send(make());
    };
    let failed = |why: &str| DeviceError::Driver(format!("it could not compile: {why}"));
    spawn_with_stack("compiler", Some(STACK), work).map_err(|error| failed(&error.to_string()))?;
    loop {
        match made.recv_timeout(CHECK_INTERVAL) {
            Ok(made) => return made.map(Some),
            Err(RecvTimeoutError::Disconnected) => return Err(failed("its driver panicked")),
            Err(RecvTimeoutError::Timeout) if is_interrupted() => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::Receiver;

    use super::*;

    #[test]
    fn results_and_errors_are_returned() {
        let interrupted = AtomicBool::new(false);
        assert_eq!(on_thread(&interrupted, || Ok(7)), Ok(Some(7)));
        let full = || Err::<u8, _>(DeviceError::OutOfMemory("full".into()));
        assert_eq!(on_thread(&interrupted, full), full().map(Some));
        let panicked = on_thread(&interrupted, || -> Result<u8, _> { panic!("in a driver") });
        let message = panicked.unwrap_err().to_string();
        assert_eq!(message, "the driver reported: it could not compile: its driver panicked");
    }

    #[test]
    fn an_interrupt_ends_the_wait() {
        let interrupted: &'static AtomicBool = Box::leak(Box::default());
        let (done, wait): (_, Receiver<()>) = channel();
        let endless = move || {
            interrupted.store(true, Ordering::Relaxed);
            Ok(wait.recv().is_err())
        };
        assert_eq!(on_thread(interrupted, endless), Ok(None));
        // The thread continues until it is done.
        assert!(is_compiling());
        drop(done);
        assert_eq!(on_thread(interrupted, || -> Result<u8, _> { panic!("begun") }), Ok(None));
    }
}
