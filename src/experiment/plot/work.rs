//! Share of the runs solved against work.

use super::super::{Results, Spent};
use super::groups::Groups;
use crate::report::panel::Panel;
use crate::report::solved_by_work::solved_by_work;

pub(super) fn panel(results: &Results<'_>, groups: &Groups) -> Option<Panel> {
    let runs = |cells: &[usize]| -> Vec<Spent> {
        cells.iter().flat_map(|cell| results.of_cell(*cell)).map(Spent::of).collect()
    };
    let lists: Vec<(String, Vec<Spent>)> =
        groups.0.iter().map(|group| (group.label.clone(), runs(&group.cells))).collect();
    solved_by_work(lists.iter().map(|(label, runs)| (label.clone(), runs.as_slice())))
}
