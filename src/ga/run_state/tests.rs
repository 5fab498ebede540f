//! What ends a run, and what its budget counts.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::board::{Geometry, SearchSpace};
use crate::ga::restart::RestartRule;
use crate::ga::{Config, Preset};

#[test]
fn a_run_ends_with_the_last_generation_that_draws_can_name() {
    let space = SearchSpace::blank(Geometry::new(2, 2).unwrap());
    let config = Config { max_generations: 0, ..Config::of(Preset::Boxes, &space) };
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 1, &interrupted);
    let summary =
        GenerationStats { best: 3, best_board: vec![1; 16], ..GenerationStats::default() };
    let mut evolution = RunState { next: LAST - 1, ..RunState::new(&run) };
    assert_eq!(evolution.lookahead(&run), 1);
    assert_eq!(evolution.record(&run, &summary, &mut ()), None);
    assert_eq!(evolution.next().0, LAST);
    assert_eq!(evolution.lookahead(&run), 1);
    assert_eq!(evolution.record(&run, &summary, &mut ()), Some(StopReason::Generations));
    let outcome = evolution.finish(&run, StopReason::Generations, None).unwrap();
    assert_eq!(outcome.generations, LAST);
}

#[test]
fn restarts_are_generations_unless_the_best_was_to_stay() {
    let space = SearchSpace::blank(Geometry::new(2, 2).unwrap());
    let interrupted = AtomicBool::new(false);
    for (restart_rule, counted) in [(RestartRule::NoBetterBest, 9), (RestartRule::UnchangedBest, 7)]
    {
        let own = Config::of(Preset::Boxes, &space);
        let config = Config { restart_rule, max_generations: 20, restart_after: 0, ..own };
        let run = Run::new(&space, &config, 1, &interrupted);
        let evolution = RunState { generation: 9, next: 10, restarts: 2, ..RunState::new(&run) };
        assert_eq!(evolution.counted_generations(&run), counted);
        assert_eq!(evolution.lookahead(&run), 20 - counted);
    }
}
