//! What there is to choose from: puzzles, presets and their parameters.

use evodoku::board::Puzzle;
use evodoku::format::{self, ParsedPuzzle};
use evodoku::ga::{Config, Overrides, Preset, RunSettings};
use evodoku::gpu_engine::supported_presets;
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

use crate::refused;

/// The shipped puzzles: name, group and side of each.
#[wasm_bindgen]
pub fn puzzles() -> String {
    let about = |puzzle: format::BundledPuzzle| {
        let read = format::load(puzzle.name, None).ok()?.puzzle;
        let (side, givens) = (read.geometry.side(), read.given_count());
        Some(json!({ "name": puzzle.name, "group": puzzle.group, "side": side, "givens": givens }))
    };
    Value::from_iter(format::shipped().filter_map(about)).to_string()
}

/// The operators of a configuration, in the order in which a generation uses them: family, name and description.
pub fn operators(config: &Config) -> Value {
    let one = |family: &str, name: String, description: &str| json!({ "family": family, "name": name, "description": description });
    let Config { encoding, selection, crossover, mutation, local_search, replacement, .. } = config;
    Value::from_iter([
        one("encoding", encoding.to_string(), encoding.description()),
        one("selection", selection.to_string(), selection.description()),
        one("crossover", crossover.to_string(), crossover.description()),
        one("mutation", mutation.to_string(), mutation.description()),
        one("local search", local_search.to_string(), local_search.description()),
        one("replacement", replacement.to_string(), replacement.description()),
    ])
}

/// The presets: name, description, whether a GPU has them, their operators and parameters.
#[wasm_bindgen]
pub fn presets() -> String {
    let on_gpu = supported_presets();
    let about = |preset: &Preset| {
        let config = evodoku::ga::presets::config(*preset);
        let parameter = |one: &evodoku::ga::Parameter| {
            let description = one.description.split_whitespace().collect::<Vec<_>>().join(" ");
            json!({
                "name": one.name, "value": (one.get)(&config), "unit": one.unit,
                "range": (one.range)(), "description": description,
            })
        };
        let applying = Config::PARAMETERS.iter().filter(|one| (one.applies)(&config));
        json!({
            "name": preset.to_string(),
            "description": preset.description(),
            "gpu": on_gpu.contains(preset),
            "operators": operators(&config),
            "parameters": Value::from_iter(applying.map(parameter)),
        })
    };
    Value::from_iter(Preset::ALL.iter().map(about)).to_string()
}

/// Reads a puzzle: the name of one that is shipped, or text in any format. Returns its name, boxes, side, givens, and a
/// remark where the text could be read in another way.
///
/// # Errors
/// What is wrong with the text, and where.
#[wasm_bindgen(js_name = readPuzzle)]
pub fn read_puzzle(text: &str) -> Result<String, JsError> {
    let parsed = parse(text)?;
    let Puzzle { name, geometry, givens } = &parsed.puzzle;
    let about = json!({
        "name": name,
        "box": [geometry.box_rows(), geometry.box_cols()],
        "side": geometry.side(),
        "givens": givens,
        "line": format::line(*geometry, givens),
        "remark": parsed.remark(),
    });
    Ok(about.to_string())
}

/// The puzzle of a text.
pub fn parse(text: &str) -> Result<ParsedPuzzle, JsError> {
    match format::find(text.trim()) {
        Some(shipped) => format::load(shipped.name, None).map_err(refused),
        None => format::read(text, "pasted", None).map_err(refused),
    }
}

/// A preset and parameters that are set, out of a JSON object of names and values.
pub fn settings(preset: &str, parameters: &str) -> Result<RunSettings, JsError> {
    let preset: Preset = preset.parse().map_err(refused)?;
    let mut settings = RunSettings::of(preset);
    let set: serde_json::Map<String, Value> = serde_json::from_str(parameters).map_err(refused)?;
    for (name, value) in set {
        let text = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
        settings.overrides.merge(&Overrides::parse(&name, &text).map_err(refused)?);
    }
    Ok(settings)
}
