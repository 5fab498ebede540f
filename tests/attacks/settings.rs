//! Any text as a file of parameters: what is taken is written and read again as the same, and what
//! passes the checks runs.

use std::sync::atomic::AtomicBool;

use evodoku::board::{Geometry, Presolve, Puzzle, SearchSpace, presolve};
use evodoku::fitness::{CpuEvaluator, Pipeline};
use evodoku::ga::{Config, Overrides, Preset, Run, RunSettings};

/// Bounds within which a run is over at once.
const SMALL: &str = "population=12 max_generations=3 max_work=5000 time_limit=1";

pub fn attack(data: &[u8]) {
    let Some((preset, text)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let Ok(set) = toml::from_str::<Overrides>(text) else { return };
    let again = set.to_string().split_whitespace().fold(Overrides::default(), |mut all, word| {
        all.merge(&word.parse().unwrap_or_else(|error| panic!("{error}: {word}")));
        all
    });
    assert_eq!(again, set, "{set}");

    let preset = Preset::ALL[usize::from(*preset) % Preset::ALL.len()];
    let puzzle = Puzzle::blank(Geometry::new(2, 2).expect("it is a shape"));
    let space = presolve(&puzzle, Presolve::None).expect("a blank board is solvable");
    let mut settings = RunSettings { preset, overrides: set };
    for word in SMALL.split(' ') {
        settings.overrides.merge(&word.parse().expect("they are parameters"));
    }
    let Ok(config) = settings.config(&space) else { return };
    evolve(&space, &config);
}

/// Whatever the checks let through runs or is refused.
fn evolve(space: &SearchSpace, config: &Config) {
    let interrupted = AtomicBool::new(false);
    let mut pipeline = Pipeline::new(Box::new(CpuEvaluator::new(space.geometry(), None)));
    let run = Run::new(space, config, 1, &interrupted);
    if let Err(error) = run.execute(&mut pipeline, &mut ()) {
        assert!(!error.to_string().is_empty());
    }
}
