//! The golden runs on the GPU engine: the same files as the CPU engine's.

use evodoku::gpu_engine::Adapter;
use libtest_mimic::Trial;
use rayon::prelude::*;

use crate::adapter::{Outcome, trial};
use crate::golden::{Golden, blessing, files};
use crate::support::evodoku;

/// The tests of this file.
pub fn trials(adapter: &Result<Adapter, String>) -> Vec<Trial> {
    vec![trial("every_golden_run_with_a_twin_is_the_same_on_the_device", adapter, every_run)]
}

/// Several at once: what takes long is the drivers' compilation, which keeps one core busy.
fn every_run(adapter: &Adapter) -> Outcome {
    let engine = format!("--on gpu:{}", adapter.info.index);
    files().par_iter().try_for_each(|file| {
        let golden = Golden::read(file);
        if golden.twin {
            let found = golden.find(&engine);
            golden.check(file, found, blessing())
        } else {
            // What has no twin is refused by name.
            evodoku().args(golden.arguments(&engine)).assert().code(2);
            Ok(())
        }
    })?;
    Ok(())
}
