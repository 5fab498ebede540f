//! `auto`: the engines of a machine, tried in one run, and what it refuses.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use evodoku::ga::{Preset, Run};
use evodoku::gpu_engine::{Adapter, Device};
use evodoku::internals::PipelineCache;
use evodoku::{Backend, Solver};
use libtest_mimic::Trial;

use crate::adapter::{Outcome as Tested, trial};
use crate::engines::{Recorder, on_cpu, puzzle, witness};
use crate::support::evodoku;

/// The tests of this file.
pub fn trials(adapter: &Result<Adapter, String>) -> Vec<Trial> {
    let kernels = adapter.clone().and_then(|adapter| {
        let device = Device::open(&adapter).map_err(|error| error.to_string())?;
        Ok(Arc::new(PipelineCache::new(&device).map_err(|error| error.to_string())?))
    });
    let null = devices(NULL_DRIVER);
    let without_null = null == devices(&[]);
    vec![
        trial("engines_that_are_tried_make_no_other_run", &kernels, tried),
        trial("few_children_stay_on_the_cpu", &kernels, few),
        Trial::test("a_driver_that_carries_nothing_out_is_not_taken", move || not_taken(&null))
            .with_ignored_flag(without_null),
    ]
}

/// Makes Mesa's RADV, where it is installed, show a card that is not there.
const NULL_DRIVER: &[(&str, &str)] = &[("RADV_FORCE_FAMILY", "navi21")];

/// What `evodoku devices` prints.
fn devices(environment: &[(&str, &str)]) -> String {
    let mut command = evodoku();
    let output = command.arg("devices").envs(environment.iter().copied()).output();
    output.map_or_else(
        |error| error.to_string(),
        |output| String::from_utf8_lossy(&output.stdout).into_owned(),
    )
}

/// The run on `auto` with that device, checked against the CPU; returns what was told.
fn told(
    kernels: &PipelineCache,
    preset: Preset,
    settings: &str,
) -> Result<Vec<String>, libtest_mimic::Failed> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&lines);
    let backend = Backend::auto_on(&kernels.device)?.on_decision(move |line| {
        if let Ok(mut lines) = listener.lock() {
            lines.push(line.to_owned());
        }
    });
    let mut solver = Solver::new(preset).on(backend).seed(7);
    for setting in settings.split_whitespace() {
        solver = solver.set(setting.parse()?);
    }
    let mut recorder = Recorder::default();
    let result = solver.solve_with(&puzzle("easter-monster")?, &mut recorder)?;
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&result.space, &result.config, 7, &interrupted);
    let found = witness(result.outcome, recorder);
    assert_eq!(found, on_cpu(&run)?, "{preset} {settings}");
    let lines = lines.lock().map_err(|error| error.to_string())?;
    Ok(lines.clone())
}

/// How many times a line has: `28 µs`, `1.2 ms`.
fn times(line: &str) -> usize {
    line.split_whitespace().filter(|word| ["µs", "ms"].contains(&word.trim_matches(';'))).count()
}

fn tried(kernels: &Arc<PipelineCache>) -> Tested {
    // Three trials of at most 80 generations and a first leg each.
    let lines =
        told(kernels, Preset::Boxes, "population=300 max_generations=250 restart_after=20")?;
    let [line] = &lines[..] else { panic!("{lines:?}") };
    let name = &kernels.device.adapter().name;
    assert!(line.starts_with("auto continues with "), "{line}");
    assert_eq!(times(line), 3, "{line}");
    assert!(line.contains(&format!("scored on {name}")), "{line}");

    let lines = told(kernels, Preset::RowsPmx, "population=300 max_generations=200")?;
    assert!(lines[0].starts_with(&format!("auto does not try {name}: ")), "{lines:?}");
    assert_eq!(times(&lines[1]), 2, "{lines:?}");
    Ok(())
}

fn few(kernels: &Arc<PipelineCache>) -> Tested {
    let lines = told(kernels, Preset::Memetic, "population=333 offspring=8 max_generations=30")?;
    assert_eq!(lines, [""; 0]);
    Ok(())
}

fn not_taken(devices: &str) -> Tested {
    assert!(devices.contains("auto uses the CPU: "), "{devices}");
    Ok(())
}
