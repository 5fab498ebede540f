//! Comparisons of made-up runs.

use super::super::{Plan, Results, ResultsView, RunMetrics, RunResult, Series, Spec, StopCause};
use super::*;
use crate::statistics::holm;

fn plan(text: &str) -> Plan {
    Plan::new(&Spec::from_toml(text, "made-up.toml".as_ref()).unwrap()).unwrap()
}

/// A run that was solved with so much work, or one that was not and ended with so much fitness.
fn run(work: u64, fitness: u16) -> RunResult {
    let end = if fitness == 0 { StopCause::Solved } else { StopCause::Work };
    let figures =
        RunMetrics { end, fitness, work, series: Series::default(), ..RunMetrics::default() };
    RunResult { line: String::new(), figures }
}

/// All runs of a plan, by their cell and seed.
fn results<'p>(
    plan: &'p Plan,
    compare: ComparedFactor,
    of: impl Fn(usize, u32) -> RunResult,
) -> Results<'p> {
    let view = ResultsView { compare: Some(compare), ..ResultsView::default() };
    let mut results = Results::new(plan).viewed(view);
    for number in 0..plan.runs() {
        let (cell, seed) = plan.run(number);
        results.insert(number, of(cell, seed));
    }
    results
}

const METHODS: &str = "puzzles = ['001-hard-01', 'ai-escargot']
    methods = ['boxes', 'memetic', 'cellular', 'backtracking']
    seeds = 6";

/// The pair of two methods whose runs are made up.
fn pair_of(seeds: u32, of: impl Fn(usize, u32) -> RunResult) -> PairwiseTest {
    let plan = plan(&format!(
        "puzzles = ['ai-escargot']\nmethods = ['boxes', 'memetic']\nseeds = {seeds}"
    ));
    Comparisons::of(&results(&plan, ComparedFactor::METHOD, of)).pairs.remove(0)
}

fn better(pair: &PairwiseTest) -> Option<&str> {
    pair.better().map(|side| side.value.as_str())
}

#[test]
fn a_run_that_time_ended_before_its_first_population_is_a_run() {
    let pair = pair_of(20, |cell, seed| {
        let mut run = run(if cell == 0 && seed < 8 { 0 } else { 100 }, 0);
        if run.figures.work == 0 {
            (run.figures.end, run.figures.fitness) = (StopCause::Time, u16::MAX);
        }
        run
    });
    assert_eq!([pair.first.runs, pair.first.solved, pair.second.runs], [20, 12, 20]);
    // What presolve alone finishes is none of evolution.
    let presolved = |_, _| {
        let mut run = run(0, 0);
        run.figures.end = StopCause::Presolved;
        run
    };
    let plan = plan("puzzles = ['ai-escargot']\nmethods = ['boxes', 'memetic']\nseeds = 9");
    let results = results(&plan, ComparedFactor::METHOD, presolved);
    assert!(Comparisons::of(&results).pairs.is_empty());
}

#[test]
fn a_solution_counts_as_far_as_the_other_spent_as_much_work() {
    let plan =
        plan("puzzles = ['ai-escargot']\nmethods = ['boxes', 'memetic', 'cellular']\nseeds = 30");
    // Boxes solve nothing; memetic solves all; cellular half.
    let compared = Comparisons::of(&results(&plan, ComparedFactor::METHOD, |cell, seed| {
        let work = 1_000 + u64::from(seed);
        match cell {
            0 => run(9_000, 4 + seed as u16 % 3),
            1 => run(work, 0),
            _ => run(work, u16::from(seed % 2 == 0)),
        }
    }));
    let [both, some, other] = &compared.pairs[..] else { panic!("{:?}", compared.pairs) };
    assert_eq!((both.first.value.as_str(), both.second.value.as_str()), ("boxes", "memetic"));
    assert_eq!((both.evidence.unsolved, both.evidence.open, both.evidence.exact), (30, 0.0, false));
    assert_eq!((better(both), both.evidence.effect.share), (Some("memetic"), 0.0));
    // Half the runs of cellular are better, by a solution. How many conflicts those of boxes had left at the work
    // of the other half, nobody knows.
    assert_eq!((some.first.solved, some.second.solved), (0, 15));
    assert_eq!((some.evidence.open, some.evidence.effect.share), (0.5, 0.25));
    assert_eq!(better(some), Some("cellular"));
    assert_eq!((other.evidence.unsolved, other.evidence.open), (15, 0.0));
    // One puzzle has no ranks over puzzles.
    assert_eq!(compared.rankings, []);
}

#[test]
fn where_nothing_is_solved_fitness_counts_and_where_all_is_work() {
    let unsolved = pair_of(4, |cell, seed| run(500, 10 * (cell as u16 + 1) + seed as u16));
    // 4 against 4, one better throughout: 2 of 70 dealings.
    assert!((unsolved.evidence.found.p - 2.0 / 70.0).abs() < 1e-12);
    assert_eq!(better(&unsolved), Some("boxes"));
    assert_eq!(unsolved.runs_for_a12, Some(6));
    let solved = pair_of(4, |cell, seed| run(2_000 - 1_000 * cell as u64 + u64::from(seed), 0));
    assert_eq!(better(&solved), Some("memetic"));
    let alike = pair_of(4, |_, _| run(500, 0));
    assert_eq!((alike.evidence.found.p, better(&alike)), (1.0, None));
    assert_eq!(alike.runs_for_a12, None);
}

#[test]
fn no_method_wins_by_a_larger_budget() {
    // Boxes end with little work, unsolved; memetic solves with more.
    let apart = pair_of(6, |cell, seed| match cell {
        0 => run(500, 4),
        _ => run(1_000 + u64::from(seed), 0),
    });
    assert_eq!((apart.evidence.open, apart.evidence.effect.share), (1.0, 0.5));
    assert_eq!((apart.evidence.found.p, better(&apart)), (1.0, None));
    // With as much work for both it is better.
    let alike = pair_of(6, |cell, seed| match cell {
        0 => run(2_000, 4),
        _ => run(1_000 + u64::from(seed), 0),
    });
    assert_eq!((alike.evidence.open, better(&alike)), (0.0, Some("memetic")));
    // Two of the 924 ways to deal the runs out.
    assert!((alike.evidence.found.p - 2.0 / 924.0).abs() < 1e-12);
}

#[test]
fn no_method_wins_by_fewer_conflicts_after_more_work() {
    let of = |work: u64| {
        pair_of(8, |cell, _| match cell {
            0 => run(1_000, 9),
            _ => run(work, 4),
        })
    };
    assert_eq!((of(1_050).evidence.open, better(&of(1_050))), (0.0, Some("memetic")));
    assert_eq!((of(3_000).evidence.open, better(&of(3_000))), (1.0, None));
    // Nor by less work: what boxes had left then, nobody knows.
    assert_eq!((of(500).evidence.open, better(&of(500))), (1.0, None));
}

#[test]
fn no_method_wins_because_its_runs_end_earlier() {
    // Boxes end at 1,820, one at 1,758, memetic at 1,640, with 2 conflicts; one run of memetic is solved.
    let of = pair_of(10, |cell, seed| match (cell, seed) {
        (0, 1) => run(1_758, 3),
        (0, _) => run(1_820, 2),
        (_, 1) => run(1_665, 0),
        _ => run(1_640, 2),
    });
    assert_eq!((of.evidence.found.p, better(&of)), (1.0, None));
    assert_eq!((of.evidence.open, of.evidence.effect.share), (0.9, 0.45));
}

#[test]
fn one_solution_does_not_hide_that_all_other_runs_came_closer() {
    let none = pair_of(10, |cell, seed| run(500, if cell == 0 { 9 } else { 2 + seed as u16 % 2 }));
    let one = pair_of(10, |cell, seed| match (cell, seed) {
        (0, _) => run(500, 9),
        (_, 0) => run(400, 0),
        _ => run(500, 2 + seed as u16 % 2),
    });
    assert_eq!((better(&none), better(&one)), (Some("memetic"), Some("memetic")));
    assert!(one.evidence.found.p <= none.evidence.found.p);
}

#[test]
fn three_runs_of_each_are_too_few() {
    let three = pair_of(3, |cell, _| run(500, 1 + cell as u16));
    assert!(three.too_few() && better(&three).is_none());
    assert!(!pair_of(4, |cell, _| run(500, 1 + cell as u16)).too_few());
}

#[test]
fn all_pairs_of_a_puzzle_are_corrected_together_and_none_is_of_two_puzzles() {
    let plan = plan(METHODS);
    let compared = Comparisons::of(&results(&plan, ComparedFactor::METHOD, |cell, seed| {
        run(500 + (cell as u64 * 7 + u64::from(seed) * 11) % 40, 0)
    }));
    // Three presets on two puzzles; backtracking has no work.
    assert_eq!(compared.pairs.len(), 6);
    for pairs in compared.pairs.chunks(3) {
        assert!(pairs.iter().all(|pair| pair.key.puzzle == pairs[0].key.puzzle));
        let p: Vec<f64> = pairs.iter().map(|pair| pair.evidence.found.p).collect();
        let corrected: Vec<f64> = pairs.iter().map(|pair| pair.p_holm).collect();
        assert_eq!(corrected, holm(&p));
        for pair in pairs {
            let puzzle = |cell: usize| plan.cells[cell].puzzle.name.clone();
            assert_eq!(puzzle(pair.first.cell), puzzle(pair.second.cell));
        }
    }
}

#[test]
fn ranks_go_by_work_and_then_by_fitness() {
    let plan = plan(METHODS);
    // Memetic is first on both; boxes, which solve nothing, are second on one and last on the other.
    let compared = Comparisons::of(&results(&plan, ComparedFactor::METHOD, |cell, _| match cell {
        0 => run(10_000, 7),
        1 | 5 => run(3_000, 0),
        2 => run(10_000, 9),
        4 => run(10_000, 12),
        6 => run(9_000, 0),
        _ => run(1, 0),
    }));
    let [ranking] = &compared.rankings[..] else { panic!("{:?}", compared.rankings) };
    let ranks: Vec<(&str, f64)> =
        ranking.ranks.iter().map(|(name, rank)| (name.as_str(), *rank)).collect();
    assert_eq!(ranks, [("memetic", 1.0), ("boxes", 2.5), ("cellular", 2.5)]);
    assert_eq!((ranking.puzzles.len(), ranking.left_out), (2, 0));
    assert!((ranking.test.statistic - 3.0).abs() < 1e-12);
    // 2.343 √(12 / 12): nothing is told apart over two puzzles.
    assert!((ranking.critical_difference - 2.3437).abs() < 1e-3);
    assert_eq!(ranking.alike(), [(0, 2)]);
    assert_eq!(ranking.apart().count(), 0);
}

#[test]
fn a_puzzle_of_several_blocks_is_one_puzzle() {
    let block = |name: &str, first: u32| {
        let puzzles = "puzzles = ['001-hard-01', 'ai-escargot']";
        format!("[[block]]\n{name}\n{puzzles}\nfirst_seed = {first}\n")
    };
    let compared = |names: [&str; 2], seeds: [u32; 2]| {
        let [one, other] = [0, 1].map(|at| block(names[at], seeds[at]));
        let plan = plan(&format!("methods = ['boxes', 'memetic']\nseeds = 5\n{one}{other}"));
        Comparisons::of(&results(&plan, ComparedFactor::METHOD, |cell, seed| {
            run(1_000 + u64::from(seed), if cell % 2 == 0 { 7 } else { 0 })
        }))
    };
    // Two blocks rank a puzzle once, by the pairs of both.
    let apart = compared(["name = 'a'", "name = 'b'"], [1, 50]);
    assert_eq!(apart.pairs.len(), 4);
    assert_eq!((apart.rankings[0].puzzles.len(), apart.rankings[0].left_out), (2, 0));
    assert_eq!(
        apart.rankings[0].critical_difference,
        compared(["", ""], [1, 1]).rankings[0].critical_difference
    );
    // Blocks without a name that list the same thing are one, whose runs count once.
    for (seeds, runs) in [([1, 50], 10), ([1, 3], 7), ([1, 1], 5)] {
        let pairs = compared(["", ""], seeds).pairs;
        assert_eq!(pairs.iter().map(|pair| pair.first.runs).collect::<Vec<_>>(), [runs; 2]);
    }
}

#[test]
fn pairs_that_cannot_be_significant_after_the_correction_say_so() {
    // Of four runs each the least p is 2 / 70, and three times that for three pairs.
    let compared = |methods: &str| {
        let plan = plan(&format!("puzzles = ['ai-escargot']\nmethods = [{methods}]\nseeds = 4"));
        Comparisons::of(&results(&plan, ComparedFactor::METHOD, |cell, seed| {
            run(1_000 * (cell as u64 + 1) + u64::from(seed), 0)
        }))
    };
    let two = compared("'boxes', 'memetic'");
    assert_eq!((better(&two.pairs[0]), two.pairs[0].too_few()), (Some("boxes"), false));
    let three = compared("'boxes', 'memetic', 'cellular'");
    assert!(three.pairs.iter().all(|pair| better(pair).is_none() && pair.too_few()));
}

#[test]
fn values_of_a_parameter_are_compared_where_all_else_is_equal() {
    let plan = plan(
        "puzzles = ['001-hard-01', 'ai-escargot']
         methods = ['boxes', 'cellular']
         seeds = 3
         [parameters]
         population = [10, 20]
         max_generations = [5, 6]",
    );
    let population = "population".parse().unwrap();
    let compared =
        Comparisons::of(&results(&plan, population, |_, seed| run(10 + u64::from(seed), 0)));
    // 10 against 20 on two puzzles, by two methods, for two bounds.
    assert_eq!(compared.pairs.len(), 8);
    for pair in &compared.pairs {
        assert_eq!((pair.first.value.as_str(), pair.second.value.as_str()), ("10", "20"));
        let (one, other) = (&plan.cells[pair.first.cell], &plan.cells[pair.second.cell]);
        assert_eq!(one.config.max_generations, other.config.max_generations);
        assert_eq!((one.method, &one.puzzle), (other.method, &other.puzzle));
    }
    // A ranking for each method and bound.
    assert_eq!(compared.rankings.len(), 4);
    assert!(compared.rankings.iter().all(|ranking| ranking.test.p == 1.0));
}

#[test]
fn blocks_are_compared_whatever_differs_in_them() {
    const BLOCKS: &str = "puzzles = ['001-hard-01', 'ai-escargot']
        seeds = 6
        [[block]]
        name = 'small'
        methods = ['boxes']
        parameters = { population = 10, mutation_rate = 0.5 }
        [[block]]
        name = 'large'
        methods = ['cellular']
        parameters = { population = 1000 }";
    let blocks = plan(BLOCKS);
    let compared = Comparisons::of(&results(&blocks, ComparedFactor::BLOCK, |cell, seed| {
        run(if cell < 2 { 100 } else { 900 } + u64::from(seed), 0)
    }));
    assert_eq!(compared.pairs.len(), 2);
    assert!(compared.pairs.iter().all(|pair| better(pair) == Some("small")));
    assert_eq!(compared.rankings.len(), 1);
    // A block of two cells on a puzzle is no configuration.
    let several = plan(&BLOCKS.replace("['cellular']", "['cellular', 'boxes']"));
    let refused = Comparisons::check(&several, ComparedFactor::BLOCK).unwrap_err().to_string();
    assert!(refused.ends_with("; each block needs exactly one cell for the puzzle"), "{refused}");
}

#[test]
fn no_ranks_differ_over_so_few_puzzles_that_nothing_could() {
    let of = |puzzles: usize| {
        let names = ["001-hard-01", "ai-escargot", "sato-no1", "sato-no11", "cheese", "coly013"];
        let names: Vec<String> = names[..puzzles].iter().map(|name| format!("'{name}'")).collect();
        let plan = plan(&format!(
            "puzzles = [{}]\nmethods = ['boxes', 'cellular']\nseeds = 5",
            names.join(", ")
        ));
        let compared = Comparisons::of(&results(&plan, ComparedFactor::METHOD, |cell, seed| {
            run(100 + 500 * (cell as u64 % 2) + u64::from(seed), 0)
        }));
        let ranking = &compared.rankings[0];
        (ranking.test.p, ranking.apart().count())
    };
    // 2 of 2^4 and of 2^6 ways to rank two methods.
    assert_eq!((of(4), of(6)), ((0.125, 0), (0.03125, 1)));
}

#[test]
fn a_larger_budget_alone_wins_no_rank() {
    let names = ["001-hard-01", "ai-escargot", "sato-no1", "sato-no11", "cheese", "coly013"];
    let list = names.map(|name| format!("'{name}'")).join(", ");
    let plan = plan(&format!("puzzles = [{list}]\nmethods = ['boxes', 'cellular']\nseeds = 5"));
    // boxes solves with this work; cellular stops unsolved after 100.
    let compared = |work: u64| {
        Comparisons::of(&results(&plan, ComparedFactor::METHOD, |cell, seed| {
            if cell % 2 == 0 { run(work + u64::from(seed), 0) } else { run(100, 9) }
        }))
    };
    let more = compared(1000);
    assert!(more.rankings.is_empty() && more.pairs.iter().all(|pair| pair.too_few()));
    let equal = compared(50);
    let ranks: Vec<f64> = equal.rankings[0].ranks.iter().map(|(_, rank)| *rank).collect();
    assert_eq!((ranks, equal.rankings[0].test.p), (vec![1.0, 2.0], 0.03125));
    assert!(equal.pairs.iter().all(|pair| !pair.too_few()));
}

#[test]
fn what_is_missing_is_left_out_and_nothing_to_compare_is_said() {
    let plan = plan(METHODS);
    let mut some = Results::new(&plan);
    some = some
        .viewed(ResultsView { compare: Some(ComparedFactor::METHOD), ..ResultsView::default() });
    for number in 0..plan.runs() {
        let (cell, seed) = plan.run(number);
        // Cellular has no run of the second puzzle yet, and presolve alone makes one of boxes.
        let presolved = RunResult {
            line: String::new(),
            figures: RunMetrics { end: StopCause::Presolved, ..RunMetrics::default() },
        };
        match (cell, seed) {
            (6, _) => {}
            (0, 0) => some.insert(number, presolved),
            _ => some.insert(number, run(10, 3)),
        }
    }
    let compared = Comparisons::of(&some);
    assert_eq!(compared.pairs.len(), 3 + 1);
    assert_eq!(compared.pairs[0].first.runs, 5);
    assert_eq!(compared.rankings, []);

    assert_eq!(Comparisons::of(&Results::new(&plan)), Comparisons::default());
    assert_eq!(Comparisons::check(&plan, ComparedFactor::METHOD), Ok(()));
    let refused = Comparisons::check(&plan, "population".parse().unwrap()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "--compare population: made-up has no puzzle with two cells that differ only in population, or this \
         parameter has no effect in these cells"
    );
    assert!("populaton".parse::<ComparedFactor>().unwrap_err().to_string().ends_with("or 'block'"));
}
