//! The content of a submission, as plain data: demes, tasks of them, commands, and how much there is at most.

use std::ops::Range;

use crate::gpu_engine::shader::Kernel;

/// A population that takes part in a generation: that of a run, or an island of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gpu_engine) struct Deme {
    pub generation: u32,
    /// Whether its children have parents, or it gets new boards.
    pub has_parents: bool,
    /// Individuals.
    pub population: u32,
    /// Children of a generation with parents.
    pub offspring: u32,
    /// Rounds of the search of its children.
    pub rounds: u32,
}

impl Deme {
    /// Slots that are filled: by children, or by new boards.
    pub(super) fn slots(&self) -> u32 {
        if self.has_parents { self.offspring } else { self.population }
    }
}

/// A task of a dispatch: slots of a deme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::gpu_engine) struct TaskRange {
    pub generation: u32,
    /// The number of the deme.
    pub deme: usize,
    pub slots: Range<u32>,
    /// The place of its first child among those that are searched at a time.
    pub searcher: u32,
    /// Whether it needs the draws for all parents of the generation.
    pub has_parents: bool,
}

/// A command to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::gpu_engine) enum DeviceCommand {
    /// Prepares fitness and blocks of the next generation of all demes.
    Clear,
    /// Runs a kernel over `count` slots, or bins, of each of these tasks.
    Dispatch { kernel: Kernel, tasks: Range<usize>, count: u32 },
    /// Copies the blocks of all demes to the readback, with the registers or without.
    ReadBlocks { has_registers: bool },
    /// Copies the blocks of a generation that goes on: how far searches came.
    ReadProgress,
    /// Copies the emigrants of the last deme to the readback, for another engine.
    ReadEmigrants,
    /// Makes the new population the old one.
    Swap,
}

/// A generation that a submission completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gpu_engine) struct GenerationDone {
    /// Whether the registers are read back.
    pub has_registers: bool,
    /// Slots that were spent on it in this submission.
    pub spent: u32,
    /// Boards that were scored in all of it.
    pub evaluations: u64,
}

/// The most that a submission takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gpu_engine) struct SubmissionSize {
    pub slots: u32,
    /// Rounds of searches: however few are searched, a round takes its time.
    pub rounds: u32,
}

/// The content of a submission.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::gpu_engine) struct CommandList {
    /// Whether its slots are filled by children, whose cost differs from that of new boards.
    pub has_parents: bool,
    pub tasks: Vec<TaskRange>,
    pub commands: Vec<DeviceCommand>,
    /// Generations that it completes, in order.
    pub completed: Vec<GenerationDone>,
    /// Slots that are spent on the generation after those.
    pub rest: u32,
    /// Rounds of searches, and the slots that are spent on them: fewer are, where searches are over before.
    pub rounds: u32,
    pub searched: u32,
    /// Whether it ends with emigrants to another engine.
    pub leaves: bool,
    /// The first of the tasks of whole demes, one a deme, of the generation that is bred.
    pub(super) whole: Option<usize>,
}

impl CommandList {
    /// Slots that are spent in all.
    pub(in crate::gpu_engine) fn spent(&self) -> u32 {
        self.completed.iter().map(|generation| generation.spent).sum::<u32>() + self.rest
    }

    /// Whether it ends with the progress of a generation that goes on.
    pub(in crate::gpu_engine) fn reports_progress(&self) -> bool {
        self.commands.last() == Some(&DeviceCommand::ReadProgress)
    }

    pub(super) fn dispatch(&mut self, kernel: Kernel, tasks: &Range<usize>, count: u32) {
        self.commands.push(DeviceCommand::Dispatch { kernel, tasks: tasks.clone(), count });
    }
}
