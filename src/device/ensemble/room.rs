//! The room that a run takes among others: words of each buffer, and how many runs fit.
//!
//! Every seat has the plan that the largest puzzle of the shape needs, which is a blank one, and
//! tables for puzzles of up to twice the size of the first: those of a blank one would take a
//! hundred times as much on large boards.

use super::super::island::FITNESS_BYTES;
use super::super::keep;
use super::super::plan::PlanLayout;
use super::super::search::SearchPlan;
use super::super::statistics::BlockLayout;
use super::super::tables::TableLayout;
use super::super::task::TASK_STRIDE;
use super::super::twins::Twins;
use crate::board::{Geometry, SearchSpace};
use crate::ga::Config;
use crate::ga::replacement::Replacement;
use crate::gpu::{AdapterInfo, AdapterKind};

/// Runs of an ensemble at most.
const MOST_SEATS: u64 = 4096;
/// Bytes of all of them at most: in a card's own memory, in that which a GPU may share with the host, and on a
/// software driver, whose memory is the host's.
const CARD_BYTES: u64 = 1 << 30;
const SHARED_BYTES: u64 = 256 << 20;
const SOFTWARE_BYTES: u64 = 48 << 20;

/// Words of a seat in each buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    /// Of the fitness of a population, and of all of it.
    pub fitness: u64,
    pub population: u64,
    pub tables: u64,
    pub plan: u64,
    pub block: u64,
}

impl Room {
    /// That of the runs of a configuration, on boards of this one's shape.
    /// Those of a blank board are `blank`: kernels are made for them. Nothing if there are too many
    /// children to be searched, or to get their slots, at once.
    pub(super) fn new(
        adapter: &AdapterInfo,
        space: &SearchSpace,
        config: &Config,
        blank: Option<&SearchPlan>,
    ) -> Option<Self> {
        let geometry = space.geometry();
        let block = BlockLayout::new(geometry);
        let search = match blank {
            Some(blank) => Some(blank.of_puzzle(adapter, space, config)?),
            None => None,
        };
        let own = Self::plan(geometry, config, search)?;
        let plan = Self::plan(geometry, config, blank.copied()).unwrap_or(own).max(own);
        let tables = TableLayout::new(geometry, config).fill(space, config, search.as_ref());
        let individuals = u64::from(config.population);
        let fitness = individuals * FITNESS_BYTES / 4;
        Some(Self {
            fitness,
            population: fitness + individuals * geometry.stride() as u64 / 4,
            tables: 2 * tables.len() as u64,
            plan: plan.max(1),
            block: block.bytes(false) / 4,
        })
    }

    /// Words of the plan that a run needs; nothing if its children are too many to be searched, or
    /// to get their slots, at once.
    pub(super) fn plan(
        geometry: Geometry,
        config: &Config,
        search: Option<SearchPlan>,
    ) -> Option<u64> {
        let ranked = match Twins::of(config).ok()?.ranks {
            true => {
                PlanLayout::new(BlockLayout::new(geometry).bins(), config.population).words() as u64
            }
            false => 0,
        };
        let children = keep::offspring(config, config.population);
        if config.replacement == Replacement::KeepDistance && children > keep::TILE_CHILDREN {
            return None;
        }
        let searched = match search {
            Some(search) => search.of_children(children)?.words,
            None => 0,
        };
        Some(ranked + searched.max(keep::words(geometry, config)))
    }

    /// Bytes of a seat, twice its population included.
    pub(super) fn bytes(&self) -> u64 {
        let Self { fitness, population, tables, plan, block } = self;
        // Fitness is filled from ones, and blocks come back.
        4 * (fitness + 2 * population + tables + plan + 2 * block) + 2 * TASK_STRIDE
    }

    /// Seats that an adapter has room for.
    pub(super) fn seats(&self, adapter: &AdapterInfo) -> u64 {
        let limits = &adapter.limits;
        let binding = limits.storage_binding_bytes.min(limits.buffer_bytes);
        let all = match adapter.kind {
            AdapterKind::Discrete => CARD_BYTES,
            AdapterKind::Software => SOFTWARE_BYTES,
            _ => SHARED_BYTES,
        };
        let Self { population, tables, plan, block, .. } = self;
        let largest = 4 * [population, tables, plan, block].into_iter().max().unwrap_or(&1);
        (all / self.bytes()).min(binding / largest).min(MOST_SEATS)
    }
}
