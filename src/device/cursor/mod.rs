//! The cursor: where a run stands on the device, slot by slot, and what comes next.
//!
//! A submission gets a number of slots to spend and takes its orders from here, until the slots are
//! spent or its buffers are full. A generation is bred island by island, an island batch by batch,
//! and a batch that is searched, round by round; it may be left anywhere and goes on from there
//! with the next submission. Orders are plain data: nothing here knows a device.
//!
//! Two islands of 5 children, and 3 slots a submission: slots 0 to 2 of the first; then 3 and 4, and
//! slot 0 of the second; then 1 to 3; then 4, and what the host is told of both.

mod keeping;
#[cfg(test)]
mod tests;
mod workload;

use std::ops::Range;

use self::keeping::Keeping;
pub(super) use self::workload::{Assignment, Completed, Course, Order, Rounds, Workload};
use super::kind::KernelKind;
use crate::ga::GenerationKind;

/// Tasks that breeding some slots takes at most: theirs, and those of a short keeping.
const BREEDING_TASKS: usize = 1 + keeping::TASKS;
/// Tasks of each island at the end of a generation: to leave, to come, to tell.
const END_TASKS: usize = 3;

/// Where a run stands.
#[derive(Clone, Debug)]
pub(super) struct Cursor {
    course: Course,
    /// The generation that is bred, and where its children come from.
    generation: u32,
    source: GenerationKind,
    /// The island and the slot that are next.
    island: usize,
    slot: u32,
    /// Children from that slot on that are being searched, and rounds that they have behind them.
    batch: Option<(u32, u32)>,
    /// Where the island's children stand that were bred and have no slots yet.
    keeping: Option<Keeping>,
    /// Whether all have left and those who come from elsewhere are awaited.
    is_awaiting: bool,
}

impl Cursor {
    /// Before the first generation.
    pub(super) fn new(course: Course) -> Self {
        let (generation, source) = (0, GenerationKind::Initialiser);
        let (batch, keeping, is_awaiting) = (None, None, false);
        Self { course, generation, source, island: 0, slot: 0, batch, keeping, is_awaiting }
    }

    /// Says what is next. A generation that was begun goes on: it is the one that is wanted.
    pub(super) fn go_on(&mut self, generation: u32, source: GenerationKind) {
        debug_assert!(self.is_between() || (generation, source) == (self.generation, self.source));
        (self.generation, self.source) = (generation, source);
    }

    /// Forgets the generation that was begun, if one was.
    pub(super) fn abandon(&mut self) {
        (self.island, self.slot, self.batch, self.keeping) = (0, 0, None, None);
        self.is_awaiting = false;
    }

    /// The generation at whose end individuals come from elsewhere, if the next submission needs them.
    pub(super) fn awaited(&self) -> Option<u32> {
        self.is_awaiting.then_some(self.generation)
    }

    /// Where the children of the next submission come from.
    pub(super) fn source(&self) -> GenerationKind {
        self.source
    }

    /// Whether no generation is begun.
    fn is_between(&self) -> bool {
        self.island == 0 && self.slot == 0 && self.batch.is_none()
    }

    /// Spends about `slots`, on at most `generations`.
    pub(super) fn workload(
        &mut self,
        slots: u32,
        generations: u32,
        wants_distinct: impl Fn(u32) -> bool,
    ) -> Workload {
        let source = self.source;
        let mut work = Workload::new(source);
        let mut left = slots;
        while left > 0 && self.has_room(&work) {
            if self.is_between() {
                // A generation is cut only if it is too long for a submission.
                let children: u32 = self.children().iter().sum();
                if !work.completed.is_empty() && left < children {
                    break;
                }
                work.orders.push(Order::Clear);
            }
            let is_bred = self.island == self.course.populations.len();
            let spent = if is_bred { 0 } else { self.breed(&mut work, left) };
            (left, work.rest) = (left.saturating_sub(spent), work.rest + spent);
            if self.island < self.course.populations.len() {
                continue;
            }
            if !self.complete(&mut work, wants_distinct(self.generation)) {
                break;
            }
            // New boards and children have paces of their own.
            if work.completed.len() == generations as usize || source != GenerationKind::Parents {
                break;
            }
        }
        work
    }

    /// Whether there is room for more slots and, should they be the last, for a generation's end.
    fn has_room(&self, work: &Workload) -> bool {
        let islands = self.course.populations.len();
        work.tasks.len() + BREEDING_TASKS + END_TASKS * islands <= self.course.most_tasks
            && (work.completed.len() + 1) * islands <= self.course.most_blocks
    }

    /// Slots of each island that are filled in a generation: by children, or by new boards.
    fn children(&self) -> &[u32] {
        match self.source {
            GenerationKind::Initialiser | GenerationKind::Restart => &self.course.populations,
            GenerationKind::Parents => &self.course.offspring,
        }
    }

    /// Goes on with the island that is next for about as long as `most` slots take, and moves on
    /// where it is complete; returns how many slots, or rounds of slots, that were.
    fn breed(&mut self, work: &mut Workload, most: u32) -> u32 {
        if let Some(keeping) = self.keeping {
            return self.keep(work, keeping, most);
        }
        let (first, children) = (self.slot, self.children()[self.island]);
        let has_parents = self.source == GenerationKind::Parents;
        let search = self.course.search.filter(|_| has_parents);
        let (count, behind) = self.batch.unwrap_or_else(|| {
            let left = children - first;
            let count = search.map_or(most.min(left), |search| {
                // Batches of like sizes: a round of few children takes as long as one of many.
                left.div_ceil(left.div_ceil(most.min(search.batch)))
            });
            (count, 0)
        });
        let task = self.task(work, self.island, first..first + count);
        let mut spent = 0;
        if self.batch.is_none() {
            if first == 0 && has_parents {
                self.rank(work, task);
            }
            let kernel = match (has_parents, search) {
                (false, _) => KernelKind::Initialise,
                (true, None) => KernelKind::Breed,
                (true, Some(_)) => KernelKind::Begin,
            };
            work.dispatch(kernel, task, count);
            spent += count;
        }
        if let Some(search) = search {
            let affordable = (most.saturating_sub(spent) / count).max(1);
            let last = search.rounds.min(behind.saturating_add(affordable));
            for _ in behind..last {
                work.dispatch(KernelKind::Search, task, count);
                spent += count;
            }
            if last < search.rounds {
                self.batch = Some((count, last));
                return spent;
            }
            work.dispatch(KernelKind::Settle, task, count);
            self.batch = None;
        }
        self.slot += count;
        if self.slot == children {
            if self.course.keeps_distance && has_parents {
                spent += self.begin_keeping(work, most);
            } else {
                (self.island, self.slot) = (self.island + 1, 0);
            }
        }
        spent
    }

    /// Puts the old population of the island in order, where its selection needs that.
    fn rank(&self, work: &mut Workload, task: usize) {
        if let Some(bins) = self.course.ranks {
            let population = self.course.populations[self.island];
            work.dispatch(KernelKind::RankCount, task, population);
            work.dispatch(KernelKind::RankScan, task, bins);
            work.dispatch(KernelKind::RankStart, task, 1);
            work.dispatch(KernelKind::RankPlace, task, population);
        }
    }

    /// Ends a generation: individuals travel, the host is told, and the next one is prepared. False
    /// when those who come from elsewhere have to be there first.
    fn complete(&mut self, work: &mut Workload, has_registers: bool) -> bool {
        let has_left = std::mem::take(&mut self.is_awaiting);
        if self.course.migration.is_due(self.generation, self.source) {
            // All leave before any arrives.
            if !has_left {
                self.travel(work, KernelKind::Emigrate);
                if self.course.has_strait {
                    work.orders.push(Order::Leave);
                    (work.leaves, self.is_awaiting) = (true, true);
                    return false;
                }
            }
            self.travel(work, KernelKind::Immigrate);
        }
        let populations = &self.course.populations;
        for (island, population) in populations.iter().enumerate() {
            let task = self.task(work, island, 0..*population);
            work.dispatch(KernelKind::Statistics, task, *population);
            work.dispatch(KernelKind::Best, task, 1);
            if has_registers {
                work.dispatch(KernelKind::Distinct, task, *population);
            }
            work.orders.push(Order::Tell { island, has_registers });
        }
        work.orders.push(Order::Swap);
        let evaluations = self.children().iter().map(|children| u64::from(*children)).sum();
        let spent = std::mem::take(&mut work.rest);
        work.completed.push(Completed { has_registers, spent, evaluations });
        self.island = 0;
        self.generation += 1;
        self.source = GenerationKind::Parents;
        true
    }

    /// Lets individuals leave all islands, or come to them.
    fn travel(&self, work: &mut Workload, kernel: KernelKind) {
        for (island, population) in self.course.populations.iter().enumerate() {
            let task = self.task(work, island, 0..*population);
            work.dispatch(kernel, task, self.course.migration.migrants);
        }
    }

    /// Adds a task about slots of an island, and returns its number.
    fn task(&self, work: &mut Workload, island: usize, slots: Range<u32>) -> usize {
        let (generation, has_parents) = (self.generation, self.source == GenerationKind::Parents);
        work.tasks.push(Assignment { generation, island, slots, has_parents });
        work.tasks.len() - 1
    }
}
