//! Several backends as one.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use super::*;
use crate::board::{Presolve, presolve};
use crate::fitness::CpuEvaluator;
use crate::format;
use crate::ga::{Config, Outcome, Preset};
use crate::run::{Executor, Jobs, RunJob, SolveError};
use crate::util::ordered_parallel::ResultOrder;

/// Who was asked for something that scores.
#[derive(Default)]
struct Requests(Mutex<Vec<&'static str>>, Condvar);

/// Scores on the CPU, once somebody else was asked to as well, for which it waits a while.
fn named(name: &'static str, asked: &Arc<Requests>) -> Backend {
    let asked = asked.clone();
    Backend::custom(name, move |geometry| {
        let Requests(names, more) = &*asked;
        let mut names = names.lock().unwrap();
        names.push(name);
        more.notify_all();
        let long = Duration::from_secs(20);
        drop(more.wait_timeout_while(names, long, |names| names.len() < 2).unwrap());
        Box::new(CpuEvaluator::new(geometry, None))
    })
}

/// The board of each run, by its seed.
struct Boards;

impl Jobs for Boards {
    type Item = RunJob<()>;
    type Observer = ();
    type Result = (u64, Vec<u8>);

    fn prepare(&self, job: RunJob<()>) -> Result<RunJob<()>, Self::Result> {
        Ok(job)
    }

    fn finish(
        &self,
        job: RunJob<()>,
        outcome: Result<Outcome, SolveError>,
        _: usize,
    ) -> Self::Result {
        (job.seed, outcome.unwrap().board)
    }
}

#[test]
fn several_are_named_in_order_and_one_stays_what_it_is() {
    let asked = Arc::default();
    let three = Backend::multi(named("a", &asked), [named("b", &asked), named("a", &asked)]);
    assert_eq!(three.info(2).adapter.as_deref(), Some("a, b, a"));
    let four = Backend::multi(Backend::cpu(), [three]);
    assert_eq!(four.members().len(), 4);
    assert_eq!(four.member(6).info(1).adapter.as_deref(), Some("b"));
    assert_eq!(Backend::multi(Backend::cpu(), []).info(1), Backend::cpu().info(1));
}

#[test]
fn runs_that_are_divided_are_the_same_as_on_one() {
    let puzzle = format::load("003-6x6", None).unwrap().puzzle;
    let space = Arc::new(presolve(&puzzle, Presolve::None).unwrap());
    let config = Config { population: 40, max_generations: 6, ..Config::of(Preset::Boxes, &space) };
    let (config, interrupted) = (Arc::new(config), AtomicBool::new(false));
    let asked = Arc::<Requests>::default();
    let both = Backend::multi(named("a", &asked), [named("b", &asked)]);
    let mut executor = Executor::batched(&both, 2, 40, 2).unwrap();
    let job = |seed| RunJob::new(space.clone(), config.clone(), seed, ());
    let mut found = BTreeMap::new();
    let take = |_, (seed, board)| {
        found.insert(seed, board);
        ControlFlow::Continue(())
    };
    let (jobs, order) = ((0..40).map(job), ResultOrder::AsCompleted);
    executor.execute(Vec::new(), jobs, order, &interrupted, &Boards, take).unwrap();
    let alone = Backend::cpu();
    let mut executor = Executor::new(&alone, 1, 1).unwrap();
    let mut board = |seed| executor.run(&job(seed).run(&interrupted), &mut ()).unwrap().board;
    let expected: BTreeMap<u64, Vec<u8>> = (0..40).map(|seed| (seed, board(seed))).collect();
    assert_eq!(found, expected);
    let mut asked = asked.0.lock().unwrap().clone();
    asked.sort_unstable();
    assert_eq!(asked, ["a", "b"]);
}
