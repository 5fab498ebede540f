//! Which cell is drawn where: a panel for each puzzle, or for each class of puzzles, a colour for each method; and
//! which plans are too large for that.
//!
//! A method is a preset with the values of all parameters that vary. Two cells share a place only if they are
//! of the same panel and method: nothing is pooled or joined over others. An exact method, whose runs
//! are all the same and have no generations, has no place.
//!
//! A class has the puzzles that are run together. Those of a block are one, and blocks with the same puzzles have
//! the same. An experiment with many puzzles of a few classes has figures with a panel for each class.
//!
//! ```text
//! block "easy"                    9x9-easy:3, 9x9-easy:4    the class 9x9-easy
//! block "easy without crossover"  9x9-easy:3, 9x9-easy:4    the class 9x9-easy
//! block "hard"                    9x9-hard:3                the class 9x9-hard:3
//! ```

use std::sync::Arc;

use indicatif::HumanCount;
use thiserror::Error;

use super::super::cell::LENGTHS;
use super::super::cell_filter::all_hold;
use super::super::{Cell, CellFilter, Method, Plan, Results, RunMetrics};
use crate::board::Puzzle;
use crate::report::plot::{Layer, Panel};

/// Methods that can be distinguished: eight colours, then the first of them dashed.
pub(super) const METHODS: usize = 12;
/// Panels that can be read on a page.
pub(super) const PANELS: usize = 12;
/// Panels of classes that can be read at a glance.
const CLASSES: usize = 6;

/// The places of the cells that are shown.
pub(super) struct PanelLayout<'r> {
    /// The runs; none while a plan is checked.
    pub results: Option<&'r Results<'r>>,
    /// The name of the puzzle, or of the class of puzzles, of each panel.
    pub panels: Vec<String>,
    /// The name of each method.
    pub methods: Vec<String>,
    /// Of each cell that is shown: its number, its panel and its method.
    pub places: Vec<(usize, usize, usize)>,
    /// Whether a panel is of a class.
    pub pooled: bool,
}

/// Whether runs of a cell can be drawn: it is planned, and has runs of evolution.
fn is_drawn(cell: &Cell, only: &[CellFilter]) -> bool {
    cell.seeds > 0 && matches!(cell.method, Method::Preset(_)) && all_hold(only, cell)
}

/// Parameters that vary among the cells of a method that are drawn.
pub(super) fn varying(plan: &Plan, only: &[CellFilter]) -> Vec<&'static str> {
    let cells: Vec<&Cell> = plan.cells.iter().filter(|cell| is_drawn(cell, only)).collect();
    let mut first: Vec<&Cell> = Vec::new();
    for cell in &cells {
        if first.iter().all(|known| known.method != cell.method) {
            first.push(cell);
        }
    }
    let varies = |name: &&str| {
        let differs = |a: &Cell, b: &Cell| a.method == b.method && a.value(name) != b.value(name);
        cells.iter().any(|cell| first.iter().any(|first| differs(first, cell)))
    };
    plan.parameters.iter().copied().filter(varies).collect()
}

/// These parameters but for those of an axis, and those of which one value is chosen.
pub(super) fn apart_from(parameters: &[&'static str], others: &[&str]) -> Vec<&'static str> {
    parameters.iter().copied().filter(|name| !others.contains(name)).collect()
}

/// The name of a cell's method: `boxes, population 1,000`.
fn method(cell: &Cell, parameters: &[&'static str]) -> String {
    let mut text = cell.method.to_string();
    for name in parameters {
        let Some(value) = cell.value(name) else { continue };
        let value = value.parse().map_or(value, |count| HumanCount(count).to_string());
        text += &format!(", {} {value}", name.replace('_', " "));
    }
    text
}

/// The place of something in a list, at whose end it is put if it is new.
pub(super) fn place<T: PartialEq>(all: &mut Vec<T>, new: T) -> usize {
    all.iter().position(|known| *known == new).unwrap_or_else(|| {
        all.push(new);
        all.len() - 1
    })
}

impl<'r> PanelLayout<'r> {
    /// A panel for each of the classes, or if there are none for each puzzle that is shown; methods differ by
    /// these parameters.
    pub fn new(
        plan: &Plan,
        only: &[CellFilter],
        classes: &[PuzzleClass<'_>],
        parameters: &[&'static str],
    ) -> Self {
        let blocks = plan.cells.iter().any(|cell| cell.block != plan.cells[0].block);
        let mut puzzles: Vec<(&str, &Arc<Puzzle>)> = Vec::new();
        let (mut methods, mut places) = (Vec::new(), Vec::new());
        let cells = plan.cells.iter().enumerate();
        for (number, cell) in cells.filter(|(_, cell)| all_hold(only, cell)) {
            let class = classes.iter().position(|class| class.has(&cell.block));
            let panel = class.unwrap_or_else(|| place(&mut puzzles, (&cell.block, &cell.puzzle)));
            if is_drawn(cell, only) {
                places.push((number, panel, place(&mut methods, method(cell, parameters))));
            }
        }
        let name = |(block, puzzle): (&str, &Arc<Puzzle>)| match block {
            block if blocks && !block.is_empty() => format!("{block}: {}", puzzle.name),
            _ => puzzle.name.clone(),
        };
        // Each cell that is shown has a class, or none has.
        let classes = classes.iter().map(PuzzleClass::name);
        let pooled = classes.len() > 0;
        let panels = classes.chain(puzzles.into_iter().map(name)).collect();
        Self { results: None, panels, methods, places, pooled }
    }

    /// All panels, each with all methods.
    pub fn all(&self) -> impl Iterator<Item = (usize, usize)> {
        let methods = self.methods.len();
        (0..self.panels.len()).flat_map(move |panel| (0..methods).map(move |m| (panel, m)))
    }

    /// The cells of a panel and a method: several only where methods do not differ by all parameters that
    /// vary.
    pub fn cells(&self, panel: usize, method: usize) -> impl Iterator<Item = usize> {
        let there = move |place: &&(usize, usize, usize)| (place.1, place.2) == (panel, method);
        self.places.iter().filter(there).map(|place| place.0)
    }

    fn finished(&self, panel: usize, method: usize) -> impl Iterator<Item = &'r RunMetrics> {
        let results = self.results;
        let of_cell = move |cell| results.into_iter().flat_map(move |all| all.of_cell(cell));
        self.cells(panel, method).flat_map(of_cell)
    }

    /// The finished runs of evolution of a panel and a method; one that presolve alone solves is none.
    pub fn runs(&self, panel: usize, method: usize) -> Vec<&'r RunMetrics> {
        self.finished(panel, method).filter(|run| run.work > 0).collect()
    }

    /// All panels, each with what `layers` draws of its methods, or the reason why nothing is there.
    pub fn draw(&self, layers: impl Fn(usize, usize) -> Vec<Layer>) -> Vec<Panel> {
        let panel = |(panel, title): (usize, &String)| {
            let methods = || 0..self.methods.len();
            let layers: Vec<Layer> = methods().flat_map(|method| layers(panel, method)).collect();
            let evolved = methods().any(|method| !self.runs(panel, method).is_empty());
            let why = || methods().find_map(|method| self.why_not(panel, method));
            let note = match (layers.is_empty(), evolved) {
                (false, _) => "",
                (true, true) => "no run was solved",
                (true, false) => why().unwrap_or("there are no runs"),
            };
            Panel { title: title.clone(), layers, note: note.to_owned() }
        };
        self.panels.iter().enumerate().map(panel).collect()
    }

    /// The reason why a method has no runs in a panel that could be drawn, if it has none though it is planned.
    pub fn why_not(&self, panel: usize, method: usize) -> Option<&'static str> {
        self.cells(panel, method).next()?;
        match self.finished(panel, method).next() {
            Some(_) if self.runs(panel, method).is_empty() => Some("presolve alone solves it"),
            Some(_) => None,
            None => Some("no runs yet"),
        }
    }

    /// The methods that any run is of, with their numbers.
    pub fn legend(&self) -> Vec<(usize, String)> {
        self.methods.iter().cloned().enumerate().collect()
    }
}

/// Puzzles that are run together.
pub(super) struct PuzzleClass<'p> {
    /// The blocks that have them.
    blocks: Vec<&'p str>,
    /// The puzzles, each once.
    puzzles: Vec<Arc<Puzzle>>,
}

impl PuzzleClass<'_> {
    /// Whether a block's puzzles are this class.
    pub fn has(&self, block: &str) -> bool {
        self.blocks.contains(&block)
    }

    /// The beginning that the names of its puzzles have in common.
    pub fn name(&self) -> String {
        let names = || self.puzzles.iter().map(|puzzle| puzzle.name.as_str());
        let first = names().next().unwrap_or_default();
        if self.puzzles.len() == 1 {
            return first.to_owned();
        }
        let alike = names().map(|name| common(first, name)).min().unwrap_or(0);
        // Numbers and words are common as a whole or not at all.
        let cut = names().any(|name| name[alike..].starts_with(char::is_alphanumeric));
        let shared = match cut {
            true => first[..alike].trim_end_matches(char::is_alphanumeric),
            false => &first[..alike],
        };
        let shared = shared.trim_end_matches(|c: char| !c.is_alphanumeric());
        let count = format!("{} puzzles", self.puzzles.len());
        if shared.is_empty() { count } else { format!("{shared}, {count}") }
    }
}

/// Bytes of the characters that two texts both begin with.
fn common(one: &str, other: &str) -> usize {
    let alike = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    alike.map(|(c, _)| c.len_utf8()).sum()
}

/// The classes of the cells that are shown, in the order of the plan; none where no class has several puzzles, or
/// where there are more than can be read.
pub(super) fn classes<'p>(plan: &'p Plan, only: &[CellFilter]) -> Vec<PuzzleClass<'p>> {
    let mut blocks: Vec<PuzzleClass<'p>> = Vec::new();
    for cell in plan.cells.iter().filter(|cell| all_hold(only, cell)) {
        let (block, puzzle) = (cell.block.as_str(), cell.puzzle.clone());
        match blocks.iter_mut().find(|class| class.has(block)) {
            None => blocks.push(PuzzleClass { blocks: vec![block], puzzles: vec![puzzle] }),
            Some(class) => {
                place(&mut class.puzzles, puzzle);
            }
        }
    }
    let mut classes: Vec<PuzzleClass<'p>> = Vec::new();
    for block in blocks {
        match classes.iter_mut().find(|class| class.puzzles == block.puzzles) {
            Some(class) => class.blocks.extend(block.blocks),
            None => classes.push(block),
        }
    }
    let several = classes.iter().any(|class| class.puzzles.len() > 1);
    if several && classes.len() <= CLASSES { classes } else { Vec::new() }
}

/// A plan with more than a plot shows.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlotLimitError {
    /// Methods cannot be distinguished.
    #[error(
        "a plot tells at most {METHODS} methods apart, and there are {count} ({first}, ...): name some, \
         as in --only {hint}"
    )]
    Methods {
        /// How many there are.
        count: usize,
        /// The name of the first.
        first: String,
        /// The filter that chooses some.
        hint: String,
    },
    /// Panels cannot be read.
    #[error(
        "a plot has at most {PANELS} panels, and there are {count} puzzles: name some, as in --only {hint}"
    )]
    Puzzles {
        /// How many there are.
        count: usize,
        /// The filter that chooses some.
        hint: String,
    },
}

/// Whether the cells of a plan that are shown can be drawn.
///
/// # Errors
/// [`PlotLimitError`] when they cannot, and what to do.
pub fn check(plan: &Plan, only: &[CellFilter]) -> Result<(), PlotLimitError> {
    let varying = varying(plan, only);
    let layout = |parameters: &[&'static str]| PanelLayout::new(plan, only, &[], parameters);
    // A parameter that lies along an axis needs no colour.
    let along = apart_from(&varying, &["population"]);
    let sized = along.len() < varying.len();
    let by_class = || layout(&apart_from(&along, &LENGTHS)).methods.len() <= METHODS;
    if sized && !classes(plan, only).is_empty() && by_class() {
        return Ok(());
    }
    let (all, presets) = (layout(&varying), layout(&[]).methods);
    let mut shown = plan.cells.iter().filter(|cell| all_hold(only, cell));
    if all.panels.len() > PANELS
        && let Some(first) = shown.next()
    {
        let hint = match shown.any(|cell| cell.block != first.block) {
            true => format!("block={}", first.block),
            false => format!("puzzle={}", first.puzzle.name),
        };
        return Err(PlotLimitError::Puzzles { count: all.panels.len(), hint });
    }
    let (puzzles, all) = (all.panels.len(), all.methods);
    let by_population = sized && layout(&along).methods.len() <= METHODS;
    let as_map = varying.len() == 2 && presets.len() * puzzles <= PANELS;
    if all.len() <= METHODS || by_population || as_map {
        return Ok(());
    }
    let by_value = || {
        let cell = plan.cells.iter().find(|cell| is_drawn(cell, only))?;
        let name = varying.first().filter(|_| presets.len() == 1)?;
        Some(format!("{name}={}", cell.value(name)?))
    };
    let hint = by_value().unwrap_or_else(|| format!("method={}", presets[0]));
    Err(PlotLimitError::Methods { count: all.len(), first: all[0].clone(), hint })
}
