//! Other forms of the kernels that breed, measured: which is best only a card can tell. Nothing is asserted of
//! times; `scripts/measure-gpu` carries this out.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use evodoku::ga::{Preset, Run};
use evodoku::gpu_engine::{Adapter, AdapterInfo, AdapterKind, Device, Features, supported_presets};
use evodoku::internals::PipelineCache;
use libtest_mimic::Trial;

use crate::adapter::{Outcome, trial};
use crate::engines::{on_cpu, on_device, puzzle, with};

/// Generations of a short run and of a long one: what only the long one takes is breeding.
const GENERATIONS: [u32; 2] = [2, 7];
/// Workgroup memory that holds 32 children of 9x9 and not 64, and such that holds fewer than 32.
const HALF_MEMORY: u32 = 8 << 10;
const LITTLE_MEMORY: u32 = 4 << 10;

/// The tests of this file.
pub fn trials(adapter: &Result<Adapter, String>) -> Vec<Trial> {
    vec![
        trial("other_forms_of_kernels_are_the_same_run", adapter, equal),
        trial("other_forms_of_kernels_are_measured", adapter, measured).with_ignored_flag(true),
    ]
}

/// A form, and what an adapter is taken for so that its kernels have it.
type Form = (&'static str, fn(&mut AdapterInfo));

const FORMS: [Form; 5] = [
    ("as it is", |_| {}),
    ("products by halves", |info| info.features.remove(Features::SHADER_INT64)),
    ("as in a page", |info| info.features.remove(Features::SHADER_INT64 | Features::SUBGROUP)),
    ("32 children a workgroup", |info| {
        info.limits.max_compute_workgroup_storage_size = HALF_MEMORY;
    }),
    ("each thread copies its own boards", |info| {
        info.limits.max_compute_workgroup_storage_size = LITTLE_MEMORY;
    }),
];

fn equal(adapter: &Adapter) -> Outcome {
    for (form, change) in FORMS {
        let mut changed = adapter.clone();
        changed.info.kind = AdapterKind::Discrete;
        change(&mut changed.info);
        let kernels = PipelineCache::new(&Device::open(&changed)?)?;
        // The others differ in how boards are copied, and in products.
        let presets = match form {
            "as in a page" => supported_presets(),
            _ => vec![Preset::Boxes, Preset::Cellular, Preset::RowsRank],
        };
        for preset in presets {
            let set = "population=300 max_generations=4 presolve=none restart_after=0";
            let set = match preset {
                Preset::Memetic | Preset::Tabu => "max_generations=2 presolve=none tabu_steps=50",
                Preset::Eviction => "max_generations=1 presolve=none proposals=500",
                _ => set,
            };
            let (space, config) = with(&puzzle("ai-escargot")?, preset, set)?;
            let interrupted = AtomicBool::new(false);
            let run = Run::new(&space, &config, 1, &interrupted);
            assert_eq!(on_device(&run, &kernels, None)?, on_cpu(&run)?, "{preset} {form}");
        }
    }
    Ok(())
}

fn measured(adapter: &Adapter) -> Outcome {
    let population = if adapter.info.is_software() { 2_000 } else { 1_000_000 };
    println!("\nform,preset,children_per_second");
    for (form, change) in FORMS {
        let mut changed = adapter.clone();
        if adapter.info.is_software() {
            changed.info.kind = AdapterKind::Discrete;
        }
        change(&mut changed.info);
        let kernels = PipelineCache::new(&Device::open(&changed)?)?;
        for preset in [Preset::Boxes, Preset::Cellular, Preset::RowsRank] {
            let seconds = |generations: u32| -> Result<f64, libtest_mimic::Failed> {
                let set = format!("population={population} max_generations={generations}");
                let set = format!("presolve=none restart_after=0 {set}");
                let (space, config) = with(&puzzle("easter-monster")?, preset, &set)?;
                let interrupted = AtomicBool::new(false);
                let run = Run::new(&space, &config, 1, &interrupted);
                let start = Instant::now();
                let (outcome, _) = on_device(&run, &kernels, None)?;
                assert_eq!(outcome.generations, generations, "{preset} ended before");
                Ok(start.elapsed().as_secs_f64())
            };
            let [short, long] = GENERATIONS;
            // Kernels are compiled, and the clock of a card rises, before it counts.
            seconds(short)?;
            let took = -seconds(short)? + seconds(long)?;
            let children = f64::from(population) * f64::from(long - short);
            println!("{form},{preset},{:.0}", children / took);
        }
    }
    Ok(())
}
