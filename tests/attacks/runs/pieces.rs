//! A run in pieces: each is stopped, interrupted or killed, and the next goes on from the last checkpoint
//! that was kept, by way of a file.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arbitrary::{Result, Unstructured};
use evodoku::fitness::Pipeline;
use evodoku::ga::{
    Checkpoint, GenerationReport, Observer, Outcome, Run, RunError, RunHandle, RunSettings,
    StopReason,
};
use evodoku::internals::SolveCheckpoint;

use super::disturbances::{Engines, Interrupting, Rows, cpu};
use crate::attacks::checkpoints::{decoded, encoded};

/// Pieces that do not run to the end at most.
const MOST: usize = 5;

/// How a piece ends.
#[derive(Clone, Copy, PartialEq)]
enum End {
    /// Its observer ends it.
    Stopped,
    /// The flag is raised while a generation is bred.
    Interrupted,
    /// It ends as a process that is killed: it keeps nothing more.
    Killed,
    /// It goes on as long as it may.
    None,
}

/// Watches a piece.
struct Piece {
    rows: Rows,
    end: End,
    /// Generations until it is stopped or killed, and after how many a checkpoint is taken.
    generations: usize,
    every: usize,
    /// The last checkpoint, with the rows until then.
    kept: Option<(usize, Checkpoint)>,
}

impl Observer for Piece {
    fn on_generation(&mut self, told: &GenerationReport<'_>) -> ControlFlow<()> {
        let _ = self.rows.on_generation(told);
        let ends = matches!(self.end, End::Stopped | End::Killed);
        match ends && self.rows.0.len() >= self.generations {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn wants_checkpoint(&mut self, _: u32, ending: Option<StopReason>) -> bool {
        match ending {
            Some(StopReason::Solved) => false,
            Some(_) => self.end != End::Killed,
            None => self.every > 0 && self.rows.0.len().is_multiple_of(self.every),
        }
    }

    fn on_checkpoint(&mut self, standing: &mut RunHandle<'_>) {
        self.kept = standing.checkpoint().ok().map(|kept| (self.rows.0.len(), kept));
    }
}

/// Evolves piece by piece: what came of it, and all rows.
pub fn evolve(
    run: &Run<'_>,
    interrupted: &Arc<AtomicBool>,
    bytes: &mut Unstructured<'_>,
) -> Result<(std::result::Result<Outcome, RunError>, Rows)> {
    let mut all = Rows::default();
    let mut from: Option<Checkpoint> = None;
    for number in 0..=MOST {
        let end = match number {
            MOST => End::None,
            _ => *bytes.choose(&[End::None, End::Stopped, End::Interrupted, End::Killed])?,
        };
        let mut engines = match end {
            End::Interrupted => {
                let evaluator = Interrupting::new(run.space, interrupted, bytes)?;
                Engines::of(vec![Pipeline::new(Box::new(evaluator)), cpu(run.space)], bytes)?
            }
            _ => Engines::new(run.space, bytes)?,
        };
        let generations = bytes.int_in_range(1..=4)?;
        let every = bytes.int_in_range(0..=3)?;
        let mut piece = Piece { rows: Rows::default(), end, generations, every, kept: None };
        let outcome = engines.evolve(&Run { resume_from: from.as_ref(), ..*run }, &mut piece);
        interrupted.store(false, Ordering::Relaxed);
        let cut_off = |outcome: &Outcome| {
            matches!(outcome.stop_reason, StopReason::Observer | StopReason::Interrupted)
        };
        let goes_on = outcome.as_ref().is_ok_and(cut_off);
        if !goes_on {
            all.0.append(&mut piece.rows.0);
            if let (Some((_, kept)), Ok(ended)) = (piece.kept, &outcome)
                && kept.progress.generation == ended.generations
            {
                is_over(run, &kept, ended);
            }
            return Ok((outcome, all));
        }
        // What nothing was kept of is done again.
        if let Some((rows, kept)) = piece.kept {
            all.0.extend_from_slice(&piece.rows.0[..rows]);
            from = Some(by_way_of_a_file(run, &kept));
        }
    }
    unreachable!("the last piece goes on as long as it may")
}

/// A run whose budget is spent ends at once when it goes on, as it ended.
fn is_over(run: &Run<'_>, kept: &Checkpoint, ended: &Outcome) {
    let mut rows = Rows::default();
    let from = Some(kept);
    let again = run_alone(&Run { resume_from: from, ..*run }, &mut rows);
    assert_eq!(super::same(again), super::same(Ok::<_, RunError>(ended.clone())));
    assert_eq!(rows, Rows::default());
}

fn run_alone(run: &Run<'_>, rows: &mut Rows) -> std::result::Result<Outcome, RunError> {
    run.execute(&mut cpu(run.space), rows)
}

/// The same checkpoint as it comes back.
fn by_way_of_a_file(run: &Run<'_>, kept: &Checkpoint) -> Checkpoint {
    let settings = RunSettings::of(run.config.preset);
    let written = SolveCheckpoint::of_run(run, &settings, kept).expect("it is one of the run");
    let file = encoded(&written);
    let read = decoded(&file).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(encoded(&read), file);
    let stored = read.under_way.values().next().expect("there is one");
    let back = stored.restore(run).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(back, *kept);
    back
}
