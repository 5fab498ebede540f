//! Graphics adapters: what there is, which one to take, and how to work on it without a panic;
//! and kernels, put together from the files under `shaders/`.
//!
//! ```no_run
//! use evodoku::board::Geometry;
//! use evodoku::gpu_engine;
//! use evodoku::fitness::GpuEvaluator;
//!
//! let adapters = gpu_engine::adapters();
//! let adapter = gpu_engine::find(&adapters, "llvmpipe")?;
//! let evaluator = GpuEvaluator::new(Geometry::new(3, 3)?, adapter, None)?;
//! println!("{}", evaluator.adapter().name);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adapters;
mod adaptive_size;
mod bandwidth;
mod compile;
mod device;
mod error;
mod preprocessor;
#[cfg(feature = "cli")]
mod rank_adapter;
mod staging;

pub use adapters::{
    Adapter, AdapterError, AdapterInfo, AdapterKind, AdapterLimits, adapters, best, find, hint,
};
pub(crate) use adaptive_size::AdaptiveSize;
pub use bandwidth::{UploadPath, copy_times, upload_times};
#[cfg(feature = "cli")]
pub(crate) use compile::is_compiling;
pub(crate) use compile::{compile, pipeline};
pub use device::{CompletionFlag, Device, TIMEOUT};
pub use error::DeviceError;
pub(crate) use preprocessor::stage_constants;
pub(crate) use preprocessor::{Access, Binding, bind_group, constants, declare, layout};
pub use preprocessor::{ShaderDefines, ShaderError, philox_constants};
#[cfg(feature = "cli")]
pub(crate) use rank_adapter::rank_adapter;
pub use staging::{Staging, UploadRing};
pub(crate) use staging::{buffer, mapping};
