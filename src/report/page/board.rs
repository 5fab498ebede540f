//! Boards as tables: givens bold, cells in conflict marked, a line between boxes.
//!
//! The best run of each puzzle comes first; the boards of other runs are folded away. There are as many
//! as there is room for.

use std::collections::{HashMap, HashSet};

use super::markup::{left_out, name};
use crate::board::BLANK;
use crate::format::duplicates;
use crate::plural::noun;
use crate::report::{ShownBoard, ShownRun};

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
    /// Of runs.
    pub fn of(runs: &[ShownRun]) -> Self {
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
    pub fn html(&self, runs: &[ShownRun]) -> String {
        let figures = |places: &[usize]| -> String {
            places.iter().filter_map(|at| figure(*at, &runs[*at])).collect()
        };
        let mut text = String::new();
        if !self.open.is_empty() {
            text += "<p class=\"notes\">The best board of each puzzle. Givens are bold, cells in \
                     conflict are marked.</p>\n";
            text += &format!("<div class=\"boards\">\n{}</div>\n", figures(&self.open));
        }
        if !self.folded.is_empty() {
            let (count, noun) = (self.folded.len(), noun(self.folded.len() as u64, "board"));
            let folded = figures(&self.folded);
            text += &format!(
                "<details>\n<summary>{count} more {noun}</summary>\n<div class=\"boards\">\n\
                 {folded}</div>\n</details>\n"
            );
        }
        if self.left_out > 0 {
            let noun = noun(self.left_out as u64, "board");
            text += &left_out(&format!(
                "There is no room for {} {noun}; --export-json has all.",
                self.left_out
            ));
        }
        text
    }
}

fn cells_of(run: &ShownRun) -> usize {
    run.board.as_ref().map_or(0, |board| board.geometry.cells())
}

fn figure(at: usize, run: &ShownRun) -> Option<String> {
    let board = run.board.as_ref()?;
    let state = match run.fitness {
        Some(0) => "solved".to_owned(),
        None if run.solved => "solved".to_owned(),
        Some(fitness) => format!("fitness {fitness}"),
        None => "not solved".to_owned(),
    };
    let (puzzle, method, seed) = (name(&run.puzzle), name(&run.method), run.seed);
    Some(format!(
        "<figure id=\"board-{at}\" style=\"--side:{}\">\n<div class=\"frame\" tabindex=\"0\" role=\"region\" \
         aria-label=\"Board of {puzzle}\">\n{}</div>\n<figcaption>{puzzle}: {state}<br/>\
         <span>{method}, seed {seed}</span></figcaption>\n</figure>\n",
        board.geometry.side(),
        table(board)
    ))
}

/// A board as a table: a body for each band, a group of columns for each stack.
pub(super) fn table(board: &ShownBoard) -> String {
    let geometry = board.geometry;
    let side = geometry.side();
    let conflicts = duplicates(geometry, &board.cells);
    let group = format!("<colgroup span=\"{}\"></colgroup>", geometry.box_cols());
    let cell = |cell: usize| {
        let text = match board.cells.get(cell) {
            Some(&value) if value != BLANK => value.to_string(),
            _ => String::new(),
        };
        let given = board.givens.get(cell).is_some_and(|given| *given != BLANK);
        let text = if given { format!("<b>{text}</b>") } else { text };
        let conflict = conflicts.get(cell) == Some(&true);
        if conflict { format!("<td><mark>{text}</mark></td>") } else { format!("<td>{text}</td>") }
    };
    let row = |row: usize| {
        let cells: String = (row * side..(row + 1) * side).map(cell).collect();
        format!("<tr>{cells}</tr>")
    };
    let bands = (0..geometry.bands()).map(|band| {
        let rows = band * geometry.box_rows()..(band + 1) * geometry.box_rows();
        format!("<tbody>{}</tbody>\n", rows.map(row).collect::<String>())
    });
    format!(
        "<table class=\"board\">\n{}\n{}</table>\n",
        group.repeat(geometry.stacks()),
        bands.collect::<String>()
    )
}
