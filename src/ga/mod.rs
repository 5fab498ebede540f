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

mod batch_engine;
pub mod breeder;
pub mod checkpoint;
pub mod config;
mod cpu_engine;
pub mod crossover;
mod custom_operators;
mod distance;
pub(crate) mod diversity;
pub mod encoding;
pub mod engine;
mod fallback_engine;
mod generation_kind;
pub mod improvement;
mod island_partition;
pub mod islands;
pub mod mutation;
mod observer;
mod offspring_batch;
pub mod operator;
mod outcome;
mod overrides;
mod parameter;
pub mod presets;
pub mod replacement;
pub mod restart;
mod run;
mod run_settings;
mod run_state;
pub mod selection;
mod state;
mod transpose;

pub use batch_engine::{BatchEngine, RunJob, SlotRequest};
pub(crate) use checkpoint::PopulationSource;
pub use checkpoint::{Checkpoint, RunCounters, RunHandle};
pub use config::{Config, ConfigError, Overrides};
pub use cpu_engine::CpuEngine;
pub use custom_operators::{CustomOperators, OperatorName};
pub use engine::{Engine, EngineError, EngineStatus, GenerationRequest, GenerationStats};
pub use fallback_engine::{FallbackEngine, ReplayPolicy};
pub use generation_kind::GenerationKind;
#[cfg(any(feature = "cli", feature = "gpu"))]
pub(crate) use island_partition::LocalIslands;
pub use island_partition::{IslandPartition, MigrationChannel, parts};
pub use observer::{GenerationReport, Observer};
pub use offspring_batch::OffspringBatch;
pub use operator::BuildContext;
pub use outcome::{Outcome, OutcomeError, RunError, StopReason};
pub use parameter::Parameter;
pub use presets::Preset;
pub use run::Run;
pub use run_settings::RunSettings;
pub(crate) use run_state::RunState;
pub use state::{Individuals, IslandSnapshot, PopulationSnapshot, StateError};
