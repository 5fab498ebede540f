//! The integer program of a puzzle as text, in the LP format of CPLEX, which other solvers read.
//!
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
//! Source: document 004 of the project, which passes its program to PuLP.

use std::fmt::Write;

use crate::board::{BLANK, Puzzle};

/// Terms on one line: the format allows 255 characters in some readers.
const TERMS: usize = 16;

/// The program of a puzzle: an equation for each cell, for each value of each row, column and box, and for
/// each given.
pub fn linear_program(puzzle: &Puzzle) -> String {
    let (geometry, side) = (puzzle.geometry, puzzle.geometry.side());
    let name =
        |cell: usize, value: usize| format!("x_{}_{}_{value}", cell / side + 1, cell % side + 1);
    let mut text = format!(
        "\\ {}: boxes {geometry}\nMinimize\n obj: 0 {}\nSubject To\n",
        puzzle.name,
        name(0, 1)
    );
    for cell in 0..geometry.cells() {
        let (row, column) = (cell / side + 1, cell % side + 1);
        equation(
            &mut text,
            &format!("cell_{row}_{column}"),
            (1..=side).map(|value| name(cell, value)),
        );
    }
    for unit in geometry.units() {
        let unit_name = unit.to_string().replace(' ', "_");
        for value in 1..=side {
            let cells = geometry.unit_cells(unit).map(|cell| name(cell, value));
            equation(&mut text, &format!("{unit_name}_{value}"), cells);
        }
    }
    for (cell, value) in puzzle.givens.iter().enumerate().filter(|(_, value)| **value != BLANK) {
        let name = name(cell, usize::from(*value));
        equation(&mut text, &format!("given{}", &name[1..]), [name.clone()]);
    }
    text += "Binary\n";
    for cell in 0..geometry.cells() {
        for value in 1..=side {
            text += &format!(" {}\n", name(cell, value));
        }
    }
    text + "End\n"
}

/// States that exactly one of the variables is 1.
fn equation(text: &mut String, name: &str, variables: impl IntoIterator<Item = String>) {
    // Writing to a string does not fail.
    let _ = write!(text, " {name}:");
    for (at, variable) in variables.into_iter().enumerate() {
        let sign = if at == 0 { "" } else { " +" };
        let _ = write!(
            text,
            "{sign}{}{variable}",
            if at > 0 && at % TERMS == 0 { "\n  " } else { " " }
        );
    }
    *text += " = 1\n";
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::exact::{Backtracking, GuessBudget};
    use crate::format;

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
            let puzzle = format::load(name, None).unwrap().puzzle;
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
