//! The engine of a single run: its population, or some of its islands, each a deme.

use std::iter;
use std::time::Duration;

use super::buffers::EngineSetup;
use super::deme_engine::{DemeEngine, RegionOwner, Submission, check_run};
use super::layout::RunLayout;
use super::local_search::{SearchPlan, word};
use super::pipeline_cache::PipelineCache;
use super::puzzle_tables::TableLayout;
use crate::board::SearchSpace;
use crate::ga::diversity::REGISTERS;
use crate::ga::{
    Config, Engine, GenerationKind, GenerationRequest, GenerationStats, IslandSink, IslandSnapshot,
    LocalIslands, MigrationChannel, PopulationSnapshot, Run, RunError,
};
use crate::gpu::Readback;

/// The GPU engine of a run: its population, or some of its islands, in the memory of a device.
pub struct GpuEngine<'a> {
    demes: DemeEngine,
    space: &'a SearchSpace,
    migrants: u32,
    /// The connection to the islands of other engines.
    channel: Option<&'a dyn MigrationChannel>,
    /// Time that the current generation took so far.
    spent: Duration,
    /// A submission that is not done, of a device that is not waited for.
    in_flight: Option<Submission>,
    /// The readback of the fitness of all individuals, likewise.
    fitness: Option<Vec<Readback>>,
    summaries: Vec<GenerationStats>,
}

impl<'a> GpuEngine<'a> {
    /// Creates an engine for `run`, with at most `chunk` slots a submission (adapted to the device by default).
    ///
    /// # Errors
    /// [`RunError`] when the device lacks an operator or has too little memory, and for a fault of the device.
    pub fn new(run: &Run<'a>, cache: &PipelineCache, chunk: Option<u32>) -> Result<Self, RunError> {
        let (geometry, config) = (run.space.geometry(), run.config);
        let islands = run.local_islands()?;
        let LocalIslands { first, ref sizes, migration, channel } = islands;
        let largest = Config { population: sizes[0], ..config.clone() };
        let adapter = cache.device.adapter();
        let operators = check_run(adapter, run, &largest)?;
        run.smallest_breeder()?;
        let search = SearchPlan::new(adapter, run.space, &largest)?;
        let tables = TableLayout::new(geometry, config).fill(run.space, config, search.as_ref());
        let layout = RunLayout::single(adapter, geometry, &largest, search.as_ref(), tables.len())?;
        // Immigrants from another engine come after the emigrants of the islands here.
        let last = sizes.len() - usize::from(channel.is_none());
        let owner = |(number, population): (usize, &u32)| RegionOwner {
            island: (first + number) as u32,
            migrants: migration.migrants,
            destination: number as u32,
            origin: number.checked_sub(1).unwrap_or(last) as u32,
            ..RegionOwner::new(run, *population, search.as_ref())
        };
        let owners: Vec<_> = sizes.iter().enumerate().map(owner).collect();
        let setup = EngineSetup {
            config: &largest,
            operators,
            search: search.as_ref(),
            search_batch: search.map(|search| search.children),
            layout,
            regions: sizes.len(),
            in_set: layout.islands(adapter, sizes.len()),
            tables: 1,
            islands,
        };
        let mut demes = DemeEngine::new(run, cache, chunk, setup)?;
        demes.write_tables(0, &tables);
        demes.owners = owners.into_iter().map(Some).collect();
        Ok(Self {
            demes,
            space: run.space,
            migrants: migration.migrants,
            channel,
            spent: Duration::ZERO,
            in_flight: None,
            fitness: None,
            summaries: Vec::new(),
        })
    }

    /// Waits for a submission, and adds the statistics of the generations that it completed; returns the
    /// emigrants to another engine.
    fn collect(&mut self, submission: &Submission) -> Result<Option<IslandSnapshot>, RunError> {
        let Self { demes, summaries, spent, migrants, .. } = self;
        let (stats, list) = (demes.stats, &submission.list);
        demes.finish(submission, |owners, mut words, elapsed| {
            let share =
                |part: u32| elapsed.mul_f64(f64::from(part) / f64::from(list.spent().max(1)));
            for done in &list.completed {
                let mut summary =
                    GenerationStats { evaluations: done.evaluations, ..GenerationStats::default() };
                let mut registers = vec![0; REGISTERS];
                let len = stats.words(done.has_registers);
                for owner in owners.iter().flatten() {
                    let (block, others) = words.split_at(len);
                    words = others;
                    stats.add(block, owner.population, &mut summary)?;
                    if done.has_registers {
                        stats.merge_registers(block, &mut registers);
                    }
                }
                summary.registers = done.has_registers.then_some(registers);
                summary.times.score.kernel = std::mem::take(spent) + share(done.spent);
                summaries.push(summary);
            }
            *spent += share(list.rest);
            let emigrant = 1 + stats.board_words;
            let leave = &words[..if list.leaves { *migrants as usize * emigrant } else { 0 }];
            Ok(list.leaves.then(|| island_of(leave, emigrant)))
        })
    }

    /// Uploads immigrants from another engine.
    fn receive(&self, immigrants: IslandSnapshot) -> Result<(), RunError> {
        let state = PopulationSnapshot { islands: vec![immigrants] };
        let (geometry, size) = (self.space.geometry(), iter::once(self.migrants as usize));
        state.check(geometry, &self.space.fixed, size)?;
        let words = migrant_words(&state.islands[0], geometry.stride());
        let at = self.demes.owners.len() as u64 * 4 * words.len() as u64;
        let DemeEngine { device, buffers, .. } = &self.demes;
        device.queue().write_buffer(&buffers.migrants, at, bytemuck::cast_slice(&words));
        Ok(device.check()?)
    }
}

/// Individuals in the format of kernels: the fitness of each, then its board.
fn migrant_words(state: &IslandSnapshot, stride: usize) -> Vec<u32> {
    let individuals = state.fitness.iter().zip(state.boards.chunks_exact(stride));
    let words = individuals.flat_map(|(fitness, board)| {
        iter::once(u32::from(*fitness)).chain(board.chunks_exact(4).map(word))
    });
    words.collect()
}

/// Individuals in the format of the CPU, from those of kernels with `individual` words each.
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
        // A generation that was begun continues: it is the one that is wanted.
        if !self.demes.schedule.is_begun {
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
            let submission = match self.in_flight.take() {
                Some(submission) => submission,
                None => self.demes.submit(wanted.generations, wants_distinct)?,
            };
            let DemeEngine { device, buffers, .. } = &self.demes;
            if !device.waits() && !buffers.readback.is_ready(device)? {
                self.in_flight = Some(submission);
                return Ok(true);
            }
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

    fn for_each_island(&mut self, take: IslandSink<'_>) -> Result<(), RunError> {
        // No more than an island is in memory at a time.
        for region in 0..self.demes.owners.len() {
            self.demes.for_each_island(region, take)?;
        }
        Ok(())
    }

    fn waits(&self) -> bool {
        self.demes.device.waits()
    }

    fn fitness(&mut self) -> Result<Option<Vec<u16>>, RunError> {
        let mut readbacks = match self.fitness.take() {
            Some(readbacks) => readbacks,
            // What is copied after a submission is not that of the last complete generation.
            None if self.in_flight.is_some() => return Ok(None),
            None => self.demes.request_fitness()?,
        };
        for readback in &readbacks {
            if !self.demes.device.waits() && !readback.is_ready(&self.demes.device)? {
                self.fitness = Some(readbacks);
                return Ok(None);
            }
        }
        let mut all = Vec::new();
        for readback in &mut readbacks {
            readback.read(&self.demes.device, |bytes| {
                let words: &[u32] = bytemuck::cast_slice(bytes);
                all.extend(words.iter().map(|fitness| *fitness as u16));
            })?;
        }
        Ok(Some(all))
    }

    fn restore(&mut self, state: &PopulationSnapshot) -> Result<(), RunError> {
        let owners = self.demes.owners.iter().flatten();
        let sizes = owners.map(|owner| owner.population as usize);
        state.check(self.space.geometry(), &self.space.fixed, sizes)?;
        // An unfinished generation is dropped.
        self.demes.schedule.begin(Vec::new());
        self.in_flight = None;
        self.spent = Duration::ZERO;
        for (region, island) in state.islands.iter().enumerate() {
            self.demes.write(region, island)?;
        }
        Ok(())
    }
}
