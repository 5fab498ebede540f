//! An open adapter whose faults are errors: no call panics or waits for ever.
//!
//! In a page nothing may wait at all ([`Device::waits`]): work that is not done is asked for again after a
//! [`Device::completion`].
//!
//! `wgpu` reports a fault in four ways: through error scopes, through the handler for errors that no
//! scope caught, through the device-lost callback, and, when a poll finds the device lost,
//! through a panic. All four become a [`DeviceError`].

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::task::{Poll, Waker};
use std::time::Duration;

use thiserror::Error;
use wgpu::{ErrorFilter, Features, PollError, PollType, SubmissionIndex};

use super::{Adapter, AdapterInfo, AdapterKind, USED_FEATURES, adapters};

use crate::util::clock::Instant;
use crate::util::lock;

/// The time in which the device must complete a submission.
pub const TIMEOUT: Duration = Duration::from_secs(10);
/// The same where the driver may have to compile first.
pub(crate) const COMPILE_TIMEOUT: Duration = Duration::from_secs(180);

/// A fault of a device.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeviceError {
    /// The device is gone, or refuses work.
    #[error("the device was lost: {0}")]
    Lost(String),
    /// The device has too little memory.
    #[error("the device is out of memory: {0}")]
    OutOfMemory(String),
    /// The device did not complete its work in time.
    #[error("the device did not answer within {} s", .0.as_secs())]
    TimedOut(Duration),
    /// The driver reported an error.
    #[error("the driver reported: {0}")]
    Driver(String),
}

/// An open adapter. Clones are the same device.
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
    waits: bool,
    completions: Arc<CompletedWork>,
}

impl Drop for DeviceInner {
    fn drop(&mut self) {
        // Dropping a queue waits for the device without a time-out, and panics when the device is lost:
        // a device that no longer answers is leaked.
        if let Some(DeviceError::Lost(_) | DeviceError::TimedOut(_)) = self.fault.get() {
            std::mem::forget((self.device.clone(), self.queue.clone()));
        }
    }
}

impl Device {
    /// Opens `adapter` with the limits that its [`info`](Adapter::info) states, and with those of the
    /// [features](super::USED_FEATURES) in use that it has.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] when the driver does not open it.
    pub fn open(adapter: &Adapter) -> Result<Self, DeviceError> {
        pollster::block_on(Self::open_async(adapter))
    }

    /// As [`open`](Self::open), for callers that may not wait.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub async fn open_async(adapter: &Adapter) -> Result<Self, DeviceError> {
        Self::open_with(adapter, !cfg!(target_arch = "wasm32")).await
    }

    /// Opens `adapter` for work that is waited for, or asked for again.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    #[doc(hidden)]
    pub async fn open_with(adapter: &Adapter, waits: bool) -> Result<Self, DeviceError> {
        let info = &adapter.info;
        let mut features = info.features & USED_FEATURES;
        if !matches!(info.kind, AdapterKind::Integrated | AdapterKind::Software) {
            // Elsewhere the memory that the host maps is far from the device.
            features.remove(Features::MAPPABLE_PRIMARY_BUFFERS);
        }
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("evodoku"),
            required_features: features,
            required_limits: info.limits.clone(),
            // Memory is allocated in blocks of a few MiB, not of hundreds.
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..Default::default()
        };
        let opened = adapter.handle.request_device(&descriptor).await;
        let (device, queue) = opened.map_err(|error| DeviceError::Driver(error.to_string()))?;
        // The first fault is kept: later ones follow from it.
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
        let (adapter, completions) = (adapter.clone(), Arc::default());
        let inner = DeviceInner { device, queue, adapter, fault, waits, completions };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Whether work is waited for. If not, an engine returns before its work is done.
    pub fn waits(&self) -> bool {
        self.inner.waits
    }

    /// Returns once more work has been completed than had been when it was called, without keeping the thread. Outside a
    /// page, where nobody tells of completed work, it returns at once.
    pub async fn completion(&self) {
        let completions = &*self.inner.completions;
        let count = || completions.count.load(Ordering::Acquire);
        let before = count();
        poll_fn(|context| {
            if count() != before || cfg!(not(target_arch = "wasm32")) {
                return Poll::Ready(());
            }
            lock(&completions.waiting).push(context.waker().clone());
            Poll::Pending
        })
        .await;
    }

    /// Opens the same adapter again, for example after this device was lost.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn reopen(&self) -> Result<Self, DeviceError> {
        let adapter = &self.inner.adapter;
        // Of one adapter WebGPU gives one device only, so the driver is asked for it anew.
        let renewed = adapters().into_iter().find(|other| other.info == adapter.info);
        Self::open(renewed.as_ref().unwrap_or(adapter))
    }

    /// Returns the adapter that was opened.
    pub fn adapter(&self) -> &AdapterInfo {
        &self.inner.adapter.info
    }

    /// Whether the device shares the memory of the host, so that kernels can read a staging buffer in place.
    pub(crate) fn shares_memory(&self) -> bool {
        self.handle().features().contains(Features::MAPPABLE_PRIMARY_BUFFERS)
    }

    /// Returns the device of `wgpu`.
    pub fn handle(&self) -> &wgpu::Device {
        &self.inner.device
    }

    /// Returns the queue of `wgpu`.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.inner.queue
    }

    /// Checks that the device still works.
    ///
    /// # Errors
    /// The first fault outside [`guarded`](Self::guarded), from then on always.
    pub(crate) fn check(&self) -> Result<(), DeviceError> {
        self.inner.fault.get().cloned().map_or(Ok(()), Err)
    }

    /// Creates buffers or pipelines with `make`, and reports errors about them.
    ///
    /// # Errors
    /// The first error that `make` caused.
    pub fn guarded<T>(&self, make: impl FnOnce(&wgpu::Device) -> T) -> Result<T, DeviceError> {
        // In a page the answer comes later: an error that no scope catches is a fault of the device.
        if cfg!(target_arch = "wasm32") {
            let made = make(self.handle());
            return self.check().map(|()| made);
        }
        let filters = [ErrorFilter::OutOfMemory, ErrorFilter::Validation, ErrorFilter::Internal];
        let scopes = filters.map(|filter| self.handle().push_error_scope(filter));
        let made = make(self.handle());
        // Scopes close in the reverse order.
        let closed = scopes.into_iter().rev().map(|scope| pollster::block_on(scope.pop()));
        let mut errors: Vec<_> = closed.flatten().collect();
        if let Some(error) = errors.pop() {
            return Err(translate(error));
        }
        self.check()?;
        Ok(made)
    }

    /// Waits until all work up to `submission` is done and `flag` is set.
    ///
    /// # Errors
    /// [`DeviceError::TimedOut`] after `limit`, and any fault of the device.
    pub(crate) fn wait(
        &self,
        submission: &SubmissionIndex,
        flag: &CompletionFlag,
        limit: Duration,
    ) -> Result<(), DeviceError> {
        let deadline = Instant::now() + limit;
        loop {
            if self.is_done(flag)? {
                return Ok(());
            }
            if cfg!(target_arch = "wasm32") {
                return Err(DeviceError::Driver("a page cannot wait for its GPU".into()));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(self.failed(DeviceError::TimedOut(limit)));
            }
            let submission_index = Some(submission.clone());
            let how = PollType::Wait { submission_index, timeout: Some(left) };
            // `Device::poll` of wgpu 30.0 panics when the wait finds the device lost.
            let polled = catch_unwind(AssertUnwindSafe(|| self.handle().poll(how)));
            self.check()?;
            match polled {
                Ok(Ok(_)) => {}
                Ok(Err(PollError::Timeout)) => {
                    return Err(self.failed(DeviceError::TimedOut(limit)));
                }
                Ok(Err(error)) => return Err(DeviceError::Driver(error.to_string())),
                Err(_) => {
                    return Err(self.failed(DeviceError::Lost("it was lost during a wait".into())));
                }
            }
            // Another thread's poll may have the callback and be about to call it.
            std::thread::yield_now();
        }
    }

    /// Whether `flag` is set, without waiting.
    ///
    /// # Errors
    /// Any fault of the device.
    pub(crate) fn is_done(&self, flag: &CompletionFlag) -> Result<bool, DeviceError> {
        if !self.waits() && flag.state.get().is_none() {
            // Calls what is to be called of work that is done; browsers do so by themselves.
            let _ = catch_unwind(AssertUnwindSafe(|| self.handle().poll(PollType::Poll)));
        }
        self.check()?;
        match flag.state.get() {
            Some(false) => Err(DeviceError::Driver("a buffer could not be mapped".into())),
            state => Ok(state.is_some()),
        }
    }

    /// Returns once `flag` is set, if the device is not waited for; otherwise at once.
    ///
    /// # Errors
    /// Any fault of the device.
    pub(super) async fn ready(&self, flag: &CompletionFlag) -> Result<(), DeviceError> {
        while !self.waits() && !self.is_done(flag)? {
            self.completion().await;
        }
        Ok(())
    }

    /// Waits until all work up to `submission` is done.
    ///
    /// # Errors
    /// [`DeviceError::TimedOut`] after [`TIMEOUT`], and any fault of the device.
    pub fn finish(&self, submission: SubmissionIndex) -> Result<(), DeviceError> {
        self.finish_within(submission, TIMEOUT)
    }

    /// As [`finish`](Self::finish), with a time limit: [`COMPILE_TIMEOUT`] for work that only makes the driver
    /// compile kernels. Some drivers compile a kernel when it first runs, and that takes longer than anything
    /// that kernels do.
    pub(crate) fn finish_within(
        &self,
        work: SubmissionIndex,
        limit: Duration,
    ) -> Result<(), DeviceError> {
        if !self.waits() {
            return self.check();
        }
        let flag = CompletionFlag::default();
        let done = flag.clone();
        self.queue().on_submitted_work_done(move || done.set(true));
        self.wait(&work, &flag, limit)
    }

    /// Stores an error after which every [`check`](Self::check) fails.
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

/// Whether a buffer has been mapped, or work is done; callbacks of `wgpu` set it, false after a failure.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompletionFlag {
    state: Arc<OnceLock<bool>>,
    completions: Arc<CompletedWork>,
}

/// The completed work of a device, and who waits for more.
#[derive(Debug, Default)]
struct CompletedWork {
    count: AtomicU64,
    waiting: Mutex<Vec<Waker>>,
}

impl CompletionFlag {
    /// Maps the first `bytes` bytes of `buffer`, as soon as `device` has finished with them.
    pub(super) fn map(
        &mut self,
        device: &Device,
        buffer: &wgpu::Buffer,
        mode: wgpu::MapMode,
        bytes: u64,
    ) {
        *self = Self { state: Arc::default(), completions: device.inner.completions.clone() };
        let mapped = self.clone();
        buffer.slice(..bytes).map_async(mode, move |result| mapped.set(result.is_ok()));
    }

    /// Sets it, for example for a buffer that was mapped when it was created.
    pub(super) fn set(&self, succeeded: bool) {
        let _ = self.state.set(succeeded);
        self.completions.count.fetch_add(1, Ordering::Release);
        lock(&self.completions.waiting).drain(..).for_each(Waker::wake);
    }
}
