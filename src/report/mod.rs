//! What is written about runs: reports in all export formats, traces and recordings.

mod append_log;
mod export;
mod export_set;
mod file_identity;
mod fitness_history;
mod html;
mod output_file;
mod pipe;
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

pub use append_log::{AppendLog, LogOffset};
pub use export::ExportFormat;
pub use export_set::{ExportOccasion, ExportSet};
pub(crate) use file_identity::FileIdentity;
pub use file_identity::{OutputConflict, keep_apart};
pub(crate) use fitness_history::{FitnessHistory, HistoryPoint};
pub use html::{BoardView, CurvePoint, MOST_RUN_VIEWS, RunView, RunViews, device_text};
pub use output_file::{OutputError, OutputFile, OutputKind};
#[cfg(feature = "plot")]
pub use plot::Plot;
pub use recording::{
    Frame, RecordedRun, RecordingFile, RecordingWriter, RunHeader, read_recording,
};
pub use report::{AxisScale, Field, OnDemand, Report, Row, Table, TidyTable};
pub(crate) use report::{dash, version_fields};
pub use run_record::{ReportRow, RunCost, RunRecord};
pub use solve_report::SolveSummary;
pub use system_info::SystemInfo;
pub use trace::Trace;
