//! Files that outlast the process: output, logs, journals and checkpoints, one way for all commands.
//!
//! | file | what it is | who uses it |
//! | --- | --- | --- |
//! | [`OutputFile`] | a file that is replaced in one step, or a pipe | exports, all below |
//! | [`RotatingFile`] | the same with a lock, and its previous content in `FILE.1` | checkpoints |
//! | [`AppendLog`] | a file that grows, and is cut back to an offset where a run is resumed | traces, recordings |
//! | [`Journal`] | locked lines of checksummed JSON after a header, each a finished run | `experiment`, `tune` |
//! | [`container`] | a line of text, a tag, a header, a body, a checksum | checkpoints |
//! | [`checkpoint`] | runs in a container: of each a [`RunSnapshot`] and its population | `solve`, `experiment` |
//!
//! A [`RunCheckpointer`] decides when a run is written again. All that is read is checked: a checksum finds
//! content that was torn or changed, a version that of another program, and [`StoredRun::restore`] that of
//! another run.

mod append_log;
mod checkpoint;
mod checksum;
mod container;
mod file_identity;
mod fitness_history;
mod journal;
mod output_file;
mod rotating_file;
mod run_checkpointer;

pub use append_log::{AppendLog, LogOffset};
pub use checkpoint::{
    LiveRun, RunIdentity, RunSnapshot, SnapshotError, StoredRun, fingerprint, read_checkpoint,
    write_checkpoint,
};
pub use checksum::{LineError, append_checksum, json_line, parse_line};
pub use container::{CheckpointKind, ContainerError, begins_with, is_checkpoint_or_blank};
pub use fitness_history::{FitnessHistory, HistoryPoint, Series};
pub use journal::{
    ExistingOutput, Journal, JournalHeader, StoreError, is_blank, read_file, read_journal,
};
pub use output_file::{
    OutputConflict, OutputError, OutputFile, OutputHandle, OutputKind, keep_apart,
};
pub use rotating_file::RotatingFile;
pub use run_checkpointer::{Readiness, RunCheckpointer, SnapshotSink, TIME_SHARE};
