//! Broods and tasks of a generation, whatever pieces it is bred in.

use std::fmt::Display;

use rayon::ThreadPoolBuilder;

use super::*;
use crate::evolve::Preset;
use crate::evolve::crossover::Crossover;
use crate::evolve::encoding::Encoding;
use crate::evolve::mutation::Mutation;
use crate::random::Draws;

#[test]
fn slots_bred_in_any_pieces_are_the_same() {
    let space = SearchSpace::blank(Geometry::new(3, 3).unwrap());
    for (preset, set) in [
        (Preset::Boxes, "pairing=couples"),
        (Preset::Boxes, "pairing=random"),
        (Preset::RowsRank, "mate=far"),
        (Preset::RowsSus, "elites=1"),
        (Preset::RowsPmx, "selection=tournament"),
        (Preset::RowsPmx, "mate=near"),
        (Preset::RowsExchange, "selection=roulette"),
    ] {
        let config = Config { population: 300, ..Config::of(preset, &space) };
        let config = config.with(&set.parse().unwrap());
        let mut breeder = Breeder::new(&space, &config, Operators::none()).unwrap();
        let mut population = Individuals::new(space.geometry(), 300).unwrap();
        let bred = |breeder: &Breeder, population: &Individuals, source, slots: Range<usize>| {
            let mut boards = vec![0; slots.len() * space.geometry().stride()];
            let seed = Seed::new(3, u32::from(source == Source::Parents));
            breeder.breed(population, source, &seed, slots, &mut boards, &|| false).unwrap();
            boards
        };
        let drawn = bred(&breeder, &population, Source::Initialiser, 0..300);
        population.boards.bytes_mut().copy_from_slice(&drawn);
        population.fitness = (0..300).map(|slot| slot * 7 % 40).collect();
        breeder.plan(&population, Source::Parents, &Seed::new(3, 1));
        let bred = |slots| bred(&breeder, &population, Source::Parents, slots);
        let whole = bred(0..300);
        for cut in [1, 7, 131, 299] {
            assert!([bred(0..cut), bred(cut..300)].concat() == whole, "{preset} {set} {cut}");
        }
    }
}

#[test]
fn tasks_are_neither_too_small_nor_too_few() {
    let space = SearchSpace::blank(Geometry::new(3, 3).unwrap());
    let two = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let task_len = |preset: Preset, children: usize| {
        let config = Config::of(preset, &space);
        let breeder = Breeder::new(&space, &config, Operators::none()).unwrap();
        two.install(|| breeder.task_len(children))
    };
    // Each search of several has a task; children that take next to nothing come in rows, also where threads
    // are left without any.
    assert_eq!(task_len(Preset::Memetic, 8), 1);
    assert_eq!(task_len(Preset::Memetic, 10_000), 1);
    assert_eq!(task_len(Preset::Eviction, 10_000), 1);
    assert_eq!(task_len(Preset::Boxes, 100_000), 64);
    assert_eq!(task_len(Preset::Boxes, 16), 64);
    // In between there are four tasks a thread, unless they would be shorter than to wake it takes.
    assert_eq!(task_len(Preset::Cellular, 200), 25);
    assert_eq!(task_len(Preset::Cellular, 16), 7);
    assert_eq!(task_len(Preset::Cellular, 100_000), 64);
}

#[test]
fn an_operator_that_counts_nothing_is_refused() {
    assert_eq!(check_count("mine", 1, "children", 5), Ok(()));
    assert_eq!(check_count("mine", 5, "children", 5), Ok(()));
    for count in [0, 6] {
        let said = check_count("mine", count, "children", 5).unwrap_err().to_string();
        assert!(said.contains("mine") && said.contains(&format!("{count} children")), "{said}");
    }
}

/// The fewest and the most words that children draw for a stage in `act`.
fn drawn(stage: Stage, mut act: impl FnMut(usize, &mut Draws)) -> [u32; 2] {
    let seed = Seed::new(3, 1);
    let words = (0..200).map(|slot| {
        let mut draws = seed.draws(stage, slot);
        act(slot as usize, &mut draws);
        let (next, mut anew) = (draws.word(), seed.draws(stage, slot));
        (0..).find(|_| anew.word() == next).unwrap()
    });
    let words: Vec<u32> = words.collect();
    [*words.iter().min().unwrap(), *words.iter().max().unwrap()]
}

#[test]
fn operators_say_how_many_words_a_child_draws() {
    // Blocks of four words are computed ahead where every child draws some of them, and not more than any
    // child draws.
    let check = |operator: &dyn Display, words: u32, found: [u32; 2]| {
        let [blocks, fewest, most] = [words, found[0], found[1]].map(|words| words.div_ceil(4));
        assert!((fewest..=most).contains(&blocks), "{operator}: {words} of {found:?}");
    };
    let space = SearchSpace::blank(Geometry::new(3, 3).unwrap());
    let own = Config::of(Preset::Boxes, &space);
    for encoding in [Encoding::Boxes, Encoding::Rows, Encoding::Cells] {
        for mutation_rate in [0.3, 1.0] {
            let config = Config { population: 200, encoding, mutation_rate, ..own.clone() };
            let groups = encoding.groups(&space);
            let setting = Setting::new(&space, &config, &groups);
            let initialise = encoding.build(&setting).unwrap();
            let board = |slot| {
                let mut board = vec![0; space.geometry().stride()];
                let seed = Seed::new(3, 0);
                initialise.initialise(&mut board, &mut seed.draws(Stage::Initialise, slot));
                board
            };
            let boards: Vec<Vec<u8>> = (0..207).map(board).collect();
            let mut child = boards[0].clone();
            for crossover in Crossover::ALL {
                let Ok(operator) = crossover.build(&setting) else { continue };
                let found = drawn(Stage::Cross, |slot, draws| {
                    operator.cross([&boards[slot], &boards[slot + 7]], &mut child, draws);
                });
                check(crossover, operator.words(), found);
            }
            // How many a reset draws depends on its rate.
            for mutation in Mutation::ALL.iter().filter(|mutation| **mutation != Mutation::Reset) {
                let Ok(operator) = mutation.build(&setting) else { continue };
                let found = drawn(Stage::Mutate, |slot, draws| {
                    operator.mutate(&mut boards[slot].clone(), draws);
                });
                check(mutation, operator.words(), found);
            }
        }
    }
}
