//! Solves a puzzle with the algorithm for huge populations, on a GPU if there is one.
//!
//! ```text
//! $ cargo run --release --example solve
//! ```

use std::error::Error;

use evodoku::{Backend, Preset, Solver, format};

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", solved(Backend::auto())?);
    Ok(())
}

/// Returns the solved board and the cost of the run.
fn solved(backend: Backend) -> Result<String, Box<dyn Error>> {
    let puzzle = format::load("001-easy-03", None)?.puzzle;
    let solver = Solver::new(Preset::Cellular).on(backend).population(10_000).seed(1);
    let outcome = solver.solve(&puzzle)?.outcome;
    let grid = format::grid(puzzle.geometry, &outcome.board);
    Ok(format!(
        "{grid}\n{} generations, {} boards scored",
        outcome.generations, outcome.evaluations
    ))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_board_is_solved() {
        let text = super::solved(evodoku::Backend::cpu()).unwrap();
        let digits = text.lines().take_while(|line| !line.contains("generations"));
        assert_eq!(digits.flat_map(str::chars).filter(char::is_ascii_digit).count(), 81, "{text}");
    }
}
