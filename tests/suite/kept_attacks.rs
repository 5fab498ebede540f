//! The attacks of the fuzzer on the inputs that are kept, and on what a few draws make of each.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use arbitrary::Unstructured;
use evodoku::random::{GenerationRng, StreamStage};

use crate::attacks::{ATTACKS, configurations, presolving};
use crate::support::root;

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

/// Calls `compared` with random bytes, on all cores, and returns how many calls returned true.
fn count_compared(
    most: u64,
    compared: impl Fn(&mut Unstructured) -> arbitrary::Result<bool> + Sync,
) -> u64 {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let count = AtomicU64::new(0);
    // Not on threads of rayon: one that waits for a run would begin the next on its stack.
    std::thread::scope(|scope| {
        for first in 0..threads as u64 {
            let (count, compared) = (&count, &compared);
            scope.spawn(move || {
                for seed in (first..most).step_by(threads) {
                    let mut draws = GenerationRng::new(seed, 1).draws(StreamStage::Mutate, 0);
                    let bytes: Vec<u8> = (0..400).map(|_| draws.below(256) as u8).collect();
                    let compared = compared(&mut Unstructured::new(&bytes));
                    count.fetch_add(u64::from(compared == Ok(true)), Ordering::Relaxed);
                }
            });
        }
    });
    let count = count.into_inner();
    println!("{count} of {most} were compared");
    count
}

fn is_long() -> bool {
    std::env::var("EVODOKU_TEST_LONG").is_ok_and(|value| value == "1")
}

/// Draws of configurations: for some seconds, or for about an hour with `EVODOKU_TEST_LONG=1`.
#[test]
fn runs_of_random_configurations_are_equal_however_they_are_carried_out() {
    let most = if is_long() { 1_000_000 } else { 400 };
    let count = count_compared(most, configurations::compared);
    assert!(count > most / 3, "{count} of {most}");
}

/// Draws of boards: for less than a second, or for about twenty minutes with `EVODOKU_TEST_LONG=1`.
#[test]
fn a_second_exact_method_finds_the_same_solutions_of_random_boards() {
    let most = if is_long() { 10_000_000 } else { 2_000 };
    let count = count_compared(most, presolving::compared);
    assert!(count > most / 2, "{count} of {most}");
}
