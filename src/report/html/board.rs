//! Boards as tables: givens bold, cells in conflict marked, a line between boxes.
//!
//! The best run of each puzzle comes first; the boards of other runs are folded away. There are as many
//! as there is room for.

use std::collections::{HashMap, HashSet};

use maud::{Markup, html};

use super::{LINE_BREAK, frame, left_out, name};
use crate::board::BLANK;
use crate::format::duplicates;
use crate::report::{BoardView, RunView};
use crate::util::plural::noun;

/// Cells of all boards at most.
const CELLS: usize = 40_000;
/// Boards, and cells of them, that stand open.
const OPEN: usize = 12;
const OPEN_CELLS: usize = 12_000;

/// Which boards there is room for.
pub(super) struct Boards {
    /// Places of runs: the best of each puzzle.
    open: Vec<usize>,
    folded: Vec<usize>,
    /// How many there is no room for.
    left_out: usize,
}

impl Boards {
    /// Chooses among the boards of runs.
    pub fn of(runs: &[RunView]) -> Self {
        let with_board = || (0..runs.len()).filter(|at| runs[*at].board.is_some());
        let mut best: HashMap<&str, usize> = HashMap::new();
        let cost = |at: usize| (!runs[at].solved, runs[at].fitness, runs[at].work);
        for at in with_board() {
            let known = best.entry(&runs[at].puzzle).or_insert(at);
            if cost(at) < cost(*known) {
                *known = at;
            }
        }
        let first: HashSet<usize> = best.into_values().collect();
        let rest = || with_board().filter(|at| !first.contains(at));
        let mut boards = Self { open: Vec::new(), folded: Vec::new(), left_out: 0 };
        let mut cells = 0;
        for at in with_board().filter(|at| first.contains(at)).chain(rest()) {
            let board = cells_of(&runs[at]);
            if cells + board > CELLS {
                boards.left_out += 1;
                continue;
            }
            cells += board;
            let room = boards.open.len() < OPEN && (cells <= OPEN_CELLS || boards.open.is_empty());
            if first.contains(&at) && room {
                boards.open.push(at);
            } else {
                boards.folded.push(at);
            }
        }
        boards
    }

    /// Whether the board of a run, by its place, is on the page.
    pub fn has(&self, run: usize) -> bool {
        self.open.contains(&run) || self.folded.contains(&run)
    }

    /// All of them; nothing where there is none.
    pub fn markup(&self, runs: &[RunView]) -> Markup {
        let figures = |places: &[usize]| {
            html! {
                div class="boards" { @for at in places { (figure(*at, &runs[*at])) } }
            }
        };
        html! {
            @if !self.open.is_empty() {
                p class="notes" {
                    "The best board of each puzzle. Givens are bold, cells in conflict are marked."
                }
                "\n" (figures(&self.open)) "\n"
            }
            @if !self.folded.is_empty() {
                details {
                    summary { (self.folded.len()) " more " (noun(self.folded.len() as u64, "board")) }
                    (figures(&self.folded))
                }
                "\n"
            }
            @if self.left_out > 0 {
                (left_out(&format!(
                    "There is no room for {} {}; --export-json has all.",
                    self.left_out,
                    noun(self.left_out as u64, "board")
                )))
            }
        }
    }
}

fn cells_of(run: &RunView) -> usize {
    run.board.as_ref().map_or(0, |board| board.geometry.cells())
}

/// The board of a run, if it has one, with what came of it.
fn figure(at: usize, run: &RunView) -> Markup {
    let state = match run.fitness {
        Some(0) => "solved".to_owned(),
        None if run.solved => "solved".to_owned(),
        Some(fitness) => format!("fitness {fitness}"),
        None => "not solved".to_owned(),
    };
    let puzzle = name(&run.puzzle);
    html! {
        @if let Some(board) = &run.board {
            figure id={ "board-" (at) } style={ "--side:" (board.geometry.side()) } {
                (frame(&format!("Board of {puzzle}"), table(board)))
                figcaption {
                    (puzzle) ": " (state) (LINE_BREAK)
                    span { (name(&run.method)) ", seed " (run.seed) }
                }
            }
            "\n"
        }
    }
}

/// A board as a table: a body for each band, a group of columns for each stack.
pub(super) fn table(board: &BoardView) -> Markup {
    let geometry = board.geometry;
    let side = geometry.side();
    let conflicts = duplicates(geometry, &board.cells);
    let cell = |cell: usize| {
        let value = board.cells.get(cell).filter(|value| **value != BLANK);
        let is_given = board.givens.get(cell).is_some_and(|given| *given != BLANK);
        let value = html! {
            @if let Some(value) = value { @if is_given { b { (value) } } @else { (value) } }
        };
        let is_in_conflict = conflicts.get(cell) == Some(&true);
        html! { td { @if is_in_conflict { mark { (value) } } @else { (value) } } }
    };
    html! {
        table class="board" {
            @for _ in 0..geometry.stacks() { colgroup span=(geometry.box_cols()) {} }
            @for band in 0..geometry.bands() {
                tbody {
                    @for row in band * geometry.box_rows()..(band + 1) * geometry.box_rows() {
                        tr { @for at in row * side..(row + 1) * side { (cell(at)) } }
                    }
                }
                "\n"
            }
        }
    }
}
