//! The exports of `solve`: each run is on disk when it ends, in whatever order.
//!
//! A run that is still to start may take hours; runs that ended, and wait to be printed after it, are not lost
//! when the process is killed. A pipe or a device is read as it comes: it gets runs in the order of the input, after
//! they were printed.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::board::Puzzle;
use crate::ga::Run;
use crate::report::{
    AxisScale, BoardView, CurvePoint, ExportSet, FitnessHistory, OutputError, OutputKind,
    ReportRow, RunRecord, SolveSummary,
};

/// Pieces of each doubling of a run's generations, as a power of two: enough for a curve, and finer
/// than the pixels of a plot.
const COARSE: u32 = 4;
const FINE: u32 = 8;

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
    /// Nothing is written yet; `scaling` is that of axes of generations. Runs of a `list` are not drawn. With
    /// checkpoints (`kept`) histories are collected in any case.
    pub fn new(exports: ExportSet, list: bool, kept: bool, scaling: AxisScale) -> Self {
        let wanted = exports.outputs().next().is_some();
        let streamed = exports.outputs().any(|output| output.kind() == OutputKind::Pipe);
        let curves = exports.show_curves() || kept;
        let books = Mutex::new(ExporterState { exports, summary: SolveSummary::new(scaling) });
        Self { books, wanted, streamed, curves, draws: curves && !list }
    }

    /// Whether the run of a puzzle with this number is drawn, with its different boards.
    pub fn draws(&self, number: u32) -> bool {
        self.draws && number == 0
    }

    /// The history that a run begins with, if one is collected.
    pub fn history(&self, number: u32) -> Option<FitnessHistory> {
        let pieces = if self.draws(number) { FINE } else { COARSE };
        self.curves.then(|| FitnessHistory::new(pieces))
    }

    /// The curve of a run that has ended, which the report draws if it draws the run.
    pub fn curve(
        &self,
        run: &Run<'_>,
        number: u32,
        history: Option<FitnessHistory>,
    ) -> Vec<CurvePoint> {
        let points = history.map(FitnessHistory::finish).unwrap_or_default();
        let curve = points.iter().map(CurvePoint::from).collect();
        if self.draws(number) {
            self.books().summary.note_history(&run.space.puzzle.name, run.seed, points);
        }
        curve
    }

    /// Writes a run that has ended to all files. Returns the exports that failed for the first time.
    pub fn ended(
        &self,
        record: &RunRecord,
        board: BoardView,
        curve: Vec<CurvePoint>,
    ) -> Vec<OutputError> {
        let mut books = self.books();
        if books.exports.show_curves() {
            books.summary.note(record, board, curve);
        }
        books.write(ReportRow::Run(record), OutputKind::File)
    }

    /// Writes a puzzle that was not run to all files.
    pub fn not_run(&self, puzzle: &Puzzle) -> Vec<OutputError> {
        let mut books = self.books();
        books.summary.note_not_run(puzzle);
        books.write(ReportRow::NotRun(puzzle), OutputKind::File)
    }

    /// Writes a row of a run or puzzle that was printed.
    pub fn write(&self, row: ReportRow<'_>, to: OutputKind) -> Vec<OutputError> {
        self.books().write(row, to)
    }

    /// Completes all exports. Returns those that failed for the first time.
    pub fn finish(&self) -> Vec<OutputError> {
        let ExporterState { exports, summary } = &mut *self.books();
        exports.finish(&summary.report())
    }

    /// Whether a file is not as it should be.
    pub fn failed(&self) -> bool {
        self.books().exports.failed(None)
    }

    /// Nothing that panics is done under the lock.
    fn books(&self) -> MutexGuard<'_, ExporterState> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ExporterState {
    fn write(&mut self, row: ReportRow<'_>, to: OutputKind) -> Vec<OutputError> {
        self.exports.push(&self.summary.report(), row, to)
    }
}
