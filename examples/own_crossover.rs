//! A custom crossover compared with one of the crate: each row comes from the parent in which it is better.
//!
//! The child takes each row from the parent that repeats fewer values there, or from a random parent if both
//! repeat equally many. The memetic algorithm keeps what both parents agree on and takes each other cell from
//! either (`agreement`). Both solve the same puzzle with a few seeds, with short searches, so that
//! it matters what children inherit.
//!
//! ```text
//! $ cargo run --profile bench --example own_crossover
//! crossover      solved   median work
//! agreement         9/9       1025409
//! better-rows       9/9        526586
//! ```
//!
//! Work is boards scored plus moves evaluated.

use std::error::Error;

use evodoku::ga::crossover::CrossoverOperator;
use evodoku::ga::{BuildContext, ConfigError, CustomOperators, Overrides};
use evodoku::random::Draws;
use evodoku::{Preset, Solver, format};
use rand::RngExt;

const PUZZLE: &str = "easter-monster";
const SEEDS: std::ops::Range<u64> = 1..10;

/// Each row from the parent that has more different values there.
#[derive(Clone, Default)]
struct BetterRows {
    side: usize,
}

impl CrossoverOperator for BetterRows {
    fn cross(&self, [first, second]: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        child.copy_from_slice(first);
        let rows = child.chunks_exact_mut(self.side).zip(second.chunks_exact(self.side));
        for (row, other) in rows.take(self.side) {
            let (here, there) = (different(row), different(other));
            if there > here || there == here && draws.random_bool(0.5) {
                row.copy_from_slice(other);
            }
        }
    }

    fn name(&self) -> &str {
        "better-rows"
    }

    fn prepare(&mut self, setting: &BuildContext) -> Result<(), ConfigError> {
        setting.require_cells(self.name())?;
        self.side = setting.space.geometry().side();
        Ok(())
    }
}

/// Returns the number of distinct values in a row.
fn different(row: &[u8]) -> u32 {
    row.iter().fold(0u64, |set, value| set | 1 << (value - 1)).count_ones()
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", table()?);
    Ok(())
}

/// Returns one line for each crossover.
fn table() -> Result<String, Box<dyn Error>> {
    let short = Overrides { tabu_steps: Some(500), ..Overrides::default() };
    let solver = || Solver::new(Preset::Memetic).set(short.clone());
    let crossover = Some(Box::<BetterRows>::default() as _);
    let own = CustomOperators { crossover, ..CustomOperators::default() };
    let lines = [
        format!("{:<12} {:>8} {:>13}", "crossover", "solved", "median work"),
        line("agreement", solver())?,
        line("better-rows", solver().operators(own))?,
    ];
    Ok(lines.join("\n"))
}

/// Returns how many seeds solve the puzzle, and the median work.
fn line(name: &str, mut solver: Solver) -> Result<String, Box<dyn Error>> {
    let puzzle = format::load(PUZZLE, None)?.puzzle;
    let mut works = Vec::new();
    for seed in SEEDS {
        solver = solver.seed(seed);
        let outcome = solver.solve(&puzzle)?.outcome;
        works.push(outcome.solved().then(|| outcome.work()));
    }
    let solved = format!("{}/{}", works.iter().flatten().count(), works.len());
    // A run without a solution is longer than any with one.
    works.sort_by_key(|work| work.unwrap_or(u64::MAX));
    let median = works[works.len() / 2].map_or("-".to_owned(), |work| work.to_string());
    Ok(format!("{name:<12} {solved:>8} {median:>13}"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn both_solve_the_puzzle_with_every_seed() {
        let table = super::table().unwrap();
        let solved = |line: &str| line.split_whitespace().nth(1).unwrap().to_owned();
        let solved: Vec<String> = table.lines().skip(1).map(solved).collect();
        assert_eq!(solved, ["9/9", "9/9"], "{table}");
    }
}
