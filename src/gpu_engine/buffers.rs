//! The memory of an engine on the device: a region for each deme in a few large buffers.

use wgpu::BufferUsages as Use;

use super::dispatch_params::TASK_STRIDE;
use super::layout::{FITNESS_BYTES, RunLayout};
use super::pipeline_cache::PipelineCache;
use crate::gpu::{DeviceError, Readback, buffer};

/// Sizes that do not follow from the layout of a region.
#[derive(Clone, Copy, Debug)]
pub(super) struct BufferSizes {
    /// Regions in all, and those of a set.
    pub regions: usize,
    pub in_set: usize,
    /// Regions of tables: one for each deme, or one for all islands of a run.
    pub tables: usize,
    /// Tasks that a submission has room for.
    pub tasks: usize,
    /// Generations whose blocks come back at once.
    pub generations: usize,
    /// Bytes of individuals on their way from island to island, and of those that leave one.
    pub travellers: u64,
    pub emigrants: u64,
}

/// All memory.
#[derive(Debug)]
pub(super) struct Buffers {
    /// One task after the other.
    pub tasks: wgpu::Buffer,
    pub tables: wgpu::Buffer,
    /// Ones, for fitness of a set that is not written yet.
    pub unwritten: wgpu::Buffer,
    pub travellers: wgpu::Buffer,
    pub readback: Readback,
    pub sets: Vec<BufferSet>,
}

/// The buffers of some regions, and the bindings by which kernels reach them.
#[derive(Debug)]
pub(super) struct BufferSet {
    pub populations: [wgpu::Buffer; 2],
    pub block: wgpu::Buffer,
    /// By which of the two populations is bred from.
    pub bindings: [wgpu::BindGroup; 2],
}

impl Buffers {
    /// Makes them.
    ///
    /// # Errors
    /// An error of the driver, as of lack of memory.
    pub(super) fn new(
        cache: &PipelineCache,
        layout: &RunLayout,
        sizes: &BufferSizes,
    ) -> Result<Self, DeviceError> {
        let in_set = sizes.in_set as u64;
        let fitness_bytes = in_set * u64::from(layout.individuals) * FITNESS_BYTES;
        let copied = Use::STORAGE | Use::COPY_DST | Use::COPY_SRC;
        let device = cache.device();
        let mut made = device.guarded(|device| {
            // A binding of tasks reaches as far behind its first one as a set has regions.
            let task_bytes = (sizes.tasks + sizes.in_set) as u64 * TASK_STRIDE;
            let table_bytes = sizes.tables as u64 * 4 * layout.tables;
            let blocks = (sizes.generations * sizes.regions) as u64 * 4 * layout.block;
            let readback = (blocks + sizes.emigrants).max(wgpu::MAP_ALIGNMENT);
            Self {
                tasks: buffer(device, "tasks", task_bytes, Use::STORAGE | Use::COPY_DST),
                tables: buffer(device, "tables", table_bytes, Use::STORAGE | Use::COPY_DST),
                unwritten: buffer(
                    device,
                    "unwritten fitness",
                    fitness_bytes,
                    Use::COPY_SRC | Use::COPY_DST,
                ),
                travellers: buffer(device, "travellers", sizes.travellers, copied),
                readback: Readback::new(device, readback),
                sets: Vec::new(),
            }
        })?;
        for _ in 0..sizes.regions.div_ceil(sizes.in_set) {
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
                        &made.travellers,
                    ];
                    cache.layout().bind(device, &buffers, in_set)
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
