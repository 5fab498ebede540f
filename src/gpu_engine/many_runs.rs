//! The engine of many runs at once, each a deme.
//!
//! A batch holds runs whose boards have one shape and whose kernels are the same: parameters that
//! follow from the puzzle (steps, tenure, children, distance) and budgets may differ from run to
//! run. A run with islands, or with too many children to be searched at once, is carried out alone.
//! For each run and generation a task of 256 bytes is uploaded and a block is read back.

use rayon::prelude::*;

use super::buffers::EngineSetup;
use super::deme_engine::{DemeEngine, RegionOwner, check_run};
use super::distance_replacement::offspring;
use super::layout::RunLayout;
use super::local_search::SearchPlan;
use super::pipeline_cache::PipelineCache;
use super::puzzle_tables::TableLayout;
use crate::board::{Geometry, SearchSpace};
use crate::ga::{
    BatchEngine, Config, GenerationKind, GenerationStats, IslandSink, PopulationSnapshot, Run,
    RunError, SlotRequest,
};

/// Runs in the memory of a device.
pub struct GpuBatch {
    demes: DemeEngine,
    geometry: Geometry,
    /// The configuration that kernels are made for.
    key: Config,
    /// The searches that they are made for: those of a blank board.
    search: Option<SearchPlan>,
    /// The generations that were begun.
    due: Vec<SlotRequest>,
    summaries: Vec<GenerationStats>,
}

impl GpuBatch {
    /// Creates a batch for at most `most` runs like this one, with at most `chunk` slots a
    /// submission (adapted to the device by default). `None` if such a run has to be carried out alone, also
    /// because the device lacks an operator, has too little memory, or failed.
    pub fn new(
        run: &Run<'_>,
        cache: &PipelineCache,
        chunk: Option<u32>,
        most: usize,
    ) -> Option<Self> {
        let (geometry, config) = (run.space.geometry(), run.config);
        let adapter = cache.device.adapter();
        let islands = run.local_islands().ok()?;
        let operators = check_run(adapter, run, config).ok()?;
        let search = SearchPlan::new(adapter, &SearchSpace::blank(geometry), config).ok()?;
        let layout = RunLayout::of_many(adapter, run.space, config, search.as_ref())?;
        let regions = layout.runs(adapter).min(most as u64) as usize;
        if islands.sizes.len() > 1 || regions < 2 {
            return None;
        }
        let setup = EngineSetup {
            config,
            search: search.as_ref(),
            // All children of a run are searched at once.
            search_batch: operators.searches.then_some(u32::MAX),
            operators,
            layout,
            regions,
            in_set: regions,
            tables: regions,
            islands,
        };
        Some(Self {
            demes: DemeEngine::new(run, cache, chunk, setup).ok()?,
            geometry,
            key: kernel_key(config),
            search,
            due: Vec::new(),
            summaries: Vec::new(),
        })
    }

    /// The owner of a region with a run, and the run's tables, if the kernels are made for it.
    fn owner(&self, region: usize, run: &Run<'_>) -> Option<(RegionOwner, Vec<u32>)> {
        let (space, config) = (run.space, run.config);
        let (adapter, layout) = (self.demes.device.adapter(), &self.demes.layout);
        if space.geometry() != self.geometry || kernel_key(config) != self.key {
            return None;
        }
        check_run(adapter, run, config).ok()?;
        let mut search = None;
        if let Some(blank) = &self.search {
            search = Some(blank.of_puzzle(adapter, space, config)?);
        }
        if RunLayout::plan_of_one(self.geometry, config, search)? > layout.plan {
            return None;
        }
        let children = offspring(config, config.population);
        let search = search.and_then(|search| search.of_children(children));
        let tables = TableLayout::new(self.geometry, config).fill(space, config, search.as_ref());
        let owner = RegionOwner {
            tables: region as u32,
            ..RegionOwner::new(run, config.population, search.as_ref())
        };
        (tables.len() as u64 <= layout.tables).then_some((owner, tables))
    }

    /// Uploads the population from which the run of a region continues; false when it is not one of the run.
    fn restore(&self, region: usize, run: &Run<'_>, state: &PopulationSnapshot) -> bool {
        let sizes = std::iter::once(run.config.population as usize);
        state.check(self.geometry, &run.space.fixed, sizes).is_ok()
            && state.islands.iter().all(|island| self.demes.write(region, island).is_ok())
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
            self.demes.write_tables(*region, &tables);
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
        let Self { demes, due, summaries, .. } = self;
        let (stats, len) = (demes.stats, demes.layout.block as usize);
        demes.finish(&submission, |owners, words, _| {
            if submission.list.completed.is_empty() {
                return Ok(false);
            }
            summaries.clear();
            for due in due.iter() {
                let mut summary = GenerationStats::default();
                if let Some(Some(RegionOwner { population, offspring, .. })) = owners.get(due.slot)
                {
                    let has_parents = due.source == GenerationKind::Parents;
                    summary.evaluations = if has_parents { *offspring } else { *population }.into();
                    stats.add(&words[due.slot * len..][..len], *population, &mut summary)?;
                }
                summaries.push(summary);
            }
            Ok(true)
        })
    }

    fn summaries(&self) -> &[GenerationStats] {
        &self.summaries
    }

    fn for_each_island(&mut self, slot: usize, take: IslandSink<'_>) -> Result<(), RunError> {
        Ok(self.demes.for_each_island(slot, take)?)
    }
}

/// Returns whether runs of two configurations can share a batch, on boards of one shape.
pub fn can_batch(one: &Config, other: &Config) -> bool {
    kernel_key(one) == kernel_key(other)
}

/// A configuration without the parameters that are data to the kernels: equal ones have the same kernels and
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
