//! What is written about runs: traces, exports and summaries.

mod document;
mod exporter;
mod exports;
#[cfg(feature = "plot")]
pub(crate) mod figure;
mod file;
mod growing;
mod identity;
#[cfg(feature = "plot")]
pub(crate) mod panel;
#[cfg(feature = "plot")]
mod plot;
mod record;
mod recording;
mod runs;
#[cfg(feature = "plot")]
pub(crate) mod solved_by_work;
mod spent;
mod spread;
mod stream;
mod trace;

pub use crate::solver::BackendInfo;
pub(crate) use document::origin;
pub use document::{Columns, Document, Entry, Fact, LongTable, Table};
pub use exporter::ExportFormat;
pub use exports::{Exports, Occasion};
pub use file::{Medium, OutputError, OutputFile};
pub use growing::Growing;
pub(crate) use identity::Identity;
pub use identity::{OutputConflict, keep_apart};
#[cfg(feature = "plot")]
pub use plot::Plot;
pub use record::Record;
pub use recording::{Facts, Frame, Recorded, RecordedRun, Recording, read_recording};
pub use runs::{NotRun, SolvedRuns};
pub use spent::Spent;
pub use spread::Spread;
pub use trace::Trace;
