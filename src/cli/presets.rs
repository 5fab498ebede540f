//! `evodoku presets`: the presets, and the parameters of one.

use anyhow::Result;
use clap::Args;

use super::Exit;
use super::output::{print, wrapped};
use super::table::TextTable;
use super::value_parsers::known;
use crate::board::{Geometry, SearchSpace};
use crate::ga::{Config, Parameter, Preset, RunSettings};

/// List the presets, or explain one
///
/// Those of published systems are called by title or author, with the number that puzzles and experiments
/// have of them: see docs/DOCUMENTS.md.
#[derive(Debug, Args)]
pub struct Presets {
    /// The preset to explain
    #[arg(value_parser = known::<Preset>())]
    preset: Option<Preset>,
    /// Explain every parameter, also those that mean nothing with the preset's operators
    #[arg(long, requires = "preset")]
    all: bool,
}

impl Presets {
    pub fn run(self) -> Result<Exit> {
        // The parameters of a preset may depend on the puzzle: a blank one represents all.
        let space = SearchSpace::blank(Geometry::new(3, 3)?);
        print(&match self.preset {
            None => list(&space),
            Some(preset) => explanation(preset, &space, self.all),
        })?;
        Ok(Exit::Done)
    }
}

/// The configuration of a preset for a puzzle, and whether it derives the parameter of a name.
fn configuration(preset: Preset, space: &SearchSpace) -> (Config, impl Fn(&str) -> bool) {
    let config = Config::of(preset, space);
    let derived = RunSettings::of(preset).derived(&config, space);
    (config, move |name: &str| derived.iter().any(|parameter| parameter.name == name))
}

fn list(space: &SearchSpace) -> String {
    let mut rows = TextTable::new(&["preset", "population", "generations", "what it is"])
        .words(&["what it is"])
        .spare(&["generations", "population"]);
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
