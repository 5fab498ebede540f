//! Waiting for a device without keeping the thread: the browser calls back once work is done.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::task::{Poll, Waker};

use evodoku::gpu_engine::Device;

thread_local! {
    /// How often work was completed.
    static COMPLETED: Cell<u32> = const { Cell::new(0) };
    static WAITING: RefCell<Option<Waker>> = const { RefCell::new(None) };
}

/// Has the work of a device told to [`next`].
pub fn watch(device: &Device) {
    device.on_completion(|| {
        COMPLETED.set(COMPLETED.get().wrapping_add(1));
        if let Some(waker) = WAITING.take() {
            waker.wake();
        }
    });
}

/// Returns once more work was completed.
pub async fn next() {
    let before = COMPLETED.get();
    poll_fn(|context| {
        if COMPLETED.get() != before {
            return Poll::Ready(());
        }
        WAITING.set(Some(context.waker().clone()));
        Poll::Pending
    })
    .await;
}
