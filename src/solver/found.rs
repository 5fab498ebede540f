//! The adapter that a backend takes: the one that was asked for, or the best real GPU that computes.

use super::BackendError;
use super::backend::Site;
use super::choice::first_working;
use crate::fitness::SimdLevel;
use crate::gpu::{self, Adapter, Device};
use crate::gpu_engine::PipelineCache;

/// What `auto` goes by.
pub struct Found {
    /// Whichever is fastest, if there is a real GPU that computes, else the CPU.
    pub site: Site,
    /// Why, in a line.
    pub reason: String,
    /// What only some want to know of it.
    pub more: Option<String>,
}

impl Found {
    /// Looks for a real GPU that computes, and breeds if that is said.
    pub fn here(breeds: bool) -> Self {
        let adapters = gpu::adapters();
        let device = match first_working(&adapters) {
            Ok(device) => device,
            Err(refused) if !refused.is_empty() => return Self::cpu(&refused.join(", ")),
            Err(_) if adapters.is_empty() => return Self::cpu(&no_gpu(&adapters)),
            Err(_) => {
                let more = Some(no_gpu(&adapters));
                return Self { more, ..Self::cpu("there is no GPU but a software driver") };
            }
        };
        let name = device.adapter().name.clone();
        match PipelineCache::new(&device) {
            Ok(kernels) => {
                let reason = format!("auto takes {name} for large generations where it is faster");
                Self { site: Site::Automatic(kernels, breeds), reason, more: None }
            }
            Err(error) => Self::cpu(&format!("{name} cannot be set up ({error})")),
        }
    }

    fn cpu(why: &str) -> Self {
        let reason = format!("scoring on the CPU: {why}");
        Self { site: Site::Cpu(SimdLevel::best()), reason, more: None }
    }
}

/// Opens the adapter that was asked for, or the best real GPU.
pub fn open(id: Option<&str>) -> Result<Device, BackendError> {
    let adapters = gpu::adapters();
    let adapter = match id {
        Some(id) => gpu::find(&adapters, id)?,
        None => gpu::best(&adapters).ok_or_else(|| BackendError::NoGpu(no_gpu(&adapters)))?,
    };
    Ok(Device::open(adapter)?)
}

fn no_gpu(adapters: &[Adapter]) -> String {
    let names: Vec<&str> = adapters.iter().map(|adapter| adapter.info.name.as_str()).collect();
    let hint = gpu::hint(adapters).map(|hint| format!("; {hint}")).unwrap_or_default();
    if names.is_empty() {
        return format!("no graphics adapter was found{hint}");
    }
    let (names, first) = (names.join(", "), adapters[0].info.index);
    format!("there is no GPU but the software driver {names}, which --gpu {first} takes{hint}")
}
