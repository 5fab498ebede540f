//! The adapter that a backend takes: the one that is named, or the best real GPU that computes.
//!
//! Software drivers are taken only where they are named, and there are drivers that show a GPU and carry
//! nothing out on it, as Mesa's RADV where `RADV_FORCE_FAMILY` names a card that is not there. So
//! `auto` wants an adapter that opens and scores boards of known fitness.

use std::sync::OnceLock;

use super::BackendError;
use crate::board::Geometry;
use crate::fitness::GpuEvaluator;
use crate::gpu::{self, Adapter, Device};
use crate::gpu_engine::PipelineCache;

/// The adapter of `auto`, which is looked for when a run first has children enough for one: a real GPU that
/// computes, if there is one, and the reason in a line.
#[derive(Default)]
pub struct AutoAdapter(OnceLock<(Option<PipelineCache>, String)>);

impl AutoAdapter {
    /// One that is open.
    pub fn on(kernels: PipelineCache) -> Self {
        Self(OnceLock::from(taken(kernels)))
    }

    /// The adapter, if there is a real GPU that computes.
    pub fn kernels(&self) -> Option<&PipelineCache> {
        self.0.get_or_init(find).0.as_ref()
    }

    /// Which it is, or why there is none.
    pub fn reason(&self) -> &str {
        &self.0.get_or_init(find).1
    }
}

fn taken(kernels: PipelineCache) -> (Option<PipelineCache>, String) {
    let name = &kernels.device.adapter().name;
    let reason = format!("auto uses {name} for large generations if it is faster than the CPU");
    (Some(kernels), reason)
}

/// Looks for a real GPU that computes.
fn find() -> (Option<PipelineCache>, String) {
    let adapters = gpu::adapters();
    let why = match first_working(&adapters) {
        Ok(device) => match PipelineCache::new(&device) {
            Ok(kernels) => return taken(kernels),
            Err(error) => format!("{} cannot be set up ({error})", device.adapter().name),
        },
        Err(refused) if refused.is_empty() => no_gpu(&adapters),
        Err(refused) => refused.join(", "),
    };
    (None, format!("running on the CPU: {why}"))
}

/// Opens the first of `adapters`, the best before the others and no software drivers, that scores
/// as it should; else returns what is wrong with each.
pub fn first_working(adapters: &[Adapter]) -> Result<Device, Vec<String>> {
    let mut real: Vec<&Adapter> = adapters.iter().filter(|it| !it.info.is_software()).collect();
    real.sort_by_key(|adapter| adapter.info.kind);
    let mut refused = Vec::new();
    for adapter in real {
        match working(adapter) {
            Ok(device) => return Ok(device),
            Err(what) => refused.push(format!("{} {what}", adapter.info.name)),
        }
    }
    Err(refused)
}

fn working(adapter: &Adapter) -> Result<Device, String> {
    let device = Device::open(adapter).map_err(|error| format!("did not open ({error})"))?;
    if let Some(geometry) = Geometry::squarest(9) {
        GpuEvaluator::on(&device, geometry, Some(1))
            .map_err(|error| format!("does not score ({error})"))?;
    }
    Ok(device)
}

/// Opens the adapter that `id` names, or the best real GPU.
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
    format!("the only GPU is a software driver, {names}; gpu:{first} selects it{hint}")
}
