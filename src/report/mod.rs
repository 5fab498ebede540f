//! What is written about runs: traces, exports and summaries.

mod document;
mod exporter;
mod exports;
#[cfg(feature = "plot")]
pub(crate) mod figure;
mod file;
mod growing;
mod identity;
mod machine;
mod page;
#[cfg(feature = "plot")]
pub(crate) mod panel;
mod record;
mod recording;
mod runs;
mod shown;
#[cfg(feature = "plot")]
pub(crate) mod solved_by_work;
mod spent;
mod spread;
mod stream;
mod trace;

pub use crate::solver::BackendInfo;
#[cfg(feature = "plot")]
pub use document::Plot;
pub(crate) use document::origin;
pub use document::{Columns, Document, Entry, Fact, LongTable, Table};
pub use exporter::ExportFormat;
pub use exports::{Exports, Occasion};
pub use file::{Medium, OutputError, OutputFile};
pub use growing::Growing;
pub(crate) use identity::Identity;
pub use identity::{OutputConflict, keep_apart};
pub use machine::Machine;
pub use record::Record;
pub use recording::{Facts, Frame, Recorded, RecordedRun, Recording, read_recording};
pub use runs::{NotRun, SolvedRuns};
pub use shown::{CurvePoint, ShownBoard, ShownRun, ShownRuns, shown_device};
pub use spent::Spent;
pub use spread::Spread;
pub use trace::Trace;
