//! A row for each run of a list of puzzles, as CSV, written as runs finish.

use std::fs::File;
use std::io;

use csv::Writer;

use super::{OutputError, OutputFile};
use crate::board::Puzzle;
use crate::evolve::Outcome;
use crate::format::line;

const COLUMNS: [&str; 7] =
    ["puzzle", "solved", "generations", "evaluations", "moves", "seconds", "solution"];

/// Writes rows to a file, which it first touches when there is something to write.
#[derive(Debug)]
pub struct PuzzleRows {
    output: OutputFile,
    writer: Option<Writer<File>>,
}

impl PuzzleRows {
    /// Rows that will be written to `output`.
    pub fn new(output: OutputFile) -> Self {
        Self { output, writer: None }
    }

    /// Writes the row of a run: puzzle and solution on one line each.
    ///
    /// # Errors
    /// [`OutputError`] when it cannot be written.
    pub fn push(&mut self, puzzle: &Puzzle, outcome: &Outcome) -> Result<(), OutputError> {
        let geometry = puzzle.geometry;
        let solution = outcome.solved().then(|| line(geometry, &outcome.board));
        self.write([
            line(geometry, &puzzle.givens),
            outcome.solved().to_string(),
            outcome.generations.to_string(),
            outcome.evaluations.to_string(),
            outcome.moves.to_string(),
            format!("{:.6}", outcome.elapsed.as_secs_f64()),
            solution.unwrap_or_default(),
        ])
    }

    /// Writes the row of a puzzle that was not run, because it has no solution or the run failed.
    ///
    /// # Errors
    /// [`OutputError`] when it cannot be written.
    pub fn push_failed(&mut self, puzzle: &Puzzle) -> Result<(), OutputError> {
        let mut row: [String; COLUMNS.len()] = Default::default();
        row[0] = line(puzzle.geometry, &puzzle.givens);
        row[1] = false.to_string();
        self.write(row)
    }

    /// Writes the names of the columns, if nothing was written.
    ///
    /// # Errors
    /// [`OutputError`] when they cannot be written.
    pub fn finish(mut self) -> Result<(), OutputError> {
        self.opened().map(drop)
    }

    fn write(&mut self, row: [String; COLUMNS.len()]) -> Result<(), OutputError> {
        let writer = self.opened()?;
        let written = writer.write_record(&row).map_err(io::Error::from);
        written.and_then(|()| writer.flush()).map_err(|error| self.output.error(error))
    }

    fn opened(&mut self) -> Result<&mut Writer<File>, OutputError> {
        let open = match self.writer.take() {
            Some(writer) => writer,
            None => {
                let mut writer = Writer::from_writer(self.output.create()?);
                let written = writer.write_record(COLUMNS).map_err(io::Error::from);
                let written = written.and_then(|()| writer.flush());
                written.map_err(|error| self.output.error(error))?;
                writer
            }
        };
        Ok(self.writer.insert(open))
    }
}
