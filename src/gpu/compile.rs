//! Compiling, which takes some drivers the better part of a minute and cannot be broken off.
//!
//! It is done on a thread of its own, so that whoever waits for it can leave it to itself. That thread
//! goes on until the driver is done or the process ends, which it then does at once: what
//! a driver tidies up at the end is still in use.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::{Device, DeviceError};

/// How often the wait is broken off to look.
const LOOK: Duration = Duration::from_millis(20);

/// Bytes of the stack: compilers of drivers recurse, and what overflows it ends the process.
const STACK: usize = 16 << 20;

/// Threads that compile.
static AT_WORK: AtomicUsize = AtomicUsize::new(0);

/// Whether a driver is compiling, for somebody or for nobody any more.
#[cfg(feature = "cli")]
pub fn is_compiling() -> bool {
    AT_WORK.load(Ordering::SeqCst) > 0
}

/// One of the threads that compile.
struct AtWork;

impl AtWork {
    fn new() -> Self {
        AT_WORK.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        AT_WORK.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The pipeline of a kernel, whose entry point gives it its name.
pub fn pipeline(
    device: &wgpu::Device,
    layout: &wgpu::PipelineLayout,
    entry: &str,
    source: &str,
) -> wgpu::ComputePipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(entry),
        source: wgpu::ShaderSource::Wgsl(source.into()),
    });
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(entry),
        layout: Some(layout),
        module: &module,
        entry_point: Some(entry),
        compilation_options: wgpu::PipelineCompilationOptions {
            // Kernels write what they read.
            zero_initialize_workgroup_memory: false,
            ..Default::default()
        },
        cache: None,
    })
}

/// Lets `device` compile something; nothing when `interrupted` was set before it was done.
///
/// # Errors
/// The error of `make`, or [`DeviceError::Driver`] when it panics.
pub fn compile<T: Send + 'static>(
    device: &Device,
    interrupted: &AtomicBool,
    make: impl FnOnce(&Device) -> Result<T, DeviceError> + Send + 'static,
) -> Result<Option<T>, DeviceError> {
    let device = device.clone();
    // The device is dropped before anybody is told, who may be about to drop it, too.
    beside(interrupted, move || make(&device))
}

/// Does something on a thread of its own, and waits for it unless `interrupted`.
fn beside<T: Send + 'static>(
    interrupted: &AtomicBool,
    make: impl FnOnce() -> Result<T, DeviceError> + Send + 'static,
) -> Result<Option<T>, DeviceError> {
    let is_interrupted = || interrupted.load(Ordering::Relaxed);
    if is_interrupted() {
        return Ok(None);
    }
    let (send, made) = channel();
    let at_work = AtWork::new();
    let work = move || {
        let _at_work = at_work;
        // Perhaps nobody waits for it any more.
        let _ = send.send(make());
    };
    let failed = |why: &str| DeviceError::Driver(format!("it could not compile: {why}"));
    let thread = thread::Builder::new().name("compiler".to_owned()).stack_size(STACK);
    let thread = thread.spawn(work);
    thread.map_err(|error| failed(&error.to_string()))?;
    loop {
        match made.recv_timeout(LOOK) {
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
    fn what_is_compiled_comes_back_and_what_fails_too() {
        let interrupted = AtomicBool::new(false);
        assert_eq!(beside(&interrupted, || Ok(7)), Ok(Some(7)));
        let full = || Err::<u8, _>(DeviceError::OutOfMemory("full".into()));
        assert_eq!(beside(&interrupted, full), full().map(Some));
        let panicked = beside(&interrupted, || -> Result<u8, _> { panic!("in a driver") });
        let told = panicked.unwrap_err().to_string();
        assert_eq!(told, "the driver reported: it could not compile: its driver panicked");
    }

    #[test]
    fn nobody_waits_after_an_interrupt() {
        let interrupted: &'static AtomicBool = Box::leak(Box::default());
        let (done, wait): (_, Receiver<()>) = channel();
        let endless = move || {
            interrupted.store(true, Ordering::Relaxed);
            Ok(wait.recv().is_err())
        };
        assert_eq!(beside(interrupted, endless), Ok(None));
        // It goes on until it is done.
        assert!(AT_WORK.load(Ordering::SeqCst) > 0);
        drop(done);
        assert_eq!(beside(interrupted, || -> Result<u8, _> { panic!("begun") }), Ok(None));
    }
}
