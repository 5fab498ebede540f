//! The choice among engines whose speed is made up.

use std::time::Duration;

use proptest::prelude::*;

use super::{Choice, MOST_TRIED};

/// Generations that an engine carries out at a time at most, as a device does.
const AT_ONCE: u32 = 10;

/// Lets engines carry out generations until `end`, in seconds. `cost` tells the seconds of a
/// generation by engine, time, and whether the engine has just taken over. Returns the seconds that
/// each engine was at work.
fn work(
    choice: &mut Choice,
    from: f64,
    end: f64,
    cost: impl Fn(usize, f64, bool) -> f64,
) -> Vec<f64> {
    let mut spent = vec![0.0; choice.seconds().len()];
    let (mut now, mut next, mut last) = (from, (from * 1e6) as u32, None);
    while now < end {
        let leg = choice.leg(Duration::from_secs_f64(now), next);
        for generation in 0..leg.generations.min(AT_ONCE) {
            let seconds = cost(leg.engine, now, generation == 0 && last != Some(leg.engine));
            now += seconds;
            spent[leg.engine] += seconds;
            next += 1;
        }
        last = Some(leg.engine);
    }
    spent
}

#[test]
fn the_fastest_goes_on() {
    for fastest in 0..3 {
        let mut choice = Choice::new(3);
        assert_eq!(choice.taken(), None);
        let cost = |engine: usize, _: f64, _: bool| if engine == fastest { 0.004 } else { 0.009 };
        let spent = work(&mut choice, 0.0, 60.0, cost);
        assert_eq!(choice.taken(), Some(fastest));
        assert!(spent[fastest] > 0.9 * 60.0, "{spent:?}");
        assert!(spent.iter().all(|seconds| *seconds > 0.0), "{spent:?}");
    }
}

#[test]
fn one_engine_alone_is_not_tried() {
    let mut choice = Choice::new(1);
    let leg = choice.leg(Duration::ZERO, 0);
    assert_eq!((leg.engine, leg.generations), (0, u32::MAX));
}

#[test]
fn what_failed_is_never_chosen_again() {
    // While it is tried, and while it goes on.
    for failing in [0.05, 0.25, 30.0] {
        let mut choice = Choice::new(3);
        let cost = |engine: usize, _: f64, _: bool| [0.009, 0.006, 0.001][engine];
        work(&mut choice, 0.0, failing, cost);
        assert!(choice.leave_out(2, Duration::from_secs_f64(failing)));
        assert!(!choice.leave_out(2, Duration::from_secs_f64(failing)));
        let spent = work(&mut choice, failing, failing + 60.0, cost);
        assert_eq!((choice.taken(), spent[2]), (Some(1), 0.0));
        assert!(spent[0] > 0.0, "{spent:?}");
        assert!(choice.leave_out(1, Duration::from_secs(200)));
        // Somebody has to go on.
        assert!(!choice.leave_out(0, Duration::from_secs(200)));
        let spent = work(&mut choice, 200.0, 260.0, cost);
        assert_eq!((spent[1], spent[2]), (0.0, 0.0));
    }
}

#[test]
fn what_an_engine_needs_to_begin_does_not_count() {
    let mut choice = Choice::new(2);
    let cost = |engine: usize, _: f64, begins: bool| match (engine, begins) {
        (1, true) => 3.0,
        (1, false) => 0.001,
        _ => 0.01,
    };
    work(&mut choice, 0.0, 5.0, cost);
    assert_eq!(choice.taken(), Some(1));
}

#[test]
fn it_stays_where_another_is_little_faster() {
    let mut choice = Choice::new(2);
    work(&mut choice, 0.0, 3.0, |engine, _, _| [0.010, 0.011][engine]);
    assert_eq!(choice.taken(), Some(0));
    work(&mut choice, 3.0, 100.0, |engine, _, _| [0.010, 0.009][engine]);
    assert_eq!(choice.taken(), Some(0));
    work(&mut choice, 100.0, 200.0, |engine, _, _| [0.010, 0.007][engine]);
    assert_eq!(choice.taken(), Some(1));
}

#[test]
fn load_that_comes_and_goes_changes_its_mind() {
    let mut choice = Choice::new(3);
    // The first engine is slowed down to a tenth from second 20 to 100.
    let cost = |engine: usize, now: f64, _: bool| match engine {
        0 if (20.0..100.0).contains(&now) => 0.02,
        0 => 0.002,
        1 => 0.03,
        _ => 0.006,
    };
    work(&mut choice, 0.0, 19.0, cost);
    assert_eq!(choice.taken(), Some(0));
    work(&mut choice, 19.0, 30.0, cost);
    assert_eq!(choice.taken(), Some(2));
    work(&mut choice, 30.0, 140.0, cost);
    assert_eq!(choice.taken(), Some(0));
}

proptest! {
    #[test]
    fn trials_take_a_small_part_of_the_time(
        milliseconds in proptest::collection::vec(0.1f64..500.0, 2..4)
    ) {
        let mut choice = Choice::new(milliseconds.len());
        let cost = |engine: usize, _: f64, _: bool| milliseconds[engine] / 1000.0;
        let spent = work(&mut choice, 0.0, 1000.0, cost);
        let taken = choice.taken().unwrap();
        let fastest = milliseconds.iter().copied().fold(f64::INFINITY, f64::min);
        prop_assert!(milliseconds[taken] <= fastest * 1.01);
        // The first trial, and a twentieth of the rest.
        let first: f64 = milliseconds.iter().map(|each| each / 1000.0 * f64::from(MOST_TRIED)).sum();
        let others: f64 = spent.iter().sum::<f64>() - spent[taken];
        prop_assert!(others < first + 0.06 * 1000.0, "{others} {spent:?}");
    }
}
