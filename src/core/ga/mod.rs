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

mod active_run;
#[doc(hidden)]
pub mod breeder;
mod checkpoint;
mod config;
mod cpu_engine;
pub mod crossover;
mod custom_operators;
#[doc(hidden)]
pub mod diversity;
pub mod encoding;
mod engine;
mod error;
mod fallback_engine;
mod generation_operators;
#[doc(hidden)]
pub mod islands;
pub mod local_search;
pub mod mutation;
mod observer;
mod offspring_batch;
mod operator;
mod operator_names;
mod outcome;
mod population_codec;
#[doc(hidden)]
pub mod presets;
pub mod replacement;
mod restart;
mod run;
mod run_settings;
mod run_state;
pub mod selection;
mod state;
mod transpose;

pub use crate::util::memory::NotEnoughMemory;
pub use active_run::ActiveRun;
pub use checkpoint::{Checkpoint, RunCounters};
pub use config::{Config, Overrides, Parameter};
pub use cpu_engine::CpuEngine;
pub use custom_operators::CustomOperators;
pub use engine::{
    BatchEngine, Engine, EngineStatus, GenerationRequest, GenerationStats, SlotRequest,
};
pub use error::{ConfigError, EngineError, RunError, StateError};
pub use fallback_engine::{FallbackEngine, ReplayPolicy};
pub use generation_operators::{GenerationOperators, GenerationPlace};
pub use islands::{IslandPartition, LocalIslands, MigrationChannel, parts};
pub use local_search::StopCheck;
pub use observer::{GenerationReport, Observer, RunHandle};
pub use offspring_batch::OffspringBatch;
pub use operator::{BuildContext, OperatorName};
pub use operator_names::{Preset, RestartRule};
pub use outcome::{Outcome, OutcomeError, StopReason};
pub use population_codec::PopulationCodec;
pub use run::Run;
pub use run_settings::RunSettings;
pub use run_state::RunState;
pub use state::{GenerationKind, Individuals, IslandSink, IslandSnapshot, PopulationSnapshot};
