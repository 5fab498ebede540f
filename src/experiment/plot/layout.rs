//! Which cell is drawn where: a panel for each puzzle, or for each class of puzzles, a colour for each method.
//!
//! A method is a preset with the values of all parameters that vary. Two cells share a place only if they are
//! of the same panel and method: nothing is pooled or joined over others. An exact method, whose runs
//! are all the same and have no generations, has no place.

use std::sync::Arc;

use indicatif::HumanCount;

use super::super::cell_filter::all_hold;
use super::super::{Cell, CellFilter, Method, Plan, Results, RunMetrics};
use super::puzzle_class::PuzzleClass;
use crate::board::Puzzle;
use crate::report::plot::{Layer, Panel};

/// The places of the cells that are shown.
pub(super) struct PanelLayout<'r> {
    results: &'r Results<'r>,
    /// What the puzzle, or the class of puzzles, of each panel is called.
    puzzles: Vec<String>,
    /// What each method is called.
    methods: Vec<String>,
    /// Of each cell that is shown: its number, its panel and its method.
    places: Vec<(usize, usize, usize)>,
    /// Whether a panel is of a class.
    pooled: bool,
}

/// Whether runs of a cell can be drawn: it is asked for, and has runs of evolution.
pub(super) fn is_drawn(cell: &Cell, only: &[CellFilter]) -> bool {
    cell.seeds > 0 && matches!(cell.method, Method::Preset(_)) && all_hold(only, cell)
}

/// Parameters that vary among the cells of a method that are drawn.
pub(super) fn varying(plan: &Plan, only: &[CellFilter]) -> Vec<&'static str> {
    let mut varying = Vec::new();
    for name in &plan.parameters {
        let mut first: Vec<(Method, Option<String>)> = Vec::new();
        for cell in plan.cells.iter().filter(|cell| is_drawn(cell, only)) {
            let value = cell.value(name);
            match first.iter().find(|(method, _)| *method == cell.method) {
                None => first.push((cell.method, value)),
                Some((_, known)) if *known == value => {}
                Some(_) => {
                    varying.push(*name);
                    break;
                }
            }
        }
    }
    varying
}

/// What the method of a cell is called: `boxes, population 1,000`.
pub(super) fn method(cell: &Cell, parameters: &[&'static str]) -> String {
    let mut text = cell.method.to_string();
    for name in parameters {
        let Some(value) = cell.value(name) else { continue };
        let value = value.parse().map_or(value, |count| HumanCount(count).to_string());
        text += &format!(", {} {value}", name.replace('_', " "));
    }
    text
}

impl<'r> PanelLayout<'r> {
    /// A panel for each puzzle that is shown, where methods are told apart by these parameters.
    pub fn by(results: &'r Results<'r>, parameters: &[&'static str]) -> Self {
        let cells = &results.plan().cells;
        let blocks = cells.iter().any(|cell| cell.block != cells[0].block);
        let name = |(block, puzzle): &(String, Arc<Puzzle>)| match block.as_str() {
            block if blocks && !block.is_empty() => format!("{block}: {}", puzzle.name),
            _ => puzzle.name.clone(),
        };
        let mut puzzles: Vec<(String, Arc<Puzzle>)> = Vec::new();
        let scheme = Self::placed(results, parameters, |cell| {
            let same = |(block, puzzle): &(String, Arc<Puzzle>)| {
                (block, puzzle) == (&cell.block, &cell.puzzle)
            };
            let own = (cell.block.clone(), cell.puzzle.clone());
            Some(place(&mut puzzles, own, same))
        });
        Self { puzzles: puzzles.iter().map(name).collect(), ..scheme }
    }

    /// A panel for each class of puzzles, likewise.
    pub fn by_class(
        results: &'r Results<'r>,
        classes: &[PuzzleClass<'_>],
        parameters: &[&'static str],
    ) -> Self {
        let of = |cell: &Cell| classes.iter().position(|class| class.has(&cell.block));
        let scheme = Self::placed(results, parameters, of);
        Self { puzzles: classes.iter().map(PuzzleClass::name).collect(), pooled: true, ..scheme }
    }

    /// The cells that are shown, each in the panel that `of` says.
    fn placed(
        results: &'r Results<'r>,
        parameters: &[&'static str],
        mut of: impl FnMut(&Cell) -> Option<usize>,
    ) -> Self {
        let only = &results.view().only;
        let (mut methods, mut places) = (Vec::new(), Vec::new());
        let cells = results.plan().cells.iter().enumerate();
        for (number, cell) in cells.filter(|(_, cell)| all_hold(only, cell)) {
            let Some(panel) = of(cell) else { continue };
            if is_drawn(cell, only) {
                let label = method(cell, parameters);
                let same = |known: &String| *known == label;
                places.push((number, panel, place(&mut methods, label.clone(), same)));
            }
        }
        Self { results, puzzles: Vec::new(), methods, places, pooled: false }
    }

    /// How many puzzles, or classes, there are.
    pub fn puzzles(&self) -> usize {
        self.puzzles.len()
    }

    /// Whether a panel is of a class of puzzles.
    pub fn pooled(&self) -> bool {
        self.pooled
    }

    /// What each method is called.
    pub fn methods(&self) -> &[String] {
        &self.methods
    }

    /// What a puzzle, or a class, is called.
    pub fn puzzle(&self, puzzle: usize) -> String {
        self.puzzles[puzzle].clone()
    }

    /// The cells of a puzzle and a method: several only where methods are not told apart by all
    /// parameters that vary.
    pub fn cells(&self, puzzle: usize, method: usize) -> impl Iterator<Item = usize> {
        let there = move |place: &&(usize, usize, usize)| (place.1, place.2) == (puzzle, method);
        self.places.iter().filter(there).map(|place| place.0)
    }

    /// The finished runs of evolution of a puzzle and a method; what presolve alone solves is none.
    pub fn runs(&self, puzzle: usize, method: usize) -> Vec<&'r RunMetrics> {
        let runs = self.cells(puzzle, method).flat_map(|cell| self.results.of_cell(cell));
        runs.filter(|run| run.work > 0).collect()
    }

    /// A panel for each puzzle, with what `layers` draws, or why nothing is there.
    pub fn panels(&self, layers: impl Fn(usize) -> Vec<Layer>) -> Vec<Panel> {
        let panel = |puzzle: usize| {
            let layers = layers(puzzle);
            let note = if layers.is_empty() { self.why_empty(puzzle) } else { String::new() };
            Panel { title: self.puzzle(puzzle), layers, note }
        };
        (0..self.puzzles()).map(panel).collect()
    }

    fn why_empty(&self, puzzle: usize) -> String {
        let methods = 0..self.methods.len();
        let why = methods.filter_map(|method| self.why_not(puzzle, method)).next();
        let evolved = (0..self.methods.len()).any(|method| !self.runs(puzzle, method).is_empty());
        if evolved { "no run was solved" } else { why.unwrap_or("there are no runs") }.to_owned()
    }

    /// Why a method has no runs of a puzzle that could be drawn, if it has none though it was asked for.
    pub fn why_not(&self, puzzle: usize, method: usize) -> Option<&'static str> {
        self.cells(puzzle, method).next()?;
        let mut runs = self.cells(puzzle, method).flat_map(|cell| self.results.of_cell(cell));
        match runs.next() {
            Some(_) if self.runs(puzzle, method).is_empty() => Some("presolve alone solves it"),
            Some(_) => None,
            None => Some("no runs yet"),
        }
    }

    /// The methods that any run is of, with their numbers.
    pub fn legend(&self) -> Vec<(usize, String)> {
        self.methods.iter().cloned().enumerate().collect()
    }
}

/// The place of something in a list, at whose end it is put if it is new.
fn place<T>(all: &mut Vec<T>, new: T, same: impl Fn(&T) -> bool) -> usize {
    all.iter().position(same).unwrap_or_else(|| {
        all.push(new);
        all.len() - 1
    })
}
