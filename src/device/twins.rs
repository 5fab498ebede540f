//! Which operators have a twin on the device, and what is said of those that have none.

use thiserror::Error;

use super::keep;
use crate::board::Geometry;
use crate::evolve::crossover::{Crossover, Inherit};
use crate::evolve::encoding::Encoding;
use crate::evolve::improvement::Improvement;
use crate::evolve::mutation::Mutation;
use crate::evolve::replacement::Replacement;
use crate::evolve::selection::{Mate, Pairing, Selection, Topology};
use crate::evolve::{Config, OperatorName, Preset, presets};

/// The files of a configuration's operators.
#[derive(Clone, Copy, Debug)]
pub(super) struct Twins {
    pub encoding: &'static [&'static str],
    pub lines: &'static str,
    pub selection: &'static [&'static str],
    /// Whether selection needs the population in order of fitness.
    pub planned: bool,
    pub crossover: &'static [&'static str],
    pub mutation: &'static [&'static str],
    pub improvement: &'static str,
    pub replacement: &'static str,
    /// Whether another kernel gives the children their slots.
    pub keeps_distance: bool,
}

/// What the device engine does not run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unsupported {
    /// A configuration of which something has no twin.
    #[error(
        "the device engine has no {what}: it runs the presets {}; --engine host runs all",
        supported_presets().iter().map(|preset| preset.name()).collect::<Vec<_>>().join(", ")
    )]
    Operator {
        /// What has none, as in `crossover pmx`.
        what: String,
    },
    /// An operator of the user's own, which no kernel knows.
    #[error("the device engine has no twin of the own {0}: the host engine runs it")]
    Own(OperatorName),
    /// Loops that a software driver cuts short.
    #[error(
        "{adapter} ends a thread's loops after {most} turns in all, but a child may take {needed}: use fewer tries, smaller tournaments or smaller boards, or --engine host"
    )]
    Loops {
        /// The adapter's name.
        adapter: String,
        /// Turns that a child may take.
        needed: u64,
        /// Turns that there are.
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
        /// What is too large.
        what: &'static str,
        /// What it takes.
        needed: u64,
        /// What it may take.
        most: u64,
    },
}

/// The presets that the device engine runs as they are.
pub fn supported_presets() -> Vec<Preset> {
    let runs = |preset: &&Preset| supports(&presets::config(**preset)).is_ok();
    Preset::ALL.iter().filter(runs).copied().collect()
}

/// Whether the device engine runs a configuration.
///
/// # Errors
/// [`Unsupported`] names the first that has no twin.
pub fn supports(config: &Config) -> Result<(), Unsupported> {
    Twins::of(config).map(drop)
}

/// The text of a shader.
macro_rules! shader {
    ($name:literal) => {
        include_str!(concat!("../../shaders/", $name, ".wgsl"))
    };
}
pub(super) use shader;

impl Twins {
    /// The twins of a configuration's operators.
    ///
    /// # Errors
    /// [`Unsupported`] names the first that has none.
    pub(super) fn of(config: &Config) -> Result<Self, Unsupported> {
        let no = |what: String| Err(Unsupported::Operator { what });
        let (encoding, lines): (&[&str], &str) = match config.encoding {
            Encoding::Boxes => (&[shader!("encode_units")], shader!("lines_boxes")),
            Encoding::Rows => (&[shader!("encode_units")], shader!("lines_rows")),
            Encoding::Columns => (&[shader!("encode_units")], shader!("lines_columns")),
            Encoding::Cells | Encoding::Candidates => (&[shader!("encode_candidates")], ""),
            other => return no(format!("encoding {other}")),
        };
        let selection: &[&str] = match config.selection {
            Selection::LocalTournament => match config.topology {
                Topology::Ring => &[shader!("topology_ring"), shader!("select_local_tournament")],
                Topology::Torus => &[shader!("topology_torus"), shader!("select_local_tournament")],
                Topology::Panmictic => {
                    &[shader!("topology_panmictic"), shader!("select_local_tournament")]
                }
            },
            Selection::Tournament => &[shader!("select_tournament")],
            Selection::Truncation => match config.pairing {
                Pairing::Couples => {
                    &[shader!("permutation"), shader!("pair_couples"), shader!("select_truncation")]
                }
                Pairing::Random => &[shader!("pair_random"), shader!("select_truncation")],
                Pairing::Neighbours => &[shader!("pair_neighbours"), shader!("select_truncation")],
            },
            Selection::LinearRank => &[shader!("select_linear_rank")],
            Selection::Roulette => &[shader!("wheel"), shader!("select_roulette")],
            Selection::Universal => &[
                shader!("permutation"),
                shader!("wheel"),
                shader!("pointers"),
                shader!("select_universal"),
            ],
            Selection::UniversalPerParent => {
                &[shader!("wheel"), shader!("pointers"), shader!("select_universal_per_parent")]
            }
            other => return no(format!("selection {other}")),
        };
        let planned =
            !matches!(config.selection, Selection::LocalTournament | Selection::Tournament);
        let crossover: &[&str] = match (config.crossover, config.encoding) {
            (Crossover::BandOrStack, _) => &[shader!("cross_band_or_stack")],
            (Crossover::OnePoint, _) => &[shader!("cross_cells"), shader!("cross_one_point")],
            (Crossover::Subset, _) => &[shader!("cross_cells"), shader!("cross_subset")],
            (Crossover::OneUnit, Encoding::Cells | Encoding::Candidates) => {
                &[shader!("cross_cells"), shader!("unit_any"), shader!("cross_one_unit")]
            }
            (Crossover::OneUnit, _) => {
                &[shader!("cross_cells"), shader!("unit_permuted"), shader!("cross_one_unit")]
            }
            (Crossover::Uniform, _) => &[shader!("cross_uniform")],
            (Crossover::Agreement, _) => match config.inherit {
                Inherit::Cells => &[shader!("inherit_cells"), shader!("cross_agreement")],
                Inherit::Rows => &[shader!("inherit_rows"), shader!("cross_agreement")],
                Inherit::Columns => &[shader!("inherit_columns"), shader!("cross_agreement")],
                Inherit::Boxes => &[shader!("inherit_boxes"), shader!("cross_agreement")],
            },
            (Crossover::None, _) => &[shader!("cross_none")],
            (other, _) => return no(format!("crossover {other}")),
        };
        let mutation: &[&str] = match config.mutation {
            Mutation::Exchange => &[shader!("mutate_exchange")],
            Mutation::PairExchange => &[shader!("mutate_pair_exchange")],
            Mutation::Reshuffle => &[shader!("mutate_reshuffle")],
            Mutation::Reset => &[shader!("mutate_reset")],
            Mutation::RedrawTwo => &[shader!("mutate_redraw_two")],
            Mutation::None => &[shader!("mutate_none")],
            other => return no(format!("mutation {other}")),
        };
        let improvement = match config.improvement {
            Improvement::ExchangeDescent => shader!("improve_exchange_descent"),
            Improvement::None => shader!("improve_none"),
            Improvement::Tabu => "",
        };
        let replacement = match config.replacement {
            Replacement::KeepIfNotWorse => shader!("replace_keep_if_not_worse"),
            Replacement::Generational => shader!("replace_generational"),
            Replacement::KeepDistance if config.population <= keep::MOST => {
                shader!("replace_generational")
            }
            Replacement::KeepDistance => {
                return no(format!(
                    "replacement keep-distance of more than {} individuals: set a smaller population or replacement=keep-if-not-worse, or take the preset cellular",
                    keep::MOST
                ));
            }
            other => return no(format!("replacement {other}")),
        };
        let chooses_mate =
            matches!(config.selection, Selection::LocalTournament | Selection::Tournament);
        if chooses_mate && config.mate != Mate::Any {
            return no(format!("mate {}", config.mate));
        }
        if config.mutation != Mutation::None && config.mutants > 1 {
            return no(format!("mutants {}", config.mutants));
        }
        if config.restart_after > 0 && config.restart_elites > 0 {
            return no(format!("restart_elites {}", config.restart_elites));
        }
        if config.improvement == Improvement::ExchangeDescent && config.tries > MOST_TRIES {
            return no(format!("tries {} (at most {MOST_TRIES})", config.tries));
        }
        Ok(Self {
            encoding,
            lines,
            selection,
            planned,
            crossover,
            mutation,
            improvement,
            replacement,
            keeps_distance: config.replacement == Replacement::KeepDistance,
        })
    }
}

/// A child with more tries would keep a submission busy for longer than drivers wait.
const MOST_TRIES: u32 = 1 << 20;
