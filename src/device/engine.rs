//! The device engine itself: what it keeps, and what it refuses.

use std::time::Duration;

use wgpu::BufferUsages;

use super::cursor::{Course, Cursor, Rounds};
use super::island::{FITNESS_BYTES, IslandBuffers, SharedBuffers};
use super::keep;
use super::kernels::{Compiled, Kernels};
use super::loops;
use super::pace::SlotPace;
use super::plan::PlanLayout;
use super::search::SearchPlan;
use super::statistics::BlockLayout;
use super::tables::TableLayout;
use super::task::TASK_STRIDE;
use super::twins::Twins;
use super::unsupported::Unsupported;
use crate::board::Geometry;
use crate::ga::breeder::Breeder;
use crate::ga::{
    Config, Engine, GenerationRequest, GenerationStats, LocalIslands, MigrationChannel,
    PopulationSnapshot, Run, RunError,
};
use crate::gpu::{AdapterInfo, Device, Watch, buffer};

/// Generations of an island that a submission holds at most.
const BLOCKS: usize = 64;
/// Tasks that an island has in a generation that is bred at once: to breed, to replace, to leave,
/// to come, to tell.
const ISLAND_TASKS: usize = 5;
/// A buffer may not be empty.
const LEAST_BYTES: u64 = 16;

/// A population, or some of its islands, in the memory of a device.
pub struct DeviceEngine<'a> {
    pub(super) device: Device,
    pub(super) seed: u64,
    pub(super) geometry: Geometry,
    /// The fixed board.
    pub(super) fixed: Vec<u8>,
    pub(super) config: Config,
    pub(super) kernels: Compiled,
    pub(super) shared: SharedBuffers,
    pub(super) islands: Vec<IslandBuffers>,
    /// The number of the first island.
    pub(super) first: usize,
    pub(super) migrants: u32,
    /// The way to islands that are elsewhere.
    pub(super) channel: Option<&'a dyn MigrationChannel>,
    pub(super) block: BlockLayout,
    pub(super) readback: wgpu::Buffer,
    pub(super) readable: Watch,
    /// How fast new boards are drawn, and how fast children are bred.
    pub(super) paces: [SlotPace; 2],
    /// Where the run stands.
    pub(super) cursor: Cursor,
    /// Time that the generation which is being bred took so far.
    pub(super) spent: Duration,
    pub(super) summaries: Vec<GenerationStats>,
}

impl<'a> DeviceEngine<'a> {
    /// An engine for `run`, which breeds at most `chunk` slots a submission.
    ///
    /// # Errors
    /// [`RunError`] when the device has no twin of an operator or too little memory.
    pub fn new(run: &Run<'a>, kernels: &Kernels, chunk: Option<u32>) -> Result<Self, RunError> {
        if let Some(own) = run.operators.names().into_iter().next() {
            return Err(Unsupported::Own(own).into());
        }
        let (geometry, config) = (run.space.geometry(), run.config);
        let held = LocalIslands::of(run)?;
        let places = held.places() as u64;
        let LocalIslands { first, sizes, migration, channel } = held;
        let largest = Config { population: sizes[0], ..config.clone() };
        let adapter = kernels.device().adapter();
        loops::check(adapter, run.space, &largest)?;
        let twins = Twins::of(&largest)?;
        let block = BlockLayout::new(geometry);
        let search = SearchPlan::new(adapter, run.space, &largest)?;
        let ranked = PlanLayout::new(block.bins(), sizes[0]).words() as u64;
        let ranked = if twins.ranks { ranked } else { 0 };
        let searched = search.map_or(0, |search| search.words);
        // Children lie where their searches were.
        let searched = searched.max(keep::words(geometry, &largest));
        let plan_bytes = (4 * (ranked + searched)).max(LEAST_BYTES);
        check_limits(adapter, geometry, sizes[0], &block, plan_bytes)?;
        // The host's operators refuse what does not go together.
        Breeder::new(run.space, &largest, run.operators)?;
        let tables = TableLayout::new(geometry, config).fill(run.space, config, search.as_ref());
        check_tables(adapter, geometry, &tables)?;
        let compiled = kernels.compile(run, &largest, &twins, search.as_ref())?;
        let course = Course {
            offspring: sizes.iter().map(|size| keep::offspring(config, *size)).collect(),
            search: search.map(|search| Rounds { batch: search.children, rounds: search.rounds }),
            ranks: twins.ranks.then_some(block.bins() as u32),
            keeps_distance: twins.keeps_distance,
            migration,
            has_strait: channel.is_some(),
            most_tasks: ISLAND_TASKS * BLOCKS.max(sizes.len()),
            most_blocks: BLOCKS.max(sizes.len()),
            populations: sizes,
        };
        let berth_bytes = u64::from(migration.migrants) * (geometry.stride() as u64 + 4);
        let traveller_bytes = (places * berth_bytes).max(LEAST_BYTES);
        let task_bytes = course.most_tasks as u64 * TASK_STRIDE;
        let largest = largest.population;
        let shared = SharedBuffers::new(kernels, task_bytes, &tables, largest, traveller_bytes)?;
        let island = |size: &u32| {
            let (stride, block_bytes) = (geometry.stride(), block.bytes(true));
            IslandBuffers::new(kernels, &shared, *size, stride, block_bytes, plan_bytes)
        };
        let islands = course.populations.iter().map(island).collect::<Result<Vec<_>, _>>()?;
        let device = kernels.device().clone();
        if let Some(island) = islands.first() {
            compiled.warm_up(&device, island.bindings(), run.interrupted)?;
        }
        let readback = device.guarded(|device| {
            let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
            let bytes = course.most_blocks as u64 * block.bytes(true) + berth_bytes;
            buffer(device, "readback", bytes, usage)
        })?;
        let bred = match search {
            Some(_) => SlotPace::careful(chunk, course.offspring.iter().sum()),
            None => SlotPace::new(chunk),
        };
        Ok(Self {
            device,
            seed: run.seed,
            geometry,
            fixed: run.space.fixed.clone(),
            config: config.clone(),
            kernels: compiled,
            shared,
            islands,
            first,
            migrants: migration.migrants,
            channel,
            block,
            readback,
            readable: Watch::default(),
            paces: [SlotPace::new(chunk), bred],
            cursor: Cursor::new(course),
            spent: Duration::ZERO,
            summaries: Vec::new(),
        })
    }
}

/// Bytes of a buffer that kernels reach.
fn binding(adapter: &AdapterInfo) -> u64 {
    adapter.limits.storage_binding_bytes.min(adapter.limits.buffer_bytes)
}

/// Refuses a puzzle whose tables the device cannot hold.
fn check_tables(
    adapter: &AdapterInfo,
    geometry: Geometry,
    tables: &[u32],
) -> Result<(), Unsupported> {
    let (needed, most) = (size_of_val(tables) as u64, binding(adapter));
    if needed > most {
        return Err(Unsupported::Tables { adapter: adapter.name.clone(), geometry, needed, most });
    }
    Ok(())
}

/// Refuses an island that the words of kernels cannot count: the best slot and the circumference of a wheel
/// are words, and so is every place in a buffer.
pub(super) fn check_counts(
    adapter: &str,
    geometry: Geometry,
    population: u32,
    block: &BlockLayout,
) -> Result<(), Unsupported> {
    let (needed, most) = (u64::from(population) * block.bins() as u64, u32::MAX.into());
    if needed > most {
        let (adapter, what) = (adapter.to_owned(), "population times fitness");
        return Err(Unsupported::Island { adapter, population, geometry, what, needed, most });
    }
    Ok(())
}

/// Refuses an island that the device cannot hold or count.
fn check_limits(
    adapter: &AdapterInfo,
    geometry: Geometry,
    population: u32,
    block: &BlockLayout,
    plan_bytes: u64,
) -> Result<(), Unsupported> {
    let most = binding(adapter);
    let boards = u64::from(population) * (geometry.stride() as u64 + FITNESS_BYTES);
    for (what, needed) in [("a population", boards), ("a buffer of ranks and searches", plan_bytes)]
    {
        if needed > most {
            let adapter = adapter.name.clone();
            return Err(Unsupported::Island { adapter, population, geometry, what, needed, most });
        }
    }
    check_counts(&adapter.name, geometry, population, block)
}

impl Engine for DeviceEngine<'_> {
    fn step(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
        self.summaries.clear();
        self.cursor.go_on(wanted.generation, wanted.source);
        while self.summaries.is_empty() {
            if (wanted.stop)() {
                return Ok(false);
            }
            if let (Some(channel), Some(generation)) = (self.channel, self.cursor.awaited()) {
                let Some(come) = channel.receive(generation, wanted.stop) else { return Ok(false) };
                self.receive(come)?;
            }
            let submitted = self.submit(wanted)?;
            let leave = self.collect(&submitted)?;
            let way = self.channel.zip(self.cursor.awaited());
            if let (Some(emigrants), Some((channel, generation))) = (leave, way) {
                channel.send(generation, emigrants);
            }
        }
        Ok(true)
    }

    fn summaries(&self) -> &[GenerationStats] {
        &self.summaries
    }

    fn export(&mut self) -> Result<PopulationSnapshot, RunError> {
        Ok(self.read_state()?)
    }

    fn for_each_island(&mut self, take: &mut dyn FnMut(&[u8], &[u16])) -> Result<(), RunError> {
        Ok(self.read_islands(take)?)
    }

    fn import(&mut self, state: &PopulationSnapshot) -> Result<(), RunError> {
        let sizes = self.islands.iter().map(|island| island.population as usize);
        state.check(self.geometry, &self.fixed, sizes)?;
        self.cursor.abandon();
        self.spent = Duration::ZERO;
        Ok(self.write_state(state)?)
    }
}
