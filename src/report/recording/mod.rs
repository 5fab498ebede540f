//! Recordings: the best board and the counts of each generation, which `play` shows again.
//!
//! A file of lines, each a JSON object with a checksum (`store/checksum.rs`), so that one which was torn
//! off is read up to the tear. It holds no times and no machine: two recordings of a run are equal,
//! whichever engine carried it out.
//!
//! ```text
//! {"recording":{"form":1,"version":"0.1.0","results_version":6},"crc32":"..."}
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

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize, Serializer};

use crate::board::SearchSpace;
use crate::format::line;
use crate::ga::{Config, GenerationReport, Observer, Outcome, Preset, StopReason};
use crate::store::{AppendLog, LogOffset, OutputError, OutputFile, json_line};
use crate::util::RESULTS_VERSION;

pub use reader::{RecordedRun, RecordingFile, read_recording};

/// The version of the form.
const FORM: u32 = 1;

/// A line of a recording.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    /// The first. It is read of a newer form too, whatever that adds, so that the error names the form.
    Recording {
        form: u32,
        version: String,
        results_version: u32,
    },
    Run(RunHeader),
    Frame(FrameLine),
    End(RecordingEnd),
}

/// A run: its puzzle, preset and seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunHeader {
    /// The puzzle's name.
    pub name: String,
    /// The shape of its boxes.
    pub shape: String,
    /// Its givens on one line.
    pub givens: String,
    /// The preset.
    pub preset: Preset,
    /// Individuals.
    pub population: u32,
    /// The seed.
    pub seed: u64,
}

/// A generation without its board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Frame {
    /// Its number.
    pub generation: u32,
    /// Restarts so far.
    pub restart: u32,
    /// The lowest fitness in the population.
    pub best: u16,
    /// The lowest since the run began.
    pub best_so_far: u16,
    /// The highest fitness in the population.
    pub worst: u16,
    /// The sum of all fitness.
    pub sum: u64,
    /// An estimate of the number of different boards, where one was made.
    pub distinct: Option<u64>,
    /// Boards scored so far.
    pub evaluations: u64,
    /// Moves evaluated so far.
    pub moves: u64,
    /// The lowest fitness of each island.
    #[serde(skip)]
    pub islands: Vec<u16>,
}

impl From<&GenerationReport<'_>> for Frame {
    fn from(report: &GenerationReport<'_>) -> Self {
        Self {
            generation: report.generation,
            restart: report.restart,
            best: report.best,
            best_so_far: report.best_so_far,
            worst: report.worst,
            sum: report.sum,
            distinct: report.distinct,
            evaluations: report.evaluations,
            moves: report.moves,
            islands: report.islands.to_vec(),
        }
    }
}

impl Serialize for Frame {
    /// A list of all fields but the islands, which the line has as a separate member.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { generation, restart, best, best_so_far, worst, sum, .. } = self;
        let Self { distinct, evaluations, moves, .. } = self;
        let at = (generation, restart, best, best_so_far, worst, sum, distinct, evaluations, moves);
        at.serialize(serializer)
    }
}

/// A frame in a file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FrameLine {
    at: Frame,
    /// The lowest fitness of each island, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    islands: Vec<u16>,
    /// Cells and their values, one after the other.
    put: Vec<u16>,
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordingEnd {
    /// The reason why it ended.
    pub stop_reason: StopReason,
    /// The fitness of its best board.
    pub fitness: u16,
}

/// A recording of the runs of a command, one after the other.
#[derive(Debug)]
pub struct RecordingWriter {
    /// The file.
    pub file: AppendLog,
    /// The board of the frame before.
    board: Vec<u8>,
}

impl RecordingWriter {
    /// A recording that will be written to `output`; `from` an offset on, after a frame with this board, where it
    /// is resumed.
    ///
    /// # Errors
    /// When the bytes before the offset are not those that were written.
    pub fn new(
        output: OutputFile,
        from: Option<(LogOffset, Vec<u8>)>,
    ) -> Result<Self, OutputError> {
        let (version, results_version) = (env!("CARGO_PKG_VERSION").to_owned(), RESULTS_VERSION);
        let head = text(&Line::Recording { form: FORM, version, results_version });
        let (offset, board) = from.unzip();
        let file = AppendLog::open(output, head, offset)?;
        Ok(Self { file, board: board.unwrap_or_default() })
    }

    /// How far it is on disk, and the board of the last frame.
    pub fn offset(&mut self) -> Option<(LogOffset, Vec<u8>)> {
        Some((self.file.offset()?, self.board.clone()))
    }

    /// The frames that follow belong to this run.
    pub fn begin(&mut self, space: &SearchSpace, config: &Config, seed: u64) {
        let puzzle = &space.puzzle;
        self.board.clone_from(&puzzle.givens);
        let run = RunHeader {
            name: puzzle.name.clone(),
            shape: puzzle.geometry.to_string(),
            givens: line(puzzle.geometry, &puzzle.givens),
            preset: config.preset,
            population: config.population,
            seed,
        };
        self.file.append(&text(&Line::Run(run)));
    }

    /// The run ended. What presolve solves has no generation; its board is that of generation 0.
    pub fn ended(&mut self, outcome: &Outcome) {
        if outcome.stop_reason == StopReason::Presolved {
            self.append(Frame::default(), &outcome.board);
        }
        let end = RecordingEnd { stop_reason: outcome.stop_reason, fitness: outcome.fitness };
        self.file.append(&text(&Line::End(end)));
    }

    /// Writes a generation with its best board.
    fn append(&mut self, mut at: Frame, board: &[u8]) {
        let mut put = Vec::new();
        let cells = self.board.iter_mut().zip(board).enumerate();
        for (cell, (before, now)) in cells.filter(|(_, (before, now))| before != now) {
            *before = *now;
            put.extend([cell as u16, u16::from(*now)]);
        }
        let islands =
            if at.islands.len() > 1 { std::mem::take(&mut at.islands) } else { Vec::new() };
        self.file.append(&text(&Line::Frame(FrameLine { at, islands, put })));
    }
}

fn text(line: &Line) -> Vec<u8> {
    (json_line(line) + "\n").into_bytes()
}

impl Observer for RecordingWriter {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        self.append(Frame::from(report), report.board);
        ControlFlow::Continue(())
    }

    fn wants_distinct(&self) -> bool {
        true
    }
}
