//! The GPU engine against the CPU engine: the same run, bit for bit.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use evodoku::board::{Geometry, Puzzle, SearchSpace};
use evodoku::complete_board;
use evodoku::fitness::{CpuEvaluator, GpuEvaluator, Pipeline};
use evodoku::ga::CpuEngine;
use evodoku::ga::crossover::Crossover;
use evodoku::ga::{BuildContext, Config, CustomOperators, Preset, Run};
use evodoku::gpu_engine::{Adapter, Device, supported_presets};
use evodoku::internals::{GpuEngine, PipelineCache};
use evodoku::random::{GenerationRng, StreamStage};
use libtest_mimic::{Failed, Trial};
use rayon::prelude::*;

use crate::adapter::{Outcome as Tested, as_a_card, trial};
use crate::attacks::runs::switching::Switching;
use crate::engines::{
    Recorder, on_cpu, on_device, on_host, on_ranks, puzzle, small, with, witness,
};
use crate::support::is_long;

/// The tests of this file.
pub fn trials(adapter: &Result<Adapter, String>) -> Vec<Trial> {
    let device = adapter.clone().and_then(|adapter| {
        let device = Device::open(&adapter).map_err(|error| error.to_string())?;
        let kernels = PipelineCache::new(&device).map_err(|error| error.to_string())?;
        Ok(Arc::new(kernels))
    });
    type Test = fn(&Arc<PipelineCache>) -> Tested;
    let tests: [(&str, Test); 6] = [
        ("every_preset_is_the_same_run", every_preset),
        ("islands_are_the_same", islands),
        ("islands_that_ranks_share_are_the_same", ranks),
        ("ranks_of_many_slots_are_the_same", many_ranks),
        ("engines_take_turns", turns),
        ("what_has_no_twin_is_refused", refusals),
    ];
    let mut trials: Vec<Trial> = tests.map(|(name, test)| trial(name, &device, test)).into();
    trials.push(trial("memetic_is_the_same_run", adapter, memetic));
    trials.push(trial("every_operator_is_the_same_on_a_card", adapter, every_operator));
    trials.push(trial("any_split_is_the_same_run_on_a_card", adapter, any_split));
    trials.push(trial("large_boards_are_the_same_run", adapter, large_boards));
    trials.push(trial("every_shape_is_the_same_run", adapter, every_shape));
    let long = trial("thousands_of_children_are_the_same", &device, thousands);
    trials.push(if is_long() { long } else { long.with_ignored_flag(true) });
    trials
}

/// Puzzles of several shapes and kinds.
const PUZZLES: [&str; 5] =
    ["ai-escargot", "easter-monster", "001-easy-03", "sato-no106", "003-6x6"];

fn every_preset(kernels: &Arc<PipelineCache>) -> Tested {
    let mut pipelines = HashMap::new();
    for preset in supported_presets() {
        for name in PUZZLES {
            // Each of them is a long search all the same.
            let set = if preset == Preset::Eviction { "population=33" } else { "" };
            let (space, config) = small(&puzzle(name)?, preset, set)?;
            let geometry = space.geometry();
            if let Entry::Vacant(new) = pipelines.entry(geometry) {
                let evaluator = GpuEvaluator::on(&kernels.device, geometry, None)?;
                new.insert(Pipeline::new(Box::new(evaluator)));
            }
            for seed in 1..=3 {
                let interrupted = AtomicBool::new(false);
                let run = Run::new(&space, &config, seed, &interrupted);
                let expected = on_cpu(&run)?;
                let label = format!("{preset} {name} {seed}");
                if let Some(pipeline) = pipelines.get_mut(&geometry) {
                    assert_eq!(on_host(&run, pipeline)?, expected, "{label}");
                }
                assert_eq!(on_device(&run, kernels, None)?, expected, "{label}");
            }
        }
    }
    Ok(())
}

/// Tests all of them, in two halves side by side, each on a device of its own: what takes long is the
/// driver's compilation, which keeps one core busy, and kernels of one device are compiled one by one.
fn halved<T: Sync>(
    adapter: &Adapter,
    all: &[T],
    test: impl Fn(&PipelineCache, &T) -> Tested + Sync,
) -> Tested {
    [0, 1].into_par_iter().try_for_each(|half| {
        let kernels = PipelineCache::new(&Device::open(adapter)?)?;
        all.iter().skip(half).step_by(2).try_for_each(|item| test(&kernels, item))
    })
}

/// `memetic` as it is, and with parts set that leave the rest derived.
fn memetic(adapter: &Adapter) -> Tested {
    let all = [
        ("max_generations=40", None),
        ("replacement=keep-if-not-worse population=45 max_generations=4", None),
        // Searches too short to succeed, so that many children of many fitnesses are placed.
        ("tabu_steps=20 max_generations=60 restart_after=25", None),
        ("tabu_steps=5 distance=20 offspring=37 population=70 max_generations=30", Some(5)),
        ("tabu_steps=0 distance=40 offspring=150 population=70 max_generations=20", None),
        ("tabu_steps=0 distance=1 population=1024 max_generations=5", None),
        // More children than a tile, few and many of them near to each other.
        ("tabu_steps=2 population=1500 offspring=1500 max_generations=4", None),
        ("tabu_steps=4 distance=25 population=700 offspring=513 max_generations=6", Some(100)),
        ("tabu_steps=0 population=520 offspring=300 islands=2 max_generations=5", None),
        ("tabu_steps=2 population=400 offspring=290 topology=ring max_generations=5", None),
        ("tabu_steps=9 population=100 islands=3 migration_interval=2 max_generations=9", None),
        ("local_search=none offspring=0 worst_share=0.3 max_generations=9", Some(50)),
    ];
    halved(adapter, &all, |kernels, (settings, chunk)| {
        for name in PUZZLES {
            let (space, config) = with(&puzzle(name)?, Preset::Memetic, settings)?;
            for seed in 1..=3 {
                let interrupted = AtomicBool::new(false);
                let run = Run::new(&space, &config, seed, &interrupted);
                let label = format!("{settings} {name} {seed}");
                let (expected, got) = (on_cpu(&run)?, on_device(&run, kernels, *chunk)?);
                assert!(got == expected, "{label}");
            }
        }
        Ok(())
    })
}

/// So many slots that `rank_scan` adds up their counts in several parts.
fn many_ranks(kernels: &Arc<PipelineCache>) -> Tested {
    let set = "presolve=none population=33000 max_generations=2";
    let (space, config) = with(&puzzle("ai-escargot")?, Preset::RowsRank, set)?;
    compare(kernels, &space, &config, None)
}

/// Thousands of searches a generation, for most of which somebody makes room.
fn thousands(kernels: &Arc<PipelineCache>) -> Tested {
    for offspring in [1_000, 5_000] {
        let set = "presolve=none population=5000 tabu_steps=40 max_generations=3";
        let set = format!("{set} offspring={offspring}");
        let (space, config) = with(&puzzle("coly013")?, Preset::Memetic, &set)?;
        compare(kernels, &space, &config, None)?;
    }
    Ok(())
}

/// One seed of a configuration on the host and on the device.
fn compare(
    kernels: &PipelineCache,
    space: &SearchSpace,
    config: &Config,
    chunk: Option<u32>,
) -> Tested {
    let interrupted = AtomicBool::new(false);
    let run = Run::new(space, config, 7, &interrupted);
    let (expected, got) = (on_cpu(&run)?, on_device(&run, kernels, chunk)?);
    for (expected, got) in expected.1.iter().zip(&got.1) {
        if expected != got {
            return Err(format!("{config:?}: {got:?} instead of {expected:?}").into());
        }
    }
    assert_eq!(got, expected);
    Ok(())
}

/// Operators that no preset uses as it is.
fn every_operator(adapter: &Adapter) -> Tested {
    let kernels = &PipelineCache::new(&Device::open(&as_a_card(adapter))?)?;
    for (preset, settings) in [
        (Preset::Boxes, "pairing=random"),
        (Preset::Boxes, "pairing=neighbours"),
        (Preset::Boxes, "pairing=random pool=7"),
        (Preset::Boxes, "crossover=one-point presolve=probing"),
        (Preset::Boxes, "encoding=columns mutation=reshuffle"),
        (Preset::Boxes, "mutation=none restart_after=2"),
        (Preset::Boxes, "crossover_rate=0.3"),
        (Preset::RowsTournament, "crossover_rate=0"),
        (Preset::Tabu, "crossover=agreement crossover_rate=0.5 population=40"),
        (Preset::Columns, "shuffle=2"),
        (Preset::Boxes, "encoding=rows local_search=exchange-descent tries=9"),
        (Preset::Boxes, "encoding=columns local_search=exchange-descent tries=9"),
        (Preset::Boxes, "crossover=band-or-stack presolve=probing replacement=keep-if-not-worse"),
        (Preset::Cells, "crossover=one-unit mutation_rate=0.7"),
        (Preset::Cells, "crossover=none mutation=redraw-two presolve=probing"),
        (Preset::Cells, "crossover=band-or-stack mutation_rate=1"),
        (Preset::Cells, "crossover=line-cut"),
        (Preset::RowsSus, "selection=sus-per-parent"),
        (Preset::Tabu, "tabu_steps=500 population=40"),
        (Preset::Tabu, "tabu_steps=0"),
        (Preset::Tabu, "encoding=cells presolve=none tenure_share=1000 tenure_random=3"),
        (
            Preset::Tabu,
            "crossover=agreement radius=3 replacement=keep-if-not-worse restart_after=2",
        ),
        (
            Preset::Tabu,
            "mutation=reset mutation_rate=0.02 selection=truncation pool=8 pairing=random",
        ),
        (Preset::RowsTournament, "tournament=20"),
        (Preset::RowsTournament, "selection=local-tournament radius=1000"),
        (Preset::RowsTournament, "selection=local-tournament topology=torus radius=2"),
        (Preset::RowsTournament, "selection=local-tournament topology=torus radius=50"),
        (Preset::RowsTournament, "selection=local-tournament topology=panmictic"),
        (Preset::Cells, "encoding=candidates presolve=probing crossover=agreement"),
        (Preset::Cells, "crossover=agreement inherit=rows redraw_rate=0.1"),
        (Preset::Cells, "crossover=agreement inherit=columns"),
        (Preset::Cells, "crossover=agreement inherit=boxes redraw_rate=1"),
        (Preset::Eviction, "population=40 crossover=agreement radius=3 mutation=reset"),
        (
            Preset::Eviction,
            "population=40 replacement=keep-distance offspring=9 distance=9 restart_after=2",
        ),
    ] {
        let (space, config) = small(&puzzle("easter-monster")?, preset, settings)?;
        compare(kernels, &space, &config, None)?;
    }
    Ok(())
}

/// Populations around a workgroup, and submissions that end anywhere.
fn any_split(adapter: &Adapter) -> Tested {
    let kernels = &PipelineCache::new(&Device::open(&as_a_card(adapter))?)?;
    for preset in [Preset::Boxes, Preset::Tabu, Preset::Cellular] {
        let (space, config) = small(&puzzle("001-easy-03")?, preset, "max_generations=3")?;
        for population in [1, 2, 32, 63, 64, 65, 129, 1025] {
            let config = Config { population, ..config.clone() };
            compare(kernels, &space, &config, None)?;
        }
        for chunk in [1, 7, 64, 100_000] {
            let config = Config { population: 129, ..config.clone() };
            compare(kernels, &space, &config, Some(chunk))?;
        }
    }
    Ok(())
}

/// A board without givens, of which a thread draws thousands of cells, and sets of two words.
fn large_boards(adapter: &Adapter) -> Tested {
    let card = as_a_card(adapter);
    for (adapter, (box_rows, box_cols), preset, set) in
        [(adapter, (8, 8), Preset::Cells, ""), (&card, (3, 11), Preset::Cellular, "tries=9")]
    {
        let kernels = PipelineCache::new(&Device::open(adapter)?)?;
        let puzzle = Puzzle::blank(Geometry::new(box_rows, box_cols)?);
        let few = format!("presolve=none population=20 max_generations=1 {set}");
        let (space, config) = with(&puzzle, preset, &few)?;
        compare(&kernels, &space, &config, None)?;
    }
    Ok(())
}

/// Every shape up to 25x25.
fn every_shape(adapter: &Adapter) -> Tested {
    let shapes: Vec<Geometry> = (4..=25).flat_map(Geometry::of_side).collect();
    halved(adapter, &shapes, |kernels, geometry| {
        let puzzle = dug(*geometry, 1);
        for preset in [Preset::Cellular, Preset::RowsRank, Preset::Tabu, Preset::Eviction] {
            let few = if preset == Preset::Eviction { "population=3" } else { "population=40" };
            let set = format!("{few} max_generations=2");
            let (space, config) = small(&puzzle, preset, &set)?;
            let interrupted = AtomicBool::new(false);
            let run = Run::new(&space, &config, 3, &interrupted);
            assert_eq!(on_device(&run, kernels, None)?, on_cpu(&run)?, "{geometry} {preset}");
        }
        Ok(())
    })
}

/// A complete board of which about so many thirds of the cells are given.
pub fn dug(geometry: Geometry, thirds: u32) -> Puzzle {
    let mut board = vec![0; geometry.stride()];
    let mut draws = GenerationRng::new(9, 0).draws(StreamStage::Initialise, 0);
    complete_board(geometry, &mut board, &mut draws);
    let mut puzzle = Puzzle::blank(geometry);
    for (given, value) in puzzle.givens.iter_mut().zip(board) {
        if draws.below(3) < thirds {
            *given = value;
        }
    }
    puzzle
}

fn islands(kernels: &Arc<PipelineCache>) -> Tested {
    for (preset, islands, migrants, chunk) in [
        (Preset::Cellular, 2, 3, None),
        (Preset::Cellular, 5, 1_000, Some(50)),
        (Preset::Boxes, 3, 20, None),
        (Preset::RowsSus, 3, 0, Some(7)),
        (Preset::Cells, 70, 2, None),
    ] {
        let (space, config) = small(&puzzle("easter-monster")?, preset, "migration_interval=2")?;
        let config = Config { islands, migrants, ..config };
        compare(kernels, &space, &config, chunk)?;
    }
    Ok(())
}

/// Islands that ranks share, each with an engine of its own on the device.
fn ranks(kernels: &Arc<PipelineCache>) -> Tested {
    for (preset, set, size, chunk) in [
        (Preset::Cellular, "islands=5 migrants=3", 2, None),
        (Preset::Boxes, "islands=3 migrants=20 restart_after=3 max_generations=20", 3, Some(50)),
        (Preset::RowsSus, "islands=4 migrants=200", 2, Some(7)),
        (Preset::Memetic, "islands=4 migrants=2 population=64 tabu_steps=20", 2, None),
    ] {
        let set = format!("migration_interval=2 {set}");
        let (space, config) = small(&puzzle("easter-monster")?, preset, &set)?;
        let interrupted = AtomicBool::new(false);
        let run = Run::new(&space, &config, 7, &interrupted);
        assert_eq!(on_ranks(&run, kernels, chunk, size)?, on_cpu(&run)?, "{preset} {set}");
    }
    Ok(())
}

/// Runs that change their engine between generations, in turn or now and then, are the same.
fn turns(kernels: &Arc<PipelineCache>) -> Tested {
    for (preset, settings) in [
        (Preset::Memetic, "tabu_steps=20 max_generations=30 restart_after=9"),
        (Preset::Boxes, "islands=3 migration_interval=2 max_generations=20 restart_after=3"),
        (Preset::Tabu, ""),
        (Preset::Eviction, "population=9 max_generations=6 restart_after=2"),
    ] {
        let (space, config) = small(&puzzle("easter-monster")?, preset, settings)?;
        let interrupted = AtomicBool::new(false);
        let run = Run::new(&space, &config, 7, &interrupted);
        let expected = on_cpu(&run)?;
        for (period, chunk) in [(1, None), (2, Some(70)), (5, None)] {
            let evaluator = CpuEvaluator::new(space.geometry(), None);
            let mut pipeline = Pipeline::new(Box::new(evaluator));
            let mut recorder = Recorder::default();
            let outcome = run.execute_on(
                || {
                    let host = CpuEngine::new(&run, &mut pipeline)?;
                    let device = GpuEngine::new(&run, kernels, chunk)?;
                    let next = |generation: u32| {
                        ((generation / period % 2) as usize, period - generation % period)
                    };
                    Ok(Switching {
                        engines: vec![Box::new(host), Box::new(device)],
                        next,
                        current: 0,
                    })
                },
                &mut recorder,
            )?;
            let label = format!("{preset} {settings} {period}");
            assert_eq!(witness(outcome, recorder), expected, "{label}");
        }
    }
    Ok(())
}

fn refusals(kernels: &Arc<PipelineCache>) -> Tested {
    let puzzle = puzzle("easter-monster")?;
    let (space, pmx) = with(&puzzle, Preset::RowsPmx, "")?;
    let text = refused(kernels, &space, &pmx)?;
    assert!(text.contains("crossover pmx") && text.contains("boxes"), "{text}");

    // A custom operator has no shader, whatever it does.
    let (space, config) = with(&puzzle, Preset::Cells, "")?;
    let crossover = Crossover::Uniform.build(&BuildContext::new(&space, &config, &[]))?;
    let operators = CustomOperators { crossover: Some(crossover), ..CustomOperators::default() };
    let interrupted = AtomicBool::new(false);
    let run = Run { operators: &operators, ..Run::new(&space, &config, 3, &interrupted) };
    let refused = on_device(&run, kernels, None).map(drop).err().ok_or("it ran")?;
    let text = refused.message().unwrap_or_default();
    assert!(text.contains("no shader for the custom crossover Uniform"), "{text}");
    Ok(())
}

/// What is said of a configuration that the device does not run.
fn refused(
    kernels: &PipelineCache,
    space: &SearchSpace,
    config: &Config,
) -> Result<String, Failed> {
    let interrupted = AtomicBool::new(false);
    let run = Run::new(space, config, 3, &interrupted);
    let refused = on_device(&run, kernels, None).map(drop).err().ok_or("it ran")?;
    Ok(refused.message().unwrap_or_default().to_owned())
}
