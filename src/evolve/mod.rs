//! Evolution: populations of boards, bred and scored generation by generation.
//!
//! ```text
//! population --select--> parents --cross, mutate, improve--> offspring --score--> fitness --replace--> population
//! ```
//!
//! Each arrow is a family of operators, one a file; a [`Preset`] puts one of each together and
//! [`Config`] holds their parameters. [`Settings`] make one for a puzzle, from a preset and from
//! [`Overrides`]: what was set. What a slot's child becomes depends on the old population, the seed,
//! the generation and the slot, and on nothing else.

pub mod breeder;
mod brood;
pub mod checkpoint;
pub mod config;
pub mod crossover;
mod distance;
pub(crate) mod diversity;
pub mod encoding;
pub mod engine;
mod ensemble;
mod evolution;
mod host;
pub mod improvement;
pub mod islands;
mod lanes;
pub mod mutation;
mod observer;
pub mod operator;
mod outcome;
mod overrides;
mod own;
mod parameter;
mod part;
pub mod presets;
mod recovering;
mod relay;
pub mod replacement;
mod replay;
pub mod restart;
mod run;
pub mod selection;
mod settings;
mod source;
mod state;

pub use brood::Brood;
pub(crate) use checkpoint::Holder;
pub use checkpoint::{Checkpoint, Progress, Standing};
pub use config::{Config, ConfigError, Overrides};
pub use engine::{Engine, EngineError, Summary, Wanted};
pub use ensemble::{Due, Ensemble, Job};
pub(crate) use evolution::Evolution;
pub use host::HostEngine;
pub use observer::{GenerationReport, Observer};
pub use operator::Setting;
pub use outcome::{Outcome, OutcomeError, RunError, StopReason};
pub use own::{OperatorName, Operators};
pub use parameter::Parameter;
#[cfg(any(feature = "cli", feature = "gpu"))]
pub(crate) use part::Held;
pub use part::{Part, Strait, parts};
pub use presets::Preset;
pub use recovering::Recovering;
pub use relay::{Leg, Relay, Turn};
pub use replay::Replay;
pub use run::Run;
pub use settings::Settings;
pub use source::Source;
pub use state::{Individuals, IslandState, State, StateError};
