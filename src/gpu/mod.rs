//! Graphics adapters: what there is, which one to take, and how to work on it without a panic;
//! and kernels, put together from the files under `shaders/`.
//!
//! ```no_run
//! use evodoku::board::Geometry;
//! use evodoku::device;
//! use evodoku::fitness::GpuEvaluator;
//!
//! let adapters = device::adapters();
//! let adapter = device::find(&adapters, "llvmpipe")?;
//! let evaluator = GpuEvaluator::new(Geometry::new(3, 3)?, adapter, None)?;
//! println!("{}", evaluator.adapter().name);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adapters;
mod compiling;
mod device;
mod error;
mod measure;
#[cfg(feature = "cli")]
mod rank_adapter;
mod staging;
mod wgsl;

pub use adapters::{
    Adapter, AdapterError, AdapterInfo, AdapterKind, AdapterLimits, adapters, best, find, hint,
};
#[cfg(feature = "cli")]
pub(crate) use compiling::is_compiling;
pub(crate) use compiling::{compile, pipeline};
pub use device::{Device, TIMEOUT, Watch};
pub use error::DeviceError;
pub use measure::{UploadPath, copy_times, upload_times};
#[cfg(feature = "cli")]
pub(crate) use rank_adapter::rank_adapter;
pub use staging::{Staging, UploadRing};
pub(crate) use staging::{buffer, mapping};
pub(crate) use wgsl::{Access, Binding, bind_group, constants, declare, layout};
pub use wgsl::{Choices, ShaderError, philox_constants};
pub(crate) use wgsl::{stage_constants, tie_constants};
