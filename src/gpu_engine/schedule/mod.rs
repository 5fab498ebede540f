//! The schedule: the contents of each submission, as plain data.
//!
//! A generation is about one or more *demes*: the populations of many runs, or the islands of one
//! run. A submission gets a number of slots to spend and takes its commands from here, until the
//! slots are spent or its buffers are full. Demes that get new boards come first, then those with
//! parents. As many whole demes as fit the slots go through all steps together; a deme
//! that is larger than a submission is bred part by part; children that are searched have all of their
//! rounds before the next ones begin. A submission may end anywhere in a generation, which continues with
//! the next submission, and may hold several short generations. No code here uses a device.
//!
//! Three demes of 5 children, and 10 slots a submission: the first two; then the third, and the
//! blocks of all. With 3 slots a submission: slots 0 to 2 of the first deme; its slots 3 and 4, and
//! slot 0 of the second; slots 1 to 3 of the second; and so on.

mod command_list;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub(super) use self::command_list::{
    CommandList, Deme, DeviceCommand, GenerationDone, SubmissionSize, TaskRange,
};

use super::distance_replacement::{TILE_CHILDREN, comparers};
use super::shader::Kernel;
use crate::ga::GenerationKind;
use crate::ga::islands::Migration;

/// The part of the schedule that is the same in all generations.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RunPlan {
    /// Individuals of the largest deme, which kernels are made for.
    pub largest: u32,
    /// The number of values of fitness, if old populations are ranked.
    pub ranks: Option<u32>,
    /// Children of a deme that are searched at a time, if they are searched.
    pub search_batch: Option<u32>,
    /// Whether separate kernels give children their slots.
    pub keeps_distance: bool,
    /// Migration between the demes, if they are islands.
    pub migration: Migration,
    /// Whether individuals migrate to and from other engines.
    pub has_channel: bool,
    /// Most tasks of a submission: those of a generation and some more.
    pub most_tasks: usize,
    /// Most generations of a submission.
    pub most_generations: usize,
}

/// The part of the generation that is bred at once.
#[derive(Clone, Copy, Debug)]
enum Extent {
    /// This many whole demes.
    Demes(usize),
    /// This many slots of a deme.
    Slots(u32),
}

/// The progress of children that are searched.
#[derive(Clone, Copy, Debug)]
struct SearchProgress {
    extent: Extent,
    /// Rounds that all of them made.
    round: u32,
    /// Children that made one more.
    ahead: u32,
    /// Whether all of them had a round in the last submission.
    is_tried: bool,
}

/// The progress of children that get their slots from separate kernels.
#[derive(Clone, Copy, Debug)]
enum ReplacementPhase {
    /// This many of them wait in order of fitness.
    Waiting(u32),
    /// This many of them got their places, or none.
    Placing(u32),
}

/// The state of a generation.
#[derive(Clone, Debug, Default)]
pub(super) struct Scheduler {
    plan: RunPlan,
    demes: Vec<Deme>,
    /// Whether a command of their generation was recorded.
    pub is_begun: bool,
    /// The next deme, and its next slot.
    deme: usize,
    slot: u32,
    /// The progress of the children from there on that are being searched.
    search: Option<SearchProgress>,
    /// The progress of the children of the deme that were bred and have no slots yet.
    replacement: Option<ReplacementPhase>,
    /// Whether the emigrants were read, and the schedule waits for immigrants from another engine.
    is_awaiting: bool,
}

/// The first of the fewest equal parts of at most `most` children: a round of few takes as long as one of many.
fn equal_part(children: u32, most: u32) -> u32 {
    children.div_ceil(children.div_ceil(most.max(1)).max(1))
}

impl Scheduler {
    /// A schedule without demes.
    pub(super) fn new(plan: RunPlan) -> Self {
        Self { plan, ..Self::default() }
    }

    /// Begins a generation of these demes, those that get new boards first. An unfinished one is
    /// dropped.
    pub(super) fn begin(&mut self, demes: Vec<Deme>) {
        debug_assert!(demes.is_sorted_by_key(|deme| deme.has_parents));
        *self = Self { demes, ..Self::new(self.plan) };
    }

    /// The generation whose immigrants from another engine the next submission needs, if any.
    pub(super) fn awaited(&self) -> Option<u32> {
        self.demes.first().filter(|_| self.is_awaiting).map(|deme| deme.generation)
    }

    /// Leaves out the rounds that are left, after a submission in which no search went on: all are over.
    pub(super) fn skip_rounds(&mut self) {
        if let Some(search) = self.search.as_mut().filter(|search| search.is_tried) {
            search.round = u32::MAX;
        }
    }

    /// Whether the next slots have parents.
    pub(super) fn has_parents(&self) -> bool {
        let next = self.demes.get(self.deme).or(self.demes.last());
        next.is_some_and(|deme| deme.has_parents)
    }

    /// The commands of a submission of about this size, of at most `generations` generations.
    pub(super) fn commands(
        &mut self,
        size: SubmissionSize,
        generations: u32,
        wants_distinct: impl Fn(u32) -> bool,
    ) -> CommandList {
        let has_parents = self.has_parents();
        let mut list = CommandList { has_parents, ..CommandList::default() };
        let mut left = size.slots.max(1);
        while left > 0 && list.rounds < size.rounds && self.has_room(&list) {
            if !self.is_begun {
                // A generation is divided only if it is too long for a submission.
                let children: u32 = self.demes.iter().map(Deme::slots).sum();
                if !list.completed.is_empty() && left < children {
                    break;
                }
                list.commands.push(DeviceCommand::Clear);
                self.is_begun = true;
            }
            if self.deme < self.demes.len() {
                // Submissions of new boards and of children have different sizes.
                if self.has_parents() != list.has_parents {
                    break;
                }
                let spent = self.breed(&mut list, left, size);
                (left, list.rest) = (left.saturating_sub(spent), list.rest.saturating_add(spent));
            }
            if self.search.is_some() {
                break;
            }
            if self.deme < self.demes.len() {
                continue;
            }
            let completes = self.complete(&mut list, &wants_distinct);
            if !completes || list.completed.len() == generations as usize || !list.has_parents {
                break;
            }
        }
        if list.searched > 0 && self.is_begun {
            list.commands.push(DeviceCommand::ReadProgress);
        }
        list
    }

    /// Whether there is room for another step, which adds a task for a part of a deme.
    fn has_room(&self, list: &CommandList) -> bool {
        let whole = if list.whole.is_none() { self.demes.len() } else { 0 };
        list.tasks.len() + whole < self.plan.most_tasks
            && list.completed.len() < self.plan.most_generations
    }

    /// The tasks of whole demes.
    fn whole(&self, list: &mut CommandList, demes: Range<usize>) -> Range<usize> {
        let CommandList { tasks, whole, .. } = list;
        let first = *whole.get_or_insert_with(|| {
            let first = tasks.len();
            tasks.extend(self.demes.iter().enumerate().map(|(number, deme)| TaskRange {
                generation: deme.generation,
                deme: number,
                slots: 0..deme.slots(),
                searcher: 0,
                has_parents: deme.has_parents,
            }));
            first
        });
        first + demes.start..first + demes.end
    }

    /// The task of some slots of the next deme, the first of which is searched at this place.
    fn part(&self, list: &mut CommandList, slots: Range<u32>, searcher: u32) -> Range<usize> {
        let Deme { generation, has_parents, .. } = self.demes[self.deme];
        let at = list.tasks.len();
        list.tasks.push(TaskRange { generation, deme: self.deme, slots, searcher, has_parents });
        at..at + 1
    }

    /// The part that is bred next, of about `most` slots.
    fn extent(&self, most: u32, batch: Option<u32>) -> Extent {
        let deme = &self.demes[self.deme];
        let left = deme.slots() - self.slot;
        let limit = most.min(batch.unwrap_or(u32::MAX)).max(1);
        if self.slot > 0 || left > limit {
            // A round of a batch may be divided, too.
            return Extent::Slots(batch.map_or(limit.min(left), |batch| equal_part(left, batch)));
        }
        let tile = if self.plan.keeps_distance { TILE_CHILDREN } else { u32::MAX };
        let mut slots = left;
        let fits = |other: &&Deme| {
            slots = slots.saturating_add(other.slots());
            other.has_parents == deme.has_parents
                && slots <= most
                && other.slots() <= limit
                && left.max(other.slots()) <= tile
        };
        Extent::Demes(1 + self.demes[self.deme + 1..].iter().take_while(fits).count())
    }

    /// Adds commands for about as long as `most` slots take, of a submission of this size; returns the number of
    /// slots, or rounds of slots.
    fn breed(&mut self, list: &mut CommandList, most: u32, of: SubmissionSize) -> u32 {
        // Tasks of whole demes come first.
        let next = self.whole(list, self.deme..self.deme + 1);
        if let Some(phase) = self.replacement {
            // Beside searches, for whose rounds submissions may be small, this takes little time.
            let is_little = self.plan.search_batch.is_some();
            let most = if is_little { most.max(TILE_CHILDREN) } else { most };
            return self.replace(list, phase, next, most);
        }
        let has_parents = self.has_parents();
        let batch = self.plan.search_batch.filter(|_| has_parents);
        let progress = self.search.unwrap_or_else(|| {
            let extent = self.extent(if batch.is_some() { of.slots } else { most }, batch);
            SearchProgress { extent, round: 0, ahead: 0, is_tried: false }
        });
        let extent = progress.extent;
        let (count_demes, tasks) = match extent {
            Extent::Demes(demes) => (demes, self.whole(list, self.deme..self.deme + demes)),
            Extent::Slots(slots) => (1, self.part(list, self.slot..self.slot + slots, 0)),
        };
        let demes = self.deme..self.deme + count_demes;
        let slots = |deme: &Deme| match extent {
            Extent::Demes(_) => deme.slots(),
            Extent::Slots(slots) => slots,
        };
        let count = self.demes[demes.clone()].iter().map(slots).max().unwrap_or(0);
        let size: u32 = self.demes[demes.clone()].iter().map(slots).sum();
        let mut spent = 0;
        if self.search.is_none() {
            if self.slot == 0 && has_parents {
                self.rank(list, demes.clone());
            }
            let kernel = match (has_parents, batch) {
                (false, _) => Kernel::Initialise,
                (true, None) => Kernel::Breed,
                (true, Some(_)) => Kernel::Begin,
            };
            list.dispatch(kernel, &tasks, count);
            // Beside a search this takes no time.
            spent = if batch.is_some() { 0 } else { size };
        }
        if batch.is_some() {
            (self.search, spent) = self.search(list, progress, &tasks, most, of);
            if self.search.is_some() {
                return spent;
            }
            list.dispatch(Kernel::Settle, &tasks, count);
        }
        if let Extent::Slots(slots) = extent {
            self.slot += slots;
            if self.slot < self.demes[self.deme].slots() {
                return spent;
            }
        }
        spent.saturating_add(self.settle(list, demes))
    }

    /// Adds rounds of searches, whose task is `tasks`, for about as long as `most` slots take; at least one in a
    /// submission. Returns how far they came, unless all rounds are made, and the number of slots.
    fn search(
        &self,
        list: &mut CommandList,
        progress: SearchProgress,
        tasks: &Range<usize>,
        most: u32,
        of: SubmissionSize,
    ) -> (Option<SearchProgress>, u32) {
        let SearchProgress { extent, mut round, mut ahead, .. } = progress;
        let mut is_tried = false;
        let demes = &self.demes[self.deme..][..tasks.len()];
        let rounds = demes.iter().map(|deme| deme.rounds).max().unwrap_or(0);
        let mut spent = 0u32;
        while round < rounds {
            let (count, cost) = match extent {
                Extent::Demes(_) => {
                    // Searches that are over cost nothing.
                    let active = demes.iter().filter(|deme| deme.rounds > round).map(Deme::slots);
                    (demes.iter().map(Deme::slots).max().unwrap_or(0), active.sum())
                }
                Extent::Slots(slots) => [equal_part(slots - ahead, of.slots); 2].into(),
            };
            let is_full = spent.saturating_add(cost) > most || list.rounds >= of.rounds;
            if list.rounds > 0 && (is_full || !self.has_room(list)) {
                return (Some(SearchProgress { extent, round, ahead, is_tried }), spent);
            }
            match extent {
                Extent::Slots(slots) if count < slots => {
                    let first = self.slot + ahead;
                    let part = self.part(list, first..first + count, ahead);
                    list.dispatch(Kernel::Search, &part, count);
                    ahead = if ahead + count < slots { ahead + count } else { 0 };
                }
                _ => {
                    list.dispatch(Kernel::Search, tasks, count);
                    is_tried = true;
                }
            }
            round += u32::from(ahead == 0);
            (list.rounds, spent) = (list.rounds + 1, spent.saturating_add(cost));
            list.searched = list.searched.saturating_add(cost);
        }
        (None, spent)
    }

    /// Ends demes all of whose children are bred: gives children their slots where separate kernels do so;
    /// returns the number of slots that this cost.
    fn settle(&mut self, list: &mut CommandList, demes: Range<usize>) -> u32 {
        let mut spent = 0;
        if self.plan.keeps_distance && self.has_parents() {
            let children = self.demes[demes.clone()].iter().map(Deme::slots);
            let (most, all) = (children.clone().max().unwrap_or(0), children.sum::<u32>());
            if most > TILE_CHILDREN {
                self.replacement = Some(ReplacementPhase::Waiting(0));
                return 0;
            }
            let population = self.demes[demes.clone()].iter().map(|deme| deme.population).max();
            let tasks = self.whole(list, demes.clone());
            list.dispatch(Kernel::Wait, &tasks, most);
            list.dispatch(Kernel::Compare, &tasks, comparers(self.plan.largest, most));
            list.dispatch(Kernel::Give, &tasks, most);
            list.dispatch(Kernel::MoveIn, &tasks, population.unwrap_or(0));
            spent = all.saturating_mul(2);
        }
        (self.deme, self.slot) = (demes.end, 0);
        spent
    }

    /// Gives about `most` children of the next deme, of which `whole` is the task, their slots, and ends the deme
    /// after the last of them; returns the number of slots that this cost.
    fn replace(
        &mut self,
        list: &mut CommandList,
        phase: ReplacementPhase,
        whole: Range<usize>,
        most: u32,
    ) -> u32 {
        let Deme { population, .. } = self.demes[self.deme];
        let children = self.demes[self.deme].slots();
        match phase {
            ReplacementPhase::Waiting(first) => {
                let count = most.min(children - first);
                let tasks = self.part(list, first..first + count, 0);
                list.dispatch(Kernel::Wait, &tasks, count);
                self.replacement = Some(match first + count {
                    next if next < children => ReplacementPhase::Waiting(next),
                    _ => ReplacementPhase::Placing(0),
                });
                count
            }
            ReplacementPhase::Placing(first) => {
                let count = TILE_CHILDREN.min(children - first);
                let tasks = self.part(list, first..first + count, 0);
                list.dispatch(Kernel::Compare, &tasks, comparers(self.plan.largest, count));
                list.dispatch(Kernel::Give, &tasks, count);
                self.replacement = Some(ReplacementPhase::Placing(first + count));
                if first + count == children {
                    list.dispatch(Kernel::MoveIn, &whole, population);
                    self.replacement = None;
                    (self.deme, self.slot) = (self.deme + 1, 0);
                }
                count
            }
        }
    }

    /// Ranks old populations, where selection needs that.
    fn rank(&self, list: &mut CommandList, demes: Range<usize>) {
        let Some(bins) = self.plan.ranks else { return };
        let population = self.demes[demes.clone()].iter().map(|deme| deme.population).max();
        let (population, tasks) = (population.unwrap_or(0), self.whole(list, demes));
        list.dispatch(Kernel::RankCount, &tasks, population);
        list.dispatch(Kernel::RankScan, &tasks, bins);
        list.dispatch(Kernel::RankStart, &tasks, 1);
        list.dispatch(Kernel::RankPlace, &tasks, population);
    }

    /// Ends a generation: individuals migrate, blocks are filled and read back, and the next
    /// generation is prepared. False when immigrants from another engine have to arrive first.
    fn complete(&mut self, list: &mut CommandList, wants_distinct: impl Fn(u32) -> bool) -> bool {
        let Some(Deme { generation, has_parents, .. }) = self.demes.first().copied() else {
            return false;
        };
        let all = self.whole(list, 0..self.demes.len());
        let source =
            if has_parents { GenerationKind::Parents } else { GenerationKind::Initialiser };
        let has_left = std::mem::take(&mut self.is_awaiting);
        if self.plan.migration.is_due(generation, source) {
            let migrants = self.plan.migration.migrants;
            // All emigrants leave before any immigrant arrives.
            if !has_left {
                list.dispatch(Kernel::Emigrate, &all, migrants);
                if self.plan.has_channel {
                    list.commands.push(DeviceCommand::ReadEmigrants);
                    (list.leaves, self.is_awaiting) = (true, true);
                    return false;
                }
            }
            list.dispatch(Kernel::Immigrate, &all, migrants);
        }
        let most = self.demes.iter().map(|deme| deme.population).max().unwrap_or(0);
        let has_registers = wants_distinct(generation);
        list.dispatch(Kernel::Statistics, &all, most);
        list.dispatch(Kernel::Best, &all, 1);
        if has_registers {
            list.dispatch(Kernel::Distinct, &all, most);
        }
        list.commands.push(DeviceCommand::ReadBlocks { has_registers });
        list.commands.push(DeviceCommand::Swap);
        let evaluations = self.demes.iter().map(|deme| u64::from(deme.slots())).sum();
        let spent = std::mem::take(&mut list.rest);
        list.completed.push(GenerationDone { has_registers, spent, evaluations });
        list.whole = None;
        for deme in &mut self.demes {
            (deme.generation, deme.has_parents) = (deme.generation + 1, true);
        }
        (self.deme, self.is_begun) = (0, false);
        true
    }
}
