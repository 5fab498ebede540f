//! The device engine itself: what it keeps, and what it refuses.

use std::time::Duration;

use wgpu::BufferUsages;

use super::island::{Island, Shared, buffer};
use super::keep;
use super::kernels::{Compiled, Kernels};
use super::loops;
use super::pace::Pace;
use super::plan::Plan;
use super::search::Search;
use super::statistics::Block;
use super::tables::Sections;
use super::task::TASK_STRIDE;
use super::twins::{Twins, Unsupported};
use crate::board::Geometry;
use crate::evolve::breeder::Breeder;
use crate::evolve::islands::{Migration, sizes};
use crate::evolve::{Config, Engine, Run, RunError, Summary, Wanted};
use crate::gpu::{AdapterInfo, Device, Watch};

/// Generations of an island that a submission holds at most.
const BLOCKS: usize = 64;
/// Tasks of an island in a generation that is bred at once: to breed, to replace, to
/// leave, to come, to tell.
pub(super) const ISLAND_TASKS: usize = 5;
/// A buffer may not be empty.
const LEAST_BYTES: u64 = 16;

/// A population in the memory of a device.
pub struct DeviceEngine {
    pub(super) device: Device,
    pub(super) seed: u64,
    pub(super) config: Config,
    pub(super) migration: Migration,
    pub(super) kernels: Compiled,
    pub(super) search: Option<Search>,
    pub(super) shared: Shared,
    pub(super) islands: Vec<Island>,
    pub(super) block: Block,
    pub(super) readback: wgpu::Buffer,
    pub(super) readable: Watch,
    /// How fast new boards are drawn, and how fast children are bred.
    pub(super) paces: [Pace; 2],
    /// Where the generation that is being bred stands.
    pub(super) island: usize,
    pub(super) slot: u32,
    /// Children that are being searched, and rounds that they have behind them.
    pub(super) batch: u32,
    pub(super) round: u32,
    /// Time that it took so far.
    pub(super) spent: Duration,
    /// Tasks of the submission that is being recorded, and how many there may be.
    pub(super) tasks: Vec<u8>,
    pub(super) most_tasks: usize,
    pub(super) most_blocks: usize,
    pub(super) summaries: Vec<Summary>,
}

impl DeviceEngine {
    /// An engine for `run`, which breeds at most `chunk` slots a submission.
    ///
    /// # Errors
    /// [`RunError`] when the device has no twin of an operator or too little memory.
    pub fn new(run: &Run<'_>, kernels: &Kernels, chunk: Option<u32>) -> Result<Self, RunError> {
        if let Some(own) = run.operators.names().into_iter().next() {
            return Err(Unsupported::Own(own).into());
        }
        let (geometry, config) = (run.space.geometry(), run.config);
        let sizes = sizes(geometry, config)?;
        let largest = Config { population: sizes[0], ..config.clone() };
        let adapter = kernels.device().adapter();
        loops::check(adapter, run.space, &largest)?;
        let block = Block::new(geometry);
        let plan = Plan::new(block.bins(), sizes[0]);
        let search = Search::new(adapter, run.space, &largest);
        let planned = if Twins::of(config)?.planned { plan.words() } else { 0 };
        let searched = search.map_or(0, |search| search.words);
        // Children lie where their searches were.
        let searched = searched.max(keep::words(geometry, &largest));
        let plan_bytes = (4 * (planned + searched)).max(LEAST_BYTES);
        check_limits(adapter, geometry, sizes[0], &block, plan_bytes)?;
        // The host's operators refuse what does not go together.
        Breeder::new(run.space, &largest, run.operators)?;
        let compiled = kernels.compile(geometry, &largest)?;
        let tables = Sections::new(geometry, config).fill(run.space, config, search.as_ref());
        let most_tasks = BLOCKS.max(ISLAND_TASKS * sizes.len());
        let most_blocks = BLOCKS.max(sizes.len());
        let migration = Migration::new(config, &sizes);
        let travellers = u64::from(migration.migrants) * sizes.len() as u64;
        let traveller_bytes = (travellers * (geometry.stride() as u64 + 4)).max(LEAST_BYTES);
        let task_bytes = most_tasks as u64 * TASK_STRIDE;
        let shared = Shared::new(kernels, task_bytes, &tables, sizes[0], traveller_bytes)?;
        let island = |size: &u32| {
            let (stride, block_bytes) = (geometry.stride(), block.bytes(true));
            Island::new(kernels, &shared, *size, stride, block_bytes, plan_bytes)
        };
        let islands = sizes.iter().map(island).collect::<Result<Vec<_>, _>>()?;
        let device = kernels.device().clone();
        let readback = device.guarded(|device| {
            let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
            buffer(device, "readback", most_blocks as u64 * block.bytes(true), usage)
        })?;
        Ok(Self {
            device,
            seed: run.seed,
            config: config.clone(),
            migration,
            kernels: compiled,
            search,
            shared,
            islands,
            block,
            readback,
            readable: Watch::default(),
            paces: [
                Pace::new(chunk),
                if search.is_some() { Pace::careful(chunk) } else { Pace::new(chunk) },
            ],
            island: 0,
            slot: 0,
            batch: 0,
            round: 0,
            spent: Duration::ZERO,
            tasks: Vec::with_capacity(task_bytes as usize),
            most_tasks,
            most_blocks,
            summaries: Vec::new(),
        })
    }
}

/// Refuses an island that the device cannot hold or count.
fn check_limits(
    adapter: &AdapterInfo,
    geometry: Geometry,
    population: u32,
    block: &Block,
    plan_bytes: u64,
) -> Result<(), Unsupported> {
    let binding = adapter.limits.storage_binding_bytes.min(adapter.limits.buffer_bytes);
    // The best slot and the circumference of a wheel are words.
    let products = u64::from(population) * block.bins() as u64;
    for (what, needed, most) in [
        ("a buffer of boards", u64::from(population) * geometry.stride() as u64, binding),
        ("a buffer of ranks and searches", plan_bytes, binding),
        ("population times fitness", products, u32::MAX.into()),
    ] {
        if needed > most {
            let adapter = adapter.name.clone();
            return Err(Unsupported::Island { adapter, population, geometry, what, needed, most });
        }
    }
    Ok(())
}

impl Engine for DeviceEngine {
    fn advance(&mut self, wanted: &Wanted<'_>) -> Result<bool, RunError> {
        self.summaries.clear();
        let (mut generation, mut source) = (wanted.generation, wanted.source);
        while self.summaries.is_empty() {
            if (wanted.stop)() {
                return Ok(false);
            }
            let submitted = self.submit(wanted, &mut generation, &mut source)?;
            self.collect(&submitted)?;
        }
        Ok(true)
    }

    fn summaries(&self) -> &[Summary] {
        &self.summaries
    }
}
