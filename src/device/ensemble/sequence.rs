//! What comes next in a generation of an ensemble, as plain data.
//!
//! Those who want new boards come first, then those whose parents breed. A submission gets a number
//! of slots to spend: as many runs as they suffice for go through all steps of breeding together,
//! then the next ones. Runs that search stay together until the longest of their searches is done.
//! One that is larger than a submission is bred piece by piece, unless it searches.
//!
//! Three runs of 5 children, and 10 slots a submission: the first two; then the third, and what the
//! host is told of all.

use std::ops::Range;

use super::super::keep::comparers;
use super::super::kind::KernelKind;

/// A run that takes part in a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// Whether its children have parents, or it wants new boards.
    pub has_parents: bool,
    /// Individuals.
    pub population: u32,
    /// Slots that are filled: by children, or by new boards.
    pub slots: u32,
    /// Rounds of the search of its children.
    pub rounds: u32,
}

/// What the kernels of all members have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    /// Fitnesses that there are, if the old population is put in order of them.
    pub ranks: Option<u32>,
    pub searches: bool,
    pub keeps_distance: bool,
}

/// One thing to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Fitness and blocks of the next generation are made ready.
    Clear,
    /// A kernel runs over `count` slots, or bins, of each of these members.
    All { kernel: KernelKind, members: Range<usize>, count: u32 },
    /// A kernel runs over a part of a member's slots.
    Part { kernel: KernelKind, member: usize, slots: Range<u32> },
    /// All blocks come back, and what was bred is bred from.
    Tell,
}

/// Where a generation stands.
#[derive(Clone, Debug)]
pub(super) struct Sequence {
    course: Course,
    members: Vec<Member>,
    begun: bool,
    /// The member that is next, and its next slot.
    at: usize,
    slot: u32,
    /// Members from there on that are being searched, and rounds that they have behind them.
    searched: Option<(usize, u32)>,
}

/// A part of a generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Workload {
    pub orders: Vec<Order>,
    /// Slots, or rounds of slots, that it takes.
    pub spent: u32,
    /// Whether they have parents.
    pub has_parents: bool,
    /// Whether the generation is complete after it.
    pub completes: bool,
}

impl Sequence {
    /// A generation of these members, those who want new boards first.
    pub(super) fn new(course: Course, members: Vec<Member>) -> Self {
        Self { course, members, begun: false, at: 0, slot: 0, searched: None }
    }

    /// Whether the next slots have parents: they cost something else than new boards.
    pub(super) fn has_parents(&self) -> bool {
        self.members.get(self.at).is_some_and(|member| member.has_parents)
    }

    /// Spends about `slots`.
    pub(super) fn workload(&mut self, slots: u32) -> Workload {
        let has_parents = self.has_parents();
        let mut work = Workload { orders: Vec::new(), spent: 0, has_parents, completes: false };
        if !std::mem::replace(&mut self.begun, true) {
            work.orders.push(Order::Clear);
        }
        while work.spent < slots.max(1) && self.at < self.members.len() {
            // New boards and children have paces of their own.
            if self.has_parents() != has_parents {
                return work;
            }
            let left = slots.max(1) - work.spent;
            work.spent += self.breed(&mut work.orders, left);
        }
        if self.at == self.members.len() {
            let (members, count) = self.all(0..self.members.len(), |member| member.population);
            let mut tell = |kernel, count| {
                work.orders.push(Order::All { kernel, members: members.clone(), count });
            };
            tell(KernelKind::Statistics, count);
            tell(KernelKind::Best, 1);
            work.orders.push(Order::Tell);
            work.completes = true;
        }
        work
    }

    /// Members, and the most that one of them has of something.
    fn all(&self, members: Range<usize>, of: impl Fn(&Member) -> u32) -> (Range<usize>, u32) {
        let most = self.members[members.clone()].iter().map(of).max();
        (members, most.unwrap_or(0))
    }

    /// Members from the next one on that are like it, at most as many as `left` slots suffice for.
    fn together(&self, left: u32) -> usize {
        let first = self.members[self.at];
        let alike = |member: &&Member| member.has_parents == first.has_parents;
        let alike = self.members[self.at..].iter().take_while(alike).count();
        ((left / first.slots.max(1)) as usize).clamp(1, alike)
    }

    /// Goes on for about as long as `left` slots take; returns how many that were.
    fn breed(&mut self, orders: &mut Vec<Order>, left: u32) -> u32 {
        let first = self.members[self.at];
        if self.slot > 0 || (first.slots > left && !self.searches(&first)) {
            return self.breed_part(orders, left);
        }
        let (count, behind) = self.searched.unwrap_or((self.together(left), 0));
        let (members, slots) = self.all(self.at..self.at + count, |member| member.slots);
        let size: u32 = self.members[members.clone()].iter().map(|member| member.slots).sum();
        let order = |kernel, count| Order::All { kernel, members: members.clone(), count };
        let mut spent = 0;
        if self.searched.is_none() {
            self.rank(orders, members.clone());
            let kernel = match (first.has_parents, self.course.searches) {
                (false, _) => KernelKind::Initialise,
                (true, false) => KernelKind::Breed,
                (true, true) => KernelKind::Begin,
            };
            orders.push(order(kernel, slots));
            spent += size;
        }
        if self.searches(&first) {
            let (_, rounds) = self.all(members.clone(), |member| member.rounds);
            let affordable = (left.saturating_sub(spent) / size.max(1)).max(1);
            let last = rounds.min(behind.saturating_add(affordable));
            for _ in behind..last {
                orders.push(order(KernelKind::Search, slots));
                spent += size;
            }
            if last < rounds {
                self.searched = Some((count, last));
                return spent;
            }
            orders.push(order(KernelKind::Settle, slots));
            self.searched = None;
        }
        self.keep(orders, members);
        self.at += count;
        spent
    }

    fn searches(&self, member: &Member) -> bool {
        self.course.searches && member.has_parents
    }

    /// Breeds some slots of the next member.
    fn breed_part(&mut self, orders: &mut Vec<Order>, left: u32) -> u32 {
        let (member, Member { has_parents, slots, .. }) = (self.at, self.members[self.at]);
        if self.slot == 0 {
            self.rank(orders, member..member + 1);
        }
        let end = slots.min(self.slot.saturating_add(left));
        let kernel = if has_parents { KernelKind::Breed } else { KernelKind::Initialise };
        let part = self.slot..end;
        let spent = part.len() as u32;
        orders.push(Order::Part { kernel, member, slots: part });
        self.slot = end;
        if end == slots {
            self.keep(orders, member..member + 1);
            (self.at, self.slot) = (member + 1, 0);
        }
        spent
    }

    /// Puts old populations in order, where selection needs that.
    fn rank(&self, orders: &mut Vec<Order>, members: Range<usize>) {
        let Some(bins) = self.course.ranks.filter(|_| self.has_parents()) else { return };
        let (members, population) = self.all(members, |member| member.population);
        let mut rank = |kernel, count| {
            orders.push(Order::All { kernel, members: members.clone(), count });
        };
        rank(KernelKind::RankCount, population);
        rank(KernelKind::RankScan, bins);
        rank(KernelKind::RankStart, 1);
        rank(KernelKind::RankPlace, population);
    }

    /// Gives children their slots, where they have none of their own.
    fn keep(&self, orders: &mut Vec<Order>, members: Range<usize>) {
        if self.course.keeps_distance && self.has_parents() {
            let (members, count) = self.all(members, |member| member.slots);
            let (_, population) = self.all(members.clone(), |member| member.population);
            for (kernel, count) in [
                (KernelKind::Wait, count),
                (KernelKind::Compare, comparers(population, count)),
                (KernelKind::Give, count),
                (KernelKind::MoveIn, population),
            ] {
                orders.push(Order::All { kernel, members: members.clone(), count });
            }
        }
    }
}
