//! Graphics adapters: a list of them, the choice of one, and work on it without a panic or an endless wait;
//! and kernels, put together from the files under `shaders/`.

mod adapters;
mod adaptive_size;
mod bandwidth;
mod bindings;
mod compile;
mod device;
mod preprocessor;
mod transfer;

#[cfg(target_arch = "wasm32")]
pub use adapters::page_adapter;
pub use adapters::{
    Adapter, AdapterError, AdapterInfo, AdapterKind, USED_FEATURES, adapters, best, find,
};
pub(crate) use adapters::{hint, rank_adapter};
pub(crate) use adaptive_size::AdaptiveSize;
pub use bandwidth::{copy_times, staging_times, upload_pass};
pub(crate) use bindings::{Access, Binding, KernelLayout, declare, workgroups};
pub(crate) use compile::{compile, compile_all, is_compiling};
pub(crate) use device::COMPILE_TIMEOUT;
pub use device::{Device, DeviceError, TIMEOUT};
pub(crate) use preprocessor::{
    BufferSections, constants, has_shader, pair_constant, stage_constants,
};
pub use preprocessor::{ShaderDefines, ShaderError, philox_choices};
pub use transfer::{RING_BYTES, UploadRing};
pub(crate) use transfer::{Readback, Staging, buffer, encoder};
pub use wgpu::{Features, Limits};
