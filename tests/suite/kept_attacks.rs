//! The attacks of the fuzzer on the inputs that are kept, and on what a few draws make of each.

use std::fs;
use std::path::PathBuf;

use evodoku::random::{GenerationRng, StreamStage};

use crate::attacks::ATTACKS;
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
