//! The content of a submission, as plain data: tasks, and commands that use them.

use std::ops::Range;

use crate::ga::islands::Migration;
use crate::gpu_engine::kernel::Kernel;

/// The part of the schedule that is the same in all generations.
#[derive(Clone, Copy, Debug)]
pub(in crate::gpu_engine) struct RunPlan {
    /// Individuals of the largest deme, which kernels are made for.
    pub largest: u32,
    /// Fitnesses that there are, if old populations are put in order of them.
    pub ranks: Option<u32>,
    /// Children of a deme that are searched at a time, if they are searched.
    pub search_batch: Option<u32>,
    /// Whether kernels of their own give children their slots.
    pub keeps_distance: bool,
    /// Migration between the demes, if they are islands.
    pub migration: Migration,
    /// Whether individuals come to the first deme from another engine.
    pub has_strait: bool,
    /// Tasks that a submission has room for: those of a generation and some more.
    pub most_tasks: usize,
    /// Generations whose blocks a submission has room for.
    pub most_generations: usize,
}

/// A population that takes part in a generation: that of a run, or an island of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gpu_engine) struct Deme {
    pub generation: u32,
    /// Whether its children have parents, or it wants new boards.
    pub has_parents: bool,
    /// Individuals.
    pub population: u32,
    /// Children that parents have in a generation.
    pub offspring: u32,
    /// Rounds of the search of its children.
    pub rounds: u32,
}

/// A task: what a workgroup of a dispatch is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::gpu_engine) struct TaskRange {
    pub generation: u32,
    /// The number of the deme.
    pub deme: usize,
    pub slots: Range<u32>,
    /// Whether what is drawn once for all parents of the generation goes with it.
    pub has_parents: bool,
}

/// One thing to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::gpu_engine) enum DeviceCommand {
    /// Prepares fitness and blocks of the next generation of all demes.
    Clear,
    /// Runs a kernel over `count` slots, or bins, of each of these tasks.
    Dispatch { kernel: Kernel, tasks: Range<usize>, count: u32 },
    /// Copies the blocks of all demes back, with the registers or without.
    ReadBlocks { has_registers: bool },
    /// Copies back those who leave the last deme for another engine.
    ReadEmigrants,
    /// Makes the generation that was bred the one that is bred from.
    Swap,
}

/// A generation that a submission completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gpu_engine) struct GenerationDone {
    /// Whether the registers come back.
    pub has_registers: bool,
    /// Slots that were spent on it in this submission.
    pub spent: u32,
    /// Boards that were scored in all of it.
    pub evaluations: u64,
}

/// The content of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::gpu_engine) struct CommandList {
    /// Whether its slots are filled by children: they cost something else than new boards.
    pub has_parents: bool,
    pub tasks: Vec<TaskRange>,
    pub commands: Vec<DeviceCommand>,
    /// Generations that it completes, in order.
    pub completed: Vec<GenerationDone>,
    /// Slots that are spent on the generation after those.
    pub rest: u32,
    /// Whether individuals leave for another engine at its end.
    pub leaves: bool,
    /// The first of the tasks of whole demes, one a deme, of the generation that is bred.
    pub(super) whole: Option<usize>,
}

impl Deme {
    /// Slots that are filled: by children, or by new boards.
    pub(super) fn slots(&self) -> u32 {
        if self.has_parents { self.offspring } else { self.population }
    }
}

impl CommandList {
    pub(super) fn new(has_parents: bool) -> Self {
        let (tasks, commands, completed) = (Vec::new(), Vec::new(), Vec::new());
        Self { has_parents, tasks, commands, completed, rest: 0, leaves: false, whole: None }
    }

    /// Slots that are spent in all.
    pub(in crate::gpu_engine) fn spent(&self) -> u32 {
        self.completed.iter().map(|generation| generation.spent).sum::<u32>() + self.rest
    }

    pub(super) fn dispatch(&mut self, kernel: Kernel, tasks: &Range<usize>, count: u32) {
        self.commands.push(DeviceCommand::Dispatch { kernel, tasks: tasks.clone(), count });
    }
}
