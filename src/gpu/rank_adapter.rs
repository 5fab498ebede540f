//! One GPU for each rank of a machine: the ranks of a machine take its GPUs in turn.
//!
//! A card that two drivers show is counted once. Where there are discrete GPUs the others are left
//! out: ranks should be alike.

use super::{Adapter, AdapterError, AdapterInfo};

/// The GPU of the rank with this number on its machine, from 0.
///
/// # Errors
/// [`AdapterError::TooFew`] when there are not so many: two ranks on a GPU would be slower than one.
pub fn rank_adapter(adapters: &[Adapter], rank: usize) -> Result<&Adapter, AdapterError> {
    let infos: Vec<&AdapterInfo> = adapters.iter().map(|adapter| &adapter.info).collect();
    let alike = alike(&infos);
    let at = alike.get(rank).ok_or(AdapterError::TooFew { rank, there: alike.len() })?;
    Ok(&adapters[*at])
}

/// The places of the GPUs that are taken in turn.
fn alike(infos: &[&AdapterInfo]) -> Vec<usize> {
    let real = || infos.iter().enumerate().filter(|(_, info)| !info.is_software());
    let best = real().map(|(_, info)| info.kind).min();
    let is_first = |at: usize, info: &AdapterInfo| {
        info.pci_bus_id.is_none()
            || infos.iter().position(|other| other.pci_bus_id == info.pci_bus_id) == Some(at)
    };
    let of_best = real().filter(|(_, info)| Some(info.kind) == best);
    of_best.filter(|(at, info)| is_first(*at, info)).map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{AdapterKind, AdapterLimits};

    #[test]
    fn every_card_is_taken_once() {
        let info = |kind, bus: Option<&str>| AdapterInfo {
            index: 0,
            name: String::new(),
            kind,
            backend: "Vulkan",
            driver: String::new(),
            pci_bus_id: bus.map(str::to_owned),
            limits: AdapterLimits::default(),
        };
        use AdapterKind::{Discrete, Integrated, Software};
        let all = [
            info(Software, None),
            info(Integrated, Some("0000:00:02.0")),
            info(Discrete, Some("0000:0a:00.0")),
            info(Discrete, Some("0000:81:00.0")),
            info(Discrete, Some("0000:0a:00.0")),
        ];
        let all: Vec<&AdapterInfo> = all.iter().collect();
        assert_eq!(alike(&all), [2, 3]);
        assert_eq!(alike(&all[..2]), [1]);
        assert!(alike(&all[..1]).is_empty());
        let said = rank_adapter(&[], 0).unwrap_err().to_string();
        assert!(said.contains("0 GPUs"), "{said}");
    }
}
