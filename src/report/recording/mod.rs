//! Recordings: the best board of each generation and what is known of it, to be looked at again.
//!
//! A file of lines, each a JSON object with a checksum (`store/checksum.rs`), so that one which was torn
//! off is read up to the tear. It holds no times and no machine: two recordings of a run are equal,
//! whichever engine carried it out.
//!
//! ```text
//! {"recording":{"form":1,"version":"0.1.0","results_version":4},"crc32":"..."}
//! {"run":{"name":"003-4x4","shape":"2x2","givens":"1..4...","preset":"boxes",...},"crc32":"..."}
//! {"frame":{"at":[0,0,6,6,21,480,38,40,0],"put":[1,3,2,2,...]},"crc32":"..."}
//! {"frame":{"at":[1,0,4,4,19,405,null,80,0],"put":[7,2]},"crc32":"..."}
//! {"end":{"stop_reason":"solved","fitness":0},"crc32":"..."}
//! ```
//!
//! `at`: generation, restarts, best, best so far, worst, the sum of fitness, distinct boards where
//! they were estimated, evaluations, moves. `put`: cells of the generation's best board that differ
//! from the frame before (from the givens at first), each with its value. `islands`: the best of
//! each, where there are several.

mod reader;
mod schema;
mod writer;

pub use reader::{RecordedRun, RecordingFile, read_recording};
pub use schema::{Frame, RunHeader};
pub use writer::RecordingWriter;

#[cfg(test)]
mod tests;
