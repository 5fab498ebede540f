//! The graphics adapters of this machine, and the choice among them.
//!
//! An adapter is a device as one driver shows it; a card with two drivers is there twice. A
//! *software* adapter (llvmpipe, WARP) computes on the CPU: it is taken only when asked for.

use std::fmt;
use std::path::Path;

use thiserror::Error;
use wgpu::{Backend, Backends, DeviceType, Features, InstanceFlags};

/// Drivers that are looked at.
const BACKENDS: Backends = Backends::VULKAN.union(Backends::METAL).union(Backends::DX12);
/// Numbers of at most as many digits are an index, longer ones part of a name, as in RTX 4090.
const INDEX_DIGITS: usize = 2;

/// Where the kernel of Linux tells of NVIDIA's driver.
const NVIDIA_DRIVER: &str = "/proc/driver/nvidia/version";

/// An adapter that can be opened.
#[derive(Clone, Debug)]
pub struct Adapter {
    /// Its properties.
    pub info: AdapterInfo,
    pub(super) handle: wgpu::Adapter,
}

/// Properties of an adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterInfo {
    /// Its number in the list, from 0.
    pub index: usize,
    /// The device's name.
    pub name: String,
    /// Its kind.
    pub kind: AdapterKind,
    /// The interface it is reached by: `Vulkan`, `Metal` or `DX12`.
    pub backend: &'static str,
    /// The driver's name and version; empty when it does not tell.
    pub driver: String,
    /// Where it sits, as in `0000:01:00.0`; tells twin cards apart.
    pub pci_bus_id: Option<String>,
    /// The limits that matter here.
    pub limits: AdapterLimits,
}

/// The kind of an adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AdapterKind {
    /// A GPU with memory of its own.
    Discrete,
    /// A GPU that shares the memory of the CPU.
    Integrated,
    /// A GPU shown to a virtual machine.
    Virtual,
    /// The driver does not tell.
    Other,
    /// A driver that computes on the CPU.
    Software,
}

/// Limits of an adapter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AdapterLimits {
    /// Bytes of a buffer that a shader can reach at once.
    pub storage_binding_bytes: u64,
    /// Bytes of a buffer.
    pub buffer_bytes: u64,
    /// Workgroups in one dimension of a dispatch.
    pub workgroups_per_dimension: u32,
    /// Bytes that the threads of a workgroup share.
    pub workgroup_memory_bytes: u32,
    /// Threads of a workgroup.
    pub invocations: u32,
    /// Whether threads that run side by side can ask each other.
    pub subgroups: bool,
    /// Whether it can tell when a kernel began and ended.
    pub timestamps: bool,
}

/// Why no adapter was taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AdapterError {
    /// There is none.
    #[error(
        "this machine has no graphics adapter: no Vulkan, Metal or DirectX 12 driver was found"
    )]
    NoAdapter,
    /// None is what was asked for.
    #[error("no graphics adapter matches '{wanted}'; there is {there}")]
    NoMatch {
        /// The name or number that was asked for.
        wanted: String,
        /// All indices and names.
        there: String,
    },
    /// There are more ranks than GPUs.
    #[error(
        "rank {rank} of this machine, counted from 0, would have a GPU to itself, but there are {there} \
         GPUs: gpu:each takes at most as many ranks a machine"
    )]
    TooFew {
        /// The rank's number on its machine.
        rank: usize,
        /// GPUs.
        there: usize,
    },
}

/// All adapters, in the order of their indices. Loads the graphics drivers.
pub fn adapters() -> Vec<Adapter> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = BACKENDS;
    // Nothing here is dispatched indirectly; the check would cap buffers at 4 GiB.
    descriptor.flags = InstanceFlags::empty();
    let instance = wgpu::Instance::new(descriptor);
    let handles = pollster::block_on(instance.enumerate_adapters(BACKENDS));
    let adapter = |(index, handle): (usize, wgpu::Adapter)| Adapter {
        info: AdapterInfo::of(index, &handle),
        handle,
    };
    handles.into_iter().enumerate().map(adapter).collect()
}

/// The adapter to take when none was asked for: a discrete GPU before an integrated, a virtual
/// and any other one, the first in the list among equals; never a software adapter.
pub fn best(adapters: &[Adapter]) -> Option<&Adapter> {
    let real = adapters.iter().filter(|adapter| !adapter.info.is_software());
    real.min_by_key(|adapter| adapter.info.kind)
}

/// The adapter that `wanted` names: by PCI bus id (`0000:01:00.0`, or `01:00.0`), by index, or by
/// a part of its name in any case. The first in the list where several match, so of twin cards
/// the second is asked for by index or bus id.
///
/// # Errors
/// [`AdapterError::NoAdapter`] when there is none at all, and [`AdapterError::NoMatch`], which
/// lists what there is.
pub fn find<'a>(adapters: &'a [Adapter], wanted: &str) -> Result<&'a Adapter, AdapterError> {
    let infos: Vec<&AdapterInfo> = adapters.iter().map(|adapter| &adapter.info).collect();
    position(&infos, wanted).map(|at| &adapters[at])
}

fn position(infos: &[&AdapterInfo], wanted: &str) -> Result<usize, AdapterError> {
    if infos.is_empty() {
        return Err(AdapterError::NoAdapter);
    }
    let text = wanted.trim().to_lowercase();
    let number = Some(&text).filter(|text| text.len() <= INDEX_DIGITS);
    let found = if let Some(index) = number.and_then(|text| text.parse::<usize>().ok()) {
        infos.iter().position(|info| info.index == index)
    } else if text.is_empty() {
        None
    } else {
        let at_bus = infos.iter().position(|info| info.sits_at(&text));
        at_bus.or_else(|| infos.iter().position(|info| info.name.to_lowercase().contains(&text)))
    };
    found.ok_or_else(|| {
        let there: Vec<String> =
            infos.iter().map(|info| format!("{} {}", info.index, info.name)).collect();
        AdapterError::NoMatch { wanted: wanted.to_owned(), there: there.join(", ") }
    })
}

impl AdapterInfo {
    fn of(index: usize, handle: &wgpu::Adapter) -> Self {
        let (info, limits) = (handle.get_info(), handle.limits());
        Self {
            index,
            name: info.name,
            kind: AdapterKind::of(info.device_type),
            backend: match info.backend {
                Backend::Vulkan => "Vulkan",
                Backend::Metal => "Metal",
                Backend::Dx12 => "DX12",
                other => other.to_str(),
            },
            driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
            pci_bus_id: Some(info.device_pci_bus_id).filter(|id| !id.is_empty()),
            limits: AdapterLimits {
                storage_binding_bytes: limits.max_storage_buffer_binding_size,
                buffer_bytes: limits.max_buffer_size,
                workgroups_per_dimension: limits.max_compute_workgroups_per_dimension,
                workgroup_memory_bytes: limits.max_compute_workgroup_storage_size,
                invocations: limits.max_compute_invocations_per_workgroup,
                subgroups: handle.features().contains(Features::SUBGROUP),
                timestamps: handle.features().contains(Features::TIMESTAMP_QUERY),
            },
        }
    }

    /// Whether it computes on the CPU.
    pub fn is_software(&self) -> bool {
        self.kind == AdapterKind::Software
    }

    /// Whether `bus` is its PCI bus id, the domain left out or not.
    fn sits_at(&self, bus: &str) -> bool {
        let id = self.pci_bus_id.as_deref().unwrap_or_default().to_lowercase();
        id == bus || id.split_once(':').is_some_and(|(_, place)| place == bus)
    }
}

/// Advice for a card that is there and none of these adapters, if there is any.
pub fn hint(adapters: &[Adapter]) -> Option<&'static str> {
    let is_there = Path::new(NVIDIA_DRIVER).exists();
    let is_listed = adapters.iter().any(|adapter| adapter.info.name.contains("NVIDIA"));
    (is_there && !is_listed).then_some(
        "NVIDIA's driver is loaded, but without Vulkan: in a container NVIDIA_DRIVER_CAPABILITIES=all, \
         libvulkan1 and libxext6 bring it, and VK_DRIVER_FILES says where its nvidia_icd.json is",
    )
}

impl AdapterKind {
    fn of(kind: DeviceType) -> Self {
        match kind {
            DeviceType::DiscreteGpu => Self::Discrete,
            DeviceType::IntegratedGpu => Self::Integrated,
            DeviceType::VirtualGpu => Self::Virtual,
            DeviceType::Cpu => Self::Software,
            DeviceType::Other => Self::Other,
        }
    }
}

impl fmt::Display for AdapterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Discrete => "discrete GPU",
            Self::Integrated => "integrated GPU",
            Self::Virtual => "virtual GPU",
            Self::Other => "unknown type",
            Self::Software => "software",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(index: usize, name: &str, bus: Option<&str>) -> AdapterInfo {
        AdapterInfo {
            index,
            name: name.to_owned(),
            kind: AdapterKind::Discrete,
            backend: "Vulkan",
            driver: String::new(),
            pci_bus_id: bus.map(str::to_owned),
            limits: AdapterLimits::default(),
        }
    }

    #[test]
    fn an_adapter_is_found_by_index_name_and_bus() {
        let twin = "NVIDIA GeForce RTX 4090";
        let all = [
            info(0, "llvmpipe (LLVM 15.0.6, 256 bits)", None),
            info(1, twin, Some("0000:0A:00.0")),
            info(2, twin, Some("0000:81:00.0")),
        ];
        let all: Vec<&AdapterInfo> = all.iter().collect();
        for (wanted, index) in [
            ("0", 0),
            ("2", 2),
            ("LLVMpipe", 0),
            ("4090", 1),
            ("0000:81:00.0", 2),
            ("0a:00.0", 1),
            (" rtx ", 1),
        ] {
            assert_eq!(position(&all, wanted), Ok(index), "{wanted}");
        }
        for wanted in ["3", "40", "", "radeon", "00.0"] {
            let error = position(&all, wanted).unwrap_err().to_string();
            assert!(error.contains("0 llvmpipe"), "{error}");
            assert!(error.contains("2 NVIDIA"), "{error}");
        }
        assert_eq!(position(&[], "0"), Err(AdapterError::NoAdapter));
    }

    #[test]
    fn a_real_gpu_comes_before_software() {
        use AdapterKind::*;
        let mut kinds = [Software, Other, Virtual, Integrated, Discrete];
        kinds.sort();
        assert_eq!(kinds, [Discrete, Integrated, Virtual, Other, Software]);
    }
}
