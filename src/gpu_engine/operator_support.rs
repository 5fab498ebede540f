//! The configurations that the GPU engine carries out, and the shaders of their operators.
//!
//! The shader of an operator has the operator's name and lies in the folder of its family, as
//! `shaders/crossover/one_point.wgsl`. An operator without such a file is refused.

use std::fmt::Display;

use thiserror::Error;

use crate::fitness::EvaluatorError;
use crate::ga::encoding::Encoding;
use crate::ga::local_search::LocalSearch;
use crate::ga::mutation::Mutation;
use crate::ga::replacement::Replacement;
use crate::ga::selection::{MatingPreference, Selection};
use crate::ga::{Config, EngineError, OperatorName, Preset, RunError, presets};
use crate::gpu::{DeviceError, ShaderDefines, ShaderError, has_shader};

/// A child with more tries would keep a submission busy for longer than drivers wait.
const MOST_TRIES: u32 = 1 << 17;

/// The shaders of a configuration's operators.
#[derive(Clone, Debug)]
pub(super) struct OperatorShaders {
    /// Files under `shaders/`, by the names under which kernels choose them.
    files: Vec<(&'static str, String)>,
    /// Whether selection or replacement needs the population in order of fitness.
    pub ranks: bool,
    /// Whether children are searched in rounds, by kernels for that alone.
    pub searches: bool,
    /// Whether the replacement has kernels for itself, which move children to their slots.
    pub keeps_distance: bool,
}

/// Returns the presets that the GPU engine carries out unchanged.
pub fn supported_presets() -> Vec<Preset> {
    let is_supported = |preset: &&Preset| check_support(&presets::config(**preset)).is_ok();
    Preset::ALL.iter().filter(is_supported).copied().collect()
}

/// Checks that the GPU engine carries out a configuration.
///
/// # Errors
/// [`UnsupportedConfig`] names the first operator or parameter that it does not have.
pub(crate) fn check_support(config: &Config) -> Result<(), UnsupportedConfig> {
    OperatorShaders::for_config(config).map(drop)
}

/// The shader of an operator, by its name.
fn shader_of(family: &str, name: impl Display) -> String {
    format!("{family}/{}.wgsl", name.to_string().replace('-', "_"))
}

impl OperatorShaders {
    /// The shaders of a configuration's operators.
    ///
    /// # Errors
    /// [`UnsupportedConfig`] names the first operator or parameter that the engine does not have.
    pub(super) fn for_config(config: &Config) -> Result<Self, UnsupportedConfig> {
        // Every parameter is named: this does not compile until a new one has its place here.
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
            // Of the run, not of the engine.
            preset: _,
            population: _,
            presolve: _,
            restart_rule: _,
            max_generations: _,
            max_work: _,
            time_limit: _,
            distinct_every: _,
            // The same code computes them for both engines.
            islands: _,
            migration_interval: _,
            migrants: _,
            pool: _,
            best_share: _,
            random_share: _,
            worst_share: _,
            offspring: _,
            // Constants or data of the kernels, with any value.
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
            // Of operators without a shader.
            keep_share: _,
            elites: _,
        } = config;
        let permutes = encoding.unit_kind().is_some();
        let draws_pairs = matches!(selection, Selection::LocalTournament | Selection::Tournament);
        let (mutates, reshuffles) = (*mutation != Mutation::None, *mutation == Mutation::Reshuffle);
        let shuffles_other = reshuffles && ![0, 2].contains(shuffle);
        let descends = *local_search == LocalSearch::ExchangeDescent;
        let searches = matches!(local_search, LocalSearch::Tabu | LocalSearch::Eviction);
        let keeps_distance = *replacement == Replacement::KeepDistance;
        let select = shader_of("selection", selection);
        let cross = shader_of("crossover", crossover);
        let mutate = shader_of("mutation", mutation);
        // With a distance children lie in the first slots, until kernels for that move them.
        let generational = Replacement::Generational;
        let replace =
            shader_of("replacement", if keeps_distance { &generational } else { replacement });
        let is_free = matches!(encoding, Encoding::Cells | Encoding::Candidates);
        let refused = [
            (!permutes && !is_free, format!("encoding {encoding}")),
            (!has_shader(&select), format!("selection {selection}")),
            (!has_shader(&cross), format!("crossover {crossover}")),
            (!has_shader(&mutate), format!("mutation {mutation}")),
            (!has_shader(&replace), format!("replacement {replacement}")),
            (draws_pairs && *mate != MatingPreference::Any, format!("mate {mate}")),
            (mutates && *mutants > 1, format!("mutants {mutants}")),
            (mutates && *alike_rate > 0.0, format!("alike_rate {alike_rate}")),
            (reshuffles && *changed_units > 1, format!("changed_units {changed_units}")),
            (shuffles_other, format!("mutation reshuffle with shuffle {shuffle} (only 0 or 2)")),
            (*restart_after > 0 && *restart_elites > 0, format!("restart_elites {restart_elites}")),
            (descends && *tries > MOST_TRIES, format!("tries {tries} (at most {MOST_TRIES})")),
        ];
        if let Some((_, what)) = refused.into_iter().find(|(is_refused, _)| *is_refused) {
            return Err(UnsupportedConfig::Operator { what });
        }
        let mut files = vec![
            ("select", select),
            ("topology", shader_of("selection/topology", topology)),
            ("pair", shader_of("selection/pairing", pairing)),
            ("cross", cross),
            ("inherit", shader_of("crossover/inherit", inherit)),
            ("mutate", mutate),
            ("replace", replace),
        ];
        files.extend(match permutes {
            true => vec![
                ("encode", "encoding/unit_permutation.wgsl".to_owned()),
                ("units", "encoding/units_permuted.wgsl".to_owned()),
                ("lines", format!("encoding/lines_{encoding}.wgsl")),
            ],
            false => vec![
                ("encode", "encoding/candidates.wgsl".to_owned()),
                ("units", "encoding/units_any.wgsl".to_owned()),
            ],
        });
        files.extend(match searches {
            true => vec![
                ("begin_search", format!("local_search/{local_search}/begin.wgsl")),
                ("search", format!("local_search/{local_search}/search.wgsl")),
                ("take_best", format!("local_search/{local_search}/settle.wgsl")),
            ],
            false => vec![("improve", shader_of("local_search", local_search))],
        });
        Ok(Self { files, ranks: !draws_pairs || keeps_distance, searches, keeps_distance })
    }

    /// Adds the files to the choices of kernels.
    pub(super) fn choices(&self, choices: ShaderDefines) -> ShaderDefines {
        self.files.iter().fold(choices, |choices, (name, file)| choices.file(name, file))
    }
}

/// Why the GPU engine does not carry out a run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum UnsupportedConfig {
    /// It lacks an operator or a parameter, as in `crossover pmx`.
    #[error(
        "the GPU engine does not support {what}: it supports the presets {}; --on cpu supports all",
        supported_presets().iter().map(|preset| preset.name()).collect::<Vec<_>>().join(", ")
    )]
    Operator { what: String },
    /// It cannot carry out a custom operator.
    #[error("the GPU engine has no shader for the custom {0}: use --on cpu")]
    Custom(OperatorName),
    /// The adapter is too small: a sentence that says for what.
    #[error("{0}")]
    Adapter(String),
}

impl From<UnsupportedConfig> for RunError {
    fn from(error: UnsupportedConfig) -> Self {
        Self::Engine(EngineError::new(error))
    }
}

impl From<DeviceError> for RunError {
    fn from(error: DeviceError) -> Self {
        Self::Evaluator(EvaluatorError::from(error))
    }
}

impl From<ShaderError> for RunError {
    fn from(error: ShaderError) -> Self {
        Self::Evaluator(EvaluatorError::from(error))
    }
}
