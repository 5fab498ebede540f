//! Races of a cost whose best configuration is known.

use std::convert::Infallible;

use super::irace::{Iterations, TuneBudget};
use super::race::{CandidateResult, RaceTrial, Rules, TrialResult, race};
use super::space::{Candidate, Condition, Dimension, Domain, ParameterSpace};
use crate::random::{GenerationRng, StreamStage};

/// `kind` b is best, where `rate` is near 0.5 and `size`, which only b has, near 40.
fn space() -> ParameterSpace {
    let kinds = ["a", "b", "c"].map(str::to_owned).to_vec();
    let only_b = vec![Condition { dimension: 0, values: vec!["b".to_owned()] }];
    let dimension = |name, domain, when| Dimension { name, domain, when };
    ParameterSpace {
        dimensions: vec![
            dimension("kind", Domain::Names(kinds), Vec::new()),
            dimension(
                "rate",
                Domain::Range { from: 0.01, to: 10.0, log: true, whole: false },
                Vec::new(),
            ),
            dimension(
                "size",
                Domain::Range { from: 1.0, to: 100.0, log: false, whole: true },
                only_b,
            ),
        ],
    }
}

/// A cost on a block: how far from the best, how hard the block is, and chance.
fn cost(trial: &RaceTrial) -> f64 {
    let values = &trial.candidate.values;
    let kind = values[0].map_or(3.0, |place| [3.0, 0.0, 1.5][place as usize]);
    let rate = values[1].map_or(4.0, |rate| (rate / 0.5).ln().powi(2));
    let size = values[2].map_or(1.0, |size| ((size - 40.0) / 20.0).powi(2));
    let block = trial.block as u32;
    let mut of_block = GenerationRng::new(99, block).draws(StreamStage::Plan, 0);
    let mut of_trial = GenerationRng::new(98, block).draws(StreamStage::Plan, trial.number as u32);
    let share = |word: u32| f64::from(word) / f64::from(u32::MAX);
    10.0 + 20.0 * share(of_block.word()) + kind + rate + size + 2.0 * share(of_trial.word())
}

const RULES: Rules = Rules { level: 0.05, first_test: 5, survivors: 3 };

fn tuned(seed: u64) -> (Candidate, u64, Vec<usize>) {
    let space = space();
    let iterations = Iterations {
        space: &space,
        rules: RULES,
        budget: TuneBudget { runs: Some(1_000), work: None },
        most_work: 1,
        seed,
        default: Candidate { values: vec![None; 3] },
        possible: &|_| true,
    };
    let mut runs = 0;
    let mut run_trials = |trials: &[RaceTrial]| -> Result<Vec<TrialResult>, Infallible> {
        runs += trials.len() as u64;
        Ok(trials.iter().map(|trial| TrialResult { cost: cost(trial), work: 3 }).collect())
    };
    let Ok(found) = iterations.run(&mut run_trials, &|_| ());
    let numbers = found.iter().map(|iteration| iteration.candidates).collect();
    assert_eq!(runs, found.iter().map(|iteration| iteration.runs).sum::<u64>());
    (found.last().unwrap().elites[0].candidate.clone(), runs, numbers)
}

#[test]
fn the_best_configuration_is_found_in_nine_of_ten_seeds() {
    let is_best = |seed: &u64| {
        let (best, runs, _) = tuned(*seed);
        assert!((800..=1_000).contains(&runs), "{runs}");
        let [Some(1.0), Some(rate), Some(size)] = best.values[..] else { return false };
        (0.25..1.0).contains(&rate) && (25.0..=55.0).contains(&size)
    };
    let found = (1..=10).filter(is_best).count();
    assert!(found >= 9, "{found} of 10");
}

#[test]
fn the_same_seed_tunes_the_same_and_another_does_not() {
    assert_eq!(tuned(4), tuned(4));
    assert_ne!(tuned(4).0, tuned(5).0);
}

#[test]
fn a_budget_of_work_is_not_exceeded_by_much() {
    let space = space();
    let iterations = Iterations {
        space: &space,
        rules: RULES,
        budget: TuneBudget { runs: None, work: Some(5_000) },
        most_work: 20,
        seed: 1,
        default: Candidate { values: vec![None; 3] },
        possible: &|_| true,
    };
    let mut work = 0;
    let mut run_trials = |trials: &[RaceTrial]| -> Result<Vec<TrialResult>, Infallible> {
        work += 10 * trials.len() as u64;
        Ok(trials.iter().map(|trial| TrialResult { cost: cost(trial), work: 10 }).collect())
    };
    let Ok(found) = iterations.run(&mut run_trials, &|_| ());
    assert_eq!(work, found.iter().map(|iteration| iteration.work).sum::<u64>());
    assert!((4_000..=5_000).contains(&work), "{work}");
}

fn standing(number: usize, costs: &[f64]) -> CandidateResult {
    CandidateResult { number, candidate: Candidate::default(), costs: costs.to_vec() }
}

#[test]
fn who_has_run_on_more_blocks_is_not_dropped_before_the_others_have_caught_up() {
    // The first has been seen on 12 blocks, and is the better one in the end; the second begins well.
    let elite = standing(1, &[5.0; 12]);
    let new = standing(2, &[]);
    let run_trials = |trials: &[RaceTrial]| -> Vec<TrialResult> {
        let cost = |trial: &RaceTrial| match (trial.number, trial.block) {
            (1, _) => 5.0,
            (_, block) if block < 8 => 1.0,
            _ => 50.0,
        };
        trials.iter().map(|trial| TrialResult { cost: cost(trial), work: 1 }).collect()
    };
    let rules = Rules { survivors: 1, ..RULES };
    let left = |most: usize| {
        let mut spent = 0;
        let mut paid = |trials: &[RaceTrial]| -> Result<_, Infallible> {
            spent += trials.len();
            Ok((spent <= most).then(|| run_trials(trials)))
        };
        let Ok(left) = race(vec![elite.clone(), new.clone()], rules, &mut paid);
        left
    };
    // With as many blocks as it takes, and with a budget that ends before.
    assert_eq!(left(60)[0].number, 1);
    assert_eq!(left(7).iter().map(|one| one.number).collect::<Vec<_>>(), [1]);
}

#[test]
fn what_is_worse_on_every_block_is_dropped_at_the_first_test() {
    let entrants = (1..=6).map(|number| standing(number, &[])).collect();
    let mut seen = Vec::new();
    let mut run_trials = |trials: &[RaceTrial]| -> Result<Option<Vec<TrialResult>>, Infallible> {
        seen.push(trials.len());
        let costs = trials.iter().map(|it| TrialResult { cost: it.number as f64, work: 1 });
        Ok(Some(costs.collect()))
    };
    let rules = Rules { survivors: 2, ..RULES };
    let Ok(left) = race(entrants, rules, &mut run_trials);
    assert_eq!(left[0].number, 1);
    // Five blocks of all, after which one is left.
    assert_eq!((left.len(), seen), (1, vec![30]));
}
