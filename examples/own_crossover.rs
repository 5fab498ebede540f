//! A crossover of one's own beside one of the crate: rows from the parent in which they are better.
//!
//! Of each row the child takes what the parent has that repeats fewer values there, and of equals
//! either. The memetic algorithm keeps what both parents agree on and takes each other cell from
//! either (`agreement`). Both solve the same puzzle with a few seeds, with short searches, so that
//! it matters what children inherit.
//!
//! ```text
//! $ cargo run --release --example own_crossover
//! crossover      solved   median work
//! agreement         9/9       1789735
//! better-rows       9/9        992704
//! ```
//!
//! Work is boards scored plus neighbours priced.

use std::error::Error;
use std::sync::atomic::AtomicBool;

use evodoku::board::{SearchSpace, presolve};
use evodoku::evolve::crossover::{Crossover, CrossoverOperator};
use evodoku::evolve::{Config, ConfigError, Operators, Preset, Run, Setting, Settings};
use evodoku::format;
use evodoku::random::Draws;
use evodoku::score::{CpuEvaluator, Pipeline};
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

    fn prepare(&mut self, setting: &Setting) -> Result<(), ConfigError> {
        setting.require_cells(self.name())?;
        self.side = setting.space.geometry().side();
        Ok(())
    }
}

/// How many different values a row has.
fn different(row: &[u8]) -> u32 {
    row.iter().fold(0u64, |set, value| set | 1 << (value - 1)).count_ones()
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", table()?);
    Ok(())
}

/// One line for each crossover.
fn table() -> Result<String, Box<dyn Error>> {
    let puzzle = format::load(PUZZLE, None)?.puzzle;
    let settings = Settings::of(Preset::Memetic);
    let space = presolve(&puzzle, settings.presolve())?;
    let config =
        Config { crossover: Crossover::Agreement, tabu_steps: 500, ..settings.config(&space) };
    let own = Operators { crossover: Some(Box::<BetterRows>::default()), ..Operators::default() };
    let mut lines = vec![format!("{:<12} {:>8} {:>13}", "crossover", "solved", "median work")];
    for operators in [Operators::none(), &own] {
        let mut works = works(&space, &config, operators)?;
        let solved = format!("{}/{}", works.iter().flatten().count(), works.len());
        // A run without a solution is longer than any with one.
        works.sort_by_key(|work| work.unwrap_or(u64::MAX));
        let median = works[works.len() / 2].map_or("-".to_owned(), |work| work.to_string());
        let name = match operators.names().first() {
            Some(own) => own.name.clone(),
            None => config.crossover.to_string(),
        };
        lines.push(format!("{name:<12} {solved:>8} {median:>13}"));
    }
    Ok(lines.join("\n"))
}

/// The work of a run of each seed, if it solved the puzzle.
fn works(
    space: &SearchSpace,
    config: &Config,
    operators: &Operators,
) -> Result<Vec<Option<u64>>, Box<dyn Error>> {
    let work = |seed| {
        let interrupted = AtomicBool::new(false);
        let run = Run { operators, ..Run::new(space, config, seed, &interrupted) };
        let evaluator = CpuEvaluator::new(space.geometry(), None);
        let outcome = run.evolve(&mut Pipeline::new(Box::new(evaluator)), &mut ())?;
        Ok(outcome.solved().then(|| outcome.work()))
    };
    SEEDS.map(work).collect()
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
