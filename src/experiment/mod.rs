//! Experiments: puzzles x methods x parameter values x seeds, and what came of them.
//!
//! A [`Spec`] says what is asked for, a [`Plan`] lists its cells (one puzzle, one method, one
//! value for each parameter) and the runs of each (one for each seed), a [`Runner`] does the runs
//! that are missing, and [`Results`] sums them up, cell by cell. Several processes do a [`Shard`]
//! each, whose [`Parts`] are merged.

mod cell;
mod cell_filter;
mod cell_table;
mod checkpoints;
mod comparison;
mod cost;
mod expected_work;
mod fitness_samples;
mod merge;
mod method;
mod narrative;
mod output;
mod plan;
mod plot;
mod population_scaling;
mod raw_spec;
mod record;
mod report;
mod report_runs;
mod results;
mod resume;
mod run_index;
mod run_metrics;
mod runner;
mod shard;
mod spec;
mod spec_error;
mod spec_parser;
mod spec_values;
mod summary;
mod tidy_tables;

pub use crate::report::{ExportFormat, ExportSet, RunCost, RunRecord};
pub use crate::store::ExistingOutput;
pub(crate) use cell::Fingerprint;
pub use cell::{Cell, Skip};
pub use checkpoints::Checkpoints;
pub use comparison::{ComparedFactor, Comparisons, MethodRanking};

pub use cell_filter::CellFilter;
pub use expected_work::ExpectedWork;
pub(crate) use fitness_samples::Collector;
pub use fitness_samples::Series;
pub use merge::Parts;
pub use method::Method;
pub use output::Files;
pub use plan::{MisfitPolicy, Plan};
pub use population_scaling::{ScalingPoint, law, law_table};
pub use raw_spec::RawBlock;
pub use record::RunResult;
pub use report::ExperimentSummary;
pub use results::{Results, ResultsView};
pub use resume::UnplannedRuns;
pub use run_metrics::{RunMetrics, StopCause};
pub use runner::{Completion, RunSubset, Runner, RunnerError};
pub use shard::Shard;
pub use spec::{BlockSpec, Spec};
pub use spec_error::{Located, SpecError, SpecErrorKind, SpecPlace};
pub(crate) use spec_parser::{Reader, spec_text};
pub(crate) use spec_values::{OneOrMany, Scalar};
pub use summary::{CellSummary, Status};

use cell_table::cell_table;
pub use plot::check as check_plot;
use plot::{plots, ranked};
