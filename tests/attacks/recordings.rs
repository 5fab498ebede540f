//! Any bytes as a recording: it is played as far as it is whole, or refused. Lines that are no
//! objects with a checksum get one, so that the fuzzer sees what lies behind it.

use std::fs;

use evodoku::internals::{append_checksum, read_recording};
use tempfile::tempdir;

pub fn attack(data: &[u8]) {
    let folder = tempdir().expect("there is room");
    let path = folder.path().join("attack.rec");
    for text in [data.to_vec(), sealed(data)] {
        fs::write(&path, &text).expect("there is room");
        match read_recording(&path) {
            Ok(recorded) => {
                let geometries = recorded.runs.iter().map(|run| run.puzzle.check());
                geometries.for_each(|checked| assert_eq!(checked, Ok(())));
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Each line that looks like an object, with its checksum.
pub fn sealed(data: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(data);
    let line = |line: &str| match line.len() > 2 && line.starts_with('{') && line.ends_with('}') {
        true => append_checksum(line.to_owned()) + "\n",
        false => line.to_owned() + "\n",
    };
    text.lines().map(line).collect::<String>().into_bytes()
}
