//! What a run takes of a device: words in each of the buffers.
//!
//! A region is the part of the buffers that belongs to a run among many, or to an island of a single run.
//! Regions of a single run are as large as it needs. Those of many runs have the plan that the largest puzzle
//! of the shape needs, which is a blank one, and tables for puzzles of up to twice the size of the first:
//! those of a blank one would take a hundred times as much on large boards.

use super::dispatch_params::TASK_STRIDE;
use super::distance_replacement::{TILE_CHILDREN, offspring, words};
use super::local_search::{MOST_SOFTWARE_CELLS, SearchPlan};
use super::operator_support::{OperatorShaders, UnsupportedConfig};
use super::puzzle_tables::TableLayout;
use super::ranking_layout::RankingLayout;
use super::statistics::StatsLayout;
use crate::board::{Geometry, SearchSpace};
use crate::ga::Config;
use crate::ga::local_search::LocalSearch;
use crate::ga::mutation::Mutation;
use crate::ga::replacement::Replacement;
use crate::ga::selection::Selection;
use crate::gpu::{AdapterInfo, AdapterKind};

/// Bytes of a fitness on the device, which has no smaller type.
pub(super) const FITNESS_BYTES: u64 = 4;
/// Most runs that are carried out at once.
const MOST_RUNS: u64 = 4096;
/// Most bytes of all of them: in a card's own memory, in memory that a GPU may share with the host, and on a
/// software driver, whose memory is the host's.
const CARD_BYTES: u64 = 1 << 30;
const SHARED_BYTES: u64 = 256 << 20;
const SOFTWARE_BYTES: u64 = 48 << 20;
/// Most bytes of a buffer that several islands share.
const ISLANDS_BYTES: u64 = 64 << 20;
/// Fewest words of the plan: a buffer may not be empty.
const LEAST_PLAN: u64 = 4;

/// Words of a region in each buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunLayout {
    /// Most individuals of a population.
    pub individuals: u32,
    /// A board.
    pub board: u64,
    pub tables: u64,
    pub plan: u64,
    pub block: u64,
}

impl RunLayout {
    /// The layout for the islands of a single run, of which the largest has `config.population`
    /// individuals, and whose tables have `tables` words.
    ///
    /// # Errors
    /// [`UnsupportedConfig`] when an island or the tables are more than the adapter can hold or count.
    pub(super) fn single(
        adapter: &AdapterInfo,
        geometry: Geometry,
        config: &Config,
        search: Option<&SearchPlan>,
        tables: usize,
    ) -> Result<Self, UnsupportedConfig> {
        let (stats, individuals) = (StatsLayout::new(geometry), config.population);
        let plan = plan_words(geometry, config, search.map_or(0, |search| search.words))?;
        let (board, block) = (stats.board_words as u64, stats.words(true) as u64);
        let layout = Self { individuals, board, tables: tables as u64, plan, block };
        let (name, most) = (&adapter.name, adapter.largest_binding());
        for (what, words) in [
            ("the size in bytes of its boards", layout.population()),
            ("the size in bytes of its buffer for sorting and local search", plan),
        ] {
            check_island(name, geometry, individuals, what, 4 * words, most)?;
        }
        check_counts(name, geometry, individuals)?;
        let needed = 4 * layout.tables;
        if needed > most {
            return Err(UnsupportedConfig::Adapter(format!(
                "{name} cannot hold the tables of this puzzle (boxes of {geometry}): they need {needed} bytes, but the \
                 limit is {most}; use more givens, a stronger --presolve, or --on cpu"
            )));
        }
        Ok(layout)
    }

    /// The layout for many runs of a configuration, on boards of the shape of `space`. Kernels are made for
    /// `blank`, the searches of a blank board. `None` if there are too many children to be searched, or
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
            board: stats.board_words as u64,
            tables: 2 * tables.len() as u64,
            plan,
            block: stats.words(false) as u64,
        })
    }

    /// Words of the plan of a run among others; `None` if its children are too many to be
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

    /// Bytes of a run among others, with both of its populations.
    pub(super) fn bytes(&self) -> u64 {
        let Self { individuals, tables, plan, block, .. } = *self;
        let fitness = u64::from(individuals) * FITNESS_BYTES / 4;
        // There are ones to fill fitness with, and blocks are read back.
        4 * (fitness + 2 * self.population() + tables + plan + 2 * block) + 2 * TASK_STRIDE
    }

    /// Most runs on an adapter.
    pub(super) fn runs(&self, adapter: &AdapterInfo) -> u64 {
        let all = match adapter.kind {
            AdapterKind::Discrete => CARD_BYTES,
            AdapterKind::Software => SOFTWARE_BYTES,
            _ => SHARED_BYTES,
        };
        let largest = 4 * self.tables.max(self.largest());
        (all / self.bytes()).min(adapter.largest_binding() / largest).min(MOST_RUNS)
    }

    /// Islands that share a set of buffers, of `count` in all.
    pub(super) fn islands(&self, adapter: &AdapterInfo, count: usize) -> usize {
        let fitting = ISLANDS_BYTES.min(adapter.largest_binding()) / (4 * self.largest());
        // Buffers of like sizes.
        count.div_ceil(count.div_ceil(fitting.max(1) as usize)).max(1)
    }

    /// Words of a region in the largest of the buffers that hold one for each.
    fn largest(&self) -> u64 {
        self.population().max(self.plan).max(self.block)
    }
}

/// Words of the plan: ranks, then either searches or children that wait for their slots.
fn plan_words(
    geometry: Geometry,
    config: &Config,
    searched: u64,
) -> Result<u64, UnsupportedConfig> {
    let ranking = RankingLayout::new(StatsLayout::new(geometry).bins, config.population);
    let ranked = if OperatorShaders::for_config(config)?.ranks { ranking.words() } else { 0 };
    Ok((ranked as u64 + searched.max(words(geometry, config))).max(LEAST_PLAN))
}

/// Refuses an island of which a part, `what`, needs more than `most`.
fn check_island(
    adapter: &str,
    geometry: Geometry,
    population: u32,
    what: &str,
    needed: u64,
    most: u64,
) -> Result<(), UnsupportedConfig> {
    if needed <= most {
        return Ok(());
    }
    Err(UnsupportedConfig::Adapter(format!(
        "{adapter} cannot hold an island of {population} boards of {geometry} boxes: {what} is {needed}, \
         above the limit of {most}; use a smaller population or more islands"
    )))
}

/// Refuses an island that the words of kernels cannot count: the best slot and the circumference of a wheel
/// are words, and so is every place in a buffer.
pub(super) fn check_counts(
    adapter: &str,
    geometry: Geometry,
    population: u32,
) -> Result<(), UnsupportedConfig> {
    let needed = u64::from(population) * StatsLayout::new(geometry).bins as u64;
    let what = "population times fitness";
    check_island(adapter, geometry, population, what, needed, u32::MAX.into())
}

/// Refuses what could take more turns of loops than a software driver allows: llvmpipe ends every loop of a
/// thread after 65,535 turns of all its loops, without a message and with whatever values there are
/// (`LP_MAX_TGSI_LOOP_ITERATIONS` in Mesa's source). The bounds hold for boards of any size; tournaments leave
/// room for fewer tries.
///
/// # Errors
/// [`UnsupportedConfig::Adapter`] names the bound.
pub(super) fn check_software(
    adapter: &AdapterInfo,
    space: &SearchSpace,
    config: &Config,
) -> Result<(), UnsupportedConfig> {
    let descends = config.local_search == LocalSearch::ExchangeDescent;
    let draws = config.selection == Selection::Tournament;
    let keeps_distance = config.replacement == Replacement::KeepDistance;
    let evicts = config.local_search == LocalSearch::Eviction;
    // To draw nearly all of n cells takes n ln n draws.
    let resets = config.mutation == Mutation::Reset && config.mutation_rate > 0.99;
    let bounds = [
        (descends, "tries", config.tries as usize, if draws { 1_024 } else { 8_192 }),
        (draws, "members of a tournament", config.tournament as usize, 36),
        (keeps_distance, "individuals", config.population as usize, 250_000),
        (evicts, "free cells", space.free.len(), MOST_SOFTWARE_CELLS),
        (resets, "free cells with a mutation_rate above 0.99", space.free.len(), 1_500),
    ];
    match bounds.into_iter().find(|(applies, _, needed, most)| *applies && needed > most) {
        Some((_, what, needed, most)) if adapter.is_software() => {
            Err(UnsupportedConfig::Adapter(format!(
                "{} is a software driver, which stops long loops: it supports at most {most} {what}, not \
                 {needed}; use fewer if possible, or --on cpu",
                adapter.name
            )))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Presolve, presolve};
    use crate::format;
    use crate::ga::Preset;
    use crate::gpu::{Features, Limits};
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
            limits: Limits {
                max_storage_buffer_binding_size: bytes,
                max_buffer_size: bytes,
                ..Limits::default()
            },
            features: Features::empty(),
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

    /// The table of docs/explanation/engines.md.
    #[test]
    fn a_run_among_others_takes_as_much_as_is_documented() {
        let gpu = laptop(AdapterKind::Integrated);
        let mut card = laptop(AdapterKind::Discrete);
        card.limits.max_storage_buffer_binding_size = (2 << 30) - 1;
        card.limits.max_buffer_size = card.limits.max_storage_buffer_binding_size;
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

    /// What llvmpipe would end early is refused there alone.
    #[test]
    fn long_loops_are_refused_on_software_drivers() {
        let (software, gpu) = (laptop(AdapterKind::Software), laptop(AdapterKind::Integrated));
        let (space, ..) = layout(&gpu, "ai-escargot");
        let of = |preset, change: &dyn Fn(&mut Config)| {
            let mut config = Config::of(preset, &space);
            change(&mut config);
            assert_eq!(check_software(&gpu, &space, &config), Ok(()));
            check_software(&software, &space, &config).map_err(|error| error.to_string())
        };
        assert_eq!(of(Preset::Cellular, &|config| config.tries = 8_192), Ok(()));
        assert_eq!(of(Preset::Boxes, &|config| config.tries = 9_000), Ok(()));
        let refused = |preset, sentence: &str, change: &dyn Fn(&mut Config)| {
            let error = of(preset, change).unwrap_err();
            assert!(error.contains(sentence), "{error}");
        };
        refused(Preset::Cellular, "at most 8192 tries, not 9000", &|config| config.tries = 9_000);
        refused(Preset::RowsTournament, "at most 1024 tries, not 2000", &|config| {
            config.local_search = LocalSearch::ExchangeDescent;
            config.tries = 2_000;
        });
        refused(Preset::RowsTournament, "at most 36 members of a tournament, not 37", &|config| {
            config.tournament = 37;
        });
        refused(Preset::Boxes, "at most 250000 individuals, not 250001", &|config| {
            config.replacement = Replacement::KeepDistance;
            config.population = 250_001;
        });
        let (cells, space) = (1_501, SearchSpace::blank(Geometry::new(8, 8).unwrap()));
        let space = SearchSpace { free: space.free[..cells].to_vec(), ..space };
        let mut config = Config::of(Preset::Cells, &space);
        for (rate, is_refused) in [(0.99, false), (1.0, true)] {
            config.mutation_rate = rate;
            let found = check_software(&software, &space, &config);
            assert_eq!(found.is_err(), is_refused, "{found:?}");
        }
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
