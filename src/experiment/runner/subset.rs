//! The part of an experiment that is done this time.

use crate::experiment::cell_filter::all_hold;
use crate::experiment::{Cell, CellFilter, Shard};

/// A part of an experiment, the rest of which is left for another time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunSubset {
    /// So many seeds of each cell, if not all.
    pub seeds: Option<u32>,
    /// Of the cells those that are meant; all if nothing is named.
    pub only: Vec<CellFilter>,
    /// The runs of this shard, if not all.
    pub shard: Option<Shard>,
}

impl RunSubset {
    /// Whether a cell's run, counted from 0, is in it, whatever the shard.
    pub(super) fn holds(&self, cell: &Cell, run: u32) -> bool {
        self.seeds.is_none_or(|seeds| run < seeds) && all_hold(&self.only, cell)
    }
}
