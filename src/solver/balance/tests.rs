//! The balance of a GPU and cores whose speed is made up.

use std::time::Duration;

use proptest::prelude::*;

use super::{Balance, Done, GENERATIONS, Quota};

/// What a GPU does in a second with so many runs, and what the cores do meanwhile, at some time.
type Rates<'a> = &'a dyn Fn(usize, f64) -> [f64; 2];

fn active(quota: Quota) -> usize {
    match quota {
        Quota::Pause => 0,
        Quota::Runs(runs) => runs,
    }
}

/// Lets both work from `from` to `end`, in seconds, and tells which numbers of runs were at work for how
/// long. A generation of the GPU takes 10 ms, and so does a pause of it.
fn work(balance: &mut Balance, from: f64, end: f64, rates: Rates<'_>) -> Vec<(usize, f64)> {
    let (mut now, mut done) = (from, [Done::default(); 2]);
    let mut spent: Vec<(usize, f64)> = Vec::new();
    while now < end {
        let active = active(balance.quota(Duration::from_secs_f64(now), done));
        let step = 0.01;
        for (done, rate) in done.iter_mut().zip(rates(active, now)) {
            done.work += (rate * step * 1e6) as u64;
            done.generations += 1;
        }
        done[0].generations -= u32::from(active == 0);
        now += step;
        match spent.iter_mut().find(|(runs, _)| *runs == active) {
            Some((_, seconds)) => *seconds += step,
            None => spent.push((active, step)),
        }
    }
    spent
}

fn taken(balance: &Balance) -> usize {
    balance.taken().unwrap().0
}

#[test]
fn the_number_that_gets_the_most_done_goes_on() {
    for (most, full, expected) in
        [(4096, 300.0, 256), (100, 300.0, 100), (4096, 1e9, 4096), (32, 9.0, 32)]
    {
        let mut balance = Balance::new(32, most);
        assert_eq!(balance.taken(), None);
        let spent =
            work(&mut balance, 0.0, 60.0, &|runs, _| [(2.0 * runs as f64).min(full), 100.0]);
        assert_eq!(taken(&balance), expected);
        let seconds = spent.iter().find(|(runs, _)| *runs == expected).unwrap().1;
        assert!(seconds > 0.85 * 60.0, "{spent:?}");
        // The cores were measured by themselves.
        assert!(spent.iter().any(|(runs, _)| *runs == 0));
    }
}

#[test]
fn a_gpu_that_adds_next_to_nothing_or_slows_the_cores_down_is_left_alone() {
    let weak: Rates<'_> = &|runs, _| [if runs > 0 { 1.0 } else { 0.0 }, 100.0];
    let greedy: Rates<'_> = &|runs, _| if runs > 0 { [60.0, 30.0] } else { [0.0, 100.0] };
    for rates in [weak, greedy] {
        let mut balance = Balance::new(32, 1024);
        work(&mut balance, 0.0, 30.0, rates);
        assert_eq!(taken(&balance), 0);
        let quota = balance.quota(Duration::from_secs_f64(30.0), [Done::default(); 2]);
        assert_eq!(quota, Quota::Runs(0));
    }
}

#[test]
fn load_that_comes_and_goes_changes_its_mind() {
    let mut balance = Balance::new(32, 512);
    // Somebody else has the GPU from second 20 to 200.
    let rates: Rates<'_> = &|runs, now| {
        let gpu = if (20.0..200.0).contains(&now) { 0.5 } else { runs as f64 };
        [if runs > 0 { gpu } else { 0.0 }, 100.0]
    };
    work(&mut balance, 0.0, 19.0, rates);
    assert_eq!(taken(&balance), 512);
    work(&mut balance, 19.0, 150.0, rates);
    assert_eq!(taken(&balance), 0);
    work(&mut balance, 150.0, 400.0, rates);
    assert_eq!(taken(&balance), 512);
}

#[test]
fn two_numbers_alike_do_not_take_turns() {
    let mut balance = Balance::new(32, 64);
    work(&mut balance, 0.0, 30.0, &|runs, _| [[0.0, 90.0, 110.0][runs / 32], 100.0]);
    assert_eq!(taken(&balance), 64);
    work(&mut balance, 30.0, 300.0, &|runs, _| [[0.0, 100.0, 95.0][runs / 32], 100.0]);
    assert_eq!(taken(&balance), 64);
    work(&mut balance, 300.0, 600.0, &|runs, _| [[0.0, 140.0, 95.0][runs / 32], 100.0]);
    assert_eq!(taken(&balance), 32);
}

#[test]
fn generations_that_take_long_are_waited_for() {
    let mut balance = Balance::new(8, 8);
    let at = Duration::from_secs;
    let cores = |generations| [Done::default(), Done { work: 1, generations }];
    assert_eq!(balance.quota(at(0), cores(0)), Quota::Pause);
    assert_eq!(balance.quota(at(1), cores(0)), Quota::Pause);
    assert_eq!(balance.quota(at(9), cores(GENERATIONS[1] - 1)), Quota::Pause);
    assert_eq!(balance.quota(at(10), cores(GENERATIONS[1])), Quota::Runs(8));
    // Those of cores that stand still are not.
    let gpu = |generations| {
        [Done { work: 1, generations }, Done { work: 1, generations: GENERATIONS[1] }]
    };
    balance.quota(at(11), gpu(1));
    assert_eq!((balance.quota(at(30), gpu(9)), balance.taken()), (Quota::Runs(8), None));
    balance.quota(at(31), gpu(9));
    assert!(balance.taken().is_some());
}

proptest! {
    #[test]
    fn trials_take_a_small_part_of_the_time(
        cores in 1.0f64..1000.0, each in 0.01f64..10.0, full in 1.0f64..5000.0
    ) {
        let mut balance = Balance::new(16, 1 << 12);
        let rates: Rates<'_> = &|runs, _| [(each * runs as f64).min(full), cores];
        work(&mut balance, 0.0, 10.0, rates);
        let spent = work(&mut balance, 10.0, 1000.0, rates);
        let runs = taken(&balance);
        let seconds = spent.iter().find(|(at, _)| *at == runs).unwrap().1;
        prop_assert!(seconds > 0.9 * 990.0, "{spent:?}");
        let total = |runs| rates(runs, 0.0).iter().sum::<f64>();
        let most = total(1 << 12).max(cores);
        prop_assert!(total(runs) > 0.85 * most, "{runs} {most}");
    }
}
