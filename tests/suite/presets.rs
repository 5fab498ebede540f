//! Presets: the documents' own parameters, and every preset on every usual size.

use std::sync::atomic::AtomicBool;

use evodoku::board::{Geometry, Puzzle, SearchSpace, presolve};
use evodoku::complete_board;
use evodoku::fitness::{CpuEvaluator, Pipeline};
use evodoku::ga::{Config, Overrides, Preset, Run, RunSettings};
use evodoku::random::{GenerationRng, StreamStage};

/// Parameters of a preset as users would set them.
fn assert_parameters(preset: Preset, expected: &[(&str, &str)]) {
    let config = Config::of(preset, &SearchSpace::blank(Geometry::new(3, 3).unwrap()));
    for (name, value) in expected {
        let parameter = Config::parameter(name).unwrap();
        assert!((parameter.applies)(&config), "{preset}: {name} means nothing");
        assert_eq!((parameter.get)(&config), *value, "{preset}: {name}");
    }
}

#[test]
fn document_000() {
    let both = [
        ("presolve", "none"),
        ("selection", "truncation"),
        ("pool", "10"),
        ("random_share", "0"),
        ("pairing", "random"),
        ("crossover", "none"),
        ("mutation_rate", "1"),
        ("local_search", "none"),
        ("replacement", "generational"),
        ("restart_rule", "unchanged-best"),
        ("restart_elites", "0"),
        ("max_generations", "1000"),
    ];
    for preset in [Preset::Permutation, Preset::Columns] {
        assert_parameters(preset, &both);
    }
    assert_parameters(
        Preset::Permutation,
        &[
            ("encoding", "board"),
            ("population", "500"),
            ("mutation", "partial-shuffle"),
            ("keep_share", "0.95"),
            ("restart_after", "10"),
        ],
    );
    assert_parameters(
        Preset::Columns,
        &[
            ("encoding", "columns"),
            ("population", "50"),
            ("mutation", "reshuffle"),
            ("restart_after", "100"),
        ],
    );
}

#[test]
fn document_001() {
    assert_parameters(
        Preset::Boxes,
        &[
            ("presolve", "none"),
            ("encoding", "boxes"),
            ("population", "5000"),
            ("selection", "truncation"),
            ("best_share", "0.25"),
            ("random_share", "0.25"),
            ("children", "4"),
            ("pairing", "couples"),
            ("crossover", "subset"),
            ("mutation", "exchange"),
            ("mutation_rate", "0.25"),
            ("local_search", "none"),
            ("replacement", "generational"),
            ("restart_rule", "no-better-best"),
            ("restart_after", "30"),
            ("restart_elites", "0"),
        ],
    );
}

#[test]
fn document_002() {
    assert_parameters(
        Preset::Cells,
        &[
            ("presolve", "none"),
            ("encoding", "cells"),
            ("population", "1000"),
            ("selection", "truncation"),
            ("best_share", "0.5"),
            ("random_share", "0"),
            ("pairing", "random"),
            ("crossover", "uniform"),
            ("mutation", "reset"),
            ("mutation_rate", "0.0123"),
            ("local_search", "none"),
            ("replacement", "generational"),
            ("restart_after", "0"),
            ("max_generations", "10000"),
        ],
    );
}

#[test]
fn document_003() {
    let selections = [
        (Preset::RowsTournament, "tournament"),
        (Preset::RowsRank, "linear-rank"),
        (Preset::RowsRoulette, "roulette"),
        (Preset::RowsSus, "sus"),
    ];
    for (preset, selection) in selections {
        assert_parameters(
            preset,
            &[
                ("presolve", "none"),
                ("encoding", "rows"),
                ("population", "100"),
                ("selection", selection),
                ("crossover", "one-unit"),
                ("mutation", "pair-exchange"),
                ("mutation_rate", "0.05"),
                ("local_search", "none"),
                ("replacement", "generational"),
                ("restart_after", "0"),
                ("max_generations", "500"),
            ],
        );
    }
    assert_parameters(Preset::RowsTournament, &[("tournament", "5")]);
}

#[test]
fn document_004() {
    for (preset, crossover) in [(Preset::RowsPmx, "pmx"), (Preset::RowsExchange, "row-exchange")] {
        assert_parameters(
            preset,
            &[
                ("presolve", "none"),
                ("encoding", "rows"),
                ("population", "3000"),
                ("selection", "truncation"),
                ("best_share", "0.25"),
                ("random_share", "0"),
                ("pairing", "random"),
                ("crossover", crossover),
                ("mutation", "exchange"),
                ("mutation_rate", "0.1"),
                ("local_search", "none"),
                ("replacement", "generational"),
                ("restart_rule", "no-better-best"),
                ("restart_after", "500"),
                ("max_generations", "10000"),
            ],
        );
    }
}

#[test]
fn memetic_is_the_default_as_defined() {
    assert_parameters(
        Preset::Memetic,
        &[
            ("presolve", "probing"),
            ("encoding", "candidates"),
            ("population", "256"),
            ("selection", "truncation"),
            ("pool", "8"),
            ("random_share", "0"),
            ("pairing", "random"),
            ("crossover", "agreement"),
            ("inherit", "cells"),
            ("redraw_rate", "0"),
            ("mutation", "none"),
            ("local_search", "tabu"),
            // 81 cells of nine candidates each.
            ("tabu_steps", "7381"),
            ("tenure_random", "10"),
            ("tenure_share", "300"),
            ("replacement", "keep-distance"),
            ("offspring", "8"),
            ("distance", "4"),
            ("restart_after", "30"),
            ("max_generations", "10000"),
        ],
    );
}

#[test]
fn cellular_is_for_large_populations() {
    assert_parameters(
        Preset::Cellular,
        &[
            ("presolve", "probing"),
            ("encoding", "boxes"),
            ("population", "100000"),
            ("selection", "local-tournament"),
            ("topology", "ring"),
            ("mate", "any"),
            ("radius", "3"),
            ("crossover", "band-or-stack"),
            ("mutation", "exchange"),
            ("mutation_rate", "0.5"),
            ("mutants", "1"),
            ("local_search", "exchange-descent"),
            ("tries", "60"),
            ("replacement", "keep-if-not-worse"),
            ("restart_after", "50"),
            ("restart_rule", "no-better-best"),
            ("restart_elites", "0"),
            ("max_generations", "1000"),
        ],
    );
}

#[test]
fn tabu_searches_alone() {
    assert_parameters(
        Preset::Tabu,
        &[
            ("presolve", "probing"),
            ("encoding", "candidates"),
            ("population", "1"),
            ("crossover", "none"),
            ("mutation", "none"),
            ("local_search", "tabu"),
            ("tabu_steps", "100000"),
            ("replacement", "generational"),
            ("restart_after", "100"),
        ],
    );
}

#[test]
fn eviction_anneals_alone() {
    assert_parameters(
        Preset::Eviction,
        &[
            ("presolve", "probing"),
            ("encoding", "candidates"),
            ("population", "1"),
            ("crossover", "none"),
            ("mutation", "none"),
            ("local_search", "eviction"),
            ("proposals", "11809800"),
            ("eta_proposals", "2952450"),
            ("unassigned_share", "40"),
            ("replacement", "generational"),
            ("restart_after", "0"),
        ],
    );
}

#[test]
fn every_preset_runs_on_every_usual_size() {
    for shape in ["2x2", "2x3", "3x3", "4x4", "5x5"] {
        let geometry: Geometry = shape.parse().unwrap();
        let mut puzzle = Puzzle::blank(geometry);
        let mut draws = GenerationRng::new(1, 0).draws(StreamStage::Initialise, 0);
        complete_board(geometry, &mut puzzle.givens, &mut draws);
        // Too few givens for singles alone, too many for a lucky first generation.
        puzzle.givens.iter_mut().filter(|_| draws.below(10) >= 3).for_each(|given| *given = 0);
        for preset in Preset::ALL {
            let space = presolve(&puzzle, preset.presolve()).unwrap();
            let config = Config {
                population: 40,
                max_generations: 3,
                shuffle: 2,
                tabu_steps: 3,
                proposals: 3,
                ..Config::of(*preset, &space)
            };
            let interrupted = AtomicBool::new(false);
            let run = Run::new(&space, &config, 1, &interrupted);
            let evaluator = Box::new(CpuEvaluator::new(geometry, None));
            let outcome = run.execute(&mut Pipeline::new(evaluator), &mut ()).unwrap();
            assert!(outcome.solved() || outcome.generations == 3, "{shape} {preset}");
            let kept = puzzle.givens.iter().zip(&outcome.board);
            assert!(kept.filter(|(given, _)| **given != 0).all(|(given, value)| given == value));
        }
    }
}

/// Values of a parameter from its range in words: both ends, and another number; or all names.
fn values(range: &str) -> Vec<String> {
    match range.split_once(" to ") {
        Some((low, high)) => [low, high, "2"].map(str::to_owned).into(),
        None => range.split(", ").map(str::to_owned).collect(),
    }
}

#[test]
fn a_parameter_that_does_not_apply_changes_nothing() {
    let puzzle = evodoku::format::load("coly013", None).unwrap().puzzle;
    let interrupted = AtomicBool::new(false);
    let mut compared = 0;
    for preset in Preset::ALL {
        let short = [("population", "24"), ("max_generations", "4"), ("offspring", "8")];
        let short =
            short.into_iter().chain([("tabu_steps", "30"), ("proposals", "200"), ("tries", "20")]);
        let mut settings = RunSettings::of(*preset);
        let space = presolve(&puzzle, settings.presolve()).unwrap();
        for (name, value) in short {
            let before = settings.clone();
            settings.overrides.merge(&Overrides::parse(name, value).unwrap());
            // Some presets refuse some of them.
            if settings.config(&space).is_err() {
                settings = before;
            }
        }
        let configured = |set: &Overrides| {
            let mut settings = settings.clone();
            settings.overrides.merge(set);
            settings.config(&space).ok()
        };
        let outcome = |config: &Config| {
            let mut pipeline = Pipeline::new(Box::new(CpuEvaluator::new(puzzle.geometry, None)));
            let run = Run::new(&space, config, 7, &interrupted);
            let outcome = run.execute(&mut pipeline, &mut ()).unwrap();
            (outcome.board, outcome.generations, outcome.evaluations, outcome.moves)
        };
        let expected = outcome(&configured(&Overrides::default()).unwrap());
        for parameter in Config::PARAMETERS {
            for value in values(&(parameter.range)()) {
                let Ok(set) = Overrides::parse(parameter.name, &value) else { continue };
                // What is set may decide about others: topology makes memetic select locally.
                let Some(config) = configured(&set) else { continue };
                if (parameter.applies)(&config) {
                    continue;
                }
                assert_eq!(outcome(&config), expected, "{preset}: {}={value}", parameter.name);
                compared += 1;
            }
        }
    }
    assert!(compared > 300, "only {compared} runs were compared");
}
