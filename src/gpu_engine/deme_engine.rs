//! The engine: demes in the memory of a device, and the submissions that breed them.
//!
//! **Buffers.** A deme, the population of a run or an island of one, has a region in each of a few
//! large buffers, and the task of a workgroup states where its regions begin. Many small runs share
//! one set of buffers; islands share a set until it has 64 MiB, so that no binding grows with the
//! population.
//!
//! ```text
//!              set 0                                    set 1 ...
//! populations  [boards 0|boards 1|..|fitness 0|fitness 1|..]   two of them: old and new
//! block        [block 0 |block 1 |..]                          statistics, which are read back
//! plan         [plan 0  |plan 1  |..]                          ranks, then searches or waiting children
//!
//! tables       [puzzle 0|puzzle 1|..]      one for all islands of a run
//! tasks        [demes of a generation|parts|demes of the next generation|parts|..]
//! migrants     [emigrants of island 0|island 1|..|immigrants from another engine]
//! unwritten    [ones, for the fitness of a set]
//! readback     [blocks of a generation|blocks of the next|..|emigrants|blocks of one that goes on]
//! ```
//!
//! A dispatch covers all demes of a set that do the same: its third dimension counts them.
//!
//! **A submission.** It takes about a tenth of a second, so that an interrupt ends the run soon and no
//! watchdog of a driver ends the submission.
//!
//! 1. [`begin`](DemeEngine::begin) sets the demes and their generations.
//! 2. [`submit`](DemeEngine::submit) gets commands from the [schedule](super::schedule) for as many slots
//!    as fit that time by the last submissions, records them, writes the tasks and maps the
//!    readback.
//! 3. On the device, for each generation: `Clear` fills the fitness of the new population with ones
//!    and the block with zeros; kernels rank, breed, search and replace; `Statistics` and `Best` fill
//!    the block; it is copied to the readback; `Swap` makes the new population the old one. A
//!    generation that is longer than a submission continues in the next one.
//! 4. [`finish`](DemeEngine::finish) waits, measures the time, and passes on the blocks of the
//!    generations that were completed.

use std::time::Duration;

use super::buffers::{Buffers, EngineSetup};
use super::dispatch_params::{DispatchParams, TaskParams};
use super::distance_replacement::offspring;
use super::layout::{FITNESS_BYTES, RunLayout, check_software};
use super::local_search::SearchPlan;
use super::operator_support::{OperatorShaders, UnsupportedConfig};
use super::pace::Pace;
use super::pipeline_cache::{PipelineCache, PipelineSet};
use super::schedule::{CommandList, Deme, DeviceCommand, RunPlan, Scheduler, TaskRange};
use super::statistics::StatsLayout;
use crate::ga::breeder::Breeder;
use crate::ga::{Config, Run, RunError};
use crate::gpu::{AdapterInfo, Device, DeviceError, encoder};
use crate::random::GenerationRng;
use crate::util::clock::Instant;

/// Tasks of a submission besides one for each deme: of more generations, and of parts of demes.
const MORE_TASKS: usize = 256;
/// Most generations of a deme in a submission.
const MOST_GENERATIONS: usize = 64;

/// The run, or island of a run, that a region belongs to.
#[derive(Clone, Debug)]
pub(super) struct RegionOwner {
    pub seed: u64,
    pub config: Config,
    /// The number of the island, which its draws depend on.
    pub island: u32,
    /// Individuals, children, and their searches.
    pub population: u32,
    pub offspring: u32,
    pub search: Option<SearchPlan>,
    /// The number of its region of tables.
    pub tables: u32,
    /// Individuals that migrate, and the places of emigrants and immigrants among all migrants.
    pub migrants: u32,
    pub destination: u32,
    pub origin: u32,
}

impl RegionOwner {
    /// The owner of a region with a run of one deme.
    pub(super) fn new(run: &Run<'_>, population: u32, search: Option<&SearchPlan>) -> Self {
        Self {
            seed: run.seed,
            config: run.config.clone(),
            island: 0,
            population,
            offspring: offspring(run.config, population),
            search: search.copied(),
            tables: 0,
            migrants: 0,
            destination: 0,
            origin: 0,
        }
    }
}

/// Checks that the engine carries out a run with these parameters on an adapter, and returns the shaders of its
/// operators.
///
/// # Errors
/// [`RunError`] names what the engine, the adapter or the operators refuse.
pub(super) fn check_run(
    adapter: &AdapterInfo,
    run: &Run<'_>,
    config: &Config,
) -> Result<OperatorShaders, RunError> {
    if let Some(custom) = run.operators.names().into_iter().next() {
        return Err(UnsupportedConfig::Custom(custom).into());
    }
    let operators = OperatorShaders::for_config(config)?;
    check_software(adapter, run.space, config)?;
    // The operators of the CPU engine refuse combinations that do not work.
    Breeder::new(run.space, config, run.operators)?;
    Ok(operators)
}

/// Demes in the memory of a device.
#[derive(Debug)]
pub(super) struct DemeEngine {
    pub device: Device,
    pub schedule: Scheduler,
    pub layout: RunLayout,
    pub stats: StatsLayout,
    pub buffers: Buffers,
    /// Regions of a set of buffers.
    pub in_set: usize,
    pub owners: Vec<Option<RegionOwner>>,
    pub pipelines: PipelineSet,
    pub pace: Pace,
    /// The effort of the generation that goes on, if the last submission told it.
    effort: Option<u64>,
    /// The region of each deme of the generation.
    pub regions: Vec<usize>,
    /// The number of the old population, which is bred from: 0 or 1.
    pub old: usize,
}

/// A submission that the device carries out.
#[derive(Debug)]
pub(super) struct Submission {
    start: Instant,
    pub list: CommandList,
}

impl DemeEngine {
    /// Compiles the kernels and creates the buffers. No region has an owner yet.
    ///
    /// # Errors
    /// [`RunError`] for an error of the driver, or when the run was interrupted.
    pub(super) fn new(
        run: &Run<'_>,
        cache: &PipelineCache,
        chunk: Option<u32>,
        setup: EngineSetup<'_>,
    ) -> Result<Self, RunError> {
        let EngineSetup { config, ref operators, search, layout, regions, in_set, .. } = setup;
        let pipelines = cache.compile(run, config, operators, search)?;
        let stats = StatsLayout::new(run.space.geometry());
        let plan = RunPlan {
            largest: config.population,
            ranks: operators.ranks.then_some(stats.bins as u32),
            search_batch: setup.search_batch,
            keeps_distance: operators.keeps_distance,
            migration: setup.islands.migration,
            has_channel: setup.islands.channel.is_some(),
            most_tasks: regions + MORE_TASKS,
            most_generations: (MOST_GENERATIONS / regions).max(1),
        };
        let buffers = Buffers::new(cache, &setup, &plan)?;
        let device = cache.device.clone();
        pipelines.warm_up(&device, &buffers.sets[0].bindings[0], run.interrupted)?;
        Ok(Self {
            device,
            schedule: Scheduler::new(plan),
            layout,
            stats,
            buffers,
            in_set,
            owners: vec![None; regions],
            pipelines,
            pace: Pace::new(chunk, operators.searches),
            effort: None,
            regions: Vec::new(),
            old: 0,
        })
    }

    /// Writes the tables of a puzzle to a region of tables.
    pub(super) fn write_tables(&self, region: usize, tables: &[u32]) {
        let start = region as u64 * 4 * self.layout.tables;
        self.device.queue().write_buffer(&self.buffers.tables, start, bytemuck::cast_slice(tables));
    }

    /// Sets the demes of the next generation: the region of each, the number of its generation, and whether its
    /// children have parents. Those without, which get new boards, come first.
    pub(super) fn begin(&mut self, due: impl Iterator<Item = (usize, u32, bool)>) {
        let mut demes = Vec::new();
        self.regions.clear();
        for (region, generation, has_parents) in due {
            let Some(owner) = self.owners.get(region).and_then(Option::as_ref) else { continue };
            let RegionOwner { population, offspring, search, .. } = *owner;
            let rounds = search.map_or(0, |search| search.rounds);
            demes.push(Deme { generation, has_parents, population, offspring, rounds });
            self.regions.push(region);
        }
        self.schedule.begin(demes);
        self.pace.begin();
        self.effort = None;
    }

    /// Records and submits about a tenth of a second of the generation that was begun, and of those
    /// after it, at most `generations` in all.
    ///
    /// # Errors
    /// An error of the driver.
    pub(super) fn submit(
        &mut self,
        generations: u32,
        wants_distinct: impl Fn(u32) -> bool,
    ) -> Result<Submission, DeviceError> {
        let start = Instant::now();
        let size = self.pace.size(self.schedule.has_parents());
        let list = self.schedule.commands(size, generations, wants_distinct);
        let mut encoder = encoder(&self.device, "generations");
        // Dispatches that follow each other share a pass.
        let (mut pass, mut bytes) = (None, 0);
        for command in &list.commands {
            if !matches!(command, DeviceCommand::Dispatch { .. }) {
                pass = None;
            }
            self.record(command, &list.tasks, &mut encoder, &mut pass, &mut bytes)?;
        }
        drop(pass);
        let tasks: Vec<DispatchParams> = list.tasks.iter().map(|task| self.params(task)).collect();
        let (device, buffers) = (&self.device, &mut self.buffers);
        device.queue().write_buffer(&buffers.tasks, 0, bytemuck::cast_slice(&tasks));
        // At least one word is read back, which shows that the work is done.
        buffers.readback.submit(device, encoder, bytes.max(wgpu::MAP_ALIGNMENT));
        device.check()?;
        Ok(Submission { start, list })
    }

    /// Records a command; `bytes` is the number of bytes that are read back so far.
    fn record(
        &mut self,
        command: &DeviceCommand,
        tasks: &[TaskRange],
        encoder: &mut wgpu::CommandEncoder,
        pass: &mut Option<wgpu::ComputePass<'static>>,
        bytes: &mut u64,
    ) -> Result<(), DeviceError> {
        let Buffers { unwritten, migrants, sets, .. } = &self.buffers;
        let readback = &self.buffers.readback.buffer;
        match *command {
            DeviceCommand::Clear => {
                let used = self.used();
                let fitness_bytes = u64::from(self.layout.individuals) * FITNESS_BYTES;
                for (set, first) in sets.iter().zip((0..used).step_by(self.in_set)) {
                    let regions = (used - first).min(self.in_set) as u64;
                    let next = &set.populations[1 - self.old];
                    let at = next.size() - unwritten.size();
                    let bytes = regions * fitness_bytes;
                    encoder.copy_buffer_to_buffer(unwritten, 0, next, at, bytes);
                    encoder.clear_buffer(&set.block, 0, Some(regions * 4 * self.layout.block));
                }
            }
            DeviceCommand::Dispatch { kernel, tasks: ref range, count } => {
                let pipeline = self.pipelines.get(kernel)?;
                let set_of = |task: &TaskRange| self.regions[task.deme] / self.in_set;
                let pass = pass.get_or_insert_with(|| {
                    encoder.begin_compute_pass(&Default::default()).forget_lifetime()
                });
                let mut first = range.start;
                for alike in tasks[range.clone()].chunk_by(|a, b| set_of(a) == set_of(b)) {
                    let bindings = &sets[set_of(&alike[0])].bindings[self.old];
                    pipeline.dispatch(pass, bindings, first, alike.len() as u32, count);
                    first += alike.len();
                }
            }
            DeviceCommand::ReadBlocks { .. } | DeviceCommand::ReadProgress => {
                let (stride, used) = (4 * self.layout.block, self.used());
                let has_registers = *command == DeviceCommand::ReadBlocks { has_registers: true };
                let block = 4 * self.stats.words(has_registers) as u64;
                for (set, first) in sets.iter().zip((0..used).step_by(self.in_set)) {
                    let regions = (used - first).min(self.in_set) as u64;
                    // One copy where the blocks are adjacent.
                    let (copies, len) =
                        if block == stride { (1, regions * block) } else { (regions, block) };
                    for copy in 0..copies {
                        let at = copy * stride;
                        encoder.copy_buffer_to_buffer(&set.block, at, readback, *bytes, len);
                        *bytes += len;
                    }
                }
            }
            DeviceCommand::ReadEmigrants => {
                let Some(owner) = self.owners.last().and_then(Option::as_ref) else {
                    return Ok(());
                };
                let len = u64::from(owner.migrants) * 4 * (1 + self.layout.board);
                let at = u64::from(owner.destination) * len;
                encoder.copy_buffer_to_buffer(migrants, at, readback, *bytes, len);
                *bytes += len;
            }
            DeviceCommand::Swap => self.old = 1 - self.old,
        }
        Ok(())
    }

    /// The number of regions up to the last that takes part in the generation.
    fn used(&self) -> usize {
        self.regions.iter().map(|region| region + 1).max().unwrap_or(0)
    }

    /// The words of a task.
    fn params(&self, task: &TaskRange) -> DispatchParams {
        let region = self.regions[task.deme];
        let Some(owner) = &self.owners[region] else { return DispatchParams::default() };
        let RunLayout { individuals, board, tables, plan, block } = self.layout;
        let at = (region % self.in_set) as u32;
        let mut params = DispatchParams::of(TaskParams {
            key: [owner.seed as u32, (owner.seed >> 32) as u32],
            generation: task.generation,
            island: owner.island,
            population: owner.population,
            first: task.slots.start,
            count: task.slots.len() as u32,
            searcher: task.searcher,
            migrants: owner.migrants,
            origin: owner.origin,
            destination: owner.destination,
            first_slot: at * individuals,
            fitness: self.in_set as u32 * board as u32 * individuals,
            tables: owner.tables * tables as u32,
            plan: at * plan as u32,
            block: at * block as u32,
            ..TaskParams::default()
        });
        if task.has_parents {
            let seed = GenerationRng::new(owner.seed, task.generation).island(owner.island);
            params.draw_plan(&owner.config, &seed);
        }
        params
    }

    /// Waits for a submission, and passes the owners of all regions, its data and the time that it took to
    /// `read`. The data are, for each generation that it completed, the blocks of all regions up to the last
    /// that takes part, then emigrants.
    ///
    /// # Errors
    /// An error of the driver, or that of `read`.
    pub(super) fn finish<T>(
        &mut self,
        submission: &Submission,
        read: impl FnOnce(&[Option<RegionOwner>], &[u32], Duration) -> Result<T, RunError>,
    ) -> Result<T, RunError> {
        let (list, used, stats) = (&submission.list, self.used(), self.stats);
        let words = |has_registers| used * stats.words(has_registers);
        let Self { owners, pace, schedule, buffers, device, effort, .. } = self;
        // Rounds that the searches of a generation made, by the blocks of all regions.
        let rounds = |blocks: &[u32]| -> f64 {
            let block = (blocks.len() / used.max(1)).max(1);
            let owned = owners.iter().zip(blocks.chunks_exact(block));
            let made = owned.filter_map(|(owner, block)| {
                Some(owner.as_ref()?.search?.rounds_made(stats.effort(block)))
            });
            made.sum()
        };
        buffers.readback.read(device, |bytes| {
            let elapsed = submission.start.elapsed();
            let data: &[u32] = bytemuck::cast_slice(bytes);
            let progress = if list.reports_progress() { words(false) } else { 0 };
            let (data, progress) = data.split_at(data.len() - progress);
            let mut made = [0.0, 0.0];
            if list.searched > 0 {
                let mut rest = data;
                for done in &list.completed {
                    let (blocks, others) = rest.split_at(words(done.has_registers));
                    (made[0], rest) = (made[0] + rounds(blocks), others);
                }
                made[1] = rounds(progress);
            }
            pace.note(list, made, elapsed);
            // Where nothing was even tried, no more rounds change anything.
            let told = list.reports_progress().then(|| {
                let effort = |block| stats.effort(block).moves + stats.effort(block).steps;
                progress.chunks_exact(progress.len() / used).map(effort).sum()
            });
            if list.completed.is_empty() && told.is_some() && told == *effort {
                schedule.skip_rounds();
            }
            *effort = told;
            read(owners, data, elapsed)
        })?
    }
}
