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
//! use evodoku::experiment::{Plan, Portion, Results, Runner, Spec, Status};
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
//!     part: Portion::default(),
//!     checkpoints: None,
//! };
//! runner.run(&mut results, &mut |_, _| Ok(()))?;
//! assert!(results.summaries().iter().all(|summary| summary.status == Status::Done));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod asked;
mod away;
mod cell;
mod cell_table;
mod censored;
mod checkpoints;
mod comparison;
mod cost;
mod document;
mod draft;
mod expected;
mod figures;
mod files;
mod fingerprint;
mod journal;
mod law;
mod long;
mod merge;
mod method;
mod only;
mod place;
mod plan;
mod planned;
#[cfg(feature = "plot")]
mod plot;
mod question;
mod reader;
mod record;
mod restored;
mod results;
mod runner;
mod seat;
mod series;
mod shard;
mod shown;
mod spec;
mod stored;
mod summary;
mod wilson;
mod written;

pub use crate::report::{
    BackendInfo, Columns, Document, Entry, ExportFormat, Exports, Fact, Occasion, OutputConflict,
    OutputError, OutputFile, Record, Scaling, Spent, Table,
};
pub use cell::{Cell, Skip};
pub use censored::Censored;
pub use checkpoints::Checkpoints;
pub use comparison::{
    Aspect, Comparison, Comparisons, Evidence, NoAspect, NothingToCompare, Ranking, Side, Test,
};
pub use document::Report;
pub use draft::BlockDraft;
pub use expected::ExpectedWork;
pub use figures::{Figures, RunEnd};
pub use files::{Earlier, Files, FilesError};
pub(crate) use fingerprint::Fingerprint;
pub(crate) use journal::Journal;
pub use law::{Independent, LawSeries, Point, law, law_table};
pub use merge::{MergeError, Parts};
pub use method::Method;
pub use only::{NoOnly, Only};
pub use place::{Placed, Refusal, SpecError, SpecPlace};
pub use plan::{Misfits, Plan};
pub(crate) use reader::{Reader, spec_text};
pub(crate) use record::line_of;
pub use results::{Results, RunResult, View};
pub use runner::{Ending, Portion, RunWatcher, Runner, RunnerError};
pub(crate) use series::Collector;
pub use series::Series;
pub use shard::{NoShard, Shard};
pub use spec::{BlockSpec, Factor, Spec};
pub(crate) use stored::is_blank;
pub use stored::{ResumeError, Unasked};
pub use summary::{CellSummary, Status};
pub use wilson::wilson;
pub(crate) use written::{Listed, Scalar};

use cell_table::cell_table;
#[cfg(feature = "plot")]
pub use plot::{Crowded, check as check_plot};
#[cfg(feature = "plot")]
use plot::{plots, ranked};
