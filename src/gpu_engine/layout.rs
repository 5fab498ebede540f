//! The layout of buffers: words of a region in each of them, and what a device has room for.
//!
//! A region belongs to a run among many, or to an island of a single run. Those of a single run are
//! as large as it needs. Those of many runs have the plan that the largest puzzle of the shape
//! needs, which is a blank one, and tables for puzzles of up to twice the size of the first: those
//! of a blank one would take a hundred times as much on large boards.

use super::dispatch_params::TASK_STRIDE;
use super::distance_replacement::{TILE_CHILDREN, offspring, words};
use super::local_search::SearchPlan;
use super::operator_support::{OperatorShaders, UnsupportedConfig};
use super::puzzle_tables::TableLayout;
use super::ranking_layout::RankingLayout;
use super::statistics::StatsLayout;
use crate::board::{Geometry, SearchSpace};
use crate::ga::Config;
use crate::ga::replacement::Replacement;
use crate::gpu::{AdapterInfo, AdapterKind};

/// Bytes of a fitness on the device, which knows no smaller number.
pub(super) const FITNESS_BYTES: u64 = 4;
/// Runs that are carried out at once at most.
const MOST_RUNS: u64 = 4096;
/// Bytes of all of them at most: in a card's own memory, in that which a GPU may share with the host, and on a
/// software driver, whose memory is the host's.
const CARD_BYTES: u64 = 1 << 30;
const SHARED_BYTES: u64 = 256 << 20;
const SOFTWARE_BYTES: u64 = 48 << 20;
/// Bytes of a buffer that several islands share at most.
const ISLANDS_BYTES: u64 = 64 << 20;
/// Words of the plan at least: a buffer may not be empty.
const LEAST_PLAN: u64 = 4;

/// Words of a region in each buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunLayout {
    /// Individuals that a population has room for.
    pub individuals: u32,
    /// A board.
    pub board: u64,
    pub tables: u64,
    pub plan: u64,
    pub block: u64,
}

impl RunLayout {
    /// The layout for the islands of a single run, of which the largest has `config.population`
    /// individuals.
    ///
    /// # Errors
    /// [`UnsupportedConfig`] when an island is more than the adapter can hold or count.
    pub(super) fn single(
        adapter: &AdapterInfo,
        geometry: Geometry,
        config: &Config,
        search: Option<&SearchPlan>,
    ) -> Result<Self, UnsupportedConfig> {
        let (stats, individuals) = (StatsLayout::new(geometry), config.population);
        let searched = search.map_or(0, |search| search.words);
        let plan = plan_words(geometry, config, searched)?;
        let board = stats.board_words() as u64;
        let block = stats.bytes(true) / 4;
        let layout = Self { individuals, board, tables: 0, plan, block };
        let parts =
            [("a population", layout.population()), ("a buffer of ranks and searches", plan)];
        for (what, words) in parts {
            let (needed, most) = (4 * words, binding(adapter));
            if needed > most {
                let (adapter, population) = (adapter.name.clone(), individuals);
                return Err(UnsupportedConfig::Island {
                    adapter,
                    population,
                    geometry,
                    what,
                    needed,
                    most,
                });
            }
        }
        check_counts(&adapter.name, geometry, individuals)?;
        Ok(layout)
    }

    /// Adds these tables, which all islands share.
    ///
    /// # Errors
    /// [`UnsupportedConfig`] when they are more than the adapter can hold.
    pub(super) fn with_tables(
        self,
        adapter: &AdapterInfo,
        geometry: Geometry,
        tables: &[u32],
    ) -> Result<Self, UnsupportedConfig> {
        let (needed, most) = (size_of_val(tables) as u64, binding(adapter));
        if needed > most {
            let adapter = adapter.name.clone();
            return Err(UnsupportedConfig::Tables { adapter, geometry, needed, most });
        }
        Ok(Self { tables: tables.len() as u64, ..self })
    }

    /// The layout for many runs of a configuration, on boards of this one's shape. Searches of a blank board are
    /// `blank`: kernels are made for them. Nothing if there are too many children to be searched, or
    /// to get their slots, at once.
    pub(super) fn of_many(
        adapter: &AdapterInfo,
        space: &SearchSpace,
        config: &Config,
        blank: Option<&SearchPlan>,
    ) -> Option<Self> {
        let geometry = space.geometry();
        let stats = StatsLayout::new(geometry);
        let search = match blank {
            Some(blank) => Some(blank.of_puzzle(adapter, space, config)?),
            None => None,
        };
        let own = Self::plan_of_one(geometry, config, search)?;
        let plan = Self::plan_of_one(geometry, config, blank.copied()).unwrap_or(own).max(own);
        let tables = TableLayout::new(geometry, config).fill(space, config, search.as_ref());
        Some(Self {
            individuals: config.population,
            board: stats.board_words() as u64,
            tables: 2 * tables.len() as u64,
            plan,
            block: stats.bytes(false) / 4,
        })
    }

    /// Words of the plan that a run among others needs; nothing if its children are too many to be
    /// searched, or to get their slots, at once.
    pub(super) fn plan_of_one(
        geometry: Geometry,
        config: &Config,
        search: Option<SearchPlan>,
    ) -> Option<u64> {
        let children = offspring(config, config.population);
        if config.replacement == Replacement::KeepDistance && children > TILE_CHILDREN {
            return None;
        }
        let searched = match search {
            Some(search) => search.of_children(children)?.words,
            None => 0,
        };
        plan_words(geometry, config, searched).ok()
    }

    /// Words of a population: boards, then their fitness.
    pub(super) fn population(&self) -> u64 {
        u64::from(self.individuals) * (self.board + FITNESS_BYTES / 4)
    }

    /// Bytes of a run among others, twice its population included.
    pub(super) fn bytes(&self) -> u64 {
        let Self { individuals, tables, plan, block, .. } = *self;
        let fitness = u64::from(individuals) * FITNESS_BYTES / 4;
        // Fitness is filled from ones, and blocks come back.
        4 * (fitness + 2 * self.population() + tables + plan + 2 * block) + 2 * TASK_STRIDE
    }

    /// Runs that an adapter has room for.
    pub(super) fn runs(&self, adapter: &AdapterInfo) -> u64 {
        let all = match adapter.kind {
            AdapterKind::Discrete => CARD_BYTES,
            AdapterKind::Software => SOFTWARE_BYTES,
            _ => SHARED_BYTES,
        };
        let largest = 4 * self.tables.max(self.largest());
        (all / self.bytes()).min(binding(adapter) / largest).min(MOST_RUNS)
    }

    /// Islands that share buffers, of `count` in all.
    pub(super) fn islands(&self, adapter: &AdapterInfo, count: usize) -> usize {
        let fitting = ISLANDS_BYTES.min(binding(adapter)) / (4 * self.largest());
        // Buffers of like sizes.
        count.div_ceil(count.div_ceil(fitting.max(1) as usize)).max(1)
    }

    /// Words of a region in the largest of the buffers that hold one for each.
    fn largest(&self) -> u64 {
        self.population().max(self.plan).max(self.block)
    }
}

/// Bytes of a buffer that kernels reach.
fn binding(adapter: &AdapterInfo) -> u64 {
    adapter.limits.storage_binding_bytes.min(adapter.limits.buffer_bytes)
}

/// Words of the plan: ranks, and behind them either searches or children that wait for their slots.
fn plan_words(
    geometry: Geometry,
    config: &Config,
    searched: u64,
) -> Result<u64, UnsupportedConfig> {
    let ranked = match OperatorShaders::for_config(config)?.ranks {
        true => {
            RankingLayout::new(StatsLayout::new(geometry).bins(), config.population).words() as u64
        }
        false => 0,
    };
    Ok((ranked + searched.max(words(geometry, config))).max(LEAST_PLAN))
}

/// Refuses an island that the words of kernels cannot count: the best slot and the circumference of a wheel
/// are words, and so is every place in a buffer.
pub(super) fn check_counts(
    adapter: &str,
    geometry: Geometry,
    population: u32,
) -> Result<(), UnsupportedConfig> {
    let bins = StatsLayout::new(geometry).bins() as u64;
    let (needed, most) = (u64::from(population) * bins, u32::MAX.into());
    if needed > most {
        let (adapter, what) = (adapter.to_owned(), "population times fitness");
        return Err(UnsupportedConfig::Island {
            adapter,
            population,
            geometry,
            what,
            needed,
            most,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Presolve, presolve};
    use crate::format;
    use crate::ga::Preset;
    use crate::gpu::AdapterLimits;
    use crate::gpu_engine::can_batch;

    /// An adapter with the bindings that every laptop has.
    fn laptop(kind: AdapterKind) -> AdapterInfo {
        let bytes = 128 << 20;
        AdapterInfo {
            index: 0,
            name: "a laptop".to_owned(),
            kind,
            backend: "Vulkan",
            driver: String::new(),
            pci_bus_id: None,
            limits: AdapterLimits {
                storage_binding_bytes: bytes,
                buffer_bytes: bytes,
                workgroups_per_dimension: 65_535,
                workgroup_memory_bytes: 16 << 10,
                invocations: 256,
                subgroups: false,
                timestamps: false,
            },
        }
    }

    fn layout(adapter: &AdapterInfo, name: &str) -> (SearchSpace, Config, RunLayout) {
        let puzzle = format::load(name, None).unwrap().puzzle;
        let space = presolve(&puzzle, Presolve::Singles).unwrap();
        let config = Config::of(Preset::Memetic, &space);
        let blank = blank_search(adapter, &space, &config);
        let layout = RunLayout::of_many(adapter, &space, &config, Some(&blank)).unwrap();
        (space, config, layout)
    }

    fn blank_search(adapter: &AdapterInfo, space: &SearchSpace, config: &Config) -> SearchPlan {
        SearchPlan::new(adapter, &SearchSpace::blank(space.geometry()), config).unwrap().unwrap()
    }

    /// The table of ENGINES.md.
    #[test]
    fn a_run_among_others_takes_as_much_as_is_documented() {
        let gpu = laptop(AdapterKind::Integrated);
        let mut card = laptop(AdapterKind::Discrete);
        card.limits.storage_binding_bytes = (2 << 30) - 1;
        card.limits.buffer_bytes = card.limits.storage_binding_bytes;
        let of = |name| {
            let (_, _, layout) = layout(&gpu, name);
            let RunLayout { tables, plan, block, .. } = layout;
            let parts = [2 * layout.population(), tables, plan, block].map(|words| 4 * words);
            assert_eq!(layout.runs(&card), ((1 << 30) / layout.bytes()).min(4_096));
            (parts, layout.bytes(), layout.runs(&gpu))
        };
        let figures = ["ai-escargot", "large-16-45", "large-25-45", "large-36-50"].map(of);
        eprintln!("{figures:?}");
        for (parts, bytes, runs) in figures {
            assert!(runs >= 64 && runs * bytes <= 256 << 20, "{parts:?} {bytes} {runs}");
            assert!(parts.iter().all(|part| runs * part <= 2 * (128 << 20)));
        }
        assert!(figures[0].2 > 1_000, "{figures:?}");
    }

    /// Puzzles of a shape fit the regions that are made for one of them.
    #[test]
    fn puzzles_of_a_shape_fit_a_region() {
        let adapter = laptop(AdapterKind::Software);
        for names in
            [&["ai-escargot", "coly013", "001-hard-01"][..], &["large-16-40", "large-16-unique"]]
        {
            let (_, _, first) = layout(&adapter, names[0]);
            for name in names {
                let (space, config, _) = layout(&adapter, name);
                let search = blank_search(&adapter, &space, &config);
                let search = search.of_puzzle(&adapter, &space, &config).unwrap();
                let plan = RunLayout::plan_of_one(space.geometry(), &config, Some(search)).unwrap();
                let search = search.of_children(config.offspring).unwrap();
                let layout = TableLayout::new(space.geometry(), &config);
                let tables = layout.fill(&space, &config, Some(&search)).len() as u64;
                assert!(plan <= first.plan && tables <= first.tables, "{name}");
            }
        }
        let (_, one, _) = layout(&adapter, "ai-escargot");
        let (_, other, _) = layout(&adapter, "coly013");
        assert!(one != other && can_batch(&one, &other));
        assert!(!can_batch(&one, &Config { population: 7, ..one.clone() }));
    }

    /// Small islands share their buffers, and large ones have buffers of their own.
    #[test]
    fn no_buffer_grows_with_the_number_of_islands() {
        let gpu = laptop(AdapterKind::Integrated);
        let of = |individuals| RunLayout { individuals, board: 21, tables: 1, plan: 4, block: 300 };
        assert_eq!(of(333).islands(&gpu, 70), 70);
        assert_eq!(of(100_000).islands(&gpu, 70), 7);
        assert_eq!(of(798_915).islands(&gpu, 70), 1);
    }
}
