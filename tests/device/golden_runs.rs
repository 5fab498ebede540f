//! The golden runs on the GPU engine: the same files as the CPU engine's.

use std::path::PathBuf;

use arbitrary::Unstructured;
use evodoku::Backend;
use evodoku::ga::{Config, Parameter};
use evodoku::gpu_engine::{Adapter, Device};
use evodoku::random::{GenerationRng, StreamStage};
use libtest_mimic::Trial;
use predicates::str::contains;
use rayon::prelude::*;

use crate::adapter::{Outcome, trial};
use crate::attacks::configurations::RandomRun;
use crate::golden::{Golden, blessing, files};
use crate::support::{evodoku, is_tested};

/// The tests of this file.
pub fn trials(adapter: &Result<Adapter, String>) -> Vec<Trial> {
    vec![
        trial("every_golden_run_with_a_twin_is_the_same_on_the_device", adapter, every_run),
        trial("the_smallest_island_is_checked_on_the_device", adapter, smallest_island),
        trial("runs_of_random_configurations_are_the_same_on_the_device", adapter, random),
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
            let refused = evodoku().args(golden.arguments(&engine)).assert().code(2);
            refused.stderr(contains("the GPU engine does not support "));
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

/// Compares runs of random configurations with those of the CPU: 60 of them, or with `EVODOKU_TEST_LONG=1` as many
/// as an hour allows.
fn random(adapter: &Adapter) -> Outcome {
    let device = Device::open(adapter)?;
    let (mut runs, mut drawn) = (0, 0);
    for seed in (0..).take_while(is_tested(60)) {
        drawn += 1;
        let mut draws = GenerationRng::new(seed, 2).draws(StreamStage::Mutate, 0);
        let bytes: Vec<u8> = (0..400).map(|_| draws.below(256) as u8).collect();
        let Ok(Some(run)) = RandomRun::draw(&mut Unstructured::new(&bytes)) else { continue };
        let found = run.evolve(Backend::gpu_on(&device)?, 2);
        // What has no twin is refused before the first generation.
        if found.0.as_ref().is_err_and(|error| error.contains("the GPU engine does not support ")) {
            continue;
        }
        let expected = run.evolve(Backend::cpu(), 2);
        assert_eq!(found, expected, "seed {seed}: {run:?}");
        runs += 1;
    }
    println!("{runs} of {drawn} configurations were compared");
    assert!(runs > drawn / 8, "{runs} of {drawn}");
    Ok(())
}

/// Of 23 individuals the last of five islands has four, too few for tournaments of five.
fn smallest_island(adapter: &Adapter) -> Outcome {
    let sentence = "tournament is 5, but the population has only 4 individuals";
    for on in ["cpu".to_owned(), format!("gpu:{}", adapter.info.index)] {
        let mut command = evodoku();
        command.args(["solve", "003-6x6", "--preset=rows-tournament", "--population=23"]);
        command.args(["--set=islands=5", "--seed=1", &format!("--on={on}")]);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(sentence), "{on}: {said}");
    }
    Ok(())
}
