//! Evolution: populations of boards, bred and scored generation by generation.
//!
//! ```text
//! population --select--> parents --cross, mutate, improve--> offspring --score--> fitness --replace--> population
//! ```
//!
//! Each arrow is a family of operators, one a file; a [`Preset`] puts one of each together and
//! [`Config`] holds their parameters, some of which are derived from the puzzle ([`Settings`]). What a slot's child becomes depends on the old population,
//! the seed, the generation and the slot, and on nothing else.

pub mod breeder;
pub mod config;
pub mod crossover;
mod distance;
pub(crate) mod diversity;
pub mod encoding;
pub mod engine;
mod host;
pub mod improvement;
pub mod islands;
pub mod mutation;
mod observer;
pub mod operator;
mod outcome;
mod parameter;
pub mod presets;
pub mod replacement;
pub mod restart;
mod run;
pub mod selection;
mod settings;
mod state;

pub use config::{Config, ConfigError, ParameterSet};
pub use engine::{Engine, EngineError, Summary, Wanted};
pub use host::HostEngine;
pub use observer::{GenerationReport, Observer};
pub use outcome::{Outcome, RunError, StopReason};
pub use parameter::Parameter;
pub use presets::Preset;
pub use run::Run;
pub use settings::Settings;
pub use state::Individuals;
