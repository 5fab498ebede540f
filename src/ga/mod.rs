//! Evolution: populations of boards, bred and scored generation by generation.
//!
//! ```text
//! population --select--> parents --cross, mutate, improve--> offspring --score--> fitness --replace--> population
//! ```
//!
//! Each arrow is a family of operators, one a file; a [`Preset`] puts one of each together and
//! [`Config`] holds their parameters. [`RunSettings`] make one for a puzzle, from a preset and from
//! [`Overrides`]: what was set. What a slot's child becomes depends on the old population, the seed,
//! the generation and the slot, and on nothing else.

pub(crate) mod breeder;
mod checkpoint;
mod config;
pub(crate) mod cpu_engine;
pub mod crossover;
mod custom_operators;
pub(crate) mod diversity;
pub mod encoding;
pub(crate) mod engine;
mod error;
pub(crate) mod fallback_engine;
pub(crate) mod islands;
pub mod local_search;
pub mod mutation;
mod observer;
mod offspring_batch;
mod operator;
mod operator_names;
mod outcome;
pub(crate) mod presets;
pub mod replacement;
mod restart;
mod run;
mod run_settings;
mod run_state;
pub mod selection;
pub(crate) mod state;
mod transpose;

pub use crate::util::memory::NotEnoughMemory;
pub use checkpoint::{Checkpoint, RunCounters};
pub use config::{Config, Overrides, Parameter};
pub(crate) use cpu_engine::CpuEngine;
pub use custom_operators::{CustomOperators, OperatorName};
pub(crate) use engine::{
    BatchEngine, Engine, EngineStatus, GenerationRequest, GenerationStats, SlotRequest,
};
pub use error::{ConfigError, EngineError, RunError, StateError};
pub(crate) use fallback_engine::FallbackEngine;
pub use fallback_engine::ReplayPolicy;
#[cfg(any(feature = "cli", feature = "gpu"))]
pub(crate) use islands::LocalIslands;
pub(crate) use islands::{IslandPartition, MigrationChannel, parts};
pub use observer::{GenerationReport, Observer, RunHandle};
pub use offspring_batch::OffspringBatch;
pub use operator::BuildContext;
pub use operator_names::{Preset, RestartRule};
pub use outcome::{Outcome, OutcomeError, StopReason};
pub use run::Run;
pub use run_settings::RunSettings;
pub(crate) use run_state::RunState;
pub(crate) use state::IslandSink;
pub use state::{GenerationKind, Individuals, IslandSnapshot, PopulationSnapshot};
