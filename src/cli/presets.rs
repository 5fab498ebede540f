//! `evodoku presets`: the presets, and the parameters of one.

use std::collections::BTreeSet;
use std::ffi::OsStr;

use anyhow::Result;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Args, Command, Error};

use super::Exit;
use super::output::{print, wrapped};
use super::table::TextTable;
use crate::board::{Geometry, SearchSpace};
use crate::ga::{Config, Parameter, Preset, RunSettings};
use crate::util::named_enum::{nearest, suggestion};

/// List the presets, or explain a preset, a parameter or a value
///
/// A preset is an algorithm with its parameters. The description of a published preset names the title or
/// author of its document, and the number of the document (000 to 004). The names of the puzzles and
/// experiments of a document contain the number of the document.
#[derive(Debug, Args)]
pub struct Presets {
    /// A preset, a parameter, or a value of a parameter
    #[arg(value_name = "NAME", value_parser = NameParser)]
    name: Option<String>,
    /// Explain every parameter of a preset, including those that its operators do not use
    #[arg(long, requires = "name")]
    all: bool,
}

impl Presets {
    pub fn run(self) -> Result<Exit> {
        // The parameters of a preset may depend on the puzzle: a blank one represents all.
        let space = SearchSpace::blank(Geometry::new(3, 3)?);
        print(&match self.name {
            None => list(&space),
            Some(name) => match name.parse() {
                // A value may have its name, as the encoding boxes.
                Ok(preset) => explanation(preset, &space, self.all) + &definitions(&name, &space),
                Err(_) => definitions(&name, &space),
            },
        })?;
        Ok(Exit::Done)
    }
}

/// Reads the name of a preset, a parameter, or a value of a parameter.
#[derive(Clone)]
struct NameParser;

impl NameParser {
    fn names() -> impl Iterator<Item = &'static str> {
        let parameters = Config::PARAMETERS.iter();
        let values = parameters.clone().flat_map(|p| p.values.iter().map(|(name, _)| *name));
        let names: BTreeSet<_> = values.chain(parameters.map(|parameter| parameter.name)).collect();
        Preset::NAMES.iter().copied().chain(names)
    }
}

impl TypedValueParser for NameParser {
    type Value = String;

    fn parse_ref(&self, _: &Command, _: Option<&Arg>, given: &OsStr) -> Result<String, Error> {
        let given = given.to_string_lossy();
        let is_meant = |name: &&str| *name == given || name.replace('_', "-") == given;
        Self::names().find(is_meant).map(str::to_owned).ok_or_else(|| {
            let hint = suggestion(&nearest(&given, Self::names()));
            let message = format!("'{given}' is not a preset, parameter or value{hint}\n");
            Error::raw(ErrorKind::InvalidValue, message)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue>>> {
        Some(Box::new(Self::names().map(PossibleValue::new)))
    }
}

/// The configuration of a preset for a puzzle, and whether it derives the parameter of a name.
fn configuration(preset: Preset, space: &SearchSpace) -> (Config, impl Fn(&str) -> bool) {
    let config = Config::of(preset, space);
    let derived = RunSettings::of(preset).derived(&config, space);
    (config, move |name: &str| derived.iter().any(|parameter| parameter.name == name))
}

fn list(space: &SearchSpace) -> String {
    let header = ["preset", "population", "generations", "description"];
    let mut rows = TextTable::new(&header, &["description"], &["generations", "population"]);
    for preset in Preset::ALL {
        let (config, is_derived) = configuration(*preset, space);
        let value = |name, value: u32| match is_derived(name) {
            true => "derived".to_owned(),
            false => value.to_string(),
        };
        rows.row([
            preset.name().to_owned(),
            value("population", config.population),
            value("max_generations", config.max_generations),
            preset.description().to_owned(),
        ]);
    }
    format!("{rows}\n")
}

fn explanation(preset: Preset, space: &SearchSpace, all: bool) -> String {
    let (config, is_derived) = configuration(preset, space);
    let mut text = wrapped(&format!("{preset}: {}", preset.description()), "") + "\n";
    for paragraph in preset.about().split("\n\n") {
        text += &wrapped(paragraph, "");
        text.push('\n');
    }
    for parameter in Config::PARAMETERS.iter().filter(|p| all || (p.applies)(&config)) {
        let Parameter { name, unit, .. } = parameter;
        let value = match is_derived(name) {
            true => "derived from the puzzle".to_owned(),
            false => format!("{} {unit}", (parameter.get)(&config)).trim_end().to_owned(),
        };
        text += &wrapped(&format!("{name} = {value} ({})", (parameter.range)()), "");
        text += &wrapped(parameter.description, "    ");
    }
    text
}

/// What a parameter is, or a value in each parameter that takes it, and which presets use it.
fn definitions(name: &str, space: &SearchSpace) -> String {
    let mut text = String::new();
    let users = |is_used: &dyn Fn(&Config) -> bool| {
        let presets = Preset::ALL.iter().filter(|preset| is_used(&Config::of(**preset, space)));
        let names: Vec<_> = presets.map(|preset| preset.name()).collect();
        match names.len() {
            0 => "no preset".to_owned(),
            all if all == Preset::ALL.len() => "every preset".to_owned(),
            _ => names.join(", "),
        }
    };
    for parameter in Config::PARAMETERS {
        let get = |config: &Config| (parameter.get)(config);
        if parameter.name == name {
            text += &wrapped(&format!("{name}: a parameter ({})", (parameter.range)()), "");
            text += &wrapped(parameter.description, "    ");
            for (value, description) in parameter.values {
                let users = users(&|config| get(config) == *value && (parameter.applies)(config));
                text += &wrapped(&format!("{value}: {description} Used by {users}."), "    ");
            }
            let users = users(&|config| (parameter.applies)(config));
            text += &wrapped(&format!("The parameter has an effect in {users}."), "    ");
        }
        for (_, description) in parameter.values.iter().filter(|(value, _)| *value == name) {
            let of = parameter.name;
            let users = users(&|config| get(config) == name && (parameter.applies)(config));
            text += &wrapped(&format!("{name}: a value of {of} (--set {of}={name})"), "");
            text += &wrapped(&format!("{description} Used by {users}."), "    ");
        }
    }
    text
}
