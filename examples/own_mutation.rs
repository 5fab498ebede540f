//! A custom mutation compared with one of the crate: it exchanges a blank that is in conflict.
//!
//! The genetic algorithm of document 001 (preset `boxes`) keeps each box a permutation of its missing digits; its
//! mutation `exchange` exchanges the values of any two blanks of a box. The custom mutation draws three blanks of the
//! box, takes the one whose value is repeated most often in its row and column, and exchanges it with a random blank of
//! the box. Both have the same rate, seeds and budget.
//!
//! ```text
//! $ cargo run --profile bench --example own_mutation
//! mutation            solved  median generations
//! exchange             25/30                1060
//! exchange-conflict    28/30                 486
//! ```
//!
//! A run without a solution counts as longer than any with one.

use std::error::Error;
use std::ops::Range;

use evodoku::board::SearchSpace;
use evodoku::ga::mutation::MutationOperator;
use evodoku::ga::{BuildContext, ConfigError, CustomOperators, Overrides};
use evodoku::random::Draws;
use evodoku::{Preset, Solver, format};
use rand::RngExt;

const PUZZLE: &str = "002-sample";
const POPULATION: u32 = 500;
const MAX_GENERATIONS: u32 = 2_000;
const RATE: f64 = 0.25;
/// Blanks of which the one with the most conflicts is exchanged.
const DRAWN: usize = 3;

/// Exchanges the values of two blanks of a box, of which one is likely to be in conflict.
#[derive(Clone, Default)]
struct ExchangeConflict {
    side: usize,
    /// The blanks of each box that has two or more.
    boxes: Vec<Vec<usize>>,
    /// The values that each cell may hold, value `v` as bit `v - 1`.
    candidates: Vec<u64>,
}

impl ExchangeConflict {
    /// Returns how often the value of a cell is repeated in its row and column.
    fn conflicts(&self, board: &[u8], cell: usize) -> usize {
        let (row, column) = (cell / self.side, cell % self.side);
        let row = (0..self.side).map(|i| row * self.side + i);
        let column = (0..self.side).map(|i| i * self.side + column);
        row.chain(column).filter(|peer| *peer != cell && board[*peer] == board[cell]).count()
    }

    fn may_hold(&self, cell: usize, value: u8) -> bool {
        self.candidates[cell] >> (value - 1) & 1 == 1
    }
}

impl MutationOperator for ExchangeConflict {
    fn mutate(&self, child: &mut [u8], draws: &mut Draws) {
        if self.boxes.is_empty() || !draws.random_bool(RATE) {
            return;
        }
        let blanks = &self.boxes[draws.random_range(0..self.boxes.len())];
        let drawn = [(); DRAWN].map(|()| blanks[draws.random_range(0..blanks.len())]);
        let Some(a) = drawn.into_iter().max_by_key(|cell| self.conflicts(child, *cell)) else {
            return;
        };
        let b = blanks[draws.random_range(0..blanks.len())];
        // After presolve a blank may not hold every value.
        if self.may_hold(a, child[b]) && self.may_hold(b, child[a]) {
            child.swap(a, b);
        }
    }

    fn name(&self) -> &str {
        "exchange-conflict"
    }

    fn prepare(&mut self, context: &BuildContext) -> Result<(), ConfigError> {
        context.require_units(self.name())?;
        let SearchSpace { candidates, .. } = context.space;
        self.side = context.space.geometry().side();
        self.candidates.clone_from(candidates);
        let boxes = context.groups.iter().filter(|group| group.blanks.len() > 1);
        self.boxes = boxes.map(|group| group.blanks.clone()).collect();
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", table(1..31)?);
    Ok(())
}

/// Returns one line for each mutation, with the runs of these seeds.
fn table(seeds: Range<u64>) -> Result<String, Box<dyn Error>> {
    let budget = Overrides { max_generations: Some(MAX_GENERATIONS), ..Overrides::default() };
    let solver = || Solver::new(Preset::Boxes).population(POPULATION).set(budget.clone());
    let mutation = Some(Box::<ExchangeConflict>::default() as _);
    let own = solver().operators(CustomOperators { mutation, ..CustomOperators::default() });
    let lines = [
        format!("{:<18} {:>7} {:>19}", "mutation", "solved", "median generations"),
        line("exchange", solver(), seeds.clone())?,
        line("exchange-conflict", own, seeds)?,
    ];
    Ok(lines.join("\n"))
}

/// Returns how many seeds solve the puzzle, and the median number of generations.
fn line(name: &str, mut solver: Solver, seeds: Range<u64>) -> Result<String, Box<dyn Error>> {
    let puzzle = format::load(PUZZLE, None)?.puzzle;
    let mut generations = Vec::new();
    for seed in seeds {
        solver = solver.seed(seed);
        let outcome = solver.solve(&puzzle)?.outcome;
        generations.push(outcome.solved().then_some(outcome.generations));
    }
    let solved = format!("{}/{}", generations.iter().flatten().count(), generations.len());
    generations.sort_by_key(|count| count.unwrap_or(u32::MAX));
    let median = generations[generations.len() / 2].map_or("-".to_owned(), |it| it.to_string());
    Ok(format!("{name:<18} {solved:>7} {median:>19}"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn both_solve_the_puzzle_with_most_seeds() {
        let table = super::table(1..6).unwrap();
        let solved = |line: &str| line.split_whitespace().nth(1).unwrap().to_owned();
        let solved: Vec<String> = table.lines().skip(1).map(solved).collect();
        assert_eq!(solved, ["4/5", "5/5"], "{table}");
    }
}
