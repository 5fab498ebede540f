//! What a run is disturbed by: engines that take turns, devices that fail, and one that interrupts.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arbitrary::{Result, Unstructured};
use evodoku::board::{Geometry, SearchSpace};
use evodoku::fitness::{
    CpuEvaluator, Evaluator, EvaluatorError, PhaseTimes, Pipeline, ScoredChunk,
};
use evodoku::ga::{CpuEngine, Engine};
use evodoku::ga::{GenerationReport, Observer, Outcome, Run, RunError};

use super::mock_evaluator::MockEvaluator;
use super::switching::Switching;

/// Engines, and which of them goes on in each turn, and how far.
pub struct Engines {
    pipelines: Vec<Pipeline>,
    turns: Vec<(usize, u32)>,
}

impl Engines {
    /// The CPU and two devices that may fail.
    pub fn new(space: &SearchSpace, bytes: &mut Unstructured<'_>) -> Result<Self> {
        Self::of(vec![cpu(space), failing(space, bytes)?, failing(space, bytes)?], bytes)
    }

    /// Those that score with `pipelines`.
    pub fn of(pipelines: Vec<Pipeline>, bytes: &mut Unstructured<'_>) -> Result<Self> {
        let last = pipelines.len() - 1;
        let turns = (0..8).map(|_| {
            let generations = bytes.int_in_range(1..=4)?;
            Ok((bytes.int_in_range(0..=last)?, generations))
        });
        Ok(Self { turns: turns.collect::<Result<_>>()?, pipelines })
    }

    /// Evolves on all of them in turn.
    pub fn evolve(
        &mut self,
        run: &Run<'_>,
        observer: &mut dyn Observer,
    ) -> std::result::Result<Outcome, RunError> {
        let Self { pipelines, turns } = self;
        let switching = || {
            let mut engines: Vec<Box<dyn Engine + '_>> = Vec::new();
            for pipeline in pipelines {
                engines.push(Box::new(CpuEngine::new(run, pipeline)?));
            }
            let mut turns = turns.iter().cycle();
            let next = move |_| *turns.next().expect("a cycle does not end");
            Ok(Switching { engines, next, current: 0 })
        };
        run.execute_on(switching, observer)
    }
}

/// The CPU scores.
pub fn cpu(space: &SearchSpace) -> Pipeline {
    Pipeline::new(Box::new(CpuEvaluator::new(space.geometry(), None)))
}

/// A device that fails once or twice, early or late, and may start again.
fn failing(space: &SearchSpace, bytes: &mut Unstructured<'_>) -> Result<Pipeline> {
    let mut device =
        MockEvaluator::new(space.geometry(), bytes.int_in_range(1..=30)?, PhaseTimes::default());
    for _ in 0..bytes.int_in_range(0..=2)? {
        let error = match bytes.int_in_range(0..=2)? {
            0 => EvaluatorError::DeviceLost("unplugged".into()),
            1 => EvaluatorError::OutOfMemory("full".into()),
            _ => EvaluatorError::Unwritten { slot: 0 },
        };
        device = device.failing(bytes.int_in_range(0..=20)?, error);
    }
    Ok(Pipeline::new(Box::new(device.recovering(bytes.int_in_range(0..=2)?))))
}

/// Scores on the CPU in small chunks, and raises a flag when it is handed one of them.
pub struct Interrupting {
    cpu: CpuEvaluator,
    chunk_len: usize,
    chunks_before: usize,
    flag: Arc<AtomicBool>,
}

impl Interrupting {
    /// One that raises `flag` after some chunks.
    pub fn new(
        space: &SearchSpace,
        flag: &Arc<AtomicBool>,
        bytes: &mut Unstructured<'_>,
    ) -> Result<Self> {
        Ok(Self {
            cpu: CpuEvaluator::new(space.geometry(), None),
            chunk_len: bytes.int_in_range(1..=9)?,
            chunks_before: bytes.int_in_range(0..=30)?,
            flag: flag.clone(),
        })
    }
}

impl Evaluator for Interrupting {
    fn geometry(&self) -> Geometry {
        self.cpu.geometry()
    }

    fn chunk_len(&self) -> usize {
        self.chunk_len
    }

    fn submit(
        &mut self,
        range: Range<usize>,
        boards: &[u8],
    ) -> std::result::Result<(), EvaluatorError> {
        match self.chunks_before.checked_sub(1) {
            Some(left) => self.chunks_before = left,
            None => self.flag.store(true, Ordering::Relaxed),
        }
        self.cpu.submit(range, boards)
    }

    fn collect(&mut self) -> std::result::Result<ScoredChunk<'_>, EvaluatorError> {
        self.cpu.collect()
    }
}

/// What is told of each generation, times aside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows(pub Vec<String>);

impl Observer for Rows {
    fn on_generation(&mut self, told: &GenerationReport<'_>) -> ControlFlow<()> {
        let figures = [told.generation, told.restart].map(u64::from);
        let fitness = [told.best, told.best_so_far, told.worst];
        let sums = [told.sum, told.evaluations, told.moves];
        let boards = (told.best_board, told.board, told.islands);
        self.0.push(format!("{figures:?} {fitness:?} {sums:?} {boards:?}"));
        ControlFlow::Continue(())
    }
}
