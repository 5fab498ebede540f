//! `evodoku presets`: what algorithms there are, and what each parameter of one does.

use anyhow::Result;
use clap::Args;
use evodoku::evolve::{Config, Parameter, Preset};

use super::Exit;
use super::output::{print, table, wrapped};

/// List the presets, or explain one
#[derive(Debug, Args)]
pub struct Presets {
    /// The preset to explain
    preset: Option<Preset>,
    /// Explain every parameter, also those that mean nothing with the preset's operators
    #[arg(long, requires = "preset")]
    all: bool,
}

impl Presets {
    pub fn run(self) -> Result<Exit> {
        print(&match self.preset {
            None => list(),
            Some(preset) => explanation(preset, self.all),
        })?;
        Ok(Exit::Done)
    }
}

fn list() -> String {
    let mut rows = table(&["preset", "population", "generations", "what it is"]);
    for preset in Preset::ALL {
        let config = Config::of(*preset);
        rows.add_row([
            preset.name().to_owned(),
            config.population.to_string(),
            config.max_generations.to_string(),
            preset.description().to_owned(),
        ]);
    }
    format!("{rows}\n")
}

fn explanation(preset: Preset, all: bool) -> String {
    let config = Config::of(preset);
    let mut text = format!("{preset}: {}\n\n", preset.description());
    for paragraph in preset.about().split("\n\n") {
        text += &wrapped(paragraph, "");
        text.push('\n');
    }
    for parameter in Config::PARAMETERS.iter().filter(|p| all || (p.applies)(&config)) {
        text += &explained(parameter, &config);
    }
    text
}

fn explained(parameter: &Parameter, config: &Config) -> String {
    let unit = if parameter.unit.is_empty() { "" } else { " " };
    let head = format!(
        "{} = {}{unit}{} ({})",
        parameter.name,
        (parameter.get)(config),
        parameter.unit,
        (parameter.range)()
    );
    let description = parameter.description.split_whitespace().collect::<Vec<_>>().join(" ");
    wrapped(&head, "") + &wrapped(&description, "    ")
}
