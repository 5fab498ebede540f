//! What tests of engines share: a run, and all that is known of it but times.

use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use evodoku::board::{Puzzle, SearchSpace, presolve};
use evodoku::fitness::{CpuEvaluator, Pipeline};
use evodoku::format;
use evodoku::ga::{Config, GenerationReport, Observer, Outcome, Preset, Run, RunSettings};
use evodoku::internals::{
    Communicator, Mailbox, Message, MpiMigrationChannel, NodeKind, RankEngine, RootEngine,
};
use evodoku::internals::{GpuEngine, PipelineCache};
use libtest_mimic::Failed;

/// What a generation looked like, times aside.
pub type Row = (u32, u32, u16, u16, u64, u16, Option<u64>, u64, u64, [Vec<u8>; 2], Vec<u16>);

/// Rows and warnings.
#[derive(Default)]
pub struct Recorder(pub Vec<Row>, pub Vec<String>);

impl Observer for Recorder {
    fn on_generation(&mut self, r: &GenerationReport<'_>) -> ControlFlow<()> {
        self.0.push((
            r.generation,
            r.restart,
            r.best,
            r.best_so_far,
            r.sum,
            r.worst,
            r.distinct,
            r.evaluations,
            r.moves,
            [r.best_board.to_vec(), r.board.to_vec()],
            r.islands.to_vec(),
        ));
        ControlFlow::Continue(())
    }

    fn on_warning(&mut self, message: &str) {
        self.1.push(message.to_owned());
    }

    fn wants_distinct(&self) -> bool {
        true
    }
}

/// A run, and all that is known of it but times.
pub type Witness = (Outcome, Vec<Row>);

pub fn witness(outcome: Outcome, recorder: Recorder) -> Witness {
    (Outcome { elapsed: Duration::ZERO, making: Duration::ZERO, ..outcome }, recorder.0)
}

/// The run on the host.
pub fn on_host(run: &Run<'_>, pipeline: &mut Pipeline) -> Result<Witness, Failed> {
    let mut recorder = Recorder::default();
    let outcome = run.execute(pipeline, &mut recorder)?;
    Ok(witness(outcome, recorder))
}

/// The run on the host, scored there too.
pub fn on_cpu(run: &Run<'_>) -> Result<Witness, Failed> {
    let evaluator = CpuEvaluator::new(run.space.geometry(), None);
    on_host(run, &mut Pipeline::new(Box::new(evaluator)))
}

/// The run on the device.
pub fn on_device(
    run: &Run<'_>,
    kernels: &PipelineCache,
    chunk: Option<u32>,
) -> Result<Witness, Failed> {
    let mut recorder = Recorder::default();
    let outcome = run.execute_on(|| GpuEngine::new(run, kernels, chunk), &mut recorder)?;
    Ok(witness(outcome, recorder))
}

/// The run on ranks that are threads, of which each holds some of the islands on the device.
pub fn on_ranks(
    run: &Run<'_>,
    kernels: &PipelineCache,
    chunk: Option<u32>,
    size: usize,
) -> Result<Witness, Failed> {
    let mut recorder = Recorder::default();
    let outcome = ranks_watched(run, kernels, chunk, size, &mut recorder)?;
    Ok(witness(outcome, recorder))
}

/// The same, watched by somebody.
pub fn ranks_watched(
    run: &Run<'_>,
    kernels: &PipelineCache,
    chunk: Option<u32>,
    size: usize,
    observer: &mut dyn Observer,
) -> Result<Outcome, Failed> {
    let ranks = Communicator::threads(size, NodeKind::Rank).unwrap();
    let outcome = thread::scope(|scope| {
        for ranks in &ranks[1..] {
            scope.spawn(move || {
                let mailbox = Mailbox::new(ranks);
                while let Some((number, _)) = mailbox.next_run() {
                    let channel = MpiMigrationChannel::new(&mailbox, number, run, true)
                        .expect("its islands are those of rank 0");
                    let part = channel.part();
                    let run = Run { partition: Some(&part), ..*run };
                    let engine = GpuEngine::new(&run, kernels, chunk);
                    RankEngine::new(&run, &channel, engine).serve(run.interrupted);
                }
            });
        }
        let mailbox = Mailbox::new(&ranks[0]);
        let channel = MpiMigrationChannel::new(&mailbox, 1, run, true)?;
        let part = channel.part();
        let run = Run { partition: Some(&part), ..*run };
        let outcome = run.execute_on(
            || {
                let engine = GpuEngine::new(&run, kernels, chunk)?;
                let own = RankEngine::new(&run, &channel, Ok(engine));
                Ok(RootEngine::begin(own, String::new(), None))
            },
            observer,
        );
        ranks[0].broadcast(&Message::End);
        outcome
    });
    Ok(outcome?)
}

/// A shipped puzzle.
pub fn puzzle(name: &str) -> Result<Puzzle, Failed> {
    Ok(format::load(name, None)?.puzzle)
}

/// The space of a puzzle and the preset's configuration for it, with what is set, as in
/// `tries=9 radius=2`.
pub fn with(puzzle: &Puzzle, preset: Preset, set: &str) -> Result<(SearchSpace, Config), Failed> {
    let mut settings = RunSettings::of(preset);
    for setting in set.split_whitespace() {
        settings.overrides.merge(&setting.parse()?);
    }
    let space = presolve(puzzle, settings.presolve())?;
    let config = settings.config(&space)?;
    Ok((space, config))
}

/// The same, small enough to be quick where nothing else is set.
pub fn small(puzzle: &Puzzle, preset: Preset, set: &str) -> Result<(SearchSpace, Config), Failed> {
    // No multiple of a workgroup.
    let few = "population=333 max_generations=8 distinct_every=3 tabu_steps=50";
    // A proposal does less than a step.
    let evictions = "proposals=300 eta_proposals=100";
    let evictions = if preset == Preset::Eviction { evictions } else { "" };
    with(puzzle, preset, &format!("{few} {evictions} {set}"))
}
