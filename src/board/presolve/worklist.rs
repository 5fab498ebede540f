//! Which parts of the board have to be looked at again.

use crate::board::candidate_grid::{CandidateGrid, CellValue};

/// Parts that changed since they were looked at. They are taken in turn, so that one that changes
/// again and again does not hold up the others; at first all are.
#[derive(Clone, Debug)]
pub struct Worklist {
    parts: Vec<bool>,
    /// The part that comes next.
    next: usize,
    /// The removals that were read.
    mark: usize,
}

impl Worklist {
    /// So many parts, all to be looked at.
    pub fn new(parts: usize) -> Self {
        Self { parts: vec![true; parts], next: 0, mark: 0 }
    }

    /// The next part to look at, if any; `touched` tells which parts a removal changes.
    pub fn take<const N: usize>(
        &mut self,
        grid: &CandidateGrid,
        touched: impl Fn(CellValue) -> [usize; N],
    ) -> Option<usize> {
        for gone in grid.removed_since(self.mark) {
            for part in touched(*gone) {
                self.parts[part] = true;
            }
        }
        self.mark = grid.mark();
        let (before, after) = self.parts.split_at(self.next);
        let found = after.iter().position(|stale| *stale).map(|part| part + self.next);
        let part = found.or_else(|| before.iter().position(|stale| *stale))?;
        self.parts[part] = false;
        self.next = part + 1;
        Some(part)
    }
}
