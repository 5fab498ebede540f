//! What is written about runs: traces, exports and summaries.

mod export;
mod file;
pub(crate) mod panel;
mod record;
mod rows;
mod spread;
mod trace;

pub use crate::solver::BackendInfo;
pub use export::Export;
pub use file::{OutputError, OutputFile};
pub use record::Record;
pub use rows::PuzzleRows;
pub use spread::Spread;
pub use trace::Trace;
