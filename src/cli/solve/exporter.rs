//! The exports of `solve`: each run is on disk when it ends, in whatever order.
//!
//! A run that is still to start may take hours; runs that ended, and wait to be printed after it, are not lost
//! when the process is killed. A pipe or a device is read as it comes: it gets runs in the order of the input, after
//! they were printed.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::board::Puzzle;
use crate::ga::{GenerationReport, Observer, Run};
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
    /// Whether there are any, and any that are no file.
    wanted: bool,
    streamed: bool,
    /// Whether it is to be known how runs went, and whether the first of them is drawn.
    curves: bool,
    draws: bool,
}

/// Collects how a run goes.
pub struct HistoryObserver {
    course: FitnessHistory,
    /// Whether it is drawn, with its different boards.
    drawn: bool,
}

impl HistoryObserver {
    /// How the run went so far.
    pub fn course(&self) -> &FitnessHistory {
        &self.course
    }

    /// The same for a run that resumes, with the history until then.
    pub fn after(self, course: Option<FitnessHistory>) -> Self {
        Self { course: course.unwrap_or(self.course), ..self }
    }
}

impl Observer for HistoryObserver {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        self.course.note(report);
        ControlFlow::Continue(())
    }

    fn wants_distinct(&self) -> bool {
        self.drawn
    }
}

struct ExporterState {
    exports: ExportSet,
    /// The summary of all runs that are written.
    summary: SolveSummary,
}

impl RunExporter {
    /// Nothing is written yet; axes of generations are divided so. Of a `list` it is not drawn how
    /// a run went. With checkpoints (`kept`) the history is collected in any case.
    pub fn new(exports: ExportSet, list: bool, kept: bool, scaling: AxisScale) -> Self {
        let wanted = exports.outputs().next().is_some();
        let streamed = exports.outputs().any(|output| output.kind() == OutputKind::Pipe);
        let curves = exports.show_curves() || kept;
        let books = Mutex::new(ExporterState { exports, summary: SolveSummary::new(scaling) });
        Self { books, wanted, streamed, curves, draws: curves && !list }
    }

    /// Who collects how a run goes, the first of its puzzle or not, if that is to be known.
    pub fn watched(&self, first: bool) -> Option<HistoryObserver> {
        let drawn = self.draws && first;
        let pieces = if drawn { FINE } else { COARSE };
        self.curves.then(|| HistoryObserver { course: FitnessHistory::new(pieces), drawn })
    }

    /// Takes in how a run went, and gives its curve.
    pub fn went(&self, run: &Run<'_>, watched: Option<HistoryObserver>) -> Vec<CurvePoint> {
        let Some(HistoryObserver { course, drawn }) = watched else { return Vec::new() };
        let moments = course.finish();
        let curve = moments.iter().map(CurvePoint::from).collect();
        if drawn {
            self.books().summary.note_history(&run.space.puzzle.name, run.seed, moments);
        }
        curve
    }

    /// Whether anything is exported.
    pub fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// Whether anything is exported that is no file.
    pub fn is_streamed(&self) -> bool {
        self.streamed
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
