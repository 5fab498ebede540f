//! The configuration of a run: preset, then file, then `--set`, then the flags of their own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::board::Presolve;
use crate::bounded::read_bounded;
use crate::evolve::{Config, Preset, Settings};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use toml::Spanned;

/// Flags that make a configuration.
#[derive(Debug, Args)]
pub struct Configure {
    /// Algorithm and parameters to start from; `evodoku presets` lists them (default: memetic)
    #[arg(long, value_name = "NAME")]
    preset: Option<Preset>,
    /// Individuals (default: the preset's)
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    population: Option<String>,
    /// What is derived before anything is evolved: none, naked or full (default: the preset's)
    #[arg(long, value_name = "LEVEL")]
    presolve: Option<Presolve>,
    /// End after this many generations; 0 sets no bound
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    max_generations: Option<String>,
    /// End after the generation in which evaluations plus moves reach this; 0 sets no bound
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    max_work: Option<String>,
    /// End after this many seconds; such a run is not reproducible
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    time_limit: Option<String>,
    /// Set a parameter; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Read parameters, and the preset, from a TOML file of name = value lines
    #[arg(long, value_name = "FILE.toml")]
    config: Option<PathBuf>,
}

impl Configure {
    /// The preset and what was set.
    ///
    /// # Errors
    /// One sentence on the first name or value that is wrong, with its line if it is in a file.
    pub fn settings(&self) -> Result<Settings> {
        let file = self.config.as_deref().map(ConfigFile::read).transpose()?;
        let named = file.as_ref().map(ConfigFile::preset).transpose()?.flatten();
        let preset = self.preset.or(named).unwrap_or(Preset::Memetic);
        let mut settings = Settings::of(preset);
        if let Some(file) = &file {
            file.apply(&mut settings)?;
        }
        for setting in &self.set {
            let (name, value) = setting
                .split_once('=')
                .ok_or_else(|| anyhow!("--set takes name=value, not '{setting}'"))?;
            settings.set(name, value)?;
        }
        let presolve = self.presolve.map(|level| level.to_string());
        let flags = [
            ("population", &self.population),
            ("presolve", &presolve),
            ("max_generations", &self.max_generations),
            ("max_work", &self.max_work),
            ("time_limit", &self.time_limit),
        ];
        for (name, value) in flags {
            if let Some(value) = value {
                settings.set(name, value)?;
            }
        }
        Ok(settings)
    }
}

impl Configure {
    /// The file of `--config`.
    pub fn file(&self) -> Option<&Path> {
        self.config.as_deref()
    }

    /// Parameters that `--set` sets but that mean nothing in `config`.
    ///
    /// # Errors
    /// When one of them does not exist.
    pub fn idle(&self, config: &Config) -> Result<Vec<&'static str>> {
        let mut idle = Vec::new();
        for setting in &self.set {
            let name = setting.split_once('=').map_or(setting.as_str(), |(name, _)| name);
            let parameter = Config::parameter(name)?;
            if !(parameter.applies)(config) {
                idle.push(parameter.name);
            }
        }
        Ok(idle)
    }
}

/// A file of `name = value` lines.
struct ConfigFile<'a> {
    path: &'a Path,
    text: String,
    values: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
}

impl<'a> ConfigFile<'a> {
    fn read(path: &'a Path) -> Result<Self> {
        let shown = path.display();
        let text = read_bounded(path).with_context(|| format!("cannot read {shown}"))?;
        let values = toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(&text, span.start));
            anyhow!("{shown}, line {line}: {}", error.message())
        })?;
        Ok(Self { path, text, values })
    }

    fn preset(&self) -> Result<Option<Preset>> {
        match self.values.iter().find(|(name, _)| name.get_ref() == "preset") {
            None => Ok(None),
            Some((name, value)) => {
                let text = text_of(value.get_ref()).with_context(|| self.place(name))?;
                Ok(Some(text.parse().with_context(|| self.place(name))?))
            }
        }
    }

    fn apply(&self, settings: &mut Settings) -> Result<()> {
        for (name, value) in self.values.iter().filter(|(name, _)| name.get_ref() != "preset") {
            text_of(value.get_ref())
                .and_then(|text| Ok(settings.set(name.get_ref(), &text)?))
                .with_context(|| self.place(name))?;
        }
        Ok(())
    }

    fn place(&self, name: &Spanned<String>) -> String {
        format!("{}, line {}", self.path.display(), line_of(&self.text, name.span().start))
    }
}

fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count()
}

fn text_of(value: &toml::Value) -> Result<String> {
    match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(number) => Ok(number.to_string()),
        toml::Value::Float(number) => Ok(number.to_string()),
        other => bail!("a parameter is a number or a name, not a {}", other.type_str()),
    }
}
