//! The attacks of the fuzzer on the inputs that are kept, and on what a few draws make of each.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use arbitrary::Unstructured;
use evodoku::random::{GenerationRng, StreamStage};

use crate::attacks::{ATTACKS, configurations, presolving};
use crate::support::{is_tested, root};

/// Inputs of an attack, by their names.
fn corpus(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = root().join("tests/attacks/corpus").join(name);
    let entries =
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut all: Vec<(PathBuf, Vec<u8>)> = entries
        .map(|entry| {
            let path = entry.unwrap().path();
            let bytes = fs::read(&path).unwrap();
            (path, bytes)
        })
        .collect();
    all.sort();
    all
}

/// The same input with a few bytes changed, left out, or doubled.
fn changed(input: &[u8], seed: u64) -> Vec<u8> {
    let mut draws = GenerationRng::new(seed, 0).draws(StreamStage::Mutate, 0);
    let mut bytes = input.to_vec();
    for _ in 0..1 + draws.below(4) {
        let at = draws.below(bytes.len().max(1) as u32) as usize;
        match draws.below(4) {
            0 if at < bytes.len() => bytes[at] = draws.below(256) as u8,
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 => bytes.truncate(at),
            _ => {
                let until = (at + 40).min(bytes.len());
                let part = bytes[at.min(until)..until].to_vec();
                bytes.splice(at.min(until)..at.min(until), part);
            }
        }
    }
    bytes
}

#[test]
fn what_is_promised_holds_for_all_inputs_that_are_kept() {
    for (name, attack) in ATTACKS {
        let inputs = corpus(name);
        assert!(!inputs.is_empty(), "{name} has none");
        for (path, input) in inputs {
            // The name of an input that fails is seen in the output of the test.
            println!("{}", path.display());
            attack(&input);
            (0..3).for_each(|seed| attack(&changed(&input, seed)));
        }
    }
}

/// Calls `compared` with random bytes, on all cores: `calls` times, or for an hour with `EVODOKU_TEST_LONG=1`.
/// Returns how many calls were made, and how many returned true.
fn count_compared(
    calls: u64,
    compared: impl Fn(&mut Unstructured) -> arbitrary::Result<bool> + Sync,
) -> [u64; 2] {
    let is_tested = is_tested(calls);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let counts = [const { AtomicU64::new(0) }; 2];
    // Not on threads of rayon: one that waits for a run would begin the next on its stack.
    std::thread::scope(|scope| {
        for first in 0..threads as u64 {
            let (counts, compared, is_tested) = (&counts, &compared, &is_tested);
            scope.spawn(move || {
                for seed in (first..).step_by(threads).take_while(is_tested) {
                    let mut draws = GenerationRng::new(seed, 1).draws(StreamStage::Mutate, 0);
                    let bytes: Vec<u8> = (0..400).map(|_| draws.below(256) as u8).collect();
                    let compared = compared(&mut Unstructured::new(&bytes));
                    counts[0].fetch_add(1, Ordering::Relaxed);
                    counts[1].fetch_add(u64::from(compared == Ok(true)), Ordering::Relaxed);
                }
            });
        }
    });
    let [calls, count] = counts.map(AtomicU64::into_inner);
    println!("{count} of {calls} were compared");
    [calls, count]
}

#[test]
fn runs_of_random_configurations_are_equal_however_they_are_carried_out() {
    let [calls, count] = count_compared(400, configurations::compared);
    assert!(count > calls / 3, "{count} of {calls}");
}

#[test]
fn a_second_exact_method_finds_the_same_solutions_of_random_boards() {
    let [calls, count] = count_compared(2_000, presolving::compared);
    assert!(count > calls / 2, "{count} of {calls}");
}
