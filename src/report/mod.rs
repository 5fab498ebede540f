//! What is written about runs: traces, exports and summaries.

mod course;
mod document;
mod exporter;
mod exports;
mod file;
mod growing;
mod identity;
mod machine;
mod page;
#[cfg(feature = "plot")]
pub(crate) mod plot;
mod record;
mod recording;
mod runs;
mod scaling;
mod shown;
mod spent;
mod spread;
mod stream;
mod trace;

pub use crate::solver::BackendInfo;
pub(crate) use course::{Course, Moment};
pub use document::{Columns, Document, Entry, Fact, LongTable, Table};
pub(crate) use document::{dash, origin};
pub use exporter::ExportFormat;
pub use exports::{Exports, Occasion};
pub use file::{Medium, OutputError, OutputFile};
pub use growing::{Growing, Mark};
pub(crate) use identity::Identity;
pub use identity::{OutputConflict, keep_apart};
pub use machine::Machine;
#[cfg(feature = "plot")]
pub use plot::Plot;
pub use record::Record;
pub use recording::{Facts, Frame, Recorded, RecordedRun, Recording, read_recording};
pub use runs::{NotRun, SolvedRuns};
pub use scaling::Scaling;
pub use shown::{CurvePoint, ShownBoard, ShownRun, ShownRuns, shown_device};
pub use spent::Spent;
pub use spread::Spread;
pub use trace::Trace;
