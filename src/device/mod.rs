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
//! use evodoku::evolve::{Config, Preset, Run};
//! use evodoku::{board, device, format};
//!
//! let puzzle = format::load("001-easy-03", None)?.puzzle;
//! let config = Config { population: 1_000_000, ..Config::of(Preset::Boxes) };
//! let space = board::presolve(&puzzle, config.presolve)?;
//!
//! let adapters = device::adapters();
//! let kernels = Kernels::new(&device::Device::open(device::find(&adapters, "0")?)?)?;
//! let run = Run { space: &space, config: &config, seed: 1, interrupted: &AtomicBool::new(false) };
//! let outcome = run.evolve_on(|| DeviceEngine::new(&run, &kernels, None), &mut ())?;
//! println!("generation {}", outcome.generations);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod engine;
mod fitness;
mod island;
mod keep;
mod kernels;
mod loops;
mod pace;
mod plan;
mod recovering;
mod search;
mod search_tables;
mod shader;
mod statistics;
mod submission;
mod tables;
mod task;
mod twins;

pub use crate::gpu::{
    Adapter, AdapterError, AdapterInfo, AdapterKind, AdapterLimits, Device, PHILOX, Staging,
    TIMEOUT, UploadPath, UploadRing, Watch, adapters, best, copy_times, find, include,
    upload_times,
};
pub use engine::DeviceEngine;
pub use kernels::Kernels;
pub use recovering::{Recovering, Replay};
pub use shader::{Shader, shaders};
pub use twins::{Unsupported, supported_presets};
