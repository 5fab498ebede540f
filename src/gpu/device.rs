//! An opened adapter whose faults are values: nothing it does ends in a panic or waits for ever.
//!
//! `wgpu` reports in four ways: through error scopes, through the handler for errors that no
//! scope caught, through the device-lost callback, and, when a poll finds the device lost,
//! through a panic. All four arrive here as a [`DeviceError`].

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use wgpu::{ErrorFilter, Features, PollError, PollType, SubmissionIndex};

use super::{Adapter, AdapterInfo, DeviceError};

/// How long the device may take to answer.
pub const TIMEOUT: Duration = Duration::from_secs(10);
/// How long it may take where the driver may have to compile first.
const COMPILE_TIMEOUT: Duration = Duration::from_secs(180);

/// An opened adapter. Clones are the same device.
#[derive(Clone, Debug)]
pub struct Device {
    inner: Arc<DeviceInner>,
}

#[derive(Debug)]
struct DeviceInner {
    device: wgpu::Device,
    queue: wgpu::Queue,
    adapter: Adapter,
    fault: Arc<OnceLock<DeviceError>>,
}

impl Drop for DeviceInner {
    fn drop(&mut self) {
        // Dropping a queue waits for the device without a time-out, and panics when it is lost:
        // one that no longer answers is leaked.
        if let Some(DeviceError::Lost(_) | DeviceError::TimedOut(_)) = self.fault.get() {
            std::mem::forget((self.device.clone(), self.queue.clone()));
        }
    }
}

impl Device {
    /// Opens `adapter` with the limits that its `info` states, and all others that it has; with
    /// timestamps and operations of subgroups where it has them.
    ///
    /// # Errors
    /// An error of the driver.
    pub fn open(adapter: &Adapter) -> Result<Self, DeviceError> {
        let limits = &adapter.info.limits;
        let mut features = adapter.handle.features() & Features::TIMESTAMP_QUERY;
        features.set(Features::SUBGROUP, limits.subgroups);
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("evodoku"),
            required_features: features,
            required_limits: wgpu::Limits {
                max_storage_buffer_binding_size: limits.storage_binding_bytes,
                max_buffer_size: limits.buffer_bytes,
                max_compute_workgroups_per_dimension: limits.workgroups_per_dimension,
                max_compute_workgroup_storage_size: limits.workgroup_memory_bytes,
                max_compute_invocations_per_workgroup: limits.invocations,
                ..adapter.handle.limits()
            },
            // Memory is taken in blocks of a few MiB, not of hundreds.
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.handle.request_device(&descriptor))
            .map_err(|error| DeviceError::Driver(error.to_string()))?;
        // The first fault is kept: those that follow it follow from it.
        let fault = Arc::new(OnceLock::new());
        let uncaught = Arc::clone(&fault);
        device.on_uncaptured_error(Arc::new(move |error| {
            let _ = uncaught.set(translate(error));
        }));
        let lost = Arc::clone(&fault);
        device.set_device_lost_callback(move |reason, message| {
            let text = if message.is_empty() { format!("{reason:?}") } else { message };
            let _ = lost.set(DeviceError::Lost(text));
        });
        let adapter = adapter.clone();
        Ok(Self { inner: Arc::new(DeviceInner { device, queue, adapter, fault }) })
    }

    /// Opens the same adapter once more, as after this device was lost.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn reopen(&self) -> Result<Self, DeviceError> {
        Self::open(&self.inner.adapter)
    }

    /// The adapter that it was opened on.
    pub fn adapter(&self) -> &AdapterInfo {
        &self.inner.adapter.info
    }

    /// The device itself.
    pub fn handle(&self) -> &wgpu::Device {
        &self.inner.device
    }

    /// Its queue.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.inner.queue
    }

    /// Whether the device still works.
    ///
    /// # Errors
    /// The first fault that was reported outside [`guarded`](Self::guarded), for good.
    pub fn check(&self) -> Result<(), DeviceError> {
        self.inner.fault.get().cloned().map_or(Ok(()), Err)
    }

    /// Makes buffers or pipelines, and says what went wrong with them.
    ///
    /// # Errors
    /// The first error that `make` caused.
    pub fn guarded<T>(&self, make: impl FnOnce(&wgpu::Device) -> T) -> Result<T, DeviceError> {
        let memory = self.handle().push_error_scope(ErrorFilter::OutOfMemory);
        let validation = self.handle().push_error_scope(ErrorFilter::Validation);
        let internal = self.handle().push_error_scope(ErrorFilter::Internal);
        let made = make(self.handle());
        // Scopes close in the reverse order.
        let internal = pollster::block_on(internal.pop());
        let validation = pollster::block_on(validation.pop());
        let memory = pollster::block_on(memory.pop());
        if let Some(error) = memory.or(validation).or(internal) {
            return Err(translate(error));
        }
        self.check()?;
        Ok(made)
    }

    /// Waits until all work up to `submission` is done and `watch` has been told so.
    ///
    /// # Errors
    /// [`DeviceError::TimedOut`] after [`TIMEOUT`], or what happened to the device.
    pub fn wait(
        &self,
        submission: &SubmissionIndex,
        watch: &CompletionFlag,
    ) -> Result<(), DeviceError> {
        self.wait_for(submission, watch, TIMEOUT)
    }

    fn wait_for(
        &self,
        submission: &SubmissionIndex,
        watch: &CompletionFlag,
        limit: Duration,
    ) -> Result<(), DeviceError> {
        let deadline = Instant::now() + limit;
        loop {
            self.check()?;
            match watch.state.load(Ordering::Acquire) {
                CompletionFlag::DONE => return Ok(()),
                CompletionFlag::FAILED => {
                    return Err(DeviceError::Driver("a buffer could not be mapped".into()));
                }
                _ => {}
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(self.failed(DeviceError::TimedOut(limit)));
            }
            self.poll(submission, left, limit)?;
            // Another thread's poll may have taken the callback and be about to run it.
            std::thread::yield_now();
        }
    }

    /// Waits until all work up to `submission` is done.
    ///
    /// # Errors
    /// As [`wait`](Self::wait).
    pub fn finish(&self, submission: SubmissionIndex) -> Result<(), DeviceError> {
        self.finish_within(submission, TIMEOUT)
    }

    /// Waits for work that only makes the driver compile its kernels, which some drivers do no
    /// earlier than that, and which takes longer than anything that kernels do.
    ///
    /// # Errors
    /// As [`wait`](Self::wait), after minutes.
    pub fn finish_compiling(&self, submission: SubmissionIndex) -> Result<(), DeviceError> {
        self.finish_within(submission, COMPILE_TIMEOUT)
    }

    fn finish_within(&self, work: SubmissionIndex, limit: Duration) -> Result<(), DeviceError> {
        let watch = CompletionFlag::default();
        let told = watch.clone();
        self.queue().on_submitted_work_done(move || told.set());
        self.wait_for(&work, &watch, limit)
    }

    /// Waits for at most the time that is `left` of the limit.
    fn poll(
        &self,
        submission: &SubmissionIndex,
        left: Duration,
        limit: Duration,
    ) -> Result<(), DeviceError> {
        let how =
            PollType::Wait { submission_index: Some(submission.clone()), timeout: Some(left) };
        // `Device::poll` of wgpu 30.0 panics when the wait finds the device lost.
        let polled = catch_unwind(AssertUnwindSafe(|| self.handle().poll(how)));
        self.check()?;
        match polled {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(PollError::Timeout)) => Err(self.failed(DeviceError::TimedOut(limit))),
            Ok(Err(error)) => Err(DeviceError::Driver(error.to_string())),
            Err(_) => {
                let text = "it was lost while waited for".to_owned();
                Err(self.failed(DeviceError::Lost(text)))
            }
        }
    }

    /// Remembers an error after which the device is not asked again.
    fn failed(&self, error: DeviceError) -> DeviceError {
        self.inner.fault.get_or_init(|| error).clone()
    }
}

fn translate(error: wgpu::Error) -> DeviceError {
    match error {
        wgpu::Error::OutOfMemory { source } => DeviceError::OutOfMemory(source.to_string()),
        other => DeviceError::Driver(other.to_string()),
    }
}

/// Whether a buffer has been mapped, or work is done, told by a callback.
#[derive(Clone, Debug, Default)]
pub struct CompletionFlag {
    state: Arc<AtomicU8>,
}

impl CompletionFlag {
    const PENDING: u8 = 0;
    const DONE: u8 = 1;
    const FAILED: u8 = 2;

    /// Asks for the first `bytes` bytes of `buffer`, as soon as the device is done with them.
    pub fn map(&self, buffer: &wgpu::Buffer, mode: wgpu::MapMode, bytes: u64) {
        self.state.store(Self::PENDING, Ordering::Release);
        let state = Arc::clone(&self.state);
        buffer.slice(..bytes).map_async(mode, move |result| {
            let end = if result.is_ok() { Self::DONE } else { Self::FAILED };
            state.store(end, Ordering::Release);
        });
    }

    /// Says that what is watched has happened, as to a buffer that was made mapped.
    pub fn set(&self) {
        self.state.store(Self::DONE, Ordering::Release);
    }
}
