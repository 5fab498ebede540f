//! Document 004's integer program: one binary variable for each cell and value.
//!
//! `x[r][c][v] = 1` says that row r, column c holds v. Four families of equations, each with one
//! equation for each unit and value (or each cell): every cell holds one value, and every row, column and box
//! holds each value once. A given is the equation `x = 1`. There is nothing to minimise. On 9x9
//! these are 729 variables and 324 equations, as in Bartlett, Chartier, Langville & Rankin, *An
//! integer programming model for the Sudoku problem*, Journal of Online Mathematics and its
//! Applications 8, 2008.
//!
//! [`linear_program`] writes it as text in the LP format of CPLEX, which other solvers read.
//! Variable `x_r_c_v` is 1 if row r, column c holds v. The name of each equation says what it states.
//!
//! ```text
//! Minimize
//!  obj: 0 x_1_1_1
//! Subject To
//!  cell_1_1: x_1_1_1 + x_1_1_2 + x_1_1_3 + x_1_1_4 = 1
//!  ...
//! Binary
//!  x_1_1_1
//!  ...
//! End
//! ```
//!
//! The document passes its program to PuLP; `microlp.rs` solves it here.

use std::fmt::Write;

use crate::board::{BLANK, Puzzle};

/// Terms on one line: the format allows 255 characters in some readers.
const TERMS: usize = 16;

/// The equations, one for each cell, for each value of each row, column and box, and for each given: the name, and
/// the cells (from 0) and values (from 1) of the variables of which exactly one is 1.
pub(super) fn equations(
    puzzle: &Puzzle,
) -> impl Iterator<Item = (String, Vec<(usize, usize)>)> + '_ {
    let (geometry, side) = (puzzle.geometry, puzzle.geometry.side());
    let cells = (0..geometry.cells()).map(move |cell| {
        let name = format!("cell_{}_{}", cell / side + 1, cell % side + 1);
        (name, (1..=side).map(|value| (cell, value)).collect())
    });
    let units = geometry.units().flat_map(move |unit| {
        let name = unit.to_string().replace(' ', "_");
        (1..=side).map(move |value| {
            let cells = geometry.unit_cells(unit).map(|cell| (cell, value));
            (format!("{name}_{value}"), cells.collect())
        })
    });
    let givens = puzzle.givens.iter().map(|value| usize::from(*value)).enumerate();
    let givens = givens.filter(|(_, value)| *value != usize::from(BLANK));
    let givens = givens.map(move |(cell, value)| {
        (format!("given{}", &variable(side, cell, value)[1..]), vec![(cell, value)])
    });
    cells.chain(units).chain(givens)
}

/// The name of a variable.
fn variable(side: usize, cell: usize, value: usize) -> String {
    format!("x_{}_{}_{value}", cell / side + 1, cell % side + 1)
}

/// The program of a puzzle as text; it ends in a line feed.
pub fn linear_program(puzzle: &Puzzle) -> String {
    let (geometry, side) = (puzzle.geometry, puzzle.geometry.side());
    let mut text = format!("\\ {}: boxes {geometry}\nMinimize\n obj: 0 ", puzzle.name);
    text += &variable(side, 0, 1);
    text += "\nSubject To\n";
    for (name, variables) in equations(puzzle) {
        // Writing to a string does not fail.
        let _ = write!(text, " {name}:");
        for (at, (cell, value)) in variables.into_iter().enumerate() {
            let sign = if at == 0 { "" } else { " +" };
            let space = if at > 0 && at % TERMS == 0 { "\n  " } else { " " };
            let _ = write!(text, "{sign}{space}{}", variable(side, cell, value));
        }
        text += " = 1\n";
    }
    text += "Binary\n";
    for (cell, value) in (0..geometry.cells()).flat_map(|cell| (1..=side).map(move |v| (cell, v))) {
        let _ = writeln!(text, " {}", variable(side, cell, value));
    }
    text + "End\n"
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::exact::{Backtracking, GuessBudget};
    use crate::format::shipped;

    /// Equations by name, each a list of variables.
    fn equations(text: &str) -> HashMap<&str, Vec<&str>> {
        let body = text.split_once("Subject To\n").unwrap().1.split_once("Binary\n").unwrap().0;
        body.split_terminator(" = 1\n")
            .map(|equation| {
                let (name, sum) = equation.trim().split_once(':').unwrap();
                (name, sum.split('+').map(str::trim).collect())
            })
            .collect()
    }

    #[test]
    fn a_solution_satisfies_every_equation_and_another_board_does_not() {
        for (name, count) in
            [("003-6x6", 4 * 36), ("004-easy-02", 4 * 81), ("large-25-50", 4 * 625)]
        {
            let puzzle = shipped::puzzle(name);
            let text = linear_program(&puzzle);
            let equations = equations(&text);
            assert_eq!(equations.len(), count + puzzle.given_count(), "{name}");
            let side = puzzle.geometry.side();
            assert_eq!(text.split_once("Binary\n").unwrap().1.lines().count(), side.pow(3) + 1);
            assert!(text.lines().all(|line| line.len() <= 255), "{name}");
            let budget = GuessBudget { cap: 1, ..GuessBudget::default() };
            let found = Backtracking::new(puzzle.geometry).search(&puzzle.givens, &budget);
            let mut board = found.first.unwrap();
            let broken = |board: &[u8]| {
                let holds = |variable: &&str| {
                    let mut parts =
                        variable.split('_').skip(1).map(|part| part.parse::<usize>().unwrap());
                    let [row, column, value] = [(); 3].map(|()| parts.next().unwrap());
                    usize::from(board[(row - 1) * side + column - 1]) == value
                };
                let sum = |variables: &Vec<&str>| variables.iter().filter(|one| holds(one)).count();
                equations.values().filter(|variables| sum(variables) != 1).count()
            };
            assert_eq!(broken(&board), 0, "{name}");
            board[0] = board[0] % side as u8 + 1;
            assert!(broken(&board) >= 6, "{name}");
        }
    }
}
