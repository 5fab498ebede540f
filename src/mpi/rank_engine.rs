//! The engine of a rank that has some of the islands of a run: it carries out commands, and replies.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use super::message::{IslandCommand, IslandReply, IslandTask, RankFailure, TaskResult};
use super::{Mailbox, Message, MpiMigrationChannel};
use crate::fitness::EvaluatorError;
use crate::ga::{
    Engine, EngineError, GenerationKind, GenerationRequest, GenerationStats, LocalIslands, Run,
    RunError,
};

/// A rank with its islands.
pub struct RankEngine<'a, E> {
    pub(super) channel: &'a MpiMigrationChannel<'a>,
    /// Bytes of the boards of its islands.
    bytes: usize,
    engine: Result<E, RunError>,
}

impl<'a, E: Engine> RankEngine<'a, E> {
    /// A rank with an engine for its [part](MpiMigrationChannel::part) of a run. If the engine could
    /// not be made, the first command fails.
    pub fn new(
        run: &Run<'_>,
        channel: &'a MpiMigrationChannel<'a>,
        engine: Result<E, RunError>,
    ) -> Self {
        let individuals = LocalIslands::of(run).map_or(0, |held| held.population()) as usize;
        let bytes = individuals * run.space.geometry().stride();
        Self { channel, bytes, engine }
    }

    /// Carries out the commands of rank 0 until the run is over.
    pub fn serve(&mut self, interrupted: &AtomicBool) {
        let (mailbox, run) = (self.channel.mailbox, self.channel.run);
        while let Some(command) = next_command(mailbox, run) {
            let reply = self.carry_out(command, &|| interrupted.load(Ordering::Relaxed));
            mailbox.ranks().send(0, &Message::Reply(reply));
        }
        mailbox.drop_run(run);
    }

    /// Carries out a command; `stop` says that it should be abandoned.
    pub(super) fn carry_out(
        &mut self,
        command: IslandCommand,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> IslandReply {
        let (mailbox, id) = (self.channel.mailbox, command.id);
        let result = match &self.engine {
            Err(RunError::Interrupted) => TaskResult::Cancelled,
            _ => {
                let done = self.work(command.task, &|| stop() || mailbox.is_cancelled(id));
                let failed = |error| RankFailure::new(mailbox.ranks().node(), &error);
                done.unwrap_or_else(|error| TaskResult::Failed(failed(error)))
            }
        };
        IslandReply { id, result, faults: self.faults() }
    }

    fn work(
        &mut self,
        task: IslandTask,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<TaskResult, RunError> {
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
                let Some(summaries) = step(engine, &wanted)? else {
                    return Ok(TaskResult::Cancelled);
                };
                // The engine begins anew before what is kept for it outgrows its islands.
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

    /// The faults of what it works with.
    fn faults(&self) -> [Option<EvaluatorError>; 2] {
        let here = |fault: &EvaluatorError| EvaluatorError::Remote {
            node: self.channel.mailbox.ranks().node(),
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
        let error = RunError::Engine(EngineError::new(io::Error::other(error.to_owned())));
        let result = TaskResult::Failed(RankFailure::new(mailbox.ranks().node(), &error));
        mailbox.ranks().send(0, &Message::Reply(IslandReply { id, result, faults: [None, None] }));
    }
    mailbox.drop_run(run);
}

/// Carries out all generations that are wanted, whatever comes of the first ones; `None` when they
/// should be abandoned.
fn step(
    engine: &mut impl Engine,
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
