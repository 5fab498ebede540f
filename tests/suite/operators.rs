//! Every operator keeps the givens and what its encoding promises.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use evodoku::board::{Geometry, Presolve, Puzzle, SearchSpace, presolve};
use evodoku::complete_board;
use evodoku::fitness::{CpuEvaluator, Evaluator};
use evodoku::ga::GenerationKind;
use evodoku::ga::breeder::Breeder;
use evodoku::ga::crossover::{Crossover, Inherit};
use evodoku::ga::encoding::Encoding;
use evodoku::ga::local_search::LocalSearch;
use evodoku::ga::mutation::Mutation;
use evodoku::ga::replacement::Replacement;
use evodoku::ga::selection::{MatingPreference, Pairing, Selection, Topology};
use evodoku::ga::{Config, ConfigError, CustomOperators, Individuals, Preset};
use evodoku::random::{GenerationRng, StreamStage};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{TestCaseError, TestRunner};

/// A solvable puzzle: a complete board with some cells blank.
fn puzzle(geometry: Geometry, seed: u64, givens_of_8: u32) -> Puzzle {
    let mut puzzle = Puzzle::blank(geometry);
    let mut draws = GenerationRng::new(seed, 0).draws(StreamStage::Initialise, 0);
    complete_board(geometry, &mut puzzle.givens, &mut draws);
    for value in &mut puzzle.givens {
        if draws.below(8) >= givens_of_8 {
            *value = 0;
        }
    }
    puzzle
}

/// Fixed cells keep their values and padding is zero; permuted units hold every value once, a
/// permuted board as many of each as a solution; with encoding cells any cell any value; other cells
/// one of their candidates.
fn is_intact(space: &SearchSpace, encoding: Encoding, board: &[u8]) -> bool {
    let geometry = space.geometry();
    let cells = 0..geometry.cells();
    let units = encoding.unit_kind().into_iter().flat_map(|kind| geometry.units_of(kind));
    let permuted = units.into_iter().all(|unit| {
        let values = geometry.unit_cells(unit).fold(0u64, |set, cell| set | 1 << (board[cell] - 1));
        values == geometry.all_values()
    });
    let allowed = match encoding {
        Encoding::Board => (1..=geometry.side() as u8)
            .all(|value| board.iter().filter(|held| **held == value).count() == geometry.side()),
        Encoding::Cells => {
            cells.clone().all(|cell| (1..=geometry.side()).contains(&board[cell].into()))
        }
        _ => cells.clone().all(|cell| space.allows(cell, board[cell])),
    };
    let fixed = cells.clone().all(|cell| [0, board[cell]].contains(&space.fixed[cell]));
    let padding = board[geometry.cells()..].iter().all(|byte| *byte == 0);
    permuted && allowed && fixed && padding
}

fn config() -> impl Strategy<Value = Config> {
    let base = Config::of(Preset::Cellular, &SearchSpace::blank(Geometry::new(3, 3).unwrap()));
    let operators = (
        select(Presolve::ALL),
        select(Encoding::ALL),
        select(Selection::ALL),
        select(Pairing::ALL),
        select(Crossover::ALL),
        select(Mutation::ALL),
        select(LocalSearch::ALL),
        select(Replacement::ALL),
    );
    let choices = (select(Topology::ALL), select(MatingPreference::ALL), select(Inherit::ALL));
    (1u32..40, operators, choices, 0.0f64..=1.0, 1u32..4).prop_map(
        move |(
            population,
            (
                presolve,
                encoding,
                selection,
                pairing,
                crossover,
                mutation,
                local_search,
                replacement,
            ),
            (topology, mate, inherit),
            mutation_rate,
            few,
        )| Config {
            population,
            presolve,
            encoding,
            selection,
            topology,
            radius: few,
            mate,
            tournament: few,
            pairing,
            crossover,
            crossover_rate: mutation_rate,
            inherit,
            redraw_rate: mutation_rate,
            mutation,
            mutation_rate,
            alike_rate: 1.0 - mutation_rate,
            changed_units: few,
            shuffle: 2,
            mutants: few,
            local_search,
            tabu_steps: 20,
            proposals: 200,
            replacement,
            elites: few,
            offspring: few,
            distance: few,
            restart_elites: few,
            ..base.clone()
        },
    )
}

/// The operators of a configuration, family by family.
fn operators(config: &Config) -> [(&'static str, &'static str); 6] {
    [
        ("encoding", config.encoding.name()),
        ("selection", config.selection.name()),
        ("crossover", config.crossover.name()),
        ("mutation", config.mutation.name()),
        ("local_search", config.local_search.name()),
        ("replacement", config.replacement.name()),
    ]
}

/// The names of all operators, family by family.
fn families() -> [(&'static str, Vec<&'static str>); 6] {
    [
        ("encoding", Encoding::ALL.iter().map(|one| one.name()).collect()),
        ("selection", Selection::ALL.iter().map(|one| one.name()).collect()),
        ("crossover", Crossover::ALL.iter().map(|one| one.name()).collect()),
        ("mutation", Mutation::ALL.iter().map(|one| one.name()).collect()),
        ("local_search", LocalSearch::ALL.iter().map(|one| one.name()).collect()),
        ("replacement", Replacement::ALL.iter().map(|one| one.name()).collect()),
    ]
}

/// Breeds some generations, unless the operators do not go together.
fn children_are_intact(
    geometry: Geometry,
    config: &Config,
    seed: u64,
    givens_of_8: u32,
) -> Result<bool, TestCaseError> {
    let puzzle = puzzle(geometry, seed, givens_of_8);
    let space = presolve(&puzzle, config.presolve).unwrap();
    // Operators that do not go together are refused in a sentence.
    let mut breeder = match Breeder::new(&space, config, CustomOperators::none()) {
        Ok(breeder) => breeder,
        Err(ConfigError::Unfit(_)) => return Ok(false),
        Err(error) => panic!("{error}"),
    };
    let count = config.population as usize;
    let mut population = Individuals::new(geometry, count).unwrap();
    let mut children = Individuals::new(geometry, count).unwrap();
    let mut cpu = CpuEvaluator::new(geometry, None);
    let sources = [
        GenerationKind::Initialiser,
        GenerationKind::Parents,
        GenerationKind::Parents,
        GenerationKind::Restart,
    ];
    for (generation, source) in sources.into_iter().enumerate() {
        let seed = GenerationRng::new(seed, generation as u32);
        breeder.prepare(&population, source, &seed);
        let offspring = breeder.offspring_count(source);
        let boards = &mut children.boards.bytes_mut()[..offspring * geometry.stride()];
        breeder.breed(&population, source, &seed, 0..offspring, boards, &|| false).unwrap();
        for slot in 0..offspring {
            let board = children.boards.board(slot);
            prop_assert!(is_intact(&space, config.encoding, board));
        }
        let boards = &children.boards.bytes()[..offspring * geometry.stride()];
        cpu.score(boards, &mut children.fitness[..offspring]).unwrap();
        breeder.replace(&mut population, &mut children, source);
        for (slot, fitness) in population.fitness.iter().enumerate() {
            let board = population.boards.board(slot);
            prop_assert_eq!(*fitness, evodoku::fitness::fitness(geometry, board));
        }
    }
    Ok(true)
}

/// Configurations that are drawn at a time, the fewest whose operators go together, and after how many
/// draws an operator that was never bred is one that goes with no others.
const CASES: u32 = 1_000;
const LEAST: usize = 900;
const DRAWS: u32 = 100;

#[test]
fn children_keep_givens_and_what_their_encoding_promises() {
    let shapes = vec![(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (4, 4)];
    let strategy = (select(shapes), config(), any::<u64>(), 0u32..8);
    let persistence =
        ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() };
    let (fitting, seen) = (Cell::new(0), RefCell::new(HashSet::new()));
    let draw = || {
        let tested = TestRunner::new(persistence.clone()).run(&strategy, |case| {
            let ((rows, cols), config, seed, givens_of_8) = case;
            let geometry = Geometry::new(rows, cols).unwrap();
            if children_are_intact(geometry, &config, seed, givens_of_8)? {
                fitting.set(fitting.get() + 1);
                seen.borrow_mut().extend(operators(&config));
            }
            Ok(())
        });
        tested.unwrap_or_else(|error| panic!("{error}"));
    };
    let families = families();
    let every =
        || families.iter().flat_map(|(family, names)| names.iter().map(|name| (*family, *name)));
    let never_bred = || every().filter(|one| !seen.borrow().contains(one)).collect::<Vec<_>>();
    // Few operators go with all others: which ones chance left out is drawn for again.
    for _ in 0..DRAWS {
        draw();
        if fitting.get() >= LEAST && never_bred().is_empty() {
            return;
        }
    }
    panic!("{} configurations were bred, and never {:?}", fitting.get(), never_bred());
}
