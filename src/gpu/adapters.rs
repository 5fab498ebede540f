//! The graphics adapters of this machine, and the choice of one.
//!
//! An adapter is a device as one driver shows it; a card with two drivers is two adapters. A
//! *software* adapter (llvmpipe, WARP) computes on the CPU: it is used only when it is named.

use std::path::Path;

use thiserror::Error;
use wgpu::{Backend, Backends, DeviceType, Dx12Compiler, Features, InstanceFlags, Limits};

use crate::util::named_enum::named;

/// The optional features that are used where an adapter has them: timestamps, operations of subgroups, integers
/// of 64 bits, and kernels that read what the host maps.
pub const USED_FEATURES: Features = Features::TIMESTAMP_QUERY
    .union(Features::SUBGROUP)
    .union(Features::SHADER_INT64)
    .union(Features::MAPPABLE_PRIMARY_BUFFERS);

/// The interfaces whose drivers are listed.
const BACKENDS: Backends = Backends::VULKAN.union(Backends::METAL).union(Backends::DX12);
/// A number of at most this many digits is an index, a longer one part of a name, as in RTX 4090.
const INDEX_DIGITS: usize = 2;
/// The file by which the Linux kernel shows that NVIDIA's driver is loaded.
const NVIDIA_DRIVER: &str = "/proc/driver/nvidia/version";

/// An adapter of this machine, which [`Device::open`](super::Device::open) opens.
#[derive(Clone, Debug)]
pub struct Adapter {
    /// Its properties. A device never exceeds the limits and features stated here, so lower ones are obeyed too.
    pub info: AdapterInfo,
    pub(super) handle: wgpu::Adapter,
}

/// Properties of an adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterInfo {
    /// Its number in the list of [`adapters`], from 0.
    pub index: usize,
    /// The name of the device.
    pub name: String,
    /// Its kind.
    pub kind: AdapterKind,
    /// Its programming interface: `Vulkan`, `Metal` or `DX12`.
    pub backend: &'static str,
    /// The name and version of the driver; empty when the driver does not state them.
    pub driver: String,
    /// Its PCI bus id, as in `0000:01:00.0`, by which twin cards differ; `None` when unknown.
    pub pci_bus_id: Option<String>,
    /// Its limits.
    pub limits: Limits,
    /// Its optional features, of which only [`USED_FEATURES`] are used.
    pub features: Features,
}

named! {
    /// The kind of an adapter, in the order in which adapters are preferred.
    #[derive(PartialOrd, Ord)]
    pub enum AdapterKind {
        /// A GPU with memory of its own.
        Discrete = "discrete GPU",
        /// A GPU that shares the memory of the CPU.
        Integrated = "integrated GPU",
        /// A GPU of a virtual machine.
        Virtual = "virtual GPU",
        /// A device whose driver does not state its kind.
        Other = "unknown type",
        /// A driver that computes on the CPU.
        Software = "software",
    }
}

/// Why no adapter was chosen.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AdapterError {
    /// The machine has no adapter.
    #[error(
        "this machine has no graphics adapter: no Vulkan or Metal driver was found{}",
        if cfg!(windows) { ", and DirectX 12 needs dxcompiler.dll beside the program" } else { "" }
    )]
    NoAdapter,
    /// No adapter has this name, number or bus id.
    #[error("no graphics adapter matches '{wanted}'; available: {there}")]
    NoMatch {
        /// The name, number or bus id.
        wanted: String,
        /// All indices and names.
        there: String,
    },
    /// There are more ranks than GPUs.
    #[error(
        "no GPU is left for rank {rank} of this machine (counted from 0): the machine has only {there} GPUs, and \
         with gpu:each every rank needs its own GPU"
    )]
    TooFew {
        /// The number of the rank on its machine, from 0.
        rank: usize,
        /// The number of GPUs.
        there: usize,
    },
}

/// Lists all adapters, in the order of their indices. Loads the graphics drivers.
pub fn adapters() -> Vec<Adapter> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = BACKENDS;
    // No dispatch is indirect; the check of indirect ones would limit buffers to 4 GiB.
    descriptor.flags = InstanceFlags::empty();
    // Where dxcompiler.dll is missing there are no adapters of DirectX 12: the compiler that wgpu would fall back to
    // is no longer maintained.
    descriptor.backend_options.dx12.shader_compiler = Dx12Compiler::default_dynamic_dxc();
    let instance = wgpu::Instance::new(descriptor);
    let handles = pollster::block_on(instance.enumerate_adapters(BACKENDS));
    handles.into_iter().enumerate().map(|(index, handle)| Adapter::new(index, handle)).collect()
}

/// The adapter that a browser gives a page, if it gives one.
#[cfg(target_arch = "wasm32")]
pub async fn page_adapter() -> Option<Adapter> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = Backends::BROWSER_WEBGPU;
    let wanted = wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        ..Default::default()
    };
    let handle = wgpu::Instance::new(descriptor).request_adapter(&wanted).await.ok()?;
    Some(Adapter::new(0, handle))
}

impl Adapter {
    fn new(index: usize, handle: wgpu::Adapter) -> Self {
        Self { info: AdapterInfo::new(index, &handle), handle }
    }
}

/// Returns the adapter to use when none is named: a discrete GPU before an integrated, a virtual
/// and any other one, the first of several equals; never a software adapter.
pub fn best(adapters: &[Adapter]) -> Option<&Adapter> {
    let real = adapters.iter().filter(|adapter| !adapter.info.is_software());
    real.min_by_key(|adapter| adapter.info.kind)
}

/// Returns the adapter that `wanted` names: by PCI bus id (`0000:01:00.0`, or `01:00.0`), by index, or by
/// a part of its name in any case. The first of several that match; so the second of twin cards
/// is named by index or bus id.
///
/// # Errors
/// [`AdapterError::NoAdapter`] when there is none at all, and [`AdapterError::NoMatch`], which
/// lists those that there are.
pub fn find<'a>(adapters: &'a [Adapter], wanted: &str) -> Result<&'a Adapter, AdapterError> {
    position(&infos(adapters), wanted).map(|index| &adapters[index])
}

fn infos(adapters: &[Adapter]) -> Vec<&AdapterInfo> {
    adapters.iter().map(|adapter| &adapter.info).collect()
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
        // A PCI bus id, with the domain or without.
        let by_bus = infos.iter().position(|info| {
            let id = info.pci_bus_id.as_deref().unwrap_or_default().to_lowercase();
            id == text || id.split_once(':').is_some_and(|(_, rest)| rest == text)
        });
        by_bus.or_else(|| infos.iter().position(|info| info.name.to_lowercase().contains(&text)))
    };
    found.ok_or_else(|| {
        let there: Vec<String> =
            infos.iter().map(|info| format!("{} {}", info.index, info.name)).collect();
        AdapterError::NoMatch { wanted: wanted.to_owned(), there: there.join(", ") }
    })
}

/// Returns the GPU of a rank by its number on its machine, from 0: ranks take the GPUs in turn, one each.
///
/// A card that two drivers show is counted once. Where there are discrete GPUs, the others are left
/// out: all ranks should be equally fast.
///
/// # Errors
/// [`AdapterError::TooFew`] when there are fewer GPUs: two ranks on a GPU would be slower than one.
pub(crate) fn rank_adapter(adapters: &[Adapter], rank: usize) -> Result<&Adapter, AdapterError> {
    let cards = best_cards(&infos(adapters));
    let index = cards.get(rank).ok_or(AdapterError::TooFew { rank, there: cards.len() })?;
    Ok(&adapters[*index])
}

/// The positions of the GPUs of the best kind, each card once.
fn best_cards(infos: &[&AdapterInfo]) -> Vec<usize> {
    let real = || infos.iter().enumerate().filter(|(_, info)| !info.is_software());
    let best = real().map(|(_, info)| info.kind).min();
    let is_first = |index: usize, info: &AdapterInfo| {
        info.pci_bus_id.is_none()
            || infos.iter().position(|other| other.pci_bus_id == info.pci_bus_id) == Some(index)
    };
    let of_best = real().filter(|(_, info)| Some(info.kind) == best);
    of_best.filter(|(index, info)| is_first(*index, info)).map(|(index, _)| index).collect()
}

/// Returns advice when a card is installed that is none of these adapters.
pub(crate) fn hint(adapters: &[Adapter]) -> Option<&'static str> {
    let is_loaded = Path::new(NVIDIA_DRIVER).exists();
    let is_listed = adapters.iter().any(|adapter| adapter.info.name.contains("NVIDIA"));
    (is_loaded && !is_listed).then_some(
        "NVIDIA's driver is loaded, but Vulkan is missing: in a container set NVIDIA_DRIVER_CAPABILITIES=all, \
         install libvulkan1 and libxext6, and set VK_DRIVER_FILES to the path of nvidia_icd.json",
    )
}

impl AdapterInfo {
    fn new(index: usize, handle: &wgpu::Adapter) -> Self {
        let (info, limits, features) = (handle.get_info(), handle.limits(), handle.features());
        Self {
            index,
            name: info.name,
            kind: match info.device_type {
                DeviceType::DiscreteGpu => AdapterKind::Discrete,
                DeviceType::IntegratedGpu => AdapterKind::Integrated,
                DeviceType::VirtualGpu => AdapterKind::Virtual,
                DeviceType::Cpu => AdapterKind::Software,
                DeviceType::Other => AdapterKind::Other,
            },
            backend: match info.backend {
                Backend::Vulkan => "Vulkan",
                Backend::Metal => "Metal",
                Backend::Dx12 => "DX12",
                other => other.to_str(),
            },
            driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
            pci_bus_id: Some(info.device_pci_bus_id).filter(|id| !id.is_empty()),
            limits,
            features,
        }
    }

    /// Its name, and that it is a software driver if it is, so that nobody takes its figures for those of a GPU.
    pub fn full_name(&self) -> String {
        let software = if self.is_software() { ", a software driver" } else { "" };
        format!("{}{software}", self.name)
    }

    /// Returns whether it computes on the CPU.
    pub fn is_software(&self) -> bool {
        self.kind == AdapterKind::Software
    }

    /// Most bytes of a buffer that can be bound to a kernel.
    pub(crate) fn largest_binding(&self) -> u64 {
        self.limits.max_storage_buffer_binding_size.min(self.limits.max_buffer_size)
    }
}

#[cfg(test)]
mod tests {
    use super::AdapterKind::*;
    use super::*;

    fn info(index: usize, name: &str, bus: Option<&str>, kind: AdapterKind) -> AdapterInfo {
        AdapterInfo {
            index,
            name: name.to_owned(),
            kind,
            backend: "Vulkan",
            driver: String::new(),
            pci_bus_id: bus.map(str::to_owned),
            limits: Limits::default(),
            features: Features::empty(),
        }
    }

    #[test]
    fn an_adapter_is_found_by_index_name_and_bus() {
        let twin = "NVIDIA GeForce RTX 4090";
        let all = [
            info(0, "llvmpipe (LLVM 15.0.6, 256 bits)", None, Software),
            info(1, twin, Some("0000:0A:00.0"), Discrete),
            info(2, twin, Some("0000:81:00.0"), Discrete),
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
        let mut kinds = [Software, Other, Virtual, Integrated, Discrete];
        kinds.sort();
        assert_eq!(kinds, [Discrete, Integrated, Virtual, Other, Software]);
    }

    #[test]
    fn ranks_share_the_best_cards() {
        let all = [
            info(0, "", None, Software),
            info(1, "", Some("0000:00:02.0"), Integrated),
            info(2, "", Some("0000:0a:00.0"), Discrete),
            info(3, "", Some("0000:81:00.0"), Discrete),
            info(4, "", Some("0000:0a:00.0"), Discrete),
        ];
        let all: Vec<&AdapterInfo> = all.iter().collect();
        assert_eq!(best_cards(&all), [2, 3]);
        assert_eq!(best_cards(&all[..2]), [1]);
        assert!(best_cards(&all[..1]).is_empty());
    }
}
