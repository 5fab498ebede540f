//! The parts of the board that have to be examined again.

use crate::board::candidate_grid::{CandidateGrid, CellValue};

/// Parts that changed since they were examined. They are taken in turn, so that a part that changes
/// again and again does not delay the others; at first all are listed.
#[derive(Clone, Debug)]
pub struct Worklist {
    parts: Vec<bool>,
    /// The part to examine next.
    next: usize,
    /// The number of removals that were read from the trail.
    mark: usize,
}

impl Worklist {
    /// A list of `parts` parts, all to be examined.
    pub fn new(parts: usize) -> Self {
        Self { parts: vec![true; parts], next: 0, mark: 0 }
    }

    /// The next part to examine, if any; `touched` returns the parts that a removal changes.
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
