//! The host engine: breeds on the threads of the current rayon pool, scores on any evaluator.
//!
//! It is the truth that other engines are compared with.

use super::breeder::Breeder;
use super::diversity::{estimate, merge, registers};
use super::engine::{Engine, Summary, Wanted};
use super::improvement::Effort;
use super::islands::{Migration, sizes};
use super::{Config, Individuals, Operators, Run, RunError, Source, State};
use crate::board::{Geometry, SearchSpace};
use crate::random::Seed;
use crate::score::{EvaluatorError, GenerationTimes, Pipeline};

/// A population in host memory.
pub struct HostEngine<'a> {
    pipeline: &'a mut Pipeline,
    seed: u64,
    geometry: Geometry,
    /// The fixed board.
    fixed: Vec<u8>,
    islands: Vec<HostIsland>,
    migration: Migration,
    travellers: Individuals,
    summary: Summary,
}

/// A part of the population that evolves by itself.
struct HostIsland {
    breeder: Breeder,
    population: Individuals,
    children: Individuals,
}

impl<'a> HostEngine<'a> {
    /// An engine for `run`, whose boards `pipeline` scores.
    ///
    /// # Errors
    /// [`RunError`] when the configuration cannot be used or memory does not suffice.
    pub fn new(run: &Run<'_>, pipeline: &'a mut Pipeline) -> Result<Self, RunError> {
        run.config.check()?;
        run.check_memory()?;
        let geometry = run.space.geometry();
        let sizes = sizes(geometry, run.config)?;
        let migration = Migration::new(run.config, &sizes);
        let travellers = migration.migrants as usize * sizes.len();
        let islands = sizes
            .into_iter()
            .map(|size| HostIsland::new(run.space, run.config, run.operators, size));
        Ok(Self {
            pipeline,
            seed: run.seed,
            geometry,
            fixed: run.space.fixed.clone(),
            islands: islands.collect::<Result<_, _>>()?,
            migration,
            travellers: Individuals::new(geometry, travellers)?,
            summary: Summary::default(),
        })
    }

    /// Copies individuals of each island to the next.
    fn migrate(&mut self, generation: u32) {
        let Self { islands, migration, travellers, .. } = self;
        let count = migration.migrants;
        let seed = |island| Seed::new(self.seed, generation).on_island(island as u32);
        for (number, island) in islands.iter().enumerate() {
            for migrant in 0..count {
                let fitness = &island.population.fitness;
                let slot = migration.emigrant(migrant, fitness, &seed(number));
                let place = number * count as usize + migrant as usize;
                travellers.copy(place, &island.population, slot);
            }
        }
        let last = islands.len() - 1;
        for (number, island) in islands.iter_mut().enumerate() {
            let origin = number.checked_sub(1).unwrap_or(last);
            let population = &mut island.population;
            for migrant in 0..count {
                let place = origin * count as usize + migrant as usize;
                let size = population.fitness.len() as u32;
                let slot = migration.arrival(migrant, size, &seed(number));
                if travellers.fitness[place] <= population.fitness[slot] {
                    population.copy(slot, travellers, place);
                }
            }
        }
    }

    /// Sums up the population.
    fn sum_up(&mut self, wants_distinct: bool) {
        let Self { islands, summary, .. } = self;
        summary.best = u16::MAX;
        (summary.worst, summary.sum) = (0, 0);
        summary.islands.clear();
        for HostIsland { population, .. } in &*islands {
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
        summary.distinct = wants_distinct.then(|| {
            let all = islands.iter().map(|island| registers(&island.population.boards));
            estimate(&all.reduce(merge).unwrap_or_default())
        });
    }
}

impl HostIsland {
    fn new(
        space: &SearchSpace,
        config: &Config,
        operators: &Operators,
        size: u32,
    ) -> Result<Self, RunError> {
        let config = Config { population: size, ..config.clone() };
        let geometry = space.geometry();
        Ok(Self {
            breeder: Breeder::new(space, &config, operators)?,
            population: Individuals::new(geometry, size as usize)?,
            children: Individuals::new(geometry, size as usize)?,
        })
    }

    /// Carries out a generation; nothing when `stop` said so in between.
    fn advance(
        &mut self,
        pipeline: &mut Pipeline,
        seed: &Seed,
        source: Source,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<(GenerationTimes, Effort)>, EvaluatorError> {
        let Self { breeder, population, children } = self;
        breeder.plan(population, source, seed);
        let mut effort = Effort::default();
        let offspring = breeder.offspring_count(source);
        let filled = pipeline.fill(
            &mut children.boards,
            &mut children.fitness[..offspring],
            |slots, boards| {
                let bred = breeder.breed(population, source, seed, slots, boards, stop);
                effort += bred.unwrap_or_default();
                bred.is_some()
            },
        )?;
        if filled.is_some() {
            breeder.replace(population, children, source);
        }
        Ok(filled.map(|times| (times, effort)))
    }
}

impl Engine for HostEngine<'_> {
    fn advance(&mut self, wanted: &Wanted<'_>) -> Result<bool, RunError> {
        let Wanted { generation, source, stop, .. } = *wanted;
        self.summary.evaluations = 0;
        self.summary.effort = Effort::default();
        self.summary.times = GenerationTimes::default();
        for (number, island) in self.islands.iter_mut().enumerate() {
            let seed = Seed::new(self.seed, generation).on_island(number as u32);
            let advanced = island.advance(self.pipeline, &seed, source, stop)?;
            let Some((times, effort)) = advanced else { return Ok(false) };
            self.summary.evaluations += island.breeder.offspring_count(source) as u64;
            self.summary.effort += effort;
            self.summary.times += times;
        }
        if self.migration.is_due(generation, source) {
            self.migrate(generation);
        }
        self.sum_up(wanted.wants_distinct(generation));
        Ok(true)
    }

    fn summaries(&self) -> &[Summary] {
        std::slice::from_ref(&self.summary)
    }

    fn export(&mut self) -> Result<State, RunError> {
        let islands = self.islands.iter().map(|island| island.population.export());
        Ok(State { islands: islands.collect() })
    }

    fn import(&mut self, state: &State) -> Result<(), RunError> {
        let sizes = self.islands.iter().map(|island| island.population.fitness.len());
        state.check(self.geometry, &self.fixed, sizes)?;
        for (island, state) in self.islands.iter_mut().zip(&state.islands) {
            island.population.import(state);
        }
        Ok(())
    }

    fn fault(&self) -> Option<&EvaluatorError> {
        self.pipeline.fault()
    }

    fn given_up(&self) -> Option<&EvaluatorError> {
        self.pipeline.given_up()
    }

    fn consequence(&self) -> &'static str {
        match self.pipeline.given_up() {
            Some(_) => "scoring goes on on the CPU",
            None => "its boards were scored again, and go to the CPU after a third fault",
        }
    }
}
