//! Every formula against SciPy and similar libraries: `tests/statistics/reference.py` computes the values.

use std::cmp::Ordering;

use serde_json::Value;

use super::distributions::{range_quantile, t_tails};
use super::friedman::ranks;
use super::*;

fn reference(name: &str) -> Vec<Value> {
    let text = include_str!("../../tests/statistics/reference.json");
    let mut all: Value = serde_json::from_str(text).unwrap();
    let Value::Array(cases) = all[name].take() else { panic!("{name} has no cases") };
    assert!(!cases.is_empty(), "{name}");
    cases
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[track_caller]
fn close(found: f64, expected: &Value, case: &Value) {
    let expected = expected.as_f64().unwrap();
    let tolerance = 1e-9 * expected.abs().max(1e-3);
    assert!((found - expected).abs() <= tolerance, "{found}, not {expected}: {case}");
}

#[test]
fn mann_whitney_is_scipys_with_ties_and_without() {
    for case in reference("mann_whitney") {
        let (first, second) = (numbers(&case["first"]), numbers(&case["second"]));
        let (tested, exact) = mann_whitney(&first, &second, f64::total_cmp).unwrap();
        close(tested.statistic, &case["u"], &case);
        close(tested.p, &case["p"], &case);
        assert_eq!(exact, case["exact"], "{case}");
        // Either sample may come first.
        let (turned, _) = mann_whitney(&second, &first, f64::total_cmp).unwrap();
        assert!((turned.p - tested.p).abs() < 1e-12, "{case}");
        close(tested.least, &case["least"], &case);
    }
    assert_eq!(mann_whitney(&[], &[1.0], f64::total_cmp), None);
}

/// A time, and whether something happened then or the value is censored.
fn censored(value: &Value) -> Vec<(f64, bool)> {
    let pairs = value.as_array().unwrap().iter();
    pairs.map(|pair| (pair[0].as_f64().unwrap(), pair[1].as_bool().unwrap())).collect()
}

#[test]
fn mann_whitney_leaves_pairs_of_censored_values_open() {
    for case in reference("censored") {
        let (first, second) = (censored(&case["first"]), censored(&case["second"]));
        let sooner = |one: &(f64, bool), other: &(f64, bool)| match (one.1, other.1) {
            (true, true) => one.0.total_cmp(&other.0),
            (true, false) if one.0 <= other.0 => Ordering::Less,
            (false, true) if other.0 <= one.0 => Ordering::Greater,
            _ => Ordering::Equal,
        };
        let (tested, exact) = mann_whitney(&first, &second, sooner).unwrap();
        close(tested.statistic, &case["u"], &case);
        close(tested.p, &case["p"], &case);
        close(tested.least, &case["least"], &case);
        assert_eq!(exact, case["exact"], "{case}");
    }
}

#[test]
fn holm_is_that_of_statsmodels() {
    for case in reference("holm") {
        let corrected = holm(&numbers(&case["p"]));
        let expected = case["corrected"].as_array().unwrap();
        assert_eq!(corrected.len(), expected.len());
        corrected.iter().zip(expected).for_each(|(found, expected)| close(*found, expected, &case));
    }
    assert_eq!(holm(&[]), [0.0; 0]);
}

#[test]
fn friedman_is_scipys_and_conover_that_of_scikit_posthocs() {
    for case in reference("friedman") {
        let blocks: Vec<Vec<f64>> =
            case["blocks"].as_array().unwrap().iter().map(numbers).collect();
        let friedman = Friedman::of(&blocks).unwrap();
        let tested = friedman.test();
        close(tested.statistic, &case["statistic"], &case);
        close(tested.p, &case["p"], &case);
        let ranks = friedman.mean_ranks();
        let expected = case["mean_ranks"].as_array().unwrap();
        ranks.iter().zip(expected).for_each(|(found, expected)| close(*found, expected, &case));
        for pair in case["pairs"].as_array().unwrap() {
            let place = |at: usize| pair[at].as_u64().unwrap() as usize;
            close(friedman.pair(place(0), place(1)), &pair[2], &case);
        }
    }
    // M. Hollander and D. A. Wolfe, Nonparametric statistical methods, table A.22, and by enumeration: 3 values over
    // 4 and 6 blocks.
    let counted = |blocks: &[[f64; 3]]| {
        let friedman = Friedman::of(blocks).unwrap();
        (friedman.test().statistic, friedman.counted().unwrap())
    };
    let (up, down, turned) = ([1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [1.0, 3.0, 2.0]);
    for (blocks, statistic, p) in [
        (&[up, up, up, turned][..], 6.5, 0.041_666_7),
        (&[up, up, turned, turned], 6.0, 0.069_444_4),
        (&[up, up, up, [2.0, 1.0, 3.0]], 6.5, 0.041_666_7),
        (&[up, up, up, down], 2.0, 0.430_555_6),
        (&[[5.0; 3]; 4], 0.0, 1.0),
    ] {
        let found = counted(blocks);
        assert!((found.0 - statistic).abs() < 1e-9 && (found.1 - p).abs() < 1e-6, "{found:?} {p}");
    }
    // Too many orders are not counted.
    assert_eq!(Friedman::of(&[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]]).unwrap().counted(), None);
    assert_eq!(Friedman::of::<[f64; 1]>(&[[1.0]]), None);
    assert_eq!(Friedman::of::<[f64; 2]>(&[]), None);
}

#[test]
fn critical_differences_are_those_of_the_studentized_range() {
    for case in reference("nemenyi") {
        let of = |name: &str| case[name].as_u64().unwrap() as usize;
        close(critical_difference(of("k"), of("n")), &case["difference"], &case);
    }
    // Demsar's table 5: q of 2 to 10 classifiers at 0.05.
    let table = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164];
    for (k, q) in (2..).zip(table) {
        let found = range_quantile(0.95, k) / std::f64::consts::SQRT_2;
        assert!((found - q).abs() < 1e-3, "{k}: {found}");
    }
    // This many puzzles detect a difference of one rank, and one fewer does not.
    for k in 3..12 {
        let n = puzzles_for_a_rank(k) as usize;
        assert!(critical_difference(k, n) <= 1.0 && critical_difference(k, n - 1) > 1.0, "{k}");
    }
}

#[test]
fn a12_counts_pairs_and_its_interval_is_newcombes() {
    for case in reference("a12") {
        let (first, second) = (numbers(&case["first"]), numbers(&case["second"]));
        let (tested, _) = mann_whitney(&first, &second, f64::total_cmp).unwrap();
        let effect = a12(tested.statistic, [first.len(), second.len()]);
        close(effect.share, &case["share"], &case);
        close(effect.low, &case["low"], &case);
        close(effect.high, &case["high"], &case);
    }
}

#[test]
fn so_many_runs_are_needed() {
    for case in reference("needed_a12") {
        let share = case["share"].as_f64().unwrap();
        let runs = runs_for_a12(share);
        assert_eq!(runs, case["runs"].as_u64(), "{case}");
        assert_eq!(runs_for_a12(1.0 - share), runs);
    }
}

#[test]
fn tails_are_whole_and_symmetric() {
    for degrees in [1.0, 7.0, 200.0] {
        assert_eq!(t_tails(0.0, degrees), 1.0);
        assert_eq!(t_tails(f64::INFINITY, degrees), 0.0);
        assert_eq!(t_tails(1.5, degrees), t_tails(-1.5, degrees));
    }
    assert!((normal_quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-12);
    assert!((normal_quantile(0.2) + 0.841_621_233_572_914_2).abs() < 1e-12);
}

#[test]
fn equal_values_share_a_rank() {
    assert_eq!(ranks(&[5.0, 2.0, 2.0, 9.0]), [3.0, 1.5, 1.5, 4.0]);
    assert_eq!(ranks(&[1.0; 3]), [2.0; 3]);
    assert_eq!(ranks(&[]), [0.0; 0]);
}

#[test]
fn wilson_intervals_are_those_of_newcombe() {
    assert_eq!(wilson(0, 0), None);
    // 81 of 263: R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    for (successes, trials, low, high) in [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (10, 10, 0.7225, 1.0),
    ] {
        let found = wilson(successes, trials).unwrap();
        assert!((found.low - low).abs() < 5e-5 && (found.high - high).abs() < 5e-5, "{found:?}");
    }
    assert_eq!(wilson(0, 7).unwrap().low, 0.0);
    assert_eq!(wilson(7, 7).unwrap().high, 1.0);
}

#[test]
fn the_median_lies_between_the_middle_two() {
    let spread = Quantiles::of([4.0, 1.0, 2.0, 10.0]).unwrap();
    assert_eq!((spread.median, spread.worst), (3.0, 10.0));
    let spread = CensoredQuantiles::of([7.0, 1.0, 3.0, 2.0], 0);
    let expected = CensoredQuantiles {
        best: Some(1.0),
        lower_quartile: Some(1.75),
        median: Some(2.5),
        upper_quartile: Some(4.0),
        ninth_decile: Some(3.0 + 4.0 * 2.7_f64.fract()),
        worst: Some(7.0),
    };
    assert_eq!(spread, expected);
}

#[test]
fn quantiles_among_censored_values_are_unknown() {
    let spread = CensoredQuantiles::of([9.0, 3.0, 5.0], 2);
    assert_eq!((spread.median, spread.upper_quartile, spread.worst), (Some(9.0), None, None));
    assert_eq!(CensoredQuantiles::of([4.0], 3).best, Some(4.0));
    assert_eq!(CensoredQuantiles::of([4.0], 3).median, None);
    assert_eq!(CensoredQuantiles::of([], 3), CensoredQuantiles::default());
    assert_eq!(CensoredQuantiles::of([], 0), CensoredQuantiles::default());
}
