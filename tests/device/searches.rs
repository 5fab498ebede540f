//! Long searches on the device against the host: the same run on adapters of all kinds.
//!
//! An adapter's limits are lowered, as they are on laptops, so that the kernels take their other
//! forms: without subgroups, and with a part of a search's memory in storage.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use evodoku::board::{Geometry, Puzzle};
use evodoku::ga::{Preset, Run};
use evodoku::gpu_engine::{Adapter, AdapterKind, Device, Features};
use evodoku::internals::PipelineCache;
use libtest_mimic::Trial;

use crate::adapter::{Outcome as Tested, trial};
use crate::engine::dug;
use crate::engines::{on_cpu, on_device, with};
use crate::support::is_long;

/// The adapter, and the same with as little as a laptop's may have.
type Both = [Arc<PipelineCache>; 2];

/// The tests of this file.
pub fn trials(adapter: &Result<Adapter, String>) -> Vec<Trial> {
    let opened = |adapter: &Adapter| -> Result<Arc<PipelineCache>, String> {
        let device = Device::open(adapter).map_err(|error| error.to_string())?;
        PipelineCache::new(&device).map(Arc::new).map_err(|error| error.to_string())
    };
    let both = adapter.as_ref().map_err(Clone::clone);
    let both = both.and_then(|adapter| Ok([opened(adapter)?, opened(&lowered(adapter))?]));
    let long = trial("long_searches_are_the_same", &both, long_searches);
    vec![
        trial("searches_of_every_size_are_the_same", &both, every_size),
        trial("searches_end_anywhere", &both, any_round),
        trial("a_puzzle_that_is_too_large_is_refused", adapter, too_large),
        trial("evictions_of_every_size_are_the_same", &both, evictions),
        trial("evictions_end_anywhere", &both, any_eviction_round),
        if is_long() { long } else { long.with_ignored_flag(true) },
    ]
}

/// The least that an adapter may have: memory shared with the host, and no optional feature.
fn lowered(adapter: &Adapter) -> Adapter {
    let mut adapter = adapter.clone();
    // Rounds on a software driver stay as short as it needs them.
    if !adapter.info.is_software() {
        adapter.info.kind = AdapterKind::Integrated;
    }
    let limits = &mut adapter.info.limits;
    limits.max_storage_buffer_binding_size = limits.max_storage_buffer_binding_size.min(128 << 20);
    limits.max_compute_workgroup_storage_size = 16 << 10;
    limits.max_compute_invocations_per_workgroup = 256;
    adapter.info.features = Features::empty();
    adapter
}

/// One run of `memetic`.
fn same_run(
    both: &Both,
    box_rows: usize,
    box_cols: usize,
    set: &str,
    chunk: Option<u32>,
) -> Tested {
    let few = "presolve=none population=12 offspring=8 max_generations=2";
    let puzzle = dug(Geometry::new(box_rows, box_cols)?, 1);
    same(both, Preset::Memetic, &puzzle, &format!("{few} {set}"), chunk)
}

/// One run of a preset.
fn same(both: &Both, preset: Preset, puzzle: &Puzzle, set: &str, chunk: Option<u32>) -> Tested {
    let (space, config) = with(puzzle, preset, set)?;
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 5, &interrupted);
    let expected = on_cpu(&run)?;
    for (kernels, kind) in both.iter().zip(["as it is", "lowered"]) {
        let got = on_device(&run, kernels, chunk)?;
        assert!(got == expected, "{preset} {} {set}, {kind}", puzzle.geometry);
    }
    Ok(())
}

fn every_size(both: &Both) -> Tested {
    for (box_rows, box_cols, set) in [
        (3, 3, "tabu_steps=400"),
        (4, 4, "tabu_steps=300"),
        (5, 5, "tabu_steps=200"),
        (6, 6, "tabu_steps=60"),
        // All values in all cells: more than workgroup memory holds.
        (6, 6, "tabu_steps=20 encoding=cells"),
        // More peers than a field of eight bits counts.
        (7, 7, "tabu_steps=12 presolve=singles"),
        // Prohibitions that end at once, and such that outlast the search.
        (3, 3, "tabu_steps=300 tenure_random=0 tenure_share=0"),
        (3, 3, "tabu_steps=300 tenure_random=1000 tenure_share=5000"),
        (4, 4, "tabu_steps=300 tenure_random=100"),
    ] {
        same_run(both, box_rows, box_cols, set, None)?;
    }
    // So few blanks that the best moves soon stop improving the board, and follow-ups decide.
    let puzzle = dug(Geometry::new(7, 7)?, 2);
    let few = "presolve=none population=2 offspring=2 max_generations=1 tabu_steps=700";
    same(both, Preset::Memetic, &puzzle, few, None)
}

/// Submissions of few slots, so that rounds and batches are cut.
fn any_round(both: &Both) -> Tested {
    for chunk in [1, 5, 100] {
        same_run(both, 3, 3, "tabu_steps=3000 max_generations=1", Some(chunk))?;
        same_run(both, 5, 5, "tabu_steps=700 max_generations=1", Some(chunk))?;
    }
    Ok(())
}

/// Annealings of every size: none, of part of a row and of a look, and many looks; eta that moves fast
/// and slowly.
fn evictions(both: &Both) -> Tested {
    for (boxes, set) in [
        ([2, 2], "proposals=0"),
        ([2, 2], "proposals=500 eta_proposals=100"),
        ([2, 3], "proposals=127 population=5"),
        ([3, 3], "proposals=0 max_generations=1"),
        ([3, 3], "proposals=1024 eta_proposals=1"),
        ([3, 3], "proposals=40000 eta_proposals=3000 population=3"),
        ([3, 3], "proposals=5000 unassigned_share=0"),
        ([3, 3], "proposals=5000 unassigned_share=1000 encoding=cells"),
        ([3, 3], "proposals=3000 mutation=reset mutation_rate=0.1 population=4 radius=1"),
        ([4, 4], "proposals=10000 eta_proposals=2000 presolve=probing"),
        ([4, 4], "proposals=3000 eta_proposals=1000000"),
        ([5, 5], "proposals=9000 eta_proposals=4000"),
        // More than the least workgroup memory holds.
        ([6, 6], "proposals=4000 eta_proposals=2000"),
        ([7, 7], "proposals=3000 eta_proposals=1000 max_generations=2"),
        ([7, 7], "proposals=100 max_generations=1 presolve=singles"),
    ] {
        let [box_rows, box_cols] = boxes;
        // With more blanks a software driver has too few turns to complete a board.
        let thirds = if box_rows == 7 { 2 } else { 1 };
        let puzzle = dug(Geometry::new(box_rows, box_cols)?, thirds);
        let few = "presolve=none population=2 max_generations=3";
        same(both, Preset::Eviction, &puzzle, &format!("{few} {set}"), None)?;
    }
    Ok(())
}

/// Submissions of few slots, and islands.
fn any_eviction_round(both: &Both) -> Tested {
    let few = "presolve=none proposals=30000 eta_proposals=5000 population=7 max_generations=2";
    for chunk in [1, 5, 100] {
        same(both, Preset::Eviction, &dug(Geometry::new(3, 3)?, 1), few, Some(chunk))?;
        let islands = format!("{few} proposals=2000 islands=3 migration_interval=1");
        same(both, Preset::Eviction, &dug(Geometry::new(5, 5)?, 1), &islands, Some(chunk))?;
    }
    Ok(())
}

/// Tables of a board without givens that take more than a binding of a lowered adapter.
fn too_large(adapter: &Adapter) -> Tested {
    let mut adapter = lowered(adapter);
    adapter.info.limits.max_storage_buffer_binding_size = 2 << 20;
    let kernels = PipelineCache::new(&Device::open(&adapter)?)?;
    let few = "presolve=none population=12 offspring=8 max_generations=1 tabu_steps=2";
    let (space, config) = with(&Puzzle::blank(Geometry::new(5, 5)?), Preset::Memetic, few)?;
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 5, &interrupted);
    let refused = on_device(&run, &kernels, None).map(drop).err().ok_or("it ran")?;
    let text = refused.message().unwrap_or_default();
    let sentence = "cannot hold the tables of this puzzle (boxes of 5x5): they need";
    assert!(text.contains(sentence) && text.contains("but the limit is 2097152"), "{text}");
    // Without neighbours the same board fits.
    let eviction = "presolve=none proposals=100 max_generations=1";
    let (space, config) = with(&Puzzle::blank(Geometry::new(5, 5)?), Preset::Eviction, eviction)?;
    let run = Run::new(&space, &config, 5, &interrupted);
    assert!(on_device(&run, &kernels, None)? == on_cpu(&run)?);
    Ok(())
}

fn long_searches(both: &Both) -> Tested {
    for (box_rows, box_cols, set) in [
        (3, 3, "tabu_steps=100000"),
        (4, 4, "tabu_steps=20000"),
        (5, 5, "tabu_steps=5000"),
        (6, 6, "tabu_steps=1500"),
        (7, 7, "tabu_steps=150 presolve=singles"),
        (8, 8, "tabu_steps=30 presolve=singles"),
    ] {
        same_run(both, box_rows, box_cols, set, None)?;
    }
    Ok(())
}
