//! The description of a backend in reports: the devices that breed and score, and the number of threads.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::Backend;
use super::backend::BackendKind;
#[cfg(feature = "gpu")]
use super::engine_selection::is_worth_a_gpu;
use crate::ga::Config;
#[cfg(feature = "gpu")]
use crate::gpu::Device;
use crate::util::required;

/// A backend as reports name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackendInfo {
    /// `cpu`, `gpu-score`, `gpu` where the GPU breeds too, `auto` where it may, or `custom`.
    pub backend: Cow<'static, str>,
    /// The name of the adapter on a GPU, which says where it is a software driver, or of custom evaluators.
    #[serde(deserialize_with = "required")]
    pub adapter: Option<String>,
    /// The adapter's driver, on a GPU.
    #[serde(deserialize_with = "required")]
    pub driver: Option<String>,
    /// Threads that breed, and score on the CPU.
    pub threads: usize,
}

/// The description of a backend in reports and messages.
impl Backend {
    /// Which adapter [`auto`](Self::auto) takes, or why it takes none.
    pub fn reason(&self) -> Option<&str> {
        match &self.kind {
            #[cfg(feature = "gpu")]
            BackendKind::Auto(adapter) => Some(adapter.reason()),
            _ => None,
        }
    }

    /// Its [`reason`](Self::reason), where runs of this configuration have children enough for a GPU.
    pub fn reason_for(&self, config: &Config) -> Option<&str> {
        #[cfg(feature = "gpu")]
        if is_worth_a_gpu(config) {
            return self.reason();
        }
        None
    }

    /// The opened adapter, if one scores or breeds; of several the first.
    #[cfg(feature = "gpu")]
    pub fn adapter(&self) -> Option<&Device> {
        match &self.kind {
            BackendKind::Cpu(_) | BackendKind::Custom(..) => None,
            BackendKind::GpuScore(device) => Some(device),
            BackendKind::Gpu(kernels) => Some(&kernels.device),
            BackendKind::Auto(adapter) => Some(&adapter.kernels()?.device),
            BackendKind::Multi(members) => members.first()?.adapter(),
        }
    }

    /// The backend as reports of a run of this configuration name it.
    pub fn info_for(&self, config: &Config, threads: usize) -> BackendInfo {
        match self.is_on_cpu(config) {
            true => BackendInfo { backend: "cpu".into(), adapter: None, driver: None, threads },
            false => self.info(threads),
        }
    }

    /// The backend as reports name it, with so many threads. Of several all are named in order, and the driver
    /// that adapters have in common once.
    pub fn info(&self, threads: usize) -> BackendInfo {
        let info = |backend: &'static str, adapter, driver| BackendInfo {
            backend: backend.into(),
            adapter,
            driver,
            threads,
        };
        match &self.kind {
            BackendKind::Cpu(_) => info("cpu", None, None),
            BackendKind::Custom(name, _) => info("custom", Some(name.clone()), None),
            BackendKind::Multi(members) => {
                let all: Vec<_> = members.iter().map(|member| member.info(threads)).collect();
                let joined = |names: Vec<&str>| (!names.is_empty()).then(|| names.join(", "));
                let adapters = all.iter().filter_map(|info| info.adapter.as_deref()).collect();
                let drivers = all.iter().filter_map(|info| info.driver.as_deref());
                let mut drivers: Vec<&str> = drivers.collect();
                drivers.dedup();
                BackendInfo { adapter: joined(adapters), driver: joined(drivers), ..all[0].clone() }
            }
            #[cfg(feature = "gpu")]
            kind => match self.adapter().map(Device::adapter) {
                None => info("cpu", None, None),
                Some(found) => {
                    info(kind.name(), Some(found.full_name()), Some(found.driver.clone()))
                }
            },
        }
    }
}

impl BackendKind {
    /// As `--on` names it.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Cpu(_) => "cpu",
            Self::Custom(..) => "custom",
            #[cfg(feature = "gpu")]
            Self::GpuScore(_) => "gpu-score",
            #[cfg(feature = "gpu")]
            Self::Gpu(_) => "gpu",
            #[cfg(feature = "gpu")]
            Self::Auto(_) => "auto",
            Self::Multi(_) => "multi",
        }
    }
}
