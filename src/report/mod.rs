//! What is written about runs: reports in all export formats, traces and recordings.

mod export;
mod export_set;
mod html;
#[cfg(feature = "plot")]
pub(crate) mod plot;
mod recording;
#[expect(clippy::module_inception, reason = "the struct that the folder is about")]
mod report;
mod run_record;
#[cfg(feature = "plot")]
mod solve_plot;
mod solve_report;
mod system_info;
mod trace;

pub(crate) use crate::store::{FitnessHistory, HistoryPoint};
pub use crate::store::{OutputError, OutputFile, OutputKind, keep_apart};
pub use export::ExportFormat;
pub use export_set::{ExportOccasion, ExportSet};
pub use html::{BoardView, CurvePoint, MOST_RUN_VIEWS, RunView, RunViews, device_text};
#[cfg(feature = "plot")]
pub use plot::Plot;
pub use recording::{Frame, RecordedRun, RecordingFile, RecordingWriter, read_recording};
pub use report::{AxisScale, Field, OnDemand, Report, Row, Table, TidyTable};
pub(crate) use report::{dash, version_fields};
pub use run_record::{ReportRow, RunCost, RunRecord};
pub use solve_report::SolveSummary;
pub use system_info::SystemInfo;
pub use trace::Trace;
