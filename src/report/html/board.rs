//! Boards as tables: givens bold, cells in conflict marked, a line between boxes.
//!
//! The best run of each puzzle comes first; the boards of other runs are folded away. There are as many
//! as there is room for.

use std::collections::HashSet;

use maud::{Markup, html};

use super::elements::{LINE_BREAK, frame, left_out, name};
use crate::board::BLANK;
use crate::format::duplicates;
use crate::report::{BoardView, RunView};
use crate::util::quantity::{counted, noun};

/// Cells of all boards at most.
const CELLS: usize = 40_000;
/// Boards that are not folded away.
const OPEN: usize = 12;

/// The boards of runs for which there is room, the best of each puzzle first; empty without boards.
pub(super) fn boards(runs: &[RunView]) -> Markup {
    let cells = |at: usize| runs[at].board.as_ref().map(|board| board.geometry.cells());
    // Two files of one name are two puzzles.
    let puzzle = |at: usize| (&runs[at].puzzle, runs[at].board.as_ref().map(|it| &it.givens));
    let mut places: Vec<usize> = (0..runs.len()).filter(|at| cells(*at).is_some()).collect();
    places.sort_by_key(|at| (!runs[*at].solved, runs[*at].fitness, runs[*at].work));
    let mut puzzles = HashSet::new();
    let (mut best, mut others): (Vec<usize>, Vec<usize>) =
        places.into_iter().partition(|at| puzzles.insert(puzzle(*at)));
    best.sort_unstable();
    others.sort_unstable();
    let places = [&best[..], &others].concat();
    let mut all = 0;
    let fits = |at: &&usize| {
        all += cells(**at).unwrap_or(0);
        all <= CELLS
    };
    let shown = places.iter().take_while(fits).count();
    let (shown, without_room) = places.split_at(shown);
    let (open, folded) = shown.split_at(best.len().min(OPEN).min(shown.len()));
    let figures = |places: &[usize]| {
        html! {
            div class="boards" { @for at in places { (figure(*at, &runs[*at])) } }
        }
    };
    html! {
        @if !open.is_empty() {
            p class="notes" {
                "The best board of each puzzle. Givens are bold, cells in conflict are marked."
            }
            "\n" (figures(open)) "\n"
        }
        @if !folded.is_empty() {
            details {
                summary { (folded.len()) " more " (noun(folded.len() as u64, "board")) }
                (figures(folded))
            }
            "\n"
        }
        @if !without_room.is_empty() {
            (left_out(&format!(
                "There is no room for {}; --export-json writes all boards.",
                counted(without_room.len() as u64, "board")
            )))
        }
    }
}

/// The board of a run, if it has one, with its fitness.
fn figure(at: usize, run: &RunView) -> Markup {
    let state = match (run.fitness, run.solved) {
        (Some(0), _) | (None, true) => "solved".to_owned(),
        (Some(fitness), _) => format!("fitness {fitness}"),
        (None, false) => "not solved".to_owned(),
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
fn table(board: &BoardView) -> Markup {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Geometry;

    #[test]
    fn givens_are_bold_and_conflicts_are_marked() {
        let geometry = Geometry::new(2, 2).unwrap();
        let mut cells = vec![0; 16];
        cells[..3].copy_from_slice(&[1, 1, 2]);
        let mut givens = vec![0; 16];
        (givens[0], givens[2]) = (1, 2);
        let table = table(&BoardView { geometry, cells, givens }).into_string();
        let first = "<tr><td><mark><b>1</b></mark></td><td><mark>1</mark></td><td><b>2</b></td><td></td></tr>";
        assert!(table.contains(first), "{table}");
        assert_eq!((table.matches("<tbody>").count(), table.matches("<colgroup").count()), (2, 2));
    }

    #[test]
    fn a_second_board_of_a_puzzle_is_folded_away_but_not_that_of_another_of_the_same_name() {
        let geometry = Geometry::new(2, 2).unwrap();
        let view = |given: u8| {
            let board = BoardView { geometry, cells: vec![1; 16], givens: vec![given; 16] };
            RunView { puzzle: "p".to_owned(), board: Some(board), ..RunView::default() }
        };
        let folded = |runs: &[RunView]| boards(runs).into_string().contains("1 more board");
        assert!(folded(&[view(1), view(1)]) && !folded(&[view(1), view(0)]));
    }
}
