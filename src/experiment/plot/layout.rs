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

use thiserror::Error;

use super::super::cell::{LENGTHS, differ, grouped};
use super::super::cell_filter::all_hold;
use super::super::{Cell, CellFilter, Method, Plan, Results, RunMetrics};
use crate::board::Puzzle;
use crate::report::plot::{Layer, Panel};
use crate::util::quantity::count;

/// Methods that can be distinguished: eight colours, then the first of them dashed.
const METHODS: usize = 12;
/// Methods of one panel that can be followed.
const COLOURS: usize = 8;
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
    /// The parameters by which methods differ.
    pub varying: Vec<&'static str>,
    /// The number of each method's colour; none where titles of panels name the methods.
    pub colours: Vec<usize>,
    /// Of each cell that is shown: its number, its panel and its method.
    pub places: Vec<(usize, usize, usize)>,
}

/// Whether runs of a cell can be drawn: it is planned, and has runs of evolution.
fn is_drawn(cell: &Cell, only: &[CellFilter]) -> bool {
    cell.seeds > 0 && matches!(cell.method, Method::Preset(_)) && all_hold(only, cell)
}

/// Parameters that vary among the cells of a method that are drawn.
fn varying(plan: &Plan, only: &[CellFilter]) -> Vec<&'static str> {
    let varies = |name: &&str| {
        let cells = plan.cells.iter().filter(|cell| is_drawn(cell, only));
        let values = grouped(cells.map(|cell| (cell.method, cell.value(name))));
        values.iter().any(|(_, values)| differ(values.iter()))
    };
    plan.parameters.iter().copied().filter(varies).collect()
}

/// The name of a cell's method: `boxes, population 1,000`.
fn method(cell: &Cell, parameters: &[&'static str]) -> String {
    let mut text = cell.method.to_string();
    for (name, value) in cell.values(parameters) {
        let value = value.parse().map_or(value, count);
        text += &format!(", {} {value}", name.replace('_', " "));
    }
    text
}

/// The place of something in a list, at whose end it is put if it is new.
fn place<T: PartialEq>(all: &mut Vec<T>, new: T) -> usize {
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
        let panels = classes.chain(puzzles.into_iter().map(name)).collect();
        let colours = (0..methods.len()).collect();
        Self { results: None, panels, methods, varying: parameters.to_vec(), colours, places }
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

    /// The finished runs of evolution of a panel and a method; one that presolve alone solves is none.
    pub fn runs(&self, panel: usize, method: usize) -> Vec<&'r RunMetrics> {
        let results = self.results;
        let of_cell = move |cell| results.into_iter().flat_map(move |all| all.of_cell(cell));
        self.cells(panel, method).flat_map(of_cell).filter(|run| run.is_evolved()).collect()
    }

    /// A sentence on the parameters by which methods differ, or nothing.
    pub fn varies(&self) -> String {
        match &self.varying[..] {
            [] => String::new(),
            names => format!(" What varies: {}.", names.join(", ").replace('_', " ")),
        }
    }

    /// All panels, each with what `layers` draws of its methods.
    pub fn draw(&self, layers: impl Fn(usize, usize) -> Vec<Layer>) -> Vec<Panel> {
        let panel = |(panel, title): (usize, &String)| {
            let methods = 0..self.methods.len();
            let layers: Vec<Layer> = methods.flat_map(|method| layers(panel, method)).collect();
            let note = if layers.is_empty() { "nothing to draw" } else { "" };
            Panel { title: title.clone(), layers, note: note.to_owned() }
        };
        self.panels.iter().enumerate().map(panel).collect()
    }

    /// All methods, with their numbers.
    pub fn legend(&self) -> Vec<(usize, String)> {
        self.colours.iter().copied().zip(self.methods.iter().cloned()).collect()
    }

    /// This layout with the colours of another, where a method has the colour of the first that it is a part of:
    /// `boxes` that of `boxes, population 100`.
    pub fn coloured_as(mut self, other: Option<&Self>) -> Self {
        let colour = |method: &String| {
            let is_part = |all: &&String| all.starts_with(method.as_str());
            other?.methods.iter().position(|all| is_part(&all))
        };
        let colours: Option<Vec<usize>> = self.methods.iter().map(colour).collect();
        self.colours = colours.unwrap_or(self.colours);
        self
    }

    /// Of more methods than there are colours a panel for each, named by its title, where these are not too many.
    pub fn in_small_multiples(&self) -> Option<Self> {
        let (methods, panels) = (self.methods.len(), self.panels.len());
        if methods <= COLOURS || methods * panels > 2 * PANELS {
            return None;
        }
        let title = |(panel, method): (usize, usize)| match panels {
            1 => self.methods[method].clone(),
            _ => format!("{}: {}", self.panels[panel], self.methods[method]),
        };
        let places = self.places.iter();
        let places = places.map(|(cell, panel, method)| (*cell, panel * methods + method, *method));
        Some(Self {
            results: self.results,
            panels: self.all().map(title).collect(),
            methods: self.methods.clone(),
            varying: self.varying.clone(),
            colours: Vec::new(),
            places: places.collect(),
        })
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
        let alike = |name: &str| -> usize {
            let both = first.chars().zip(name.chars()).take_while(|(one, other)| one == other);
            both.map(|(letter, _)| letter.len_utf8()).sum()
        };
        let alike = names().map(alike).min().unwrap_or(0);
        // Numbers and words are common as a whole or not at all.
        let is_cut = names().any(|name| name[alike..].starts_with(char::is_alphanumeric));
        let shared = first[..alike].trim_end_matches(|c: char| is_cut && c.is_alphanumeric());
        let shared = shared.trim_end_matches(|c: char| !c.is_alphanumeric());
        let count = format!("{} puzzles", self.puzzles.len());
        if shared.is_empty() { count } else { format!("{shared}, {count}") }
    }
}

/// The classes of the cells that are shown, in the order of the plan; none where no class has several puzzles, or
/// where there are more than can be read.
fn classes<'p>(plan: &'p Plan, only: &[CellFilter]) -> Vec<PuzzleClass<'p>> {
    let shown = plan.cells.iter().filter(|cell| all_hold(only, cell));
    // Several blocks may have the same name, or none, and the same puzzles.
    let pairs = grouped(shown.map(|cell| ((cell.block.as_str(), cell.puzzle.clone()), ())));
    let blocks = grouped(pairs.into_iter().map(|(pair, _)| pair));
    let blocks = blocks.into_iter().map(|(block, puzzles)| (puzzles, block));
    let class = |(puzzles, blocks)| PuzzleClass { blocks, puzzles };
    let classes: Vec<PuzzleClass<'p>> = grouped(blocks).into_iter().map(class).collect();
    let several = classes.iter().any(|class| class.puzzles.len() > 1);
    if several && classes.len() <= CLASSES { classes } else { Vec::new() }
}

/// The layouts of the figures that can be drawn of a plan.
pub(super) struct FigureLayouts<'r> {
    /// Along the population, with a panel for each class of puzzles.
    pub by_class: Option<PanelLayout<'r>>,
    /// With a panel for each puzzle, and a colour for each method and all its parameters.
    pub by_puzzle: Option<PanelLayout<'r>>,
    /// Along the population, with a panel for each puzzle.
    pub by_size: Option<PanelLayout<'r>>,
    /// A map of the only two parameters that vary.
    pub map: Option<(PanelLayout<'r>, [&'static str; 2])>,
}

impl<'r> FigureLayouts<'r> {
    /// Those of the cells that are shown, with these results if there are any yet.
    pub fn of(plan: &Plan, only: &[CellFilter], results: Option<&'r Results<'r>>) -> Self {
        let varying = varying(plan, only);
        let layout = |classes: &[PuzzleClass<'_>], parameters: &[&'static str]| {
            let layout = PanelLayout::new(plan, only, classes, parameters);
            let fits =
                layout.panels.len() <= PANELS && (1..=METHODS).contains(&layout.methods.len());
            fits.then_some(PanelLayout { results, ..layout })
        };
        // A parameter that lies along an axis needs no colour.
        let mut along = varying.clone();
        along.retain(|name| *name != "population");
        let sized = along.len() < varying.len();
        let mut of_class = along.clone();
        of_class.retain(|name| !LENGTHS.contains(name));
        let classes = classes(plan, only);
        let by_puzzle = layout(&[], &varying);
        let sizes = |layout: Option<PanelLayout<'r>>| {
            layout.filter(|_| sized).map(|layout| layout.coloured_as(by_puzzle.as_ref()))
        };
        Self {
            by_class: sizes(layout(&classes, &of_class).filter(|_| !classes.is_empty())),
            by_size: sizes(layout(&[], &along)),
            by_puzzle,
            map: layout(&[], &[]).zip(varying.try_into().ok()),
        }
    }
}

/// A plan with more than a plot shows: what a plot has at most, and the filter that chooses some.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("a plot {0}: select some, as in --only {1}")]
pub struct PlotLimitError(String, String);

/// Whether the cells of a plan that are shown can be drawn.
///
/// # Errors
/// [`PlotLimitError`] when they cannot, and what to do.
pub fn check(plan: &Plan, only: &[CellFilter]) -> Result<(), PlotLimitError> {
    let FigureLayouts { by_class, by_puzzle, by_size, map } = FigureLayouts::of(plan, only, None);
    let map = map.filter(|(map, _)| map.panels.len() * map.methods.len() <= PANELS);
    let Some(first) = plan.cells.iter().find(|cell| is_drawn(cell, only)) else { return Ok(()) };
    if map.is_some() || [by_class, by_puzzle, by_size].iter().any(Option::is_some) {
        return Ok(());
    }
    let varying = varying(plan, only);
    let all = PanelLayout::new(plan, only, &[], &varying);
    let count = all.panels.len();
    if count > PANELS {
        let limit = format!("has at most {PANELS} panels, and there are {count} puzzles");
        return Err(PlotLimitError(limit, format!("puzzle={}", first.puzzle.name)));
    }
    let limit = format!(
        "distinguishes at most {METHODS} methods, and there are {} ({}, ...)",
        all.methods.len(),
        all.methods[0]
    );
    let value = varying.first().and_then(|name| Some(format!("{name}={}", first.value(name)?)));
    Err(PlotLimitError(limit, value.unwrap_or_else(|| format!("method={}", first.method))))
}
