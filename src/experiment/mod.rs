//! Experiments: puzzles x methods x parameter values x seeds, and what came of them.
//!
//! A [`Spec`] describes an experiment, a [`Plan`] lists its cells (one puzzle, one method, one
//! value for each parameter) and the runs of each (one for each seed), a [`Runner`] does the runs
//! that are missing, and [`Results`] sums them up, cell by cell. Several processes do a [`Shard`]
//! each, whose [`Parts`] are merged.

mod cell;
mod cell_filter;
mod checkpoints;
mod comparison;
mod expected_work;
mod merge;
mod output;
mod plan;
mod plan_json;
mod plot;
mod population_scaling;
mod record;
mod report;
mod results;
mod resume;
mod run_index;
mod run_metrics;
mod runner;
mod shard;
mod spec;
mod spec_error;
mod spec_toml;
mod summary;

pub use crate::report::{ExportFormat, ExportSet, RunCost, RunRecord};
pub use crate::store::{ExistingOutput, Series};
pub(crate) use cell::Fingerprint;
pub use cell::{Cell, Method, Skip};
pub use checkpoints::Checkpoints;
pub use comparison::{ComparedFactor, Comparisons, MethodRanking};

pub use cell_filter::CellFilter;
pub use expected_work::ExpectedWork;
pub use merge::Parts;
pub use output::{Files, FilesError};
pub use plan::Plan;
pub use population_scaling::{ScalingPoint, law, law_table};
pub use record::RunResult;
pub use report::ExperimentSummary;
pub use results::{Results, ResultsView};
pub use resume::UnplannedRuns;
pub use run_metrics::{ALIKE, RunMetrics, StopCause};
pub use runner::{Completion, RunSubset, Runner, RunnerError};
pub use shard::Shard;
pub use spec::{BlockSpec, RawBlock, Spec};
pub(crate) use spec::{file_names, refuse_twice, spec_name};
pub use spec_error::{Located, SpecError, SpecPlace};
pub use spec_toml::SpecValues;
pub(crate) use spec_toml::{NamedList, SpecEntry, SpecTable, spec_text};
pub use summary::CellSummary;

pub use plot::check as check_plot;
use plot::{plots, ranked};
