//! The device engine: evolution that never leaves the GPU.
//!
//! Initial boards, selection, crossover, mutation, improvement, scoring, replacement and the
//! statistics of a generation are compute shaders (`shaders/`), each the twin of an operator of
//! the host. The population lies in two buffers that swap; a block of a few hundred
//! words comes back for each generation, the best board among them, and the population never
//! does. The same configuration and seed give the same run as on the host, bit for bit.
//!
//! ```no_run
//! use std::sync::atomic::AtomicBool;
//!
//! use evodoku::device::{DeviceEngine, Kernels};
//! use evodoku::ga::{Config, Preset, Run};
//! use evodoku::{board, device, format};
//!
//! let puzzle = format::load("001-easy-03", None)?.puzzle;
//! let space = board::presolve(&puzzle, board::Presolve::Singles)?;
//! let config = Config { population: 1_000_000, ..Config::of(Preset::Cellular, &space) };
//!
//! let adapters = device::adapters();
//! let kernels = Kernels::new(&device::Device::open(device::find(&adapters, "0")?)?)?;
//! let interrupted = AtomicBool::new(false);
//! let run = Run::new(&space, &config, 1, &interrupted);
//! let outcome = run.evolve_on(|| DeviceEngine::new(&run, &kernels, None), &mut ())?;
//! println!("generation {}", outcome.generations);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod candidates;
mod cursor;
mod engine;
mod ensemble;
mod error;
mod island;
mod keep;
mod kernels;
mod kind;
mod loops;
mod memory;
mod pace;
mod plan;
mod search;
mod shader;
mod software;
mod state;
mod statistics;
mod submission;
mod tables;
mod task;
mod twins;
mod unsupported;
mod workgroups;

pub use crate::gpu::{
    Adapter, AdapterError, AdapterInfo, AdapterKind, AdapterLimits, Choices, Device, DeviceError,
    ShaderError, Staging, TIMEOUT, UploadPath, UploadRing, Watch, adapters, best, copy_times, find,
    philox_constants, upload_times,
};
pub use engine::DeviceEngine;
pub use ensemble::{DeviceEnsemble, goes_together};
pub use kernels::Kernels;
pub use shader::{Shader, shaders};
pub use twins::{supported_presets, supports};
pub use unsupported::Unsupported;
