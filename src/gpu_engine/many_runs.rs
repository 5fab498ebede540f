//! Many runs on a device at once, each a deme.
//!
//! Runs go together whose boards have one shape and whose kernels are the same: parameters that
//! follow from the puzzle (steps, tenure, children, distance) and budgets may differ from run to
//! run. Those with islands, and those whose children are too many to be searched at once, have the
//! device to themselves. For each run and generation a task of 256 bytes goes to the device and a
//! block comes back.

use rayon::prelude::*;

use super::buffers::{BufferSizes, Buffers};
use super::deme_engine::{DemeEngine, RegionOwner, submission_sizes};
use super::distance_replacement::offspring;
use super::layout::RunLayout;
use super::local_search::SearchPlan;
use super::loop_limit;
use super::operator_support::OperatorShaders;
use super::pipeline_cache::PipelineCache;
use super::puzzle_tables::TableLayout;
use super::schedule::{RunPlan, Scheduler};
use super::statistics::StatsLayout;
use crate::board::{Geometry, SearchSpace};
use crate::ga::breeder::Breeder;
use crate::ga::islands::{Migration, sizes};
use crate::ga::{
    BatchEngine, Config, CustomOperators, GenerationKind, GenerationStats, PopulationSnapshot, Run,
    RunError, SlotRequest,
};

/// Tasks beside one for each run: of parts of large populations.
const MORE_TASKS: usize = 64;
/// Bytes of travellers, of whom there are none: a buffer may not be empty.
const LEAST_BYTES: u64 = 16;

/// Runs in the memory of a device.
pub struct GpuBatch {
    demes: DemeEngine,
    geometry: Geometry,
    /// The configuration that kernels are for.
    key: Config,
    /// The searches that they are for: those of a blank board.
    search: Option<SearchPlan>,
    /// The generations that were asked for.
    due: Vec<SlotRequest>,
    summaries: Vec<GenerationStats>,
}

impl GpuBatch {
    /// A batch of runs like this one, of at most `most`, which breeds at most `chunk` slots a
    /// submission; nothing where such a run has the device to itself.
    ///
    /// # Errors
    /// [`RunError`] when the device has no twin of an operator or too little memory.
    pub fn new(
        run: &Run<'_>,
        cache: &PipelineCache,
        chunk: Option<u32>,
        most: usize,
    ) -> Result<Option<Self>, RunError> {
        let (geometry, config) = (run.space.geometry(), run.config);
        let adapter = cache.device().adapter();
        if sizes(geometry, config)?.len() > 1 || !run.operators.names().is_empty() {
            return Ok(None);
        }
        let shaders = OperatorShaders::for_config(config)?;
        Breeder::new(run.space, config, run.operators)?;
        let Ok(search) = SearchPlan::new(adapter, &SearchSpace::blank(geometry), config) else {
            return Ok(None);
        };
        let Some(layout) = RunLayout::of_many(adapter, run.space, config, search.as_ref()) else {
            return Ok(None);
        };
        let regions = layout.runs(adapter).min(most as u64) as usize;
        if regions < 2 {
            return Ok(None);
        }
        let pipelines = cache.compile(run, config, &shaders, search.as_ref())?;
        let stats = StatsLayout::new(geometry);
        let plan = RunPlan {
            largest: config.population,
            ranks: shaders.ranks.then_some(stats.bins() as u32),
            // All children of a run are searched at once.
            search_batch: shaders.searches.then_some(u32::MAX),
            keeps_distance: shaders.keeps_distance,
            migration: Migration::new(config, &[config.population]),
            has_strait: false,
            most_tasks: regions + MORE_TASKS,
            most_generations: 1,
        };
        let buffers = BufferSizes {
            regions,
            in_set: regions,
            tables: regions,
            tasks: plan.most_tasks,
            generations: 1,
            travellers: LEAST_BYTES,
            emigrants: 0,
        };
        let buffers = Buffers::new(cache, &layout, &buffers)?;
        pipelines.warm_up(cache.device(), &buffers.sets[0].bindings[0], run.interrupted)?;
        let children = offspring(config, config.population).saturating_mul(regions as u32);
        Ok(Some(Self {
            demes: DemeEngine {
                device: cache.device().clone(),
                schedule: Scheduler::new(plan),
                layout,
                stats,
                buffers,
                in_set: regions,
                owners: vec![None; regions],
                pipelines,
                sizes: submission_sizes(chunk, shaders.searches, children),
                regions: Vec::new(),
                old: 0,
            },
            geometry,
            key: kernel_key(config),
            search,
            due: Vec::new(),
            summaries: Vec::new(),
        }))
    }

    /// The tables of a run, and the owner of a region with it, if the kernels are made for it.
    fn owner(&self, region: usize, run: &Run<'_>) -> Option<(RegionOwner, Vec<u32>)> {
        let (space, config) = (run.space, run.config);
        let (adapter, layout) = (self.demes.device.adapter(), &self.demes.layout);
        let alike = space.geometry() == self.geometry
            && kernel_key(config) == self.key
            && run.operators.names().is_empty();
        if !alike || loop_limit::check(adapter, space, config).is_err() {
            return None;
        }
        Breeder::new(space, config, CustomOperators::none()).ok()?;
        let offspring = offspring(config, config.population);
        let search = match &self.search {
            Some(blank) => Some(blank.of_puzzle(adapter, space, config)?),
            None => None,
        };
        let fits = RunLayout::plan_of_one(self.geometry, config, search)? <= layout.plan;
        let search = match search {
            Some(search) => Some(search.of_children(offspring)?),
            None => None,
        };
        let tables = TableLayout::new(self.geometry, config).fill(space, config, search.as_ref());
        let owner = RegionOwner {
            seed: run.seed,
            config: config.clone(),
            island: 0,
            population: config.population,
            offspring,
            rounds: search.map_or(0, |search| search.rounds),
            tables: region as u32,
            migrants: 0,
            berth: 0,
            origin: 0,
        };
        (fits && tables.len() as u64 <= layout.tables).then_some((owner, tables))
    }

    /// Gives a region the population that its run goes on from; false when that is none of the run.
    fn restore(&self, region: usize, run: &Run<'_>, state: &PopulationSnapshot) -> bool {
        let sizes = std::iter::once(run.config.population as usize);
        let [island] = &*state.islands else { return false };
        state.check(self.geometry, &run.space.fixed, sizes).is_ok()
            && self.demes.write(region, island).is_ok()
    }
}

impl BatchEngine for GpuBatch {
    fn slots(&self) -> usize {
        self.demes.owners.len()
    }

    fn take(&mut self, runs: &[(usize, Run<'_>)]) -> Vec<bool> {
        let owners: Vec<_> =
            runs.par_iter().map(|(region, run)| self.owner(*region, run)).collect();
        let taken = runs.iter().zip(owners).map(|((region, run), owner)| {
            let Some((owner, tables)) = owner else { return false };
            self.demes.owners[*region] = Some(owner);
            if run.resume_from.is_some_and(|from| !self.restore(*region, run, &from.state)) {
                self.demes.owners[*region] = None;
                return false;
            }
            let at = *region as u64 * 4 * self.demes.layout.tables;
            let DemeEngine { device, buffers, .. } = &self.demes;
            device.queue().write_buffer(&buffers.tables, at, bytemuck::cast_slice(&tables));
            true
        });
        taken.collect()
    }

    fn begin(&mut self, due: &[SlotRequest]) {
        self.due.clear();
        self.due.extend_from_slice(due);
        // New boards come first.
        let of = |has_parents: bool| {
            let alike =
                move |due: &&SlotRequest| (due.source == GenerationKind::Parents) == has_parents;
            due.iter().filter(alike).map(move |due| (due.slot, due.generation, has_parents))
        };
        self.demes.begin(of(false).chain(of(true)));
    }

    fn step(&mut self) -> Result<bool, RunError> {
        let submission = self.demes.submit(1, |_| false)?;
        let completes = !submission.list.completed.is_empty();
        let Self { demes, due, summaries, .. } = self;
        let (stats, len) = (demes.stats, demes.layout.block as usize);
        // Individuals and children of each run that is due.
        let counts: Vec<(u32, u32)> = match completes {
            true => due.iter().map(|due| counts(&demes.owners, due)).collect(),
            false => Vec::new(),
        };
        demes.finish(&submission, |words, _| {
            if !completes {
                return Ok(());
            }
            summaries.clear();
            for (due, (population, evaluations)) in due.iter().zip(counts) {
                let mut summary = GenerationStats {
                    evaluations: evaluations.into(),
                    ..GenerationStats::default()
                };
                if population > 0 {
                    stats.add(&words[due.slot * len..][..len], population, &mut summary)?;
                }
                summaries.push(summary);
            }
            Ok(())
        })?;
        Ok(completes)
    }

    fn summaries(&self) -> &[GenerationStats] {
        &self.summaries
    }

    fn for_each_island(
        &mut self,
        slot: usize,
        take: &mut dyn FnMut(&[u8], &[u16]),
    ) -> Result<(), RunError> {
        Ok(self.demes.for_each_island(slot, take)?)
    }
}

/// Individuals of a run that is due, and boards that it scores.
fn counts(owners: &[Option<RegionOwner>], due: &SlotRequest) -> (u32, u32) {
    match owners.get(due.slot) {
        Some(Some(RegionOwner { population, offspring, .. })) => match due.source {
            GenerationKind::Parents => (*population, *offspring),
            GenerationKind::Initialiser | GenerationKind::Restart => (*population, *population),
        },
        _ => (0, 0),
    }
}

/// Whether runs of two configurations go together on boards of one shape.
pub fn can_batch(one: &Config, other: &Config) -> bool {
    kernel_key(one) == kernel_key(other)
}

/// A configuration without what is data to the kernels: equal ones have the same kernels and
/// layouts.
fn kernel_key(config: &Config) -> Config {
    Config {
        tabu_steps: 0,
        tenure_share: 0,
        proposals: 0,
        eta_proposals: 0,
        unassigned_share: 0,
        distance: 0,
        offspring: 0,
        pool: 0,
        restart_after: 0,
        max_generations: 0,
        max_work: 0,
        distinct_every: 0,
        time_limit: 0.0,
        ..config.clone()
    }
}
