//! The golden runs on the GPU engine: the same files as the CPU engine's.

use std::path::PathBuf;

use evodoku::ga::{Config, Parameter};
use evodoku::gpu_engine::Adapter;
use libtest_mimic::Trial;
use rayon::prelude::*;

use crate::adapter::{Outcome, trial};
use crate::golden::{Golden, blessing, files};
use crate::support::evodoku;

/// The tests of this file.
pub fn trials(adapter: &Result<Adapter, String>) -> Vec<Trial> {
    vec![
        trial("every_golden_run_with_a_twin_is_the_same_on_the_device", adapter, every_run),
        trial("a_parameter_that_does_not_apply_changes_nothing_on_the_device", adapter, idle),
    ]
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

/// Sets all parameters that do not apply in a golden run to other values.
fn idle(adapter: &Adapter) -> Outcome {
    let engine = format!("--on gpu:{}", adapter.info.index);
    let is_usual = |file: &&PathBuf| file.to_string_lossy().ends_with("-9x9.toml");
    let files: Vec<PathBuf> = files().iter().filter(is_usual).cloned().collect();
    files.par_iter().try_for_each(|file| {
        let golden = Golden::read(file);
        if !golden.twin {
            return Ok(());
        }
        let config = golden.config("").unwrap();
        let idle = |parameter: &&Parameter| !(parameter.applies)(&config);
        let other = |parameter: &'static Parameter| {
            let (range, value) = ((parameter.range)(), (parameter.get)(&config));
            let mut words =
                range.split([' ', ',']).filter(|word| !["", "to", &value].contains(word));
            words.next_back().map(|other| (parameter, format!(" --set {}={other}", parameter.name)))
        };
        // Some are refused, and some decide about others, as topology does of selection.
        let stays_idle = |(parameter, set): &(&Parameter, String)| {
            golden.config(set).is_some_and(|config| !(parameter.applies)(&config))
        };
        let idle = Config::PARAMETERS.iter().filter(idle).filter_map(other).filter(stays_idle);
        let set: String = idle.map(|(_, set)| set).collect();
        let found = golden.find(&format!("{engine}{set}"));
        golden.check(file, found, false).map_err(|error| format!("{set}: {error}"))
    })?;
    Ok(())
}
