//! Writes recordings, generation by generation.

use std::ops::ControlFlow;

use serde::Serialize;

use super::schema::{
    FORM, Frame, FrameLine, HeaderLine, Line, RecordingEnd, RecordingHeader, RunHeader,
};
use crate::board::SearchSpace;
use crate::ga::{Config, GenerationReport, Observer, Outcome};
use crate::store::{AppendLog, LogOffset, OutputError, OutputFile, json_line};
use crate::util::RESULTS_VERSION;

/// A recording of the runs of a command, one after the other.
#[derive(Debug)]
pub struct RecordingWriter {
    file: AppendLog,
    /// The board of the frame before.
    board: Vec<u8>,
}

impl RecordingWriter {
    /// A recording that will be written to `output`.
    pub fn new(output: OutputFile) -> Self {
        Self { file: AppendLog::new(output, head()), board: Vec::new() }
    }

    /// A recording that goes on behind what was written up to an offset, with `board` in its last frame.
    ///
    /// # Errors
    /// When the file is not as it was written.
    pub fn resumed(
        output: OutputFile,
        offset: LogOffset,
        board: Vec<u8>,
    ) -> Result<Self, OutputError> {
        Ok(Self { file: AppendLog::resumed(output, head(), offset)?, board })
    }

    /// How far it is on disk, and the board of the last frame.
    pub fn offset(&mut self) -> Option<(LogOffset, Vec<u8>)> {
        Some((self.file.offset()?, self.board.clone()))
    }

    /// The frames that follow belong to this run.
    pub fn begin(&mut self, space: &SearchSpace, config: &Config, seed: u64) {
        self.board.clone_from(&space.puzzle.givens);
        self.file.append(&sealed(&Line::Run(RunHeader::new(space, config, seed))));
    }

    /// The run ended.
    pub fn ended(&mut self, outcome: &Outcome) {
        self.file.append(&sealed(&Line::End(RecordingEnd::of(outcome))));
    }

    /// The file.
    pub fn file(&mut self) -> &mut AppendLog {
        &mut self.file
    }
}

fn head() -> Vec<u8> {
    let head = RecordingHeader {
        form: FORM,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        results_version: RESULTS_VERSION,
    };
    sealed(&HeaderLine { recording: head })
}

/// A line of a recording.
fn sealed(line: &impl Serialize) -> Vec<u8> {
    (json_line(line) + "\n").into_bytes()
}

impl Observer for RecordingWriter {
    fn generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        let mut put = Vec::new();
        let cells = self.board.iter_mut().zip(report.board).enumerate();
        for (cell, (before, now)) in cells.filter(|(_, (before, now))| before != now) {
            *before = *now;
            put.extend([cell as u16, u16::from(*now)]);
        }
        let line = FrameLine::new(&Frame::from(report), put);
        self.file.append(&sealed(&Line::Frame(line)));
        ControlFlow::Continue(())
    }

    fn wants_distinct(&self) -> bool {
        true
    }
}
