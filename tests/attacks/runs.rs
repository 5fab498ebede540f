//! Any interruptions of a small run, against the same run undisturbed: engines that take turns, devices
//! that fail, a run that is stopped, interrupted in the middle of a generation or killed, and goes on from
//! its last checkpoint by way of a file, in any order.

mod disturbances;
pub mod mock_evaluator;
mod pieces;
pub mod switching;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use arbitrary::{Result, Unstructured};
use evodoku::board::{Presolve, presolve};
use evodoku::format;
use evodoku::ga::{Config, Outcome, Preset, Run};

use disturbances::Engines;
pub use disturbances::Rows;

pub fn attack(data: &[u8]) {
    let _ = disturbed(&mut Unstructured::new(data));
}

fn disturbed(bytes: &mut Unstructured<'_>) -> Result<()> {
    let puzzle = format::load(bytes.choose(&["003-4x4", "003-6x6", "easter-monster"])?, None)
        .expect("it is shipped")
        .puzzle;
    let space = presolve(&puzzle, Presolve::None).expect("it has a solution");
    let preset = *bytes.choose(Preset::ALL)?;
    let config = Config {
        population: bytes.int_in_range(1..=24)?,
        offspring: 4,
        islands: bytes.int_in_range(0..=3)?,
        restart_after: bytes.int_in_range(0..=4)?,
        migration_interval: bytes.int_in_range(0..=3)?,
        migrants: bytes.int_in_range(1..=2)?,
        max_generations: bytes.int_in_range(1..=12)?,
        max_work: 5_000,
        tabu_steps: 20,
        proposals: 200,
        eta_proposals: 100,
        ..Config::of(preset, &space)
    };
    let interrupted = Arc::new(AtomicBool::new(false));
    let run = Run::new(&space, &config, bytes.arbitrary()?, &interrupted);
    let mut alone = Rows::default();
    let expected = same(run.execute(&mut disturbances::cpu(&space), &mut alone));

    let mut engines = Engines::new(&space, bytes)?;
    let mut rows = Rows::default();
    assert_eq!(same(engines.evolve(&run, &mut rows)), expected);
    assert_eq!(rows, alone);

    let (outcome, rows) = pieces::evolve(&run, &interrupted, bytes)?;
    assert_eq!(same(outcome), expected);
    assert_eq!(rows, alone);
    Ok(())
}

/// What a run came to, times and faults aside.
pub fn same(
    ended: std::result::Result<Outcome, impl ToString>,
) -> std::result::Result<Outcome, String> {
    let (elapsed, making) = (Duration::ZERO, Duration::ZERO);
    ended
        .map(|outcome| Outcome { elapsed, making, fault: None, ..outcome })
        .map_err(|error| error.to_string())
}
