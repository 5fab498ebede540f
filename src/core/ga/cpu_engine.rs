//! The CPU engine breeds on the threads of the current rayon pool, and scores on any evaluator.
//!
//! It is the reference for the other engines.

use super::breeder::Breeder;
use super::diversity::{merge, registers};
use super::engine::{Engine, EngineStatus, GenerationRequest, GenerationStats};
use super::islands::{LocalIslands, Migration, MigrationChannel};
use super::local_search::{Effort, StopCheck};
use super::{
    Config, GenerationKind, GenerationPlace, Individuals, IslandSink, IslandSnapshot,
    PopulationSnapshot, Run, RunError,
};
use crate::board::Geometry;
use crate::fitness::{GenerationTimes, Pipeline};
use crate::random::GenerationRng;

/// A population, or some of its islands, in host memory.
#[doc(hidden)]
pub struct CpuEngine<'a> {
    pipeline: &'a mut Pipeline,
    /// Whether the pipeline had a fault in an earlier run, which was reported there.
    failed_before: bool,
    seed: u64,
    geometry: Geometry,
    /// The fixed board.
    fixed: Vec<u8>,
    islands: Vec<CpuIsland>,
    /// The number of the first island.
    first: usize,
    migration: Migration,
    /// The channel to the islands of other engines.
    channel: Option<&'a dyn MigrationChannel>,
    /// The migrants, by the island that they left.
    emigrants: Vec<Individuals>,
    summary: GenerationStats,
}

/// An island: its operators, its individuals, and its children.
struct CpuIsland {
    breeder: Breeder,
    population: Individuals,
    children: Individuals,
}

impl<'a> CpuEngine<'a> {
    /// Creates an engine for `run` that scores with `pipeline`.
    ///
    /// # Errors
    /// [`RunError`] when the configuration cannot be used or memory does not suffice.
    pub fn new(run: &Run<'a>, pipeline: &'a mut Pipeline) -> Result<Self, RunError> {
        run.config.check()?;
        run.check_memory()?;
        let geometry = run.space.geometry();
        let held = run.local_islands()?;
        let migrants = held.migration.migrants as usize;
        let emigrants = (0..held.places()).map(|_| Individuals::new(geometry, migrants));
        let emigrants = emigrants.collect::<Result<_, _>>()?;
        let LocalIslands { first, sizes, migration, channel } = held;
        let islands = sizes.into_iter().map(|size| CpuIsland::new(run, size));
        Ok(Self {
            failed_before: pipeline.fault().is_some(),
            pipeline,
            seed: run.seed,
            geometry,
            fixed: run.space.fixed.clone(),
            islands: islands.collect::<Result<_, _>>()?,
            first,
            migration,
            channel,
            emigrants,
            summary: GenerationStats::default(),
        })
    }

    /// The random numbers of an island.
    fn seed(&self, island: usize, generation: u32) -> GenerationRng<'static> {
        GenerationRng::new(self.seed, generation).island((self.first + island) as u32)
    }

    /// Copies the migrants of an island.
    fn emigrate(&mut self, island: usize, generation: u32) {
        let seed = self.seed(island, generation);
        let Self { islands, migration, emigrants, .. } = self;
        let population = &islands[island].population;
        for migrant in 0..migration.migrants {
            let slot = migration.emigrant(migrant, &population.fitness, &seed);
            emigrants[island].copy(migrant as usize, population, slot);
        }
    }

    /// Moves migrants to every island from the island before it.
    fn immigrate(&mut self, generation: u32) {
        for number in 0..self.islands.len() {
            let seed = self.seed(number, generation);
            let origin = number.checked_sub(1).unwrap_or(self.emigrants.len() - 1);
            let Self { islands, migration, emigrants, .. } = self;
            let (population, emigrants) = (&mut islands[number].population, &emigrants[origin]);
            for migrant in 0..migration.migrants {
                let size = population.fitness.len() as u32;
                let slot = migration.arrival(migrant, size, &seed);
                let place = migrant as usize;
                if emigrants.fitness[place] <= population.fitness[slot] {
                    population.copy(slot, emigrants, place);
                }
            }
        }
    }

    /// Stores the migrants from another engine.
    fn receive(&mut self, immigrants: &IslandSnapshot) -> Result<(), RunError> {
        let state = PopulationSnapshot { islands: vec![immigrants.clone()] };
        let migrants = self.migration.migrants as usize;
        state.check(self.geometry, &self.fixed, std::iter::once(migrants))?;
        if let Some(place) = self.emigrants.last_mut() {
            place.restore(immigrants);
        }
        Ok(())
    }

    /// Computes the statistics of the population.
    fn sum_up(&mut self, wants_distinct: bool) {
        let Self { islands, summary, .. } = self;
        summary.best = u16::MAX;
        (summary.worst, summary.sum) = (0, 0);
        summary.islands.clear();
        for CpuIsland { population, .. } in &*islands {
            let fitness = &population.fitness;
            let best = population.best_slot();
            summary.islands.push(fitness[best]);
            if fitness[best] < summary.best {
                summary.best = fitness[best];
                summary.best_board.clear();
                summary.best_board.extend_from_slice(population.boards.board(best));
            }
            let worst = fitness.iter().copied().max().unwrap_or(u16::MAX);
            summary.worst = summary.worst.max(worst);
            summary.sum += fitness.iter().map(|fitness| u64::from(*fitness)).sum::<u64>();
        }
        summary.registers = wants_distinct.then(|| {
            let all = islands.iter().map(|island| registers(&island.population.boards));
            all.reduce(merge).unwrap_or_default()
        });
    }
}

impl CpuIsland {
    fn new(run: &Run<'_>, size: u32) -> Result<Self, RunError> {
        let config = Config { population: size, ..run.config.clone() };
        let geometry = run.space.geometry();
        Ok(Self {
            breeder: Breeder::new(run.space, &config, run.operators)?,
            population: Individuals::new(geometry, size as usize)?,
            children: Individuals::new(geometry, size as usize)?,
        })
    }

    /// Breeds and scores the children of a generation, without a change of the population. Returns `None` if `stop`
    /// interrupted it.
    fn breed(
        &mut self,
        pipeline: &mut Pipeline,
        at: GenerationPlace,
        seed: &GenerationRng,
        source: GenerationKind,
        stop: StopCheck<'_>,
    ) -> Result<Option<(GenerationTimes, Effort)>, RunError> {
        let Self { breeder, population, children } = self;
        breeder.prepare(population, source, seed);
        let mut effort = Effort::default();
        let offspring = breeder.offspring_count(source);
        let boards = children.boards.bytes_mut();
        let prepared = match source {
            GenerationKind::Parents => breeder.prepare_generation(at, population, seed, boards)?,
            _ => None,
        };
        let times = pipeline.fill(
            &mut children.boards,
            &mut children.fitness[..offspring],
            |slots, boards| {
                let bred = match &prepared {
                    None => breeder.breed(population, source, seed, slots, boards, stop),
                    Some(prepared) => {
                        breeder.complete_generation(population, seed, slots, boards, prepared, stop)
                    }
                };
                effort += bred.unwrap_or_default();
                bred.is_some()
            },
        )?;
        Ok(times.map(|times| (times, effort)))
    }

    /// Replaces individuals by their children.
    fn replace(&mut self, source: GenerationKind) {
        self.breeder.replace(&mut self.population, &mut self.children, source);
    }
}

impl Engine for CpuEngine<'_> {
    fn step(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
        let GenerationRequest { generation, source, stop, .. } = *wanted;
        self.summary.evaluations = 0;
        self.summary.effort = Effort::default();
        self.summary.times = GenerationTimes::default();
        let migrates = self.migration.is_due(generation, source);
        let channel = self.channel.filter(|_| migrates);
        let last = self.islands.len().saturating_sub(1);
        let mut order: Vec<usize> = (0..self.islands.len()).collect();
        order.rotate_right(usize::from(channel.is_some()).min(last));
        for number in order {
            let seed = self.seed(number, generation);
            let island = &mut self.islands[number];
            let island_number = (self.first + number) as u32;
            let at = GenerationPlace {
                geometry: self.geometry,
                seed: self.seed,
                generation,
                island: island_number,
            };
            let bred = island.breed(self.pipeline, at, &seed, source, stop)?;
            let Some((times, effort)) = bred else { return Ok(false) };
            self.summary.evaluations += island.breeder.offspring_count(source) as u64;
            self.summary.effort += effort;
            self.summary.times += times;
            // Migrants to another engine travel while the other islands are bred.
            if let Some(channel) = channel.filter(|_| number == last) {
                self.islands[last].replace(source);
                self.emigrate(last, generation);
                channel.send(generation, self.emigrants[last].snapshot());
            }
        }
        // No island changes before all are bred, so that a generation can be abandoned.
        let sent = usize::from(channel.is_some());
        for number in 0..self.islands.len() - sent.min(self.islands.len()) {
            self.islands[number].replace(source);
            if migrates {
                self.emigrate(number, generation);
            }
        }
        if let Some(channel) = channel {
            let Some(immigrants) = channel.receive(generation, stop) else { return Ok(false) };
            self.receive(&immigrants)?;
        }
        if migrates {
            self.immigrate(generation);
        }
        self.sum_up(wanted.wants_distinct(generation));
        Ok(true)
    }

    fn summaries(&self) -> &[GenerationStats] {
        std::slice::from_ref(&self.summary)
    }

    fn for_each_island(&mut self, take: IslandSink<'_>) -> Result<(), RunError> {
        for CpuIsland { population, .. } in &self.islands {
            take(population.boards.bytes(), &population.fitness);
        }
        Ok(())
    }

    fn restore(&mut self, state: &PopulationSnapshot) -> Result<(), RunError> {
        let sizes = self.islands.iter().map(|island| island.population.fitness.len());
        state.check(self.geometry, &self.fixed, sizes)?;
        for (island, state) in self.islands.iter_mut().zip(&state.islands) {
            island.population.restore(state);
        }
        Ok(())
    }

    fn status(&self) -> EngineStatus<'_> {
        let degraded_by = self.pipeline.given_up();
        let consequence = match degraded_by {
            Some(_) => "scoring continues on the CPU",
            None => "the boards were scored again; after a third fault the CPU scores them",
        };
        let fault = self.pipeline.fault().filter(|_| !self.failed_before);
        EngineStatus { warning: fault.map(|fault| (fault, consequence)), degraded_by }
    }
}
