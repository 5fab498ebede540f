//! A single run on a device: its population, or some of its islands, each a deme.

use std::iter;
use std::time::Duration;

use super::buffers::{BufferSizes, Buffers};
use super::deme_engine::{DemeEngine, RegionOwner, Submission, submission_sizes};
use super::distance_replacement::offspring;
use super::layout::RunLayout;
use super::local_search::SearchPlan;
use super::loop_limit;
use super::operator_support::{OperatorShaders, UnsupportedConfig};
use super::pipeline_cache::PipelineCache;
use super::puzzle_tables::TableLayout;
use super::schedule::{RunPlan, Scheduler};
use super::statistics::StatsLayout;
use crate::board::Geometry;
use crate::ga::breeder::Breeder;
use crate::ga::diversity::REGISTERS;
use crate::ga::{
    Config, Engine, GenerationKind, GenerationRequest, GenerationStats, IslandSnapshot,
    LocalIslands, MigrationChannel, PopulationSnapshot, Run, RunError,
};

/// Generations of an island that a submission holds at most.
const MOST_GENERATIONS: usize = 64;
/// Tasks beside one for each island: of more generations, and of parts of islands.
const MORE_TASKS: usize = 256;
/// A buffer may not be empty.
const LEAST_BYTES: u64 = 16;

/// A population, or some of its islands, in the memory of a device.
pub struct GpuEngine<'a> {
    demes: DemeEngine,
    geometry: Geometry,
    /// The fixed board.
    fixed: Vec<u8>,
    migrants: u32,
    /// The way to islands that are elsewhere.
    channel: Option<&'a dyn MigrationChannel>,
    /// Time that the generation which is being bred took so far.
    spent: Duration,
    summaries: Vec<GenerationStats>,
}

impl<'a> GpuEngine<'a> {
    /// An engine for `run`, which breeds at most `chunk` slots a submission.
    ///
    /// # Errors
    /// [`RunError`] when the device has no twin of an operator or too little memory.
    pub fn new(run: &Run<'a>, cache: &PipelineCache, chunk: Option<u32>) -> Result<Self, RunError> {
        if let Some(own) = run.operators.names().into_iter().next() {
            return Err(UnsupportedConfig::Own(own).into());
        }
        let (geometry, config) = (run.space.geometry(), run.config);
        let held = LocalIslands::of(run)?;
        let places = held.places() as u64;
        let LocalIslands { first, sizes, migration, channel } = held;
        let largest = Config { population: sizes[0], ..config.clone() };
        let adapter = cache.device().adapter();
        loop_limit::check(adapter, run.space, &largest)?;
        let shaders = OperatorShaders::for_config(&largest)?;
        let search = SearchPlan::new(adapter, run.space, &largest)?;
        let layout = RunLayout::single(adapter, geometry, &largest, search.as_ref())?;
        // The host's operators refuse what does not go together.
        Breeder::new(run.space, &largest, run.operators)?;
        let tables = TableLayout::new(geometry, config).fill(run.space, config, search.as_ref());
        let layout = layout.with_tables(adapter, geometry, &tables)?;
        let pipelines = cache.compile(run, &largest, &shaders, search.as_ref())?;
        let stats = StatsLayout::new(geometry);
        let (regions, in_set) = (sizes.len(), layout.islands(adapter, sizes.len()));
        let plan = RunPlan {
            largest: largest.population,
            ranks: shaders.ranks.then_some(stats.bins() as u32),
            search_batch: search.map(|search| search.children),
            keeps_distance: shaders.keeps_distance,
            migration,
            has_strait: channel.is_some(),
            most_tasks: regions + MORE_TASKS,
            most_generations: (MOST_GENERATIONS / regions).max(1),
        };
        let emigrants = u64::from(migration.migrants) * 4 * (layout.board + 1);
        let buffers = BufferSizes {
            regions,
            in_set,
            tables: 1,
            tasks: plan.most_tasks,
            generations: plan.most_generations,
            travellers: (places * emigrants).max(LEAST_BYTES),
            emigrants,
        };
        let buffers = Buffers::new(cache, &layout, &buffers)?;
        let device = cache.device().clone();
        device.queue().write_buffer(&buffers.tables, 0, bytemuck::cast_slice(&tables));
        pipelines.warm_up(&device, &buffers.sets[0].bindings[0], run.interrupted)?;
        // Who comes from elsewhere stands behind those who leave the islands here.
        let last = regions - usize::from(channel.is_none());
        let owner = |(number, population): (usize, &u32)| RegionOwner {
            seed: run.seed,
            config: config.clone(),
            island: (first + number) as u32,
            population: *population,
            offspring: offspring(config, *population),
            rounds: search.map_or(0, |search| search.rounds),
            tables: 0,
            migrants: migration.migrants,
            berth: number as u32,
            origin: number.checked_sub(1).unwrap_or(last) as u32,
        };
        let owners: Vec<_> = sizes.iter().enumerate().map(owner).collect();
        let children = owners.iter().map(|owner| owner.offspring).sum();
        Ok(Self {
            demes: DemeEngine {
                device,
                schedule: Scheduler::new(plan),
                layout,
                stats,
                buffers,
                in_set,
                owners: owners.into_iter().map(Some).collect(),
                pipelines,
                sizes: submission_sizes(chunk, search.is_some(), children),
                regions: Vec::new(),
                old: 0,
            },
            geometry,
            fixed: run.space.fixed.clone(),
            migrants: migration.migrants,
            channel,
            spent: Duration::ZERO,
            summaries: Vec::new(),
        })
    }

    /// Waits for a submission, and sums up the generations that it completed; gives who leaves for
    /// elsewhere.
    fn collect(&mut self, submission: &Submission) -> Result<Option<IslandSnapshot>, RunError> {
        let Self { demes, summaries, spent, migrants, .. } = self;
        let (stats, list) = (demes.stats, &submission.list);
        let populations: Vec<u32> =
            demes.owners.iter().flatten().map(|owner| owner.population).collect();
        demes.finish(submission, |mut words, elapsed| {
            let share =
                |part: u32| elapsed.mul_f64(f64::from(part) / f64::from(list.spent().max(1)));
            for done in &list.completed {
                let mut summary =
                    GenerationStats { evaluations: done.evaluations, ..GenerationStats::default() };
                let mut registers = vec![0; REGISTERS];
                let len = stats.bytes(done.has_registers) as usize / size_of::<u32>();
                for population in &populations {
                    let (block, others) = words.split_at(len);
                    words = others;
                    stats.add(block, *population, &mut summary)?;
                    if done.has_registers {
                        stats.merge_registers(block, &mut registers);
                    }
                }
                summary.registers = done.has_registers.then_some(registers);
                summary.times.score.kernel = std::mem::take(spent) + share(done.spent);
                summaries.push(summary);
            }
            *spent += share(list.rest);
            let emigrant = 1 + stats.board_words();
            let leave = &words[..if list.leaves { *migrants as usize * emigrant } else { 0 }];
            Ok(list.leaves.then(|| island_of(leave, emigrant)))
        })
    }

    /// Takes in who comes from elsewhere.
    fn receive(&self, come: IslandSnapshot) -> Result<(), RunError> {
        let state = PopulationSnapshot { islands: vec![come] };
        state.check(self.geometry, &self.fixed, iter::once(self.migrants as usize))?;
        let stride = self.geometry.stride();
        let words: Vec<u32> =
            state.islands.iter().flat_map(|come| traveller_words(come, stride)).collect();
        let at = self.demes.owners.len() as u64 * 4 * words.len() as u64;
        let DemeEngine { device, buffers, .. } = &self.demes;
        device.queue().write_buffer(&buffers.travellers, at, bytemuck::cast_slice(&words));
        Ok(device.check()?)
    }
}

/// Individuals as kernels have them on their way: the fitness of each, then its board.
fn traveller_words(state: &IslandSnapshot, stride: usize) -> Vec<u32> {
    let individuals = state.fitness.iter().zip(state.boards.chunks_exact(stride));
    let words = individuals.flat_map(|(fitness, board)| {
        let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        iter::once(u32::from(*fitness)).chain(board.chunks_exact(4).map(word))
    });
    words.collect()
}

/// Individuals of so many words each as the host has them.
fn island_of(words: &[u32], individual: usize) -> IslandSnapshot {
    let (mut boards, mut fitness) = (Vec::new(), Vec::new());
    for words in words.chunks_exact(individual) {
        fitness.push(words[0] as u16);
        boards.extend_from_slice(bytemuck::cast_slice(&words[1..]));
    }
    IslandSnapshot { boards, fitness }
}

impl Engine for GpuEngine<'_> {
    fn step(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
        self.summaries.clear();
        // A generation that was begun goes on: it is the one that is wanted.
        if !self.demes.schedule.is_begun() {
            let (generation, has_parents) =
                (wanted.generation, wanted.source == GenerationKind::Parents);
            let regions = self.demes.owners.len();
            self.demes.begin((0..regions).map(|region| (region, generation, has_parents)));
        }
        while self.summaries.is_empty() {
            if (wanted.stop)() {
                return Ok(false);
            }
            if let (Some(channel), Some(generation)) = (self.channel, self.demes.schedule.awaited())
            {
                let Some(come) = channel.receive(generation, wanted.stop) else { return Ok(false) };
                self.receive(come)?;
            }
            let wants_distinct = |generation| wanted.wants_distinct(generation);
            let submission = self.demes.submit(wanted.generations, wants_distinct)?;
            let leave = self.collect(&submission)?;
            let way = self.channel.zip(self.demes.schedule.awaited());
            if let (Some(emigrants), Some((channel, generation))) = (leave, way) {
                channel.send(generation, emigrants);
            }
        }
        Ok(true)
    }

    fn summaries(&self) -> &[GenerationStats] {
        &self.summaries
    }

    fn snapshot(&mut self) -> Result<PopulationSnapshot, RunError> {
        let mut islands = Vec::with_capacity(self.demes.owners.len());
        self.for_each_island(&mut |boards, fitness| {
            islands.push(IslandSnapshot { boards: boards.to_vec(), fitness: fitness.to_vec() });
        })?;
        Ok(PopulationSnapshot { islands })
    }

    fn for_each_island(&mut self, take: &mut dyn FnMut(&[u8], &[u16])) -> Result<(), RunError> {
        // No more than an island is in memory at a time.
        for region in 0..self.demes.owners.len() {
            self.demes.for_each_island(region, take)?;
        }
        Ok(())
    }

    fn restore(&mut self, state: &PopulationSnapshot) -> Result<(), RunError> {
        let owners = self.demes.owners.iter().flatten();
        let sizes = owners.map(|owner| owner.population as usize);
        state.check(self.geometry, &self.fixed, sizes)?;
        self.demes.schedule.abandon();
        self.spent = Duration::ZERO;
        for (region, island) in state.islands.iter().enumerate() {
            self.demes.write(region, island)?;
        }
        Ok(())
    }
}
