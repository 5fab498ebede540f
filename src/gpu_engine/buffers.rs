//! The memory of an engine on the device: a region for each deme in a few large buffers.

use wgpu::BufferUsages as Use;

use super::dispatch_params::TASK_STRIDE;
use super::layout::{FITNESS_BYTES, RunLayout};
use super::local_search::SearchPlan;
use super::operator_support::OperatorShaders;
use super::pipeline_cache::PipelineCache;
use super::schedule::RunPlan;
use crate::ga::Config;
use crate::ga::islands::LocalIslands;
use crate::gpu::{DeviceError, Readback, buffer};

/// Fewest bytes of a buffer, which may not be empty.
const LEAST_BYTES: u64 = 16;

/// The parts of which an engine is made.
#[derive(Debug)]
pub(super) struct EngineSetup<'a> {
    /// The configuration, with the population of the largest deme.
    pub config: &'a Config,
    pub operators: OperatorShaders,
    /// The searches that the kernels are made for, and how many children of a deme are searched at a time.
    pub search: Option<&'a SearchPlan>,
    pub search_batch: Option<u32>,
    pub layout: RunLayout,
    /// Regions in all, those of a set of buffers, and those of tables.
    pub regions: usize,
    pub in_set: usize,
    pub tables: usize,
    /// The islands of the run, or of each run.
    pub islands: LocalIslands<'a>,
}

/// The buffers of an engine.
#[derive(Debug)]
pub(super) struct Buffers {
    /// The tasks of a submission, one after the other.
    pub tasks: wgpu::Buffer,
    pub tables: wgpu::Buffer,
    /// Ones, for the fitness of a set before it is written.
    pub unwritten: wgpu::Buffer,
    pub migrants: wgpu::Buffer,
    pub readback: Readback,
    pub sets: Vec<BufferSet>,
}

/// The buffers of some regions, and the bind groups of kernels.
#[derive(Debug)]
pub(super) struct BufferSet {
    pub populations: [wgpu::Buffer; 2],
    pub block: wgpu::Buffer,
    /// One for each population that may be the old one.
    pub bindings: [wgpu::BindGroup; 2],
}

impl Buffers {
    /// Creates the buffers.
    ///
    /// # Errors
    /// An error of the driver, for example too little memory.
    pub(super) fn new(
        cache: &PipelineCache,
        setup: &EngineSetup<'_>,
        plan: &RunPlan,
    ) -> Result<Self, DeviceError> {
        let EngineSetup { layout, regions, in_set, .. } = setup;
        let in_set = *in_set as u64;
        let fitness_bytes = in_set * u64::from(layout.individuals) * FITNESS_BYTES;
        let islands = &setup.islands;
        let emigrants = u64::from(islands.migration.migrants) * 4 * (layout.board + 1);
        let migrants = (islands.places() as u64 * emigrants).max(LEAST_BYTES);
        let (filled, copied_from) = (Use::STORAGE | Use::COPY_DST, Use::COPY_SRC | Use::COPY_DST);
        let copied = filled | Use::COPY_SRC;
        let device = &cache.device;
        let mut made = device.guarded(|device| {
            // A binding of tasks extends as many tasks past its first one as a set has regions.
            let task_bytes = (plan.most_tasks as u64 + in_set) * TASK_STRIDE;
            let table_bytes = setup.tables as u64 * 4 * layout.tables;
            let blocks = (plan.most_generations * regions) as u64 * 4 * layout.block;
            let readback = (blocks + emigrants).max(wgpu::MAP_ALIGNMENT);
            Self {
                tasks: buffer(device, "tasks", task_bytes, filled),
                tables: buffer(device, "tables", table_bytes, filled),
                unwritten: buffer(device, "unwritten", fitness_bytes, copied_from),
                migrants: buffer(device, "migrants", migrants, copied),
                readback: Readback::new(device, readback),
                sets: Vec::new(),
            }
        })?;
        for _ in 0..regions.div_ceil(setup.in_set) {
            let set = device.guarded(|device| {
                let words = |label, words: u64| buffer(device, label, in_set * 4 * words, copied);
                let populations = [0, 1].map(|_| words("populations", layout.population()));
                let block = words("blocks", layout.block);
                let plan = words("plans", layout.plan);
                let bindings = [0, 1].map(|old| {
                    let buffers = [
                        &made.tasks,
                        &made.tables,
                        &populations[old],
                        &populations[1 - old],
                        &block,
                        &plan,
                        &made.migrants,
                    ];
                    cache.layout.bind(device, &buffers, in_set)
                });
                BufferSet { populations, block, bindings }
            })?;
            made.sets.push(set);
        }
        let ones = vec![u8::MAX; fitness_bytes as usize];
        device.queue().write_buffer(&made.unwritten, 0, &ones);
        device.check()?;
        Ok(made)
    }
}
