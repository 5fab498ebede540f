//! Flags of the configuration of a run. Of several sources the last sets a parameter: preset, file, `--set`,
//! then a flag of its own.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Deserialize;
use toml::de::{DeTable, Deserializer, Error};

use super::value_parsers::known;
use crate::board::Presolve;
use crate::ga::{Config, ConfigError, Overrides, Parameter, Preset, RunSettings};
use crate::util::memory::read_settings;

/// Flags of the configuration of a run.
#[derive(Debug, Args)]
pub struct ConfigArgs {
    /// Preset: an algorithm with its parameters; `evodoku presets` lists all presets (default: memetic)
    #[arg(long, value_name = "NAME", value_parser = known::<Preset>())]
    preset: Option<Preset>,
    /// Number of individuals in the population, as in 1000 or 1k (default: set by the preset)
    #[arg(long, value_name = "N", value_parser = parameter("population"))]
    population: Option<Overrides>,
    /// Deductions before the first generation: none, naked, singles, subsets, fish or probing. Each level
    /// includes the levels before it; `evodoku check --presolve` shows the effect of each level (default: set
    /// by the preset)
    #[arg(long, value_name = "LEVEL", value_parser = presolve())]
    presolve: Option<Overrides>,
    /// Stop after this many generations; 0 means no limit
    #[arg(long, value_name = "N", value_parser = parameter("max_generations"))]
    max_generations: Option<Overrides>,
    /// Stop after the generation in which the work (evaluations plus moves) reaches N; 0 means no limit
    #[arg(long, value_name = "N", value_parser = parameter("max_work"))]
    max_work: Option<Overrides>,
    /// Stop each run after this time, as in 10s, 500ms or 2min; 0 means no limit. A run that is stopped by time
    /// is not reproducible
    #[arg(long, value_name = "TIME", value_parser = parameter("time_limit"))]
    time_limit: Option<Overrides>,
    /// Set a parameter of the algorithm; repeat the flag to set more. `evodoku presets NAME` explains the
    /// parameters of a preset. Flags such as
    /// --population take precedence
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<Overrides>,
    /// Read parameters, and the preset, from a TOML file of name = value lines
    #[arg(long, value_name = "FILE.toml")]
    config: Option<PathBuf>,
}

/// A parser of levels of presolve.
fn presolve() -> impl TypedValueParser<Value = Overrides> {
    PossibleValuesParser::new(Presolve::NAMES).try_map(|level| Overrides::parse("presolve", &level))
}

/// A parser of values of a parameter.
fn parameter(name: &'static str) -> impl Fn(&str) -> Result<Overrides, String> + Clone {
    move |text| {
        Overrides::parse(name, text).map_err(|error| match error {
            // The flag and the value are named before it.
            ConfigError::OutOfRange { range, .. } => format!("it takes {range}"),
            error => error.to_string(),
        })
    }
}

impl ConfigArgs {
    /// The preset, or the default one, and the parameters that are set.
    ///
    /// # Errors
    /// On an error in the file, with its line.
    pub fn settings(&self) -> Result<RunSettings> {
        let (preset, overrides) = self.given()?;
        Ok(RunSettings { preset: preset.unwrap_or(Preset::Memetic), overrides })
    }

    /// The preset, if there is one, and the parameters that are set.
    ///
    /// # Errors
    /// As [`settings`](Self::settings).
    pub fn given(&self) -> Result<(Option<Preset>, Overrides)> {
        let (named, mut overrides) =
            self.config.as_deref().map(read).transpose()?.unwrap_or_default();
        let flags = [
            &self.population, &self.presolve, &self.max_generations, &self.max_work,
            &self.time_limit,
        ];
        for set in self.set.iter().chain(flags.into_iter().flatten()) {
            overrides.merge(set);
        }
        Ok((self.preset.or(named), overrides))
    }

    /// The file of `--config`.
    pub fn file(&self) -> Option<&Path> {
        self.config.as_deref()
    }

    /// Parameters that `--set` sets but that `config` does not use.
    pub fn idle<'a>(&'a self, config: &'a Config) -> impl Iterator<Item = &'static Parameter> + 'a {
        let set = self.set.iter().flat_map(Overrides::parameters);
        set.filter(|parameter| !(parameter.applies)(config))
    }
}

/// The preset, if there is one, and the parameters of a file of `name = value` lines.
fn read(path: &Path) -> Result<(Option<Preset>, Overrides)> {
    let shown = path.display();
    let text = read_settings(path).with_context(|| format!("cannot read {shown}"))?;
    parse(&text).map_err(|error| {
        let before = &text.as_bytes()[..error.span().map_or(0, |span| span.start)];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        anyhow!("{shown}, line {line}: {}", error.message())
    })
}

fn parse(text: &str) -> Result<(Option<Preset>, Overrides), Error> {
    /// The only key that is no parameter.
    #[derive(Deserialize)]
    struct PresetKey {
        preset: Option<Preset>,
    }
    let PresetKey { preset } = toml::from_str(text)?;
    let mut table = DeTable::parse(text)?;
    table.get_mut().remove("preset");
    Ok((preset, Overrides::deserialize(Deserializer::from(table))?))
}
