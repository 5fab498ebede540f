//! Every operator keeps the givens and what its encoding promises.

use evodoku::board::{Geometry, Puzzle, SearchSpace, complete_board};
use evodoku::evolve::breeder::{Breeder, Source};
use evodoku::evolve::crossover::Crossover;
use evodoku::evolve::improvement::Improvement;
use evodoku::evolve::mutation::Mutation;
use evodoku::evolve::selection::{Pairing, Selection};
use evodoku::evolve::{Config, Individuals, Preset};
use evodoku::propagate::{Presolve, presolve};
use evodoku::random::{Seed, Stage};
use evodoku::score::{CpuEvaluator, Evaluator};
use proptest::prelude::*;
use proptest::sample::select;

/// A solvable puzzle: a complete board with some cells blank.
fn puzzle(geometry: Geometry, seed: u64, givens_of_8: u32) -> Puzzle {
    let mut puzzle = Puzzle::blank(geometry);
    let mut draws = Seed::new(seed, 0).draws(Stage::Initialise, 0);
    complete_board(geometry, &mut puzzle.givens, &mut draws);
    for value in &mut puzzle.givens {
        if draws.below(8) >= givens_of_8 {
            *value = 0;
        }
    }
    puzzle
}

/// Boxes hold every value once, fixed cells keep theirs, the others one of their candidates.
fn is_intact(space: &SearchSpace, board: &[u8]) -> bool {
    let geometry = space.geometry();
    let boxes = geometry.units_of(evodoku::board::UnitKind::Box).all(|unit| {
        let values = geometry.unit_cells(unit).fold(0u64, |set, cell| set | 1 << (board[cell] - 1));
        values == geometry.all_values()
    });
    let padding = board[geometry.cells()..].iter().all(|byte| *byte == 0);
    boxes && padding && (0..geometry.cells()).all(|cell| space.allows(cell, board[cell]))
}

fn config() -> impl Strategy<Value = Config> {
    let operators = (
        select(Presolve::ALL),
        select(Selection::ALL),
        select(Pairing::ALL),
        select(Crossover::ALL),
        select(Mutation::ALL),
        select(Improvement::ALL),
    );
    (1u32..40, operators, 0.0f64..=1.0).prop_map(
        |(
            population,
            (presolve, selection, pairing, crossover, mutation, improvement),
            mutation_rate,
        )| Config {
            population,
            presolve,
            selection,
            pairing,
            crossover,
            mutation,
            improvement,
            mutation_rate,
            ..Config::of(Preset::Memetic)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn children_keep_givens_candidates_and_boxes(
        (rows, cols) in select(vec![(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (4, 4)]),
        config in config(),
        seed: u64,
        givens_of_8 in 0u32..8,
    ) {
        let puzzle = puzzle(Geometry::new(rows, cols).unwrap(), seed, givens_of_8);
        let space = presolve(&puzzle, config.presolve).unwrap();
        let geometry = space.geometry();
        let mut breeder = Breeder::new(&space, &config).unwrap();
        let count = config.population as usize;
        let mut population = Individuals::new(geometry, count).unwrap();
        let mut children = Individuals::new(geometry, count).unwrap();
        let mut cpu = CpuEvaluator::new(geometry, None);
        for generation in 0..4 {
            let source = if generation == 0 { Source::Initialiser } else { Source::Parents };
            let seed = Seed::new(seed, generation);
            breeder.plan(&population, source, &seed);
            let boards = children.boards.bytes_mut();
            breeder.breed(&population, source, &seed, 0..count, boards, &|| false).unwrap();
            for slot in 0..count {
                prop_assert!(is_intact(&space, children.boards.board(slot)));
            }
            cpu.score(children.boards.bytes(), &mut children.fitness).unwrap();
            breeder.replace(&mut population, &mut children, source);
            for (slot, fitness) in population.fitness.iter().enumerate() {
                let board = population.boards.board(slot);
                prop_assert_eq!(*fitness, evodoku::score::fitness(geometry, board));
            }
        }
    }

    #[test]
    fn presolve_keeps_every_solution(
        (rows, cols) in select(vec![(2, 2), (2, 3), (3, 3), (2, 4), (4, 4)]),
        seed: u64,
        givens_of_8 in 0u32..8,
    ) {
        let geometry = Geometry::new(rows, cols).unwrap();
        let puzzle = puzzle(geometry, seed, givens_of_8);
        let complete = self::puzzle(geometry, seed, 8).givens;
        for level in Presolve::ALL {
            let space = presolve(&puzzle, *level).unwrap();
            prop_assert!((0..geometry.cells()).all(|cell| space.allows(cell, complete[cell])));
        }
    }
}
