//! What is too much for a plot, found before anything runs.

use thiserror::Error;

use super::super::cell::LENGTHS;
use super::super::cell_filter::all_hold;
use super::super::{CellFilter, Plan};
use super::layout::{is_drawn, method, varying};
use super::puzzle_class::classes;
use super::{apart_from, heatmap};

/// Methods that can be told from each other: eight colours, then the first of them dashed.
pub(super) const METHODS: usize = 12;
/// Panels that can be read on a page.
pub(super) const PANELS: usize = 12;

/// A plan with more than a plot shows.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlotLimitError {
    /// Methods cannot be told from each other.
    #[error(
        "a plot tells at most {METHODS} methods apart, and there are {count} ({first}, ...): name some, \
         as in --only {hint}"
    )]
    Methods {
        /// How many there are.
        count: usize,
        /// What the first is called.
        first: String,
        /// What would choose some.
        hint: String,
    },
    /// Panels cannot be read.
    #[error(
        "a plot has at most {PANELS} panels, and there are {count} puzzles: name some, as in --only {hint}"
    )]
    Puzzles {
        /// How many there are.
        count: usize,
        /// What would choose some.
        hint: String,
    },
}

/// Whether what is asked for of a plan can be drawn.
///
/// # Errors
/// [`PlotLimitError`] when it cannot, and what to do.
pub fn check(plan: &Plan, only: &[CellFilter]) -> Result<(), PlotLimitError> {
    let shown = || plan.cells.iter().filter(|cell| all_hold(only, cell));
    let mut puzzles: Vec<(&str, &[u8], &str)> = Vec::new();
    for cell in shown() {
        let key = (cell.block.as_str(), cell.puzzle.givens.as_slice(), cell.puzzle.name.as_str());
        if !puzzles.contains(&key) {
            puzzles.push(key);
        }
    }
    let varying = varying(plan, only);
    let methods = |parameters: &[&'static str]| -> Vec<String> {
        let mut methods: Vec<String> = Vec::new();
        for cell in shown().filter(|cell| is_drawn(cell, only)) {
            let label = method(cell, parameters);
            if !methods.contains(&label) {
                methods.push(label);
            }
        }
        methods
    };
    // What lies along an axis needs no colour.
    let along = apart_from(&varying, &["population"]);
    let sized = along.len() < varying.len();
    if sized
        && !classes(plan, only).is_empty()
        && methods(&apart_from(&along, &LENGTHS)).len() <= METHODS
    {
        return Ok(());
    }
    if puzzles.len() > PANELS {
        let (block, _, name) = puzzles[0];
        let blocks = puzzles.iter().any(|(other, ..)| *other != block);
        let hint = if blocks { format!("block={block}") } else { format!("puzzle={name}") };
        return Err(PlotLimitError::Puzzles { count: puzzles.len(), hint });
    }
    let all = methods(&varying);
    let by_population = sized && methods(&along).len() <= METHODS;
    let as_map = heatmap::pair(&varying).is_some() && methods(&[]).len() * puzzles.len() <= PANELS;
    if all.len() <= METHODS || by_population || as_map {
        return Ok(());
    }
    let presets = methods(&[]);
    let hint =
        match (presets.as_slice(), varying.first(), shown().find(|cell| is_drawn(cell, only))) {
            ([first], Some(name), Some(cell)) => cell
                .value(name)
                .map_or_else(|| format!("method={first}"), |value| format!("{name}={value}")),
            ([first, ..], ..) => format!("method={first}"),
            _ => String::new(),
        };
    Err(PlotLimitError::Methods { count: all.len(), first: all[0].clone(), hint })
}
