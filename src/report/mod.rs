//! What is written about runs: traces, exports and summaries.

mod file;
pub(crate) mod panel;
mod record;
mod spread;
mod trace;

pub use file::{OutputError, OutputFile};
pub use record::{Device, Export, Record};
pub use spread::Spread;
pub use trace::Trace;
