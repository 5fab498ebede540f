//! Which operators have a twin on the device, a file for each that kernels choose, and what is said
//! of a run that the device does not carry out.

use thiserror::Error;

use crate::board::Geometry;
use crate::ga::crossover::{Crossover, Inherit};
use crate::ga::encoding::Encoding;
use crate::ga::local_search::LocalSearch;
use crate::ga::mutation::Mutation;
use crate::ga::replacement::Replacement;
use crate::ga::selection::{MatingPreference, Pairing, Selection, Topology};
use crate::ga::{Config, EngineError, OperatorName, Preset, RunError, presets};
use crate::gpu::ShaderDefines;

/// A child with more tries would keep a submission busy for longer than drivers wait.
const MOST_TRIES: u32 = 1 << 17;

/// The twins of a configuration's operators.
#[derive(Clone, Debug)]
pub(super) struct OperatorShaders {
    /// Files under `shaders/` by the names that kernels choose them by; nothing where no kernel of
    /// the configuration may ask for one.
    files: Vec<(&'static str, Option<&'static str>)>,
    /// Whether selection or replacement needs the population in order of fitness.
    pub ranks: bool,
    /// Whether children are searched in rounds, by kernels of their own.
    pub searches: bool,
    /// Whether other kernels give the children their slots.
    pub keeps_distance: bool,
}

/// The presets that the device engine runs as they are.
pub fn supported_presets() -> Vec<Preset> {
    let runs = |preset: &&Preset| supports(&presets::config(**preset)).is_ok();
    Preset::ALL.iter().filter(runs).copied().collect()
}

/// Whether the device engine runs a configuration.
///
/// # Errors
/// [`UnsupportedConfig`] names the first that has no twin.
pub fn supports(config: &Config) -> Result<(), UnsupportedConfig> {
    OperatorShaders::for_config(config).map(drop)
}

impl OperatorShaders {
    /// Gives kernels the files.
    pub(super) fn choices(&self, choices: ShaderDefines) -> ShaderDefines {
        self.files.iter().fold(choices, |choices, (name, file)| match file {
            Some(file) => choices.file(name, file),
            None => choices,
        })
    }

    /// The twins of a configuration's operators.
    ///
    /// # Errors
    /// [`UnsupportedConfig`] names the first that has none.
    pub(super) fn for_config(config: &Config) -> Result<Self, UnsupportedConfig> {
        let no = |what: String| Err(UnsupportedConfig::Operator { what });
        // Every parameter is named: for a new one the device has to answer.
        let Config {
            encoding,
            selection,
            topology,
            pairing,
            mate,
            crossover,
            inherit,
            mutation,
            mutants,
            alike_rate,
            changed_units,
            shuffle,
            local_search,
            tries,
            replacement,
            restart_after,
            restart_elites,
            // The run's, not the engine's.
            preset: _,
            population: _,
            presolve: _,
            restart_rule: _,
            max_generations: _,
            max_work: _,
            time_limit: _,
            distinct_every: _,
            // Both engines have them from the same code of the host.
            islands: _,
            migration_interval: _,
            migrants: _,
            pool: _,
            best_share: _,
            random_share: _,
            worst_share: _,
            offspring: _,
            // Constants of the kernels, whatever they are.
            radius: _,
            tournament: _,
            children: _,
            crossover_rate: _,
            mutation_rate: _,
            redraw_rate: _,
            tabu_steps: _,
            tenure_random: _,
            tenure_share: _,
            proposals: _,
            eta_proposals: _,
            unassigned_share: _,
            distance: _,
            // Of operators that have no twin.
            keep_share: _,
            elites: _,
        } = config;
        let encode = match encoding {
            Encoding::Boxes | Encoding::Rows | Encoding::Columns => {
                "encoding/unit_permutation.wgsl"
            }
            Encoding::Cells | Encoding::Candidates => "encoding/candidates.wgsl",
            other => return no(format!("encoding {other}")),
        };
        let lines = match encoding {
            Encoding::Boxes => Some("encoding/lines_boxes.wgsl"),
            Encoding::Rows => Some("encoding/lines_rows.wgsl"),
            Encoding::Columns => Some("encoding/lines_columns.wgsl"),
            _ => None,
        };
        let units = match lines {
            Some(_) => "encoding/units_permuted.wgsl",
            None => "encoding/units_any.wgsl",
        };
        let select = match selection {
            Selection::LocalTournament => "selection/local_tournament.wgsl",
            Selection::Tournament => "selection/tournament.wgsl",
            Selection::Truncation => "selection/truncation.wgsl",
            Selection::LinearRank => "selection/linear_rank.wgsl",
            Selection::Roulette => "selection/roulette.wgsl",
            Selection::Universal => "selection/stochastic_universal.wgsl",
            Selection::UniversalPerParent => "selection/stochastic_universal_per_parent.wgsl",
            other => return no(format!("selection {other}")),
        };
        let topology = match topology {
            Topology::Ring => "selection/topology/ring.wgsl",
            Topology::Torus => "selection/topology/torus.wgsl",
            Topology::Panmictic => "selection/topology/panmictic.wgsl",
        };
        let pair = match pairing {
            Pairing::Couples => "selection/pairing/couples.wgsl",
            Pairing::Random => "selection/pairing/random.wgsl",
            Pairing::Neighbours => "selection/pairing/neighbours.wgsl",
        };
        let cross = match crossover {
            Crossover::BandOrStack => "crossover/band_or_stack.wgsl",
            Crossover::OnePoint => "crossover/one_point.wgsl",
            Crossover::Subset => "crossover/subset.wgsl",
            Crossover::OneUnit => "crossover/one_unit.wgsl",
            Crossover::Uniform => "crossover/uniform.wgsl",
            Crossover::LineCut => "crossover/line_cut.wgsl",
            Crossover::Agreement => "crossover/agreement.wgsl",
            Crossover::None => "crossover/none.wgsl",
            other => return no(format!("crossover {other}")),
        };
        let inherit = match inherit {
            Inherit::Cells => "crossover/inherit/cells.wgsl",
            Inherit::Rows => "crossover/inherit/rows.wgsl",
            Inherit::Columns => "crossover/inherit/columns.wgsl",
            Inherit::Boxes => "crossover/inherit/boxes.wgsl",
        };
        let mutate = match mutation {
            Mutation::Exchange => "mutation/exchange.wgsl",
            Mutation::PairExchange => "mutation/pair_exchange.wgsl",
            Mutation::Reshuffle => "mutation/reshuffle.wgsl",
            Mutation::Reset => "mutation/reset.wgsl",
            Mutation::RedrawTwo => "mutation/redraw_two.wgsl",
            Mutation::None => "mutation/none.wgsl",
            other => return no(format!("mutation {other}")),
        };
        let improve = match local_search {
            LocalSearch::ExchangeDescent => Some("local_search/exchange_descent.wgsl"),
            LocalSearch::None => Some("local_search/none.wgsl"),
            // They take several kernels.
            LocalSearch::Tabu | LocalSearch::Eviction => None,
        };
        let [begin_search, search, take_best] = match local_search {
            LocalSearch::Tabu => [
                Some("local_search/tabu/begin.wgsl"),
                Some("local_search/tabu/search.wgsl"),
                Some("local_search/tabu/settle.wgsl"),
            ],
            LocalSearch::Eviction => [
                Some("local_search/eviction/begin.wgsl"),
                Some("local_search/eviction/search.wgsl"),
                Some("local_search/eviction/settle.wgsl"),
            ],
            _ => [None; 3],
        };
        let replace = match replacement {
            Replacement::KeepIfNotWorse => "replacement/replace_if_not_worse.wgsl",
            Replacement::Generational => "replacement/generational.wgsl",
            // Children come first, and kernels of its own give them their slots.
            Replacement::KeepDistance => "replacement/generational.wgsl",
            other => return no(format!("replacement {other}")),
        };
        let draws_pairs = matches!(selection, Selection::LocalTournament | Selection::Tournament);
        if draws_pairs && *mate != MatingPreference::Any {
            return no(format!("mate {mate}"));
        }
        if *mutation != Mutation::None && *mutants > 1 {
            return no(format!("mutants {mutants}"));
        }
        if *mutation != Mutation::None && *alike_rate > 0.0 {
            return no(format!("alike_rate {alike_rate}"));
        }
        if *mutation == Mutation::Reshuffle && *changed_units > 1 {
            return no(format!("changed_units {changed_units}"));
        }
        if *mutation == Mutation::Reshuffle && ![0, 2].contains(shuffle) {
            return no(format!("mutation reshuffle with shuffle {shuffle} (0 or 2)"));
        }
        if *restart_after > 0 && *restart_elites > 0 {
            return no(format!("restart_elites {restart_elites}"));
        }
        if *local_search == LocalSearch::ExchangeDescent && *tries > MOST_TRIES {
            return no(format!("tries {tries} (at most {MOST_TRIES})"));
        }
        let keeps_distance = *replacement == Replacement::KeepDistance;
        Ok(Self {
            files: vec![
                ("encode", Some(encode)),
                ("lines", lines),
                ("units", Some(units)),
                ("select", Some(select)),
                ("topology", Some(topology)),
                ("pair", Some(pair)),
                ("cross", Some(cross)),
                ("inherit", Some(inherit)),
                ("mutate", Some(mutate)),
                ("improve", improve),
                ("begin_search", begin_search),
                ("search", search),
                ("take_best", take_best),
                ("replace", Some(replace)),
            ],
            ranks: !draws_pairs || keeps_distance,
            searches: search.is_some(),
            keeps_distance,
        })
    }
}

/// Why the device engine does not carry out a run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UnsupportedConfig {
    /// A configuration of which something has no twin.
    #[error(
        "the device engine has no {what}: it runs the presets {}; --on cpu runs all",
        supported_presets().iter().map(|preset| preset.name()).collect::<Vec<_>>().join(", ")
    )]
    Operator {
        /// The operator or parameter, as in `crossover pmx`.
        what: String,
    },
    /// An operator of the user's own, which no kernel knows.
    #[error("the device engine has no twin of the own {0}: the CPU engine runs it")]
    Own(OperatorName),
    /// Loops that a software driver cuts short.
    #[error(
        "{adapter} ends a thread's loops after {most} turns in all, but a child may take {needed}: use fewer tries, smaller tournaments or smaller boards, or --on cpu"
    )]
    Loops {
        /// The adapter's name.
        adapter: String,
        /// Turns that a child may take.
        needed: u64,
        /// Turns that there are.
        most: u64,
    },
    /// A puzzle whose tables the adapter does not hold.
    #[error(
        "{adapter} cannot hold what the device engine knows of this {geometry} puzzle: it would take {needed} bytes, but {most} is the most; more givens or a stronger --presolve leave less of it, and --on cpu takes any"
    )]
    Tables {
        /// The adapter's name.
        adapter: String,
        /// The puzzle's shape.
        geometry: Geometry,
        /// Bytes of the tables.
        needed: u64,
        /// Bytes that a shader can reach.
        most: u64,
    },
    /// An island that the adapter does not hold.
    #[error(
        "{adapter} cannot hold an island of {population} boards of {geometry} boxes: {what} would take {needed}, but {most} is the most; use a smaller population or more islands"
    )]
    Island {
        /// The adapter's name.
        adapter: String,
        /// Individuals of the island.
        population: u32,
        /// Their shape.
        geometry: Geometry,
        /// The thing that is too large.
        what: &'static str,
        /// Bytes, or numbers, that it takes.
        needed: u64,
        /// The most that it may take.
        most: u64,
    },
}

impl From<UnsupportedConfig> for RunError {
    fn from(error: UnsupportedConfig) -> Self {
        Self::Engine(EngineError::new(error))
    }
}
