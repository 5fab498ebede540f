//! What reports say of a backend: who bred, who scored, with how many threads.

use serde::Serialize;

#[cfg(feature = "gpu")]
use crate::gpu::AdapterInfo;

/// A backend as reports name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BackendInfo {
    /// `cpu`, `gpu`, `device` where the GPU breeds too, `auto` where it may, or `own`.
    pub backend: &'static str,
    /// The name of the adapter on a GPU, or of evaluators of one's own.
    pub adapter: Option<String>,
    /// The adapter's driver, on a GPU.
    pub driver: Option<String>,
    /// Threads that breed, and score on the CPU.
    pub threads: usize,
}

impl BackendInfo {
    pub(super) fn cpu(threads: usize) -> Self {
        Self { backend: "cpu", adapter: None, driver: None, threads }
    }

    #[cfg(feature = "gpu")]
    pub(super) fn on(backend: &'static str, adapter: &AdapterInfo, threads: usize) -> Self {
        let (name, driver) = (adapter.name.clone(), adapter.driver.clone());
        Self { backend, adapter: Some(name), driver: Some(driver), threads }
    }
}
