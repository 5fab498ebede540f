//! What a submission is made of, as plain data: tasks, and orders that use them.

use std::ops::Range;

use super::super::kind::KernelKind;
use crate::ga::GenerationKind;
use crate::ga::islands::Migration;

/// What stays the same from generation to generation.
#[derive(Clone, Debug)]
pub(in super::super) struct Course {
    /// Individuals of each island.
    pub populations: Vec<u32>,
    /// Children of each island that parents have in a generation.
    pub offspring: Vec<u32>,
    /// How children are searched, if they are.
    pub search: Option<Rounds>,
    /// Fitnesses that there are, if the old population is put in order of them.
    pub ranks: Option<u32>,
    /// Whether kernels of their own give children their slots.
    pub keeps_distance: bool,
    pub migration: Migration,
    /// Whether who comes to the first island comes from elsewhere.
    pub has_strait: bool,
    /// Tasks, and blocks, that a submission has room for.
    pub most_tasks: usize,
    pub most_blocks: usize,
}

/// How children are searched.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Rounds {
    /// Children that are searched at a time.
    pub batch: u32,
    /// Rounds of each batch.
    pub rounds: u32,
}

/// A task: what dispatches are about, several of which may share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Assignment {
    pub generation: u32,
    pub island: usize,
    pub slots: Range<u32>,
    /// Whether what is drawn once for all parents of the generation goes with it.
    pub has_parents: bool,
}

/// One thing to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Order {
    /// Fitness and blocks of the next generation are made ready on all islands.
    Clear,
    /// A kernel runs over `count` slots, or bins, with one of the tasks.
    Dispatch { kernel: KernelKind, task: usize, count: u32 },
    /// The block of an island comes back, with the registers or without.
    Tell { island: usize, has_registers: bool },
    /// Who leaves the last island comes back, to go elsewhere.
    Leave,
    /// What was bred is bred from, on all islands.
    Swap,
}

/// A generation that a submission completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Completed {
    /// Whether the registers come back.
    pub has_registers: bool,
    /// Slots that were spent on it in this submission.
    pub spent: u32,
    /// Boards that were scored in all of it.
    pub evaluations: u64,
}

/// What is submitted at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Workload {
    pub source: GenerationKind,
    pub tasks: Vec<Assignment>,
    pub orders: Vec<Order>,
    /// Generations that it completes, in order.
    pub completed: Vec<Completed>,
    /// Slots that are spent on the generation after those.
    pub rest: u32,
    /// Whether individuals left for elsewhere at its end.
    pub leaves: bool,
}

impl Workload {
    /// Nothing yet, of generations with such children.
    pub(super) fn new(source: GenerationKind) -> Self {
        let (tasks, orders, completed) = (Vec::new(), Vec::new(), Vec::new());
        Self { source, tasks, orders, completed, rest: 0, leaves: false }
    }

    /// Adds a dispatch.
    pub(super) fn dispatch(&mut self, kernel: KernelKind, task: usize, count: u32) {
        self.orders.push(Order::Dispatch { kernel, task, count });
    }
}
