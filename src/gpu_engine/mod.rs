//! The GPU engine: evolution that never leaves the GPU.
//!
//! Initial boards, selection, crossover, mutation, local search, scoring, replacement and the
//! statistics of a generation are compute shaders (`shaders/`), each equal to an operator of
//! the CPU engine. The population is in two buffers that swap; for each generation a block of a few hundred
//! words is read back, the best board among them, and the population never
//! is. The same configuration and seed give the same run as on the CPU, bit for bit.
//!
//! ```no_run
//! use evodoku::gpu_engine::{Device, adapters, find};
//! use evodoku::{Backend, Preset, Solver, format};
//!
//! let adapters = adapters();
//! let device = Device::open(find(&adapters, "0")?)?;
//! let solver = Solver::new(Preset::Cellular).population(1_000_000).on(Backend::gpu_on(&device)?);
//! let outcome = solver.solve(&format::load("001-easy-03", None)?.puzzle)?.outcome;
//! println!("generation {}", outcome.generations);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! There is one engine, `deme_engine.rs`, with a picture of its buffers and the life of a submission. A
//! single run (`GpuEngine`) is a batch of one, whose islands are demes; many runs (`GpuBatch`) are
//! bred side by side, a deme each.

mod buffers;
mod deme_engine;
mod deme_population;
mod dispatch_params;
mod distance_replacement;
mod layout;
mod local_search;
mod many_runs;
mod operator_support;
mod pace;
pub(crate) mod pipeline_cache;
mod puzzle_tables;
mod ranking_layout;
mod schedule;
pub(crate) mod shader;
pub(crate) mod single_run;
mod statistics;
mod workgroup;

#[cfg(target_arch = "wasm32")]
pub use crate::gpu::page_adapter;
pub use crate::gpu::{
    Adapter, AdapterError, AdapterInfo, AdapterKind, Device, DeviceError, Features, Limits,
    adapters, best, find,
};
pub(crate) use many_runs::{GpuBatch, can_batch};
pub(crate) use operator_support::check_support;
pub use operator_support::supported_presets;
pub(crate) use pipeline_cache::PipelineCache;
pub(crate) use single_run::GpuEngine;
