//! The islands of a run that ranks share. Individuals migrate between ranks through a channel; the engine of a
//! rank carries out commands and replies; the engine of rank 0 gives the commands.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::message::{CommandId, IslandCommand, IslandReply, IslandTask, RankFailure, TaskResult};
use super::{Mailbox, Message};
use crate::fitness::EvaluatorError;
use crate::ga::islands::sizes;
use crate::ga::{
    ConfigError, Engine, EngineStatus, GenerationKind, GenerationRequest, GenerationStats,
    IslandPartition, IslandSink, IslandSnapshot, MigrationChannel, PopulationSnapshot, Run,
    RunError, StateError, StopCheck, parts,
};
use crate::util::lock;

/// The generations of a command take about so long, if each takes less.
const COMMAND_TIME: Duration = Duration::from_millis(20);
/// The same for each rank: rank 0 sends and reads a message of each, one after the other.
const COMMAND_TIME_PER_RANK: Duration = Duration::from_micros(200);

/// A rank's share of a run: some of the islands, and the messages by which individuals migrate to and
/// from those of other ranks.
///
/// An engine that may fail repeats generations from its seed or its first state. Immigrants are stored for
/// that, until the engine restarts from a copy of its state.
#[derive(Debug)]
pub struct MpiMigrationChannel<'a> {
    mailbox: &'a Mailbox<'a>,
    run: u32,
    /// The number of ranks that have islands.
    members: usize,
    /// The islands of this rank.
    islands: Range<usize>,
    /// Whether generations may be done again.
    replays: bool,
    log: Mutex<MigrationLog>,
}

#[derive(Debug, Default)]
struct MigrationLog {
    /// The last generation whose emigrants were sent.
    sent: Option<u32>,
    /// Immigrants by generation.
    received: BTreeMap<u32, IslandSnapshot>,
}

impl<'a> MpiMigrationChannel<'a> {
    /// The share that this rank has of a run with this number; `replays` where its engine may do
    /// generations again.
    ///
    /// # Errors
    /// [`ConfigError`] when the run cannot be split into islands.
    pub fn new(
        mailbox: &'a Mailbox<'a>,
        number: u32,
        run: &Run<'_>,
        replays: bool,
    ) -> Result<Self, ConfigError> {
        let all = sizes(run.space.geometry(), run.config)?.len();
        let ranks = mailbox.ranks;
        let members = all.min(ranks.size);
        let islands = parts(all, members).get(ranks.rank).cloned().unwrap_or(0..0);
        let log = Mutex::default();
        Ok(Self { mailbox, run: number, members, islands, replays, log })
    }

    /// The same as a part of the run: see [`Run::partition`].
    pub fn part(&self) -> IslandPartition<'_> {
        IslandPartition { islands: self.islands.clone(), channel: self }
    }

    /// Bytes of the boards of immigrants that are kept; all generations have the same number.
    fn bytes(&self) -> usize {
        let log = lock(&self.log);
        log.received.values().next().map_or(0, |first| first.boards.len() * log.received.len())
    }

    /// Drops the immigrants: nothing before the generation that is next will be done again.
    fn clear(&self) {
        lock(&self.log).received.clear();
    }
}

impl MigrationChannel for MpiMigrationChannel<'_> {
    fn send(&self, generation: u32, emigrants: IslandSnapshot) {
        let mut log = lock(&self.log);
        if log.sent.is_none_or(|sent| sent < generation) {
            log.sent = Some(generation);
            let next = (self.mailbox.ranks.rank + 1) % self.members;
            let (run, individuals) = (self.run, emigrants);
            self.mailbox.ranks.send(next, &Message::Migrants { run, generation, individuals });
        }
    }

    fn receive(&self, generation: u32, stop: StopCheck<'_>) -> Option<IslandSnapshot> {
        if let Some(known) = lock(&self.log).received.get(&generation) {
            return Some(known.clone());
        }
        let key = (self.run, generation);
        let is_wanted = |message: &Message| matches!(message, Message::Migrants { run, generation, .. } if (*run, *generation) == key);
        let Some((_, Message::Migrants { individuals, .. })) = self.mailbox.wait(stop, is_wanted)
        else {
            return None;
        };
        if self.replays {
            lock(&self.log).received.insert(generation, individuals.clone());
        }
        Some(individuals)
    }
}

/// A rank with its islands.
pub struct RankEngine<'a> {
    channel: &'a MpiMigrationChannel<'a>,
    /// Bytes of the boards of its islands.
    bytes: usize,
    engine: Result<Box<dyn Engine + 'a>, RunError>,
}

impl<'a> RankEngine<'a> {
    /// A rank with an engine for its [part](MpiMigrationChannel::part) of a run. If the engine could
    /// not be made, the first command fails.
    pub fn new(
        run: &Run<'_>,
        channel: &'a MpiMigrationChannel<'a>,
        engine: Result<impl Into<Box<dyn Engine + 'a>>, RunError>,
    ) -> Self {
        let bytes = run.population() as usize * run.space.geometry().stride();
        Self { channel, bytes, engine: engine.map(Into::into) }
    }

    /// Carries out the commands of rank 0 until the run is over.
    pub fn serve(&mut self, interrupted: &AtomicBool) {
        let (mailbox, run) = (self.channel.mailbox, self.channel.run);
        while let Some(command) = next_command(mailbox, run) {
            let reply = self.carry_out(command, &|| interrupted.load(Ordering::Relaxed));
            mailbox.ranks.send(0, &Message::Reply(reply));
        }
        mailbox.drop_run(run);
    }

    /// Carries out a command; `stop` says that it should be abandoned.
    fn carry_out(&mut self, command: IslandCommand, stop: StopCheck<'_>) -> IslandReply {
        let (mailbox, id) = (self.channel.mailbox, command.id);
        let result = match &self.engine {
            Err(RunError::Interrupted) => TaskResult::Cancelled,
            _ => {
                let done = self.work(command.task, &|| stop() || mailbox.is_cancelled(id));
                let failed = |error| RankFailure::new(mailbox.ranks.node(), &error);
                done.unwrap_or_else(|error| TaskResult::Failed(failed(error)))
            }
        };
        IslandReply { id, result, faults: self.faults() }
    }

    fn work(&mut self, task: IslandTask, stop: StopCheck<'_>) -> Result<TaskResult, RunError> {
        let channel = self.channel;
        let engine = self.engine.as_mut().map_err(|error| error.clone())?;
        Ok(match task {
            IslandTask::Advance { generation, source, generations, distinct_every, below } => {
                let wanted = GenerationRequest {
                    generation,
                    source,
                    generations,
                    distinct_every,
                    below,
                    stop,
                };
                let Some(summaries) = step(&mut **engine, &wanted)? else {
                    return Ok(TaskResult::Cancelled);
                };
                // The engine restarts from a copy of its state before the stored immigrants outgrow its islands.
                if channel.bytes() > self.bytes {
                    let state = engine.snapshot()?;
                    engine.restore(&state)?;
                    channel.clear();
                }
                TaskResult::Advanced(summaries)
            }
            IslandTask::Export => TaskResult::Exported(engine.snapshot()?.islands),
            IslandTask::Import(mut state) => {
                let all = state.islands.len();
                state.islands.truncate(channel.islands.end);
                state.islands.drain(..channel.islands.start.min(all));
                channel.clear();
                engine.restore(&state)?;
                TaskResult::Imported
            }
        })
    }

    /// The faults of its engine.
    fn faults(&self) -> [Option<EvaluatorError>; 2] {
        let here = |fault: &EvaluatorError| EvaluatorError::Remote {
            node: self.channel.mailbox.ranks.node(),
            fault: Box::new(fault.clone()),
        };
        let Ok(engine) = &self.engine else { return [None, None] };
        let status = engine.status();
        [status.warning.map(|(fault, _)| here(fault)), status.degraded_by.map(here)]
    }
}

/// The next command for a run; `None` when the run is over.
fn next_command(mailbox: &Mailbox<'_>, current: u32) -> Option<IslandCommand> {
    let is_wanted = |message: &Message| match message {
        Message::Command(command) => command.id.run == current,
        Message::RunEnds { run } => *run == current,
        _ => false,
    };
    match mailbox.wait(|| false, is_wanted) {
        Some((_, Message::Command(command))) => Some(command),
        _ => None,
    }
}

/// Fails every command of a run that this rank cannot begin, until it is over.
pub fn refuse(mailbox: &Mailbox<'_>, run: u32, error: &str) {
    while let Some(IslandCommand { id, .. }) = next_command(mailbox, run) {
        let (node, error) = (mailbox.ranks.node(), error.to_owned());
        let result = TaskResult::Failed(RankFailure { node, lost: None, error });
        mailbox.ranks.send(0, &Message::Reply(IslandReply { id, result, faults: [None, None] }));
    }
    mailbox.drop_run(run);
}

/// Carries out all generations that are wanted, whatever comes of the first ones; `None` when they
/// should be abandoned.
fn step(
    engine: &mut dyn Engine,
    wanted: &GenerationRequest<'_>,
) -> Result<Option<Vec<GenerationStats>>, RunError> {
    let all_boards = wanted.below == u16::MAX;
    let mut below = wanted.below;
    let mut summaries: Vec<GenerationStats> = Vec::new();
    while let Some(left) = wanted.generations.checked_sub(summaries.len() as u32)
        && left > 0
    {
        let done = summaries.len() as u32;
        let source = if done == 0 { wanted.source } else { GenerationKind::Parents };
        let generation = wanted.generation + done;
        let next = GenerationRequest { generation, source, generations: left, below, ..*wanted };
        if (wanted.stop)() || !engine.step(&next)? {
            return Ok(None);
        }
        for summary in engine.summaries() {
            let mut summary = summary.clone();
            if summary.best >= below {
                summary.best_board.clear();
            } else if !all_boards {
                below = summary.best;
            }
            summaries.push(summary);
        }
    }
    Ok(Some(summaries))
}

/// An engine whose islands are shared among ranks; rank 0 has it.
pub struct RootEngine<'a> {
    own: RankEngine<'a>,
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

impl<'a> RootEngine<'a> {
    /// Begins a run, which the other ranks that have islands are told of: the `job` describes it. A
    /// command is for as many generations as take some 20 ms, or for up to `limit`.
    pub fn begin(own: RankEngine<'a>, job: String, limit: Option<u32>) -> Self {
        let (ranks, run) = (own.channel.mailbox.ranks, own.channel.run);
        let begins = Message::RunBegins { run, job };
        (1..own.channel.members).for_each(|rank| ranks.send(rank, &begins));
        let (last, faults) = (CommandId { run, number: 0 }, [None, None]);
        Self { own, last, limit, fitting: 1, summaries: Vec::new(), is_torn: false, faults }
    }

    /// Has a task carried out by all ranks, and puts their results together in the order of islands.
    fn carry_out(&mut self, task: IslandTask, stop: StopCheck<'_>) -> Result<TaskResult, RunError> {
        self.last.number += 1;
        let (id, members) = (self.last, self.own.channel.members);
        let mailbox = self.own.channel.mailbox;
        let command = Message::Command(IslandCommand { id, task: task.clone() });
        (1..members).for_each(|rank| mailbox.ranks.send(rank, &command));
        let own = self.own.carry_out(IslandCommand { id, task }, stop);
        if own.result.is_failure() {
            mailbox.cancel(id);
        }
        let none = IslandReply { id, result: TaskResult::Cancelled, faults: [None, None] };
        let mut replies = vec![none; members];
        replies[0] = own;
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
                replies[from] = reply;
            }
        }
        for reply in &replies {
            for (fault, later) in self.faults.iter_mut().zip(&reply.faults) {
                *fault = fault.take().or_else(|| later.clone());
            }
        }
        let results = replies.into_iter().map(|reply| reply.result);
        match results.reduce(TaskResult::and).unwrap_or(TaskResult::Cancelled) {
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

impl Engine for RootEngine<'_> {
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

    fn for_each_island(&mut self, take: IslandSink<'_>) -> Result<(), RunError> {
        if self.is_torn {
            return Err(StateError::Abandoned.into());
        }
        match self.carry_out(IslandTask::Export, &|| false)? {
            TaskResult::Exported(islands) => PopulationSnapshot { islands }.for_each_island(take),
            _ => Ok(()),
        }
    }

    fn restore(&mut self, state: &PopulationSnapshot) -> Result<(), RunError> {
        self.carry_out(IslandTask::Import(state.clone()), &|| false)?;
        self.is_torn = false;
        Ok(())
    }

    fn status(&self) -> EngineStatus<'_> {
        const CONSEQUENCE: &str = "its islands continue, on the CPU if necessary";
        let [fault, given_up] = &self.faults;
        let warning = fault.as_ref().map(|fault| (fault, CONSEQUENCE));
        EngineStatus { warning, degraded_by: given_up.as_ref() }
    }
}

impl Drop for RootEngine<'_> {
    fn drop(&mut self) {
        let (mailbox, run) = (self.own.channel.mailbox, self.own.channel.run);
        let ends = Message::RunEnds { run };
        (1..self.own.channel.members).for_each(|rank| mailbox.ranks.send(rank, &ends));
        mailbox.drop_run(run);
    }
}
