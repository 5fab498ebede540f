//! Experiments: puzzles x methods x parameter values x seeds, and what came of them.
//!
//! A [`Spec`] says what is asked for, a [`Plan`] lists its cells (one puzzle, one method, one
//! value for each parameter) and the runs of each (one for each seed), a [`Runner`] does the runs
//! that are missing, and [`Results`] sums them up, cell by cell. Several processes do a [`Shard`]
//! each, whose [`Parts`] are merged.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use evodoku::Backend;
//! use evodoku::experiment::{Plan, RunSubset, Results, Runner, Spec, Status};
//!
//! let spec = Spec::from_toml(
//!     "puzzles = ['003-4x4', '003-6x6']
//!      methods = ['boxes']
//!      seeds = 5
//!      [parameters]
//!      population = [20, 200]
//!      max_generations = 50",
//!     "sizes.toml".as_ref(),
//! )?;
//! let plan = Plan::new(&spec)?;
//! assert_eq!((plan.cells.len(), plan.runs()), (4, 20));
//!
//! let mut results = Results::new(&plan);
//! let interrupted = AtomicBool::new(false);
//! let backend = Backend::cpu();
//! let runner = Runner {
//!     plan: &plan,
//!     backend: &backend,
//!     jobs: 2,
//!     threads: 2,
//!     interrupted: &interrupted,
//!     part: RunSubset::default(),
//!     checkpoints: None,
//! };
//! runner.run(&mut results, &mut |_, _| Ok(()))?;
//! assert!(results.summaries().iter().all(|summary| summary.status == Status::Done));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cell;
mod cell_filter;
mod cell_table;
mod censored;
mod checkpoints;
mod comparison;
mod cost;
mod expected_work;
mod fingerprint;
mod fitness_samples;
mod merge;
mod method;
mod narrative;
mod output;
mod plan;
#[cfg(feature = "plot")]
mod plot;
mod population_scaling;
mod raw_spec;
mod record;
mod record_validation;
mod remote;
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
mod wilson;

pub use crate::report::{
    AxisScale, ExportFormat, ExportOccasion, ExportSet, OutputConflict, OutputError, OutputFile,
    Report, RunCost, RunRecord, Table,
};
pub use crate::store::{ExistingOutput, StoreError};
pub use cell::{Cell, Skip};
pub use censored::Censored;
pub use checkpoints::Checkpoints;
pub use comparison::{
    ComparedFactor, ComparedFactorError, Comparisons, LevelSummary, MethodRanking,
    NothingToCompare, PairwiseTest, Test, TestResult,
};

pub use cell_filter::{CellFilter, CellFilterError};
pub use expected_work::ExpectedWork;
pub(crate) use fingerprint::Fingerprint;
pub(crate) use fitness_samples::Collector;
pub use fitness_samples::Series;
pub use merge::{MergeError, Parts};
pub use method::Method;
pub use output::{Files, FilesError};
pub use plan::{MisfitPolicy, Plan};
pub use population_scaling::{IndependentRuns, ScalingPoint, ScalingSeries, law, law_table};
pub use raw_spec::RawBlock;
pub use remote::RemoteRunner;
pub use report::ExperimentSummary;
pub use results::{Results, ResultsView, RunResult};
pub use resume::UnplannedRuns;
pub use run_metrics::{RunMetrics, StopCause};
pub use runner::{Completion, RunSubset, RunWatcher, Runner, RunnerError};
pub use shard::{Shard, ShardError};
pub use spec::{BlockSpec, Factor, Spec};
pub use spec_error::{Located, SpecError, SpecErrorKind, SpecPlace};
pub(crate) use spec_parser::{Reader, spec_text};
pub(crate) use spec_values::{OneOrMany, Scalar};
pub use summary::{CellSummary, Status};
pub use wilson::wilson;

use cell_table::cell_table;
#[cfg(feature = "plot")]
pub use plot::{PlotLimitError, check as check_plot};
#[cfg(feature = "plot")]
use plot::{plots, ranked};
