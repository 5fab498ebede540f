//! Where a distance is kept: from children that were bred to the next population, part by part.

use super::super::keep::{TILE_CHILDREN, comparers};
use super::super::kind::KernelKind;
use super::{Cursor, Workload};

/// Tasks of a keeping that is done at once: to wait, to get places, to move in.
pub(super) const TASKS: usize = 3;

/// Where the children of an island stand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Keeping {
    /// So many of them wait in order of fitness.
    Waiting(u32),
    /// So many of them had their turn.
    Placing(u32),
}

impl Cursor {
    /// Begins to give children their slots, and does it at once where they are few; returns how
    /// many slots that cost.
    pub(super) fn begin_keeping(&mut self, work: &mut Workload, most: u32) -> u32 {
        self.keeping = Some(Keeping::Waiting(0));
        let children = self.children()[self.island];
        if children > TILE_CHILDREN {
            return 0;
        }
        self.keep(work, Keeping::Waiting(0), most.max(children))
            + self.keep(work, Keeping::Placing(0), most)
    }

    /// Goes on with about `most` children, and moves on where all had their turn; returns how many
    /// slots that cost.
    pub(super) fn keep(&mut self, work: &mut Workload, keeping: Keeping, most: u32) -> u32 {
        let children = self.children()[self.island];
        let population = self.course.populations[self.island];
        // Kernels are made for the largest island, the first.
        let largest = self.course.populations[0];
        match keeping {
            Keeping::Waiting(first) => {
                let count = most.min(children - first);
                let task = self.task(work, self.island, first..first + count);
                work.dispatch(KernelKind::Wait, task, count);
                let next = first + count;
                let all_wait = next == children;
                self.keeping =
                    Some(if all_wait { Keeping::Placing(0) } else { Keeping::Waiting(next) });
                count
            }
            Keeping::Placing(first) => {
                let count = TILE_CHILDREN.min(children - first);
                let task = self.task(work, self.island, first..first + count);
                work.dispatch(KernelKind::Compare, task, comparers(largest, count));
                work.dispatch(KernelKind::Give, task, count);
                self.keeping = Some(Keeping::Placing(first + count));
                if first + count == children {
                    let task = self.task(work, self.island, 0..population);
                    work.dispatch(KernelKind::MoveIn, task, population);
                    self.keeping = None;
                    (self.island, self.slot) = (self.island + 1, 0);
                }
                count
            }
        }
    }
}
