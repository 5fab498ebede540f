//! What outlasts the process: everything that is written to disk and read again, one way for all commands.
//!
//! | file | what it is | who uses it |
//! | --- | --- | --- |
//! | [`OutputFile`] | a file that is replaced in one step, or a pipe | exports, all below |
//! | [`RotatingFile`] | the same with a lock, and the content before beside it as `FILE.1` | checkpoints |
//! | [`AppendLog`] | a file that grows, and is cut back to an offset where a run goes on | traces, recordings |
//! | [`Journal`] | locked lines of checksummed JSON after a header, each a finished run | `experiment`, `tune` |
//! | [`container`] | magic, lengths, a header, a body, a checksum | checkpoints |
//! | [`checkpoint`] | runs in a container: of each a [`RunSnapshot`] and its population | `solve`, `experiment` |
//!
//! A [`RunCheckpointer`] watches one run and says when it is to be written again. What is read back is checked
//! before it is believed: a checksum finds what was torn or changed, a version what another program wrote,
//! and [`StoredRun::restore`] what is of another run.

mod append_log;
mod checkpoint;
mod checksum;
mod container;
mod file_identity;
pub(crate) mod fitness_history;
mod journal;
mod output_file;
mod population_codec;
mod rotating_file;
mod run_checkpointer;

pub use append_log::{AppendLog, LogOffset};
pub use checkpoint::{
    RunIdentity, RunSnapshot, SnapshotError, StoredPopulation, StoredRun, WrittenRun, fingerprint,
    read_checkpoint, write_checkpoint,
};
pub use checksum::{LineError, append_checksum, json_line, parse_line};
pub use container::{CheckpointKind, ContainerError};
pub use fitness_history::{FitnessHistory, HistoryPoint};
pub use journal::{
    ExistingOutput, Journal, JournalHeader, StoreError, is_blank, read_file, read_journal,
};
pub use output_file::{
    OutputConflict, OutputError, OutputFile, OutputHandle, OutputKind, keep_apart,
};
pub use rotating_file::RotatingFile;
pub use run_checkpointer::{Readiness, RunCheckpointer, SnapshotSink, TIME_SHARE};
