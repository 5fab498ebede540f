//! Population size at equal work: what is set against what, and a part of an experiment at a time.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use evodoku::Backend;
use evodoku::board::Presolve;
use evodoku::ga::local_search::LocalSearch;
use evodoku::ga::replacement::Replacement;
use evodoku::ga::selection::Selection;
use evodoku::ga::{Preset, StopReason};
use evodoku::internals::{ExperimentSummary, ExportFormat, RunRecord};
use evodoku::internals::{
    Plan, RawBlock, Results, RunResult, RunSubset, Runner, ScalingPoint, Series, Spec, law,
    law_table,
};

fn plan(text: &str) -> Plan {
    Plan::new(&Spec::from_toml(text, Path::new("spec.toml")).unwrap()).unwrap()
}

/// A run that spent so much work, with a solution or without.
fn run(plan: &Plan, number: usize, work: u64, solved: bool) -> RunResult {
    let (cell_number, place) = plan.run(number);
    let cell = &plan.cells[cell_number];
    let record = RunRecord {
        name: cell.puzzle.name.clone(),
        puzzle: String::new(),
        shape: cell.puzzle.geometry.to_string(),
        solution: None,
        board: String::new(),
        solved,
        fitness: u16::from(!solved),
        stop_reason: if solved { StopReason::Solved } else { StopReason::Work },
        presolve: Presolve::None,
        free_cells: 1,
        generations: (work / u64::from(cell.config.population)).saturating_sub(1) as u32,
        restarts: 0,
        evaluations: work,
        moves: 0,
        steps: 0,
        work,
        seconds: 0.5,
        children_per_second: 1.0,
        preset: Preset::Cellular,
        population: cell.config.population,
        islands: 1,
        seed: cell.seed(place),
        backend: "cpu".into(),
        adapter: None,
        driver: None,
        threads: 1,
        fault: None,
        config: cell.config.clone(),
    };
    RunResult::new(cell_number, record, Series::default())
}

const SPEC: &str = "puzzles = ['003-6x6']\nmethods = ['cellular']\nseeds = 4\n\
                    [parameters]\npresolve = 'none'\nmax_work = 1000\npopulation = [10, 100]\n";

#[test]
fn a_population_is_set_against_independent_runs_of_a_smaller_one() {
    let plan = plan(SPEC);
    let mut results = Results::new(&plan);
    // Ten runs of 10 individuals have 100 units each, within which one in four is solved.
    for (number, (work, solved)) in [
        (80, true),
        (300, true),
        (1_000, false),
        (1_000, false),
        (900, true),
        (1_000, false),
        (1_000, false),
        (700, true),
    ]
    .into_iter()
    .enumerate()
    {
        results.insert(number, run(&plan, number, work, solved));
    }
    let series = law(&results);
    assert_eq!(series.len(), 1);
    let [small, large] = &series[0].points[..] else { panic!("{series:?}") };
    // A file may say that a cell which was not run has no individuals.
    let mut unfit = plan.clone();
    unfit.cells[0].config.population = 0;
    assert_eq!(law(&Results::new(&unfit))[0].points[1].independent, None);
    assert_eq!((small.population, small.solved, small.runs), (10, 2, 4));
    assert_eq!(small.work.mean, Some(2_380.0 / 2.0));
    assert_eq!(small.independent, None);
    assert_eq!((large.population, large.seconds), (100, Some(1.0)));
    let other = large.independent.as_ref().unwrap();
    assert_eq!((other.copies, other.population), (10, 10));
    let any = |share: f64| 1.0 - (1.0 - share).powi(10);
    assert!((other.success.share - any(0.25)).abs() < 1e-12);
    // Wilson's interval of one in four is 5 to 70 %.
    assert!((other.success.low - any(0.0456)).abs() < 1e-3, "{:?}", other.success);
    // 80 + 3 * 100 for one solution.
    assert_eq!(other.work.mean, Some(380.0));

    let text = ExportFormat::Markdown.text(&ExperimentSummary::of(&mut results).report());
    for part in [
        "## Population size at equal work",
        "10 of 10 | 94 % (37-100) | 380 |",
        "cheapest is population 10, at 1,190 units",
        "population 100 does not clearly cost more: ",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let drawn = ExportFormat::Plot.text(&ExperimentSummary::of(&mut results).report());
    // Success and expected work, each with what independent runs would do.
    assert_eq!(drawn.matches("Dashed").count(), 2, "{drawn}");
}

#[test]
fn a_late_run_is_shown_and_independent_runs_end_with_their_generation() {
    let plan = plan(SPEC);
    let mut results = Results::new(&plan);
    for (number, work) in [95, 115, 1_000, 1_500, 900, 900, 900, 1_200].into_iter().enumerate() {
        let mut result = run(&plan, number, work, number != 2);
        // With 100 units it would have this generation alone, and be late.
        result.figures.generations = if number == 1 { 0 } else { result.figures.generations };
        results.insert(number, result);
    }
    let series = law(&results);
    let [small, large] = &series[0].points[..] else { panic!("{series:?}") };
    assert_eq!([(small.solved, small.late), (large.solved, large.late)], [(2, 1), (3, 1)]);
    let other = large.independent.as_ref().unwrap();
    assert!((other.success.share - (1.0 - 0.75_f64.powi(10))).abs() < 1e-12);
    assert_eq!(other.work.mean, Some((95.0 + 115.0 + 2.0 * 100.0) / 2.0));
    let rows = law_table(&results).unwrap().rows;
    assert!(rows[0].contains(&"2/4 (1 late)".to_owned()), "{rows:?}");
}

#[test]
fn costs_of_rows_that_evolve_different_puzzles_are_not_compared() {
    let text = SPEC
        .replace("['003-6x6']", "['003-6x6', '003-4x4']")
        .replace("presolve = 'none'", "presolve = ['none', 'naked']");
    let plan = plan(&text);
    let mut results = Results::new(&plan);
    for number in 0..plan.runs() {
        let cell = &plan.cells[plan.run(number).0];
        let mut result = run(&plan, number, 50, true);
        if cell.config.presolve != Presolve::None && cell.puzzle.name == "003-4x4" {
            result.figures.end = StopReason::Presolved.into();
        }
        results.insert(number, result);
    }
    let notes = law_table(&results).unwrap().notes.join(" ");
    assert!(notes.contains("the rows evolve different puzzles"), "{notes}");
    assert!(!notes.contains("the cheapest is"), "{notes}");
}

#[test]
fn what_does_not_vary_in_population_or_has_no_bound_is_no_law() {
    for text in [
        SPEC.replace("max_work = 1000\n", ""),
        SPEC.replace("[10, 100]", "10"),
        SPEC.replace("cellular", "backtracking"),
    ] {
        let plan = plan(&text);
        assert_eq!(law_table(&Results::new(&plan)), None, "{text}");
    }
}

#[test]
fn blank_and_missing_points_are_marked() {
    let text = SPEC
        .replace("[10, 100]", "[1, 10, 100]")
        .replace("seeds = 4", "seeds = 4\nleast_generations = 3");
    let plan = plan(&format!("{text}tries = 9\n"));
    let mut results = Results::new(&plan);
    results.insert(0, run(&plan, 0, 500, true));
    let rows = law_table(&results).unwrap().rows;
    let column = |row: usize, column: usize| rows[row][column].as_str();
    assert_eq!((column(0, 1), column(0, 2)), ("tries 9", "1/1 of 4"));
    assert_eq!(column(1, 2), "0/0 of 4");
    assert_eq!(column(2, 2), "blank");
}

#[test]
fn a_point_without_a_run_of_every_puzzle_is_not_compared() {
    let plan = plan(&SPEC.replace("['003-6x6']", "['003-6x6', '003-4x4']"));
    let mut results = Results::new(&plan);
    let first: Vec<usize> = (0..plan.runs()).filter(|number| plan.run(*number).1 == 0).collect();
    let (missing, there) = first.split_last().unwrap();
    for number in there {
        results.insert(*number, run(&plan, *number, 50, true));
    }
    let point = |results: &Results<'_>| law(results)[0].points[1].clone();
    assert_eq!((point(&results).population, point(&results).runs), (100, 1));
    assert_eq!((point(&results).work.mean, point(&results).seconds), (None, None));
    results.insert(*missing, run(&plan, *missing, 70, true));
    assert_eq!(point(&results).work.mean, Some(60.0));
}

#[test]
fn puzzles_that_are_improved_for_their_own_lengths_make_one_point() {
    let text = SPEC
        .replace("['003-6x6']", "['003-6x6', 'large-16-50']")
        .replace("cellular", "memetic")
        .replace("[10, 100]", "[16, 100]");
    let plan = plan(&text);
    let lengths: Vec<_> = plan.cells.iter().map(|cell| cell.length().unwrap().1).collect();
    assert_ne!(lengths[0], lengths[2], "each board has its own: {lengths:?}");
    let mut results = Results::new(&plan);
    for number in 0..plan.runs() {
        results.insert(number, run(&plan, number, 500, true));
    }
    let series = law(&results);
    assert_eq!(series.len(), 1);
    let told = |point: &ScalingPoint| (point.population, point.runs, point.length.clone());
    let points: Vec<_> = series[0].points.iter().map(told).collect();
    assert_eq!(points, [(16, 8, None), (100, 8, None)]);
}

#[test]
fn the_published_spec_pays_its_generations_or_leaves_cells_blank() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/population-law.toml");
    let plan = Plan::new(&Spec::read(&path, &RawBlock::default()).unwrap()).unwrap();
    for cell in &plan.cells {
        let config = &cell.config;
        let (length, steps) = cell.length().unwrap();
        match config.local_search {
            LocalSearch::ExchangeDescent => {
                let needed = u64::from(config.population) * (21 + 20 * u64::from(config.tries));
                assert_eq!(cell.skip.is_some(), needed > config.max_work, "{config:?}");
                assert_eq!((length, steps), ("tries", config.tries.to_string()));
            }
            LocalSearch::Tabu => {
                assert_eq!((length, steps), ("tabu_steps", config.tabu_steps.to_string()));
            }
            LocalSearch::Eviction | LocalSearch::None => panic!("{config:?}"),
        }
        // Every point is the same algorithm.
        assert_eq!(config.replacement, Replacement::KeepIfNotWorse);
        assert_eq!(config.selection, Selection::LocalTournament);
    }
    // Each size and each length is there at some bound on work.
    for size in [1, 100, 1_000, 10_000, 100_000, 1_000_000] {
        assert!(plan.cells.iter().any(|c| c.config.population == size && c.skip.is_none()));
    }
    let mut names: Vec<&str> = plan.cells.iter().map(|cell| cell.puzzle.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 12);
}

#[test]
fn a_part_is_done_first_and_the_rest_later() {
    let text = SPEC.replace("max_work = 1000", "max_work = [1000, 3000]");
    let plan = plan(&text);
    let interrupted = AtomicBool::new(false);
    let backend = Backend::cpu();
    let runner = |part: RunSubset| Runner {
        checkpoints: None,
        plan: &plan,
        backend: &backend,
        jobs: 2,
        threads: 2,
        interrupted: &interrupted,
        part,
    };
    let whole = {
        let mut results = Results::new(&plan);
        runner(RunSubset::default()).run(&mut results, &mut |_, _| Ok(())).unwrap();
        results.summaries()
    };
    let mut results = Results::new(&plan);
    let part =
        RunSubset { seeds: Some(2), only: vec!["max_work=1000".parse().unwrap()], shard: None };
    let first = runner(part);
    let missing = first.missing(&results);
    assert_eq!(missing.len(), 4);
    // The first seed of both cells, then the second.
    assert_eq!(missing.iter().map(|run| plan.run(*run).1).collect::<Vec<_>>(), [0, 0, 1, 1]);
    first.run(&mut results, &mut |_, _| Ok(())).unwrap();
    assert_eq!(results.finished().count(), 4);
    runner(RunSubset::default()).run(&mut results, &mut |_, _| Ok(())).unwrap();
    let figures = |summaries: Vec<evodoku::internals::CellSummary>| -> Vec<_> {
        summaries.into_iter().map(|one| (one.runs, one.solved, one.total_work)).collect()
    };
    assert_eq!(figures(results.summaries()), figures(whole));
}

#[test]
fn a_list_stands_for_all_its_puzzles() {
    let folder = tempfile::tempdir().unwrap();
    let list = "1234341221434321\n..34341221434321\n";
    std::fs::write(folder.path().join("list.sdm"), list).unwrap();
    let spec = "puzzles = ['list.sdm', '003-4x4']\nmethods = ['boxes']\n";
    let path = folder.path().join("spec.toml");
    let plan = Plan::new(&Spec::from_toml(spec, &path).unwrap()).unwrap();
    let names: Vec<&str> = plan.cells.iter().map(|cell| cell.puzzle.name.as_str()).collect();
    assert_eq!(names, ["list:1", "list:2", "003-4x4"]);
}
