//! What reports say of a backend: who bred, who scored, with how many threads.

use serde::Serialize;

use super::Backend;
#[cfg(feature = "gpu")]
use crate::gpu::AdapterInfo;

/// A backend as reports name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BackendInfo {
    /// `cpu`, `gpu-score`, `gpu` where the GPU breeds too, `auto` where it may, or `custom`.
    pub backend: &'static str,
    /// The name of the adapter on a GPU, or of evaluators of the user's own.
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

    /// All in order, with a comma between adapters; what drivers they have in common is said once.
    pub(super) fn of_all(members: &[Backend], threads: usize) -> Self {
        let all: Vec<Self> = members.iter().map(|member| member.info(threads)).collect();
        let joined = |names: Vec<&str>| (!names.is_empty()).then(|| names.join(", "));
        let adapters = all.iter().filter_map(|info| info.adapter.as_deref()).collect();
        let mut drivers: Vec<&str> = all.iter().filter_map(|info| info.driver.as_deref()).collect();
        drivers.dedup();
        let backend = all.first().map_or("cpu", |info| info.backend);
        Self { backend, adapter: joined(adapters), driver: joined(drivers), threads }
    }
}
