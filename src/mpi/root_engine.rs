//! The engine of rank 0 for a run whose islands ranks share: all islands, of which it has some itself.

use std::time::{Duration, Instant};

use super::message::{CommandId, IslandCommand, IslandTask, TaskResult};
use super::{Message, RankEngine};
use crate::fitness::EvaluatorError;
use crate::ga::{
    Engine, EngineStatus, GenerationRequest, GenerationStats, PopulationSnapshot, RunError,
    StateError,
};

/// The generations of a command take about so long, if each takes less.
const COMMAND_TIME: Duration = Duration::from_millis(20);
/// The same for each rank: rank 0 sends and reads a message of each, one after the other.
const COMMAND_TIME_PER_RANK: Duration = Duration::from_micros(200);

/// An engine whose islands are shared among ranks; rank 0 has it.
pub struct RootEngine<'a, E: Engine> {
    own: RankEngine<'a, E>,
    last: CommandId,
    /// Generations of a command at most, if not as many as take [`COMMAND_TIME`].
    limit: Option<u32>,
    /// Generations that take about as long as they should.
    fitting: u32,
    summaries: Vec<GenerationStats>,
    /// Whether some ranks may be ahead of others, because a generation was abandoned.
    is_torn: bool,
    faults: [Option<EvaluatorError>; 2],
}

impl<'a, E: Engine> RootEngine<'a, E> {
    /// Begins a run, which the other ranks that have islands are told of: the `job` describes it. A
    /// command is for as many generations as take some 20 ms, or for up to `limit`.
    pub fn begin(own: RankEngine<'a, E>, job: String, limit: Option<u32>) -> Self {
        let (ranks, run) = (own.channel.mailbox.ranks(), own.channel.run);
        let begins = Message::RunBegins { run, job };
        (1..own.channel.members).for_each(|rank| ranks.send(rank, &begins));
        let (last, faults) = (CommandId { run, number: 0 }, [None, None]);
        Self { own, last, limit, fitting: 1, summaries: Vec::new(), is_torn: false, faults }
    }

    /// Has a task carried out by all ranks, and puts their results together in the order of islands.
    fn carry_out(
        &mut self,
        task: IslandTask,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<TaskResult, RunError> {
        self.last.number += 1;
        let (id, members) = (self.last, self.own.channel.members);
        let mailbox = self.own.channel.mailbox;
        let command = Message::Command(IslandCommand { id, task: task.clone() });
        (1..members).for_each(|rank| mailbox.ranks().send(rank, &command));
        let own = self.own.carry_out(IslandCommand { id, task }, stop);
        if own.result.is_failure() {
            mailbox.cancel(id);
        }
        let mut replies: Vec<_> = (0..members).map(|_| None).collect();
        replies[0] = Some(own);
        // Every rank replies, also to a command that is cancelled meanwhile.
        let cancel = || {
            if stop() {
                mailbox.cancel(id);
            }
            false
        };
        let is_wanted =
            |message: &Message| matches!(message, Message::Reply(reply) if reply.id == id);
        for _ in 1..members {
            if let Some((from, Message::Reply(reply))) = mailbox.wait(cancel, is_wanted) {
                replies[from] = Some(reply);
            }
        }
        let mut all: Option<TaskResult> = None;
        for reply in replies {
            let (result, faults) = match reply {
                Some(reply) => (reply.result, reply.faults),
                None => (TaskResult::Cancelled, [None, None]),
            };
            for (fault, later) in self.faults.iter_mut().zip(faults) {
                *fault = fault.take().or(later);
            }
            match &mut all {
                Some(all) => all.append(result),
                None => all = Some(result),
            }
        }
        match all.unwrap_or(TaskResult::Cancelled) {
            TaskResult::Failed(failure) => Err(failure.into()),
            result => Ok(result),
        }
    }

    /// Notes how long generations took.
    fn pace(&mut self, generations: u32, elapsed: Duration) {
        let each = elapsed.as_secs_f64() / f64::from(generations);
        let time = COMMAND_TIME.max(COMMAND_TIME_PER_RANK * self.own.channel.members as u32);
        let fitting = (time.as_secs_f64() / each.max(1e-9)) as u32;
        self.fitting = fitting.clamp(1, generations.saturating_mul(2));
    }
}

impl<E: Engine> Engine for RootEngine<'_, E> {
    fn step(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
        let GenerationRequest { generation, source, distinct_every, below, stop, .. } = *wanted;
        let generations = wanted.generations.min(self.limit.unwrap_or(self.fitting).max(1));
        let start = Instant::now();
        let task = IslandTask::Advance { generation, source, generations, distinct_every, below };
        let TaskResult::Advanced(summaries) = self.carry_out(task, stop)? else {
            self.is_torn = true;
            return Ok(false);
        };
        self.summaries = summaries;
        self.pace(generations, start.elapsed());
        Ok(true)
    }

    fn summaries(&self) -> &[GenerationStats] {
        &self.summaries
    }

    fn snapshot(&mut self) -> Result<PopulationSnapshot, RunError> {
        if self.is_torn {
            return Err(StateError::Abandoned.into());
        }
        match self.carry_out(IslandTask::Export, &|| false)? {
            TaskResult::Exported(islands) => Ok(PopulationSnapshot { islands }),
            _ => Ok(PopulationSnapshot { islands: Vec::new() }),
        }
    }

    fn restore(&mut self, state: &PopulationSnapshot) -> Result<(), RunError> {
        self.carry_out(IslandTask::Import(state.clone()), &|| false)?;
        self.is_torn = false;
        Ok(())
    }

    fn status(&self) -> EngineStatus<'_> {
        const CONSEQUENCE: &str = "it goes on with its islands, on its CPU where it must";
        let [fault, given_up] = &self.faults;
        let warning = fault.as_ref().map(|fault| (fault, CONSEQUENCE));
        EngineStatus { warning, degraded_by: given_up.as_ref() }
    }
}

impl<E: Engine> Drop for RootEngine<'_, E> {
    fn drop(&mut self) {
        let (mailbox, run) = (self.own.channel.mailbox, self.own.channel.run);
        let ends = Message::RunEnds { run };
        (1..self.own.channel.members).for_each(|rank| mailbox.ranks().send(rank, &ends));
        mailbox.drop_run(run);
    }
}
