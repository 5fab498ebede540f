//! Compiling of kernels, which takes some drivers almost a minute and cannot be interrupted.
//!
//! It is done on separate threads, so that an interrupted run need not wait for it. They
//! continue until the driver is done or the process ends. The process then has to end at once, because the
//! data that a driver frees at the end is still in use.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use super::{Device, DeviceError};
use crate::util::lock;
use crate::util::threads::{cores, spawn_with_stack};

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
    Ok(compile_all(device, interrupted, vec![make])?.and_then(|mut made| made.pop()))
}

/// Compiles with each of `makes`, as many at a time as there are cores, and returns the results in the same order;
/// `None` when `interrupted` was set before all were done.
///
/// # Errors
/// The first error of one of them, or [`DeviceError::Driver`] when one panics, once the others are done.
pub fn compile_all<T: Send + 'static>(
    device: &Device,
    interrupted: &AtomicBool,
    makes: Vec<impl FnOnce(&Device) -> Result<T, DeviceError> + Send + 'static>,
) -> Result<Option<Vec<T>>, DeviceError> {
    let with_device = makes.into_iter().map(|make| {
        let device = device.clone();
        // `make` drops its device before the result is sent: the caller may drop the last other one on receipt.
        move || make(&device)
    });
    // In a page there are no threads, and a browser compiles on its own.
    if cfg!(target_arch = "wasm32") {
        return with_device.map(|make| make()).collect::<Result<_, _>>().map(Some);
    }
    on_threads(interrupted, with_device.collect())
}

/// Calls all of `makes` on separate threads and waits for the results, until `interrupted`.
fn on_threads<T: Send + 'static>(
    interrupted: &AtomicBool,
    makes: Vec<impl FnOnce() -> Result<T, DeviceError> + Send + 'static>,
) -> Result<Option<Vec<T>>, DeviceError> {
    let is_interrupted = || interrupted.load(Ordering::Relaxed);
    if is_interrupted() {
        return Ok(None);
    }
    let failed = |why: &str| DeviceError::Driver(format!("it could not compile: {why}"));
    let mut results: Vec<Option<T>> = makes.iter().map(|_| None).collect();
    let waiting = Arc::new(Mutex::new(makes.into_iter().enumerate()));
    let (send, made) = channel();
    for thread in 0..cores().min(results.len()) {
        let (waiting, send, guard) = (waiting.clone(), send.clone(), Arc::clone(&COMPILING));
        let work = move || {
            let _guard = guard;
            let next = || lock(&waiting).next();
            while let Some((number, make)) = next() {
                // After an interrupt or an error the receiver is gone.
                if send.send((number, make())).is_err() {
                    break;
                }
            }
        };
        match spawn_with_stack("compiler", Some(STACK), work) {
            Err(error) if thread == 0 => return Err(failed(&error.to_string())),
            // Fewer threads do as well.
            _ => {}
        }
    }
    drop(send);
    while results.iter().any(Option::is_none) {
        match made.recv_timeout(CHECK_INTERVAL) {
            Ok((number, made)) => results[number] = Some(made?),
            Err(RecvTimeoutError::Disconnected) => return Err(failed("its driver panicked")),
            Err(RecvTimeoutError::Timeout) if is_interrupted() => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    Ok(Some(results.into_iter().flatten().collect()))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::Receiver;

    use super::*;

    #[test]
    fn results_and_errors_are_returned() {
        let interrupted = AtomicBool::new(false);
        let numbers = (0..99u8).map(|number| move || Ok(number));
        let all = on_threads(&interrupted, numbers.collect());
        assert_eq!(all, Ok(Some((0..99).collect())));
        let full = || Err::<u8, _>(DeviceError::OutOfMemory("full".into()));
        assert_eq!(on_threads(&interrupted, vec![full; 3]), full().map(|_| None));
        let panicked =
            on_threads(&interrupted, vec![|| -> Result<u8, _> { panic!("in a driver") }]);
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
        assert_eq!(on_threads(interrupted, vec![endless]), Ok(None));
        // The thread continues until it is done.
        assert!(is_compiling());
        drop(done);
        assert_eq!(
            on_threads(interrupted, vec![|| -> Result<u8, _> { panic!("begun") }]),
            Ok(None)
        );
    }
}
