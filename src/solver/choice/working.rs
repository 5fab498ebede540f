//! The adapter that `auto` tries: the best one that computes.
//!
//! Software drivers do not come into question, and there are drivers that show a GPU and carry
//! nothing out on it, as Mesa's RADV where `RADV_FORCE_FAMILY` names a card that is not there. So an
//! adapter has to open and to score boards of known fitness.

use crate::board::Geometry;
use crate::fitness::GpuEvaluator;
use crate::gpu::{Adapter, Device};

/// Opens the first of `adapters`, the best before the others and no software drivers, that scores
/// as it should; else says of each what is wrong with it.
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
