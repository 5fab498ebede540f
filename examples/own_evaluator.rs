//! A custom evaluator, with another objective than the number of duplicates.
//!
//! It counts the rows, columns and boxes that are not complete: of two boards with equally many duplicates,
//! the one with the duplicates in fewer units is better. A solved board scores 0, as with duplicates.
//!
//! ```text
//! $ cargo run --profile bench --example own_evaluator
//! ```

use std::collections::VecDeque;
use std::error::Error;
use std::ops::Range;

use evodoku::board::Geometry;
use evodoku::fitness::{Evaluator, EvaluatorError, PhaseTimes, ScoredChunk};
use evodoku::{Backend, Preset, Solver, format};

/// Scores a board by the number of its units that are not complete.
struct IncompleteUnits {
    geometry: Geometry,
    /// Chunks that wait to be collected, and the scores of the last chunk that was collected.
    waiting: VecDeque<(Range<usize>, Vec<u16>)>,
    collected: Vec<u16>,
}

impl IncompleteUnits {
    fn boxed(geometry: Geometry) -> Box<dyn Evaluator> {
        Box::new(Self { geometry, waiting: VecDeque::new(), collected: Vec::new() })
    }

    fn score_board(&self, board: &[u8]) -> u16 {
        let all = self.geometry.all_values();
        let is_incomplete = |unit: &evodoku::board::Unit| {
            let cells = self.geometry.unit_cells(*unit);
            let values = cells.map(|cell| 1u64.checked_shl(u32::from(board[cell]) - 1));
            values.fold(0, |set, value| set | value.unwrap_or(0)) != all
        };
        self.geometry.units().filter(is_incomplete).count() as u16
    }
}

impl Evaluator for IncompleteUnits {
    fn geometry(&self) -> Geometry {
        self.geometry
    }

    fn chunk_len(&self) -> usize {
        4_096
    }

    fn submit(&mut self, range: Range<usize>, boards: &[u8]) -> Result<(), EvaluatorError> {
        let boards = boards.chunks_exact(self.geometry.stride());
        let scores = boards.map(|board| self.score_board(board)).collect();
        self.waiting.push_back((range, scores));
        Ok(())
    }

    fn collect(&mut self) -> Result<ScoredChunk<'_>, EvaluatorError> {
        let (range, scores) = self.waiting.pop_front().ok_or(EvaluatorError::Nothing)?;
        self.collected = scores;
        Ok(ScoredChunk { range, scores: &self.collected, times: PhaseTimes::default() })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", table()?);
    Ok(())
}

/// Returns one line for each objective: generations until the puzzle is solved.
fn table() -> Result<String, Box<dyn Error>> {
    let puzzle = format::load("001-easy-03", None)?.puzzle;
    let mut lines = vec!["objective     generations".to_owned()];
    let spoilt = Backend::custom("spoilt units", IncompleteUnits::boxed);
    for (name, backend) in [("duplicates", Backend::cpu()), ("spoilt units", spoilt)] {
        let solver = Solver::new(Preset::Boxes).on(backend).population(5_000).seed(1);
        let outcome = solver.solve(&puzzle)?.outcome;
        let generations = outcome.solved().then(|| outcome.generations.to_string());
        lines.push(format!("{name:<13} {:>11}", generations.unwrap_or("-".to_owned())));
    }
    Ok(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn both_objectives_solve_the_puzzle() {
        let table = super::table().unwrap();
        assert!(table.lines().count() == 3 && !table.contains('-'), "{table}");
    }
}
