//! Any text as a spec of a tuning, and any as its journal: it is planned twice alike or refused, samples
//! its first candidates, and a tuning that its journal lets through leaves one over which it is the same
//! again.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use evodoku::Backend;
use evodoku::internals::{ExistingOutput, Resources, TuneError, TuneSpec, Tuned, Tuning};
use tempfile::tempdir;

use super::recordings::sealed;

/// What the journals in the corpus are of.
const SPEC: &str = "method = 'boxes'\ntraining = ['003-4x4']\nvalidation = ['003-puzzle4']\nbudget = 24\n\
                    validation_seeds = 1\nfirst_test = 2\n[parameters]\npresolve = 'none'\nmax_work = 60\n\
                    max_generations = 0\npopulation = 12\nmutation_rate = { from = 0.05, to = 1.0 }\n\
                    restart_after = [0, 2]\n";
/// Puzzles, their side and cells, and candidates with which a spec is over at once.
const MOST: (usize, usize, u64) = (6, 9, 5_000);

pub fn attack(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    // A journal stands behind a line that is an `=`.
    match text.split_once("\n=\n") {
        Some((_, journal)) => resumed(journal),
        None => specified(&text),
    }
}

fn specified(text: &str) {
    // Beside the spec there is nothing, so that no file is read but those that are shipped.
    let read = || TuneSpec::from_toml(text, Path::new("/nowhere/attack.toml"));
    let spec = match read() {
        Ok(spec) => spec,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    assert_eq!(read().expect("it was taken"), spec);
    let puzzles: usize = spec.puzzles.blocks.iter().map(|block| block.puzzles.len()).sum();
    let all = spec.puzzles.blocks.iter().flat_map(|block| &block.puzzles);
    let largest = all.map(|puzzle| puzzle.value.geometry.side()).max().unwrap_or(0);
    if puzzles > MOST.0 || largest > MOST.1 {
        return;
    }
    let tunings = (Tuning::new(spec.clone()), Tuning::new(spec.clone()));
    let tuning = match tunings {
        (Ok(tuning), Ok(again)) => {
            assert_eq!(tuning.plan.fingerprint, again.plan.fingerprint);
            tuning
        }
        (Err(error), Err(again)) => return assert_eq!(error.to_string(), again.to_string()),
        _ => panic!("a tuning is planned or refused, the same each time"),
    };
    // It is told to end before the first run: what is sampled is.
    if spec.budget.runs.is_some_and(|runs| runs <= MOST.2) {
        let tuned = tuned(&tuning, None, true);
        assert!(matches!(tuned, Ok(None) | Err(TuneError::Interrupted)), "{tuned:?}");
    }
}

fn resumed(journal: &str) {
    let spec = TuneSpec::from_toml(SPEC, Path::new("attack.toml")).expect("it is a spec");
    let tuning = Tuning::new(spec).expect("it can be planned");
    let folder = tempdir().expect("there is room");
    let path = folder.path().join("journal");
    for journal in [journal.as_bytes().to_vec(), sealed(journal.as_bytes())] {
        fs::write(&path, &journal).expect("there is room");
        match tuned(&tuning, Some(&path), false) {
            Err(error) => assert!(!error.to_string().is_empty()),
            Ok(first) => {
                let left = fs::read(&path).expect("it is there");
                let again = tuned(&tuning, Some(&path), false);
                let again = again.unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(found(&again), found(&first));
                assert_eq!(fs::read(&path).expect("it is there"), left, "a run was done again");
            }
        }
    }
}

/// Tunes.
fn tuned(tuning: &Tuning, journal: Option<&Path>, ends: bool) -> Result<Option<Tuned>, TuneError> {
    let (backend, interrupted) = (Backend::cpu(), AtomicBool::new(ends));
    let means = Resources { backend: &backend, jobs: 1, threads: 1, interrupted: &interrupted };
    tuning.run(&means, journal, ExistingOutput::Resume, &|_| ())
}

/// What a tuning found.
fn found(tuned: &Option<Tuned>) -> Option<String> {
    let Tuned { iterations, number, settings, values, validated, gain, .. } = tuned.as_ref()?;
    Some(format!("{iterations:?} {number} {settings:?} {values:?} {validated:?} {gain:?}"))
}
