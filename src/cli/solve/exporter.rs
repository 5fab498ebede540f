//! The exports of `solve`: each run is on disk when it ends, in whatever order.
//!
//! A run that is still to start may take hours; runs that ended, and wait to be printed after it, are not lost
//! when the process is killed. A pipe or a device is read as it comes: it gets runs in the order of the input, after
//! they were printed.

use std::sync::Mutex;

use crate::board::Puzzle;
use crate::ga::Run;
use crate::report::{
    BoardView, ExportSet, OutputError, OutputKind, ReportRow, SolveRecord, SolveSummary,
};
use crate::store::{FitnessHistory, Series};
use crate::util::lock;

/// The exports, which all workers write.
pub struct RunExporter {
    books: Mutex<ExporterState>,
    /// Whether there is any export, and whether one is a pipe or a device.
    pub wanted: bool,
    pub streamed: bool,
    /// Whether histories of runs are collected, and whether the first run of a puzzle is drawn.
    curves: bool,
    draws: bool,
}

struct ExporterState {
    exports: ExportSet,
    /// The summary of all runs that are written.
    summary: SolveSummary,
}

impl RunExporter {
    /// Nothing is written yet. Runs of a `list` are not drawn. With checkpoints (`kept`) histories are collected in
    /// any case, but for those of a list, which would take most of the memory.
    pub fn new(exports: ExportSet, list: bool, kept: bool) -> Self {
        let wanted = exports.outputs().next().is_some();
        let streamed = exports.outputs().any(|output| output.kind == OutputKind::Pipe);
        let curves = exports.show_curves() || kept && !list;
        let books = Mutex::new(ExporterState { exports, summary: SolveSummary::default() });
        Self { books, wanted, streamed, curves, draws: curves && !list }
    }

    /// The history that the run of a puzzle with this number begins with, if one is collected.
    pub fn history(&self, number: u32) -> Option<FitnessHistory> {
        self.curves.then(|| FitnessHistory::new(self.draws && number == 0))
    }

    /// The curve of a run that has ended, which the report draws if it draws the run.
    pub fn curve(&self, run: &Run<'_>, history: Option<FitnessHistory>) -> Series {
        let Some(history) = history else { return Series::default() };
        let (is_drawn, points) = (history.is_fine(), history.finish());
        let curve = Series::of(&points);
        if is_drawn {
            let name = run.space.puzzle.name.clone();
            lock(&self.books).summary.history = Some((name, run.seed, points));
        }
        curve
    }

    /// Writes a run that has ended to all files. Returns the exports that failed for the first time.
    pub fn ended(&self, record: &SolveRecord, board: BoardView, curve: Series) -> Vec<OutputError> {
        let mut books = lock(&self.books);
        if books.exports.show_curves() {
            books.summary.note(&record.run, board, curve);
        }
        books.write(ReportRow::Run(record), OutputKind::File)
    }

    /// Writes a puzzle that was not run to all files.
    pub fn not_run(&self, puzzle: &Puzzle) -> Vec<OutputError> {
        let mut books = lock(&self.books);
        books.summary.not_run += 1;
        books.write(ReportRow::NotRun(puzzle), OutputKind::File)
    }

    /// Writes a run or puzzle that was printed to all pipes.
    pub fn printed(&self, row: ReportRow<'_>) -> Vec<OutputError> {
        lock(&self.books).write(row, OutputKind::Pipe)
    }

    /// Completes all exports. Returns those that failed for the first time.
    pub fn finish(&self) -> Vec<OutputError> {
        let ExporterState { exports, summary } = &mut *lock(&self.books);
        exports.finish(&summary.report())
    }

    /// Whether a file is not as it should be.
    pub fn failed(&self) -> bool {
        lock(&self.books).exports.failed(None)
    }
}

impl ExporterState {
    fn write(&mut self, row: ReportRow<'_>, to: OutputKind) -> Vec<OutputError> {
        self.exports.push(&self.summary.report(), row, to)
    }
}
