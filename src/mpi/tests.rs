use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::*;
use crate::board::{Presolve, presolve};
use crate::fitness::{CpuEvaluator, Pipeline};
use crate::format;
use crate::ga::{
    Config, CpuEngine, Engine, GenerationReport, GenerationRequest, GenerationStats, IslandSink,
    Observer, Outcome, PopulationSnapshot, Preset, Run, RunError, RunSettings, StopReason,
};
use crate::run::RemoteWorker;

fn setting(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

/// What each rank is told, where they are about to do so.
fn agreed(settings: Vec<Result<SharedSettings, String>>) -> Vec<Result<Vec<usize>, MpiError>> {
    let ranks = Communicator::threads(settings.len(), NodeKind::Rank).unwrap();
    thread::scope(|scope| {
        let told = ranks.into_iter().zip(settings).map(|(ranks, settings)| {
            scope.spawn(move || match settings {
                Ok(settings) => {
                    let jobs = 10 + ranks.rank;
                    let told = ranks.handshake(settings, jobs, SharingMode::Runs);
                    ranks.finish(None);
                    told.map(|(jobs, _)| jobs)
                }
                Err(error) => {
                    ranks.finish(Some(error));
                    Err(MpiError::Cancelled)
                }
            })
        });
        let told: Vec<_> = told.collect();
        told.into_iter().map(|rank| rank.join().unwrap()).collect()
    })
}

#[test]
fn what_differs_between_ranks_is_named() {
    let same = Ok(vec![setting("version", "1"), setting("spec", "abc")]);
    let told = agreed(vec![same.clone(); 3]);
    assert_eq!(told, [Ok(vec![10, 11, 12]), Ok(vec![]), Ok(vec![])]);

    let other = Ok(vec![setting("version", "1"), setting("spec", "xyz")]);
    let told = agreed(vec![same.clone(), same.clone(), other.clone()]);
    assert_eq!(
        told[0].as_ref().unwrap_err().to_string(),
        "rank 2 has spec xyz, but rank 0 has abc: all ranks need the same"
    );
    assert_eq!(told[1..], [Err(MpiError::Cancelled), Err(MpiError::Cancelled)]);

    let told = agreed(vec![same.clone(), Err("no such file".to_owned()), other]);
    assert_eq!(told[0].as_ref().unwrap_err().to_string(), "rank 1: no such file");

    // Rank 0 never gets there.
    let told = agreed(vec![Err("no such file".to_owned()), same.clone(), same]);
    assert_eq!(told, vec![Err(MpiError::Cancelled); 3]);
}

/// Doubles numbers on other ranks until none is left; a rank is told when everything ends.
fn doubled(numbers: u32, jobs: Vec<usize>, interrupted: &AtomicBool) -> BTreeSet<u32> {
    let ranks = Communicator::threads(jobs.len(), NodeKind::Rank).unwrap();
    let numbers = Mutex::new(0..numbers);
    let queue = JobQueue::new(&ranks[0], jobs);
    thread::scope(|scope| {
        for rank in &ranks[1..] {
            scope.spawn(|| {
                let ended = AtomicBool::new(false);
                let stream = &JobStream::new(rank, &ended);
                for (number, job) in (0..).zip(stream) {
                    let double = || (2 * job.parse::<u32>().unwrap()).to_string();
                    stream.reply(number, Ok((!ended.load(Ordering::Relaxed)).then(double)));
                }
            });
        }
        queue
            .run(interrupted, |workers| {
                let work = |mut worker: RemoteWorker<'_>| {
                    let next = || numbers.lock().unwrap().next();
                    let mut done = Vec::new();
                    while let Some(number) = next()
                        && let Some(text) = (worker.run)(number.to_string()).unwrap()
                    {
                        done.push(text.parse().unwrap());
                    }
                    done
                };
                thread::scope(|scope| {
                    let workers: Vec<_> = workers
                        .into_iter()
                        .map(|worker| scope.spawn(move || work(worker)))
                        .collect();
                    workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
                })
            })
            .unwrap()
    })
}

#[test]
fn a_job_queue_does_every_job_once() {
    let interrupted = AtomicBool::new(false);
    for jobs in [vec![9, 1], vec![1, 2, 3], vec![1, 0, 4]] {
        let found = doubled(50, jobs, &interrupted);
        assert_eq!(found, (0..50).map(|number| 2 * number).collect());
    }
}

#[test]
fn an_interrupt_reaches_other_ranks() {
    let found = doubled(u32::MAX, vec![1, 1, 1], &AtomicBool::new(true));
    assert!(found.len() < 1_000_000);
}

#[test]
fn ranks_are_named_by_their_kind() {
    let names = |kind| -> Vec<String> {
        Communicator::threads(2, kind).unwrap().iter().map(Communicator::node).collect()
    };
    assert_eq!(names(NodeKind::Rank), ["rank 0", "rank 1"]);
    assert_eq!(names(NodeKind::Adapter), ["adapter 0", "adapter 1"]);
}

/// Numbers, fitnesses, counts and different boards of a generation.
type Row = ([u32; 2], [u16; 3], [u64; 3], Option<u64>);

/// What is told of each generation.
#[derive(Debug, Default, PartialEq)]
struct Trace {
    rows: Vec<Row>,
    bests: Vec<(Vec<u16>, Vec<u8>, Vec<u8>)>,
    warnings: Vec<String>,
}

impl Observer for Trace {
    fn on_generation(&mut self, r: &GenerationReport<'_>) -> ControlFlow<()> {
        self.rows.push((
            [r.generation, r.restart],
            [r.best, r.best_so_far, r.worst],
            [r.sum, r.evaluations, r.moves],
            r.distinct,
        ));
        self.bests.push((r.islands.to_vec(), r.best_board.to_vec(), r.board.to_vec()));
        ControlFlow::Continue(())
    }

    fn on_warning(&mut self, message: &str) {
        self.warnings.push(message.to_owned());
    }

    fn wants_distinct(&self) -> bool {
        true
    }
}

/// What must be the same on any number of ranks.
type Witness = (Trace, StopReason, Vec<u8>, [u64; 5]);

fn witness(trace: Trace, outcome: &Outcome) -> Witness {
    let Outcome { evaluations, moves, steps, .. } = *outcome;
    let counts = [outcome.generations.into(), outcome.restarts.into(), evaluations, moves, steps];
    (trace, outcome.stop_reason, outcome.board.clone(), counts)
}

fn space_and_config(name: &str, preset: Preset, set: &str) -> (crate::board::SearchSpace, Config) {
    let puzzle = format::load(name, None).unwrap().puzzle;
    let space = presolve(&puzzle, Presolve::None).unwrap();
    let mut settings = RunSettings::of(preset);
    set.split_whitespace().for_each(|set| settings.overrides.merge(&set.parse().unwrap()));
    let config = settings.config(&space).unwrap();
    (space, config)
}

fn pipeline(run: &Run<'_>) -> Pipeline {
    Pipeline::new(Box::new(CpuEvaluator::new(run.space.geometry(), None)))
}

/// An engine that fails, on one rank.
struct Failing<E>(E, Option<u32>);

impl<E: Engine> Engine for Failing<E> {
    fn step(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
        match self.1 {
            Some(last) if wanted.generation > last => {
                Err(crate::fitness::EvaluatorError::DeviceLost("unplugged".to_owned()).into())
            }
            _ => self.0.step(wanted),
        }
    }

    fn summaries(&self) -> &[GenerationStats] {
        self.0.summaries()
    }

    fn for_each_island(&mut self, take: IslandSink<'_>) -> Result<(), RunError> {
        self.0.for_each_island(take)
    }

    fn restore(&mut self, state: &PopulationSnapshot) -> Result<(), RunError> {
        self.0.restore(state)
    }
}

/// A run on so many ranks, each of which is a thread.
fn shared(
    run: &Run<'_>,
    size: usize,
    limit: Option<u32>,
    observer: &mut (dyn Observer + Send),
    fails: Option<(usize, u32)>,
) -> Result<Outcome, RunError> {
    let ranks = Communicator::threads(size, NodeKind::Rank).unwrap();
    let fails = |rank| fails.filter(|(of, _)| *of == rank).map(|(_, last)| last);
    thread::scope(|scope| {
        for ranks in &ranks[1..] {
            scope.spawn(move || {
                let mailbox = Mailbox::new(ranks);
                while let Some((number, _)) = mailbox.next_run() {
                    let channel = MpiMigrationChannel::new(&mailbox, number, run, true).unwrap();
                    let part = channel.part();
                    let run = Run { partition: Some(&part), ..*run };
                    let mut pipeline = pipeline(&run);
                    let engine = CpuEngine::new(&run, &mut pipeline);
                    let engine = engine.map(|engine| Failing(engine, fails(ranks.rank)));
                    RankEngine::new(&run, &channel, engine).serve(&AtomicBool::new(false));
                }
            });
        }
        let mailbox = Mailbox::new(&ranks[0]);
        let channel = MpiMigrationChannel::new(&mailbox, 1, run, true).unwrap();
        let part = channel.part();
        let run = Run { partition: Some(&part), ..*run };
        let mut pipeline = pipeline(&run);
        let outcome = run.execute_on(
            || {
                let engine = Failing(CpuEngine::new(&run, &mut pipeline)?, fails(0));
                let own = RankEngine::new(&run, &channel, Ok(engine));
                Ok(RootEngine::begin(own, String::new(), limit))
            },
            observer,
        );
        ranks[0].broadcast(&Message::End);
        outcome
    })
}

fn alone(run: &Run<'_>) -> Witness {
    let mut trace = Trace::default();
    let outcome = run.execute(&mut pipeline(run), &mut trace).unwrap();
    witness(trace, &outcome)
}

#[test]
fn a_run_is_the_same_on_any_number_of_ranks() {
    let few = "distinct_every=3 migration_interval=2 migrants=2 max_generations=25";
    for (name, preset, set) in [
        ("easter-monster", Preset::Boxes, "population=83 islands=8 restart_after=6"),
        ("easter-monster", Preset::Cellular, "population=70 islands=8 tries=9"),
        ("sato-no106", Preset::Memetic, "islands=8 population=64 tabu_steps=20 offspring=2"),
        ("easter-monster", Preset::Tabu, "islands=9 tabu_steps=30"),
        ("easter-monster", Preset::Boxes, "population=60 islands=5 max_work=900"),
        ("003-4x4", Preset::Boxes, "population=16 islands=8"),
    ] {
        let Ok((space, config)) =
            std::panic::catch_unwind(|| space_and_config(name, preset, &format!("{few} {set}")))
        else {
            panic!("{preset} {set}");
        };
        let interrupted = AtomicBool::new(false);
        let run = Run::new(&space, &config, 5, &interrupted);
        let expected = alone(&run);
        for (ranks, limit) in [(1, None), (2, Some(1)), (3, None), (8, Some(7))] {
            let mut trace = Trace::default();
            let outcome = shared(&run, ranks, limit, &mut trace, None);
            let found = witness(trace, &outcome.unwrap());
            assert_eq!(found, expected, "{preset} {set} on {ranks} ranks");
        }
    }
}

#[test]
fn what_nobody_watches_gives_the_same_result() {
    let set = "population=400 islands=8 migration_interval=1 migrants=5 max_generations=60";
    let (space, config) = space_and_config("003-6x6", Preset::Cellular, set);
    let interrupted = AtomicBool::new(false);
    for seed in 1..6 {
        let run = Run::new(&space, &config, seed, &interrupted);
        let (_, reason, board, counts) = alone(&run);
        let outcome = shared(&run, 3, None, &mut (), None);
        let (_, found, its_board, its_counts) = witness(Trace::default(), &outcome.unwrap());
        assert_eq!((found, its_board, its_counts), (reason, board, counts), "seed {seed}");
    }
}

#[test]
fn a_solution_on_another_rank_ends_the_run() {
    let set = "population=40 islands=4 tabu_steps=20 offspring=2 max_generations=200";
    let (space, config) = space_and_config("sato-no106", Preset::Memetic, set);
    let interrupted = AtomicBool::new(false);
    let mut elsewhere = 0;
    for seed in 1..13 {
        let run = Run::new(&space, &config, seed, &interrupted);
        let expected = alone(&run);
        let solved = expected.0.bests.last().unwrap().0.iter().position(|best| *best == 0);
        elsewhere += u32::from(solved.is_some_and(|island| island >= 2));
        let mut trace = Trace::default();
        let outcome = shared(&run, 2, Some(5), &mut trace, None);
        assert_eq!(witness(trace, &outcome.unwrap()), expected);
    }
    assert!(elsewhere > 0);
}

#[test]
fn a_rank_that_fails_ends_the_run_and_says_so() {
    let set = "population=80 islands=8 migration_interval=1 migrants=2 max_generations=0";
    let (space, config) = space_and_config("easter-monster", Preset::Boxes, set);
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 1, &interrupted);
    for rank in 0..3 {
        let outcome = shared(&run, 3, None, &mut (), Some((rank, 9)));
        let said = outcome.unwrap_err().to_string();
        assert_eq!(said, format!("rank {rank}: the device was lost: unplugged"));
    }
}

#[test]
fn an_interrupt_or_a_time_limit_ends_all_ranks() {
    let set = "population=80 islands=8 migration_interval=1 migrants=2 max_generations=0";
    for (limit, reason) in [("", StopReason::Interrupted), (" time_limit=0.2", StopReason::Time)] {
        let set = format!("{set} mutation_rate=0 restart_after=0{limit}");
        let (space, config) = space_and_config("easter-monster", Preset::Boxes, &set);
        let interrupted = AtomicBool::new(false);
        let run = Run::new(&space, &config, 1, &interrupted);
        let outcome = thread::scope(|scope| {
            // The other run ends by its own limit.
            if limit.is_empty() {
                scope.spawn(|| {
                    thread::sleep(std::time::Duration::from_millis(300));
                    interrupted.store(true, std::sync::atomic::Ordering::Relaxed);
                });
            }
            shared(&run, 3, None, &mut (), None)
        });
        assert_eq!(outcome.unwrap().stop_reason, reason);
    }
}

/// Its engine fails once, and goes on as if nothing had happened.
#[test]
fn generations_are_done_again_with_those_who_came() {
    use crate::ga::{FallbackEngine, ReplayPolicy};
    let set = "population=80 islands=6 migration_interval=1 migrants=4 max_generations=40";
    let (space, config) = space_and_config("easter-monster", Preset::Boxes, set);
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 3, &interrupted);
    let expected = alone(&run);
    let ranks = Communicator::threads(2, NodeKind::Rank).unwrap();
    let (trace, outcome) = thread::scope(|scope| {
        scope.spawn(|| {
            let mailbox = Mailbox::new(&ranks[1]);
            let (number, _) = mailbox.next_run().unwrap();
            let channel = MpiMigrationChannel::new(&mailbox, number, &run, true).unwrap();
            let part = channel.part();
            let run = Run { partition: Some(&part), ..run };
            let (mut first, mut spare) = (pipeline(&run), pipeline(&run));
            let engine = CpuEngine::new(&run, &mut first).map(|engine| Failing(engine, Some(29)));
            let engine = FallbackEngine::new(&run, engine, &mut spare, ReplayPolicy::Always);
            RankEngine::new(&run, &channel, engine).serve(&interrupted);
        });
        let mailbox = Mailbox::new(&ranks[0]);
        let channel = MpiMigrationChannel::new(&mailbox, 1, &run, false).unwrap();
        let part = channel.part();
        let run = Run { partition: Some(&part), ..run };
        let (mut pipeline, mut trace) = (pipeline(&run), Trace::default());
        let outcome = run.execute_on(
            || {
                let engine = CpuEngine::new(&run, &mut pipeline);
                let own = RankEngine::new(&run, &channel, engine);
                Ok(RootEngine::begin(own, String::new(), None))
            },
            &mut trace,
        );
        (trace, outcome.unwrap())
    });
    let fault = outcome.fault.clone().unwrap().to_string();
    assert_eq!(fault, "rank 1: the device was lost: unplugged");
    let mut found = witness(trace, &outcome);
    let warnings = std::mem::take(&mut found.0.warnings);
    assert_eq!(warnings, [format!("{fault}; its islands continue, on the CPU if necessary")]);
    assert_eq!(found, expected);
}
