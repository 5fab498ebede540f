//! Batches and tasks of a generation, whatever pieces it is bred in.

use std::fmt::Display;

use rayon::ThreadPoolBuilder;

use super::*;
use crate::board::{Population, Presolve, presolve};
use crate::format::shipped;
use crate::ga::Preset;
use crate::ga::crossover::{Crossover, CrossoverOperator};
use crate::ga::encoding::Encoding;
use crate::ga::mutation::{Mutation, MutationOperator};
use crate::ga::selection::Selection;
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
        let mut breeder = Breeder::new(&space, &config, CustomOperators::none()).unwrap();
        let mut population = Individuals::new(space.geometry(), 300).unwrap();
        let bred = |breeder: &Breeder, population: &Individuals, source, slots: Range<usize>| {
            let mut boards = vec![0; slots.len() * space.geometry().stride()];
            let seed = GenerationRng::new(3, u32::from(source == GenerationKind::Parents));
            breeder.breed(population, source, &seed, slots, &mut boards, &|| false).unwrap();
            boards
        };
        let drawn = bred(&breeder, &population, GenerationKind::Initialiser, 0..300);
        population.boards.bytes_mut().copy_from_slice(&drawn);
        population.fitness = (0..300).map(|slot| slot * 7 % 40).collect();
        breeder.prepare(&population, GenerationKind::Parents, &GenerationRng::new(3, 1));
        let bred = |slots| bred(&breeder, &population, GenerationKind::Parents, slots);
        let whole = bred(0..300);
        for cut in [1, 7, 131, 299] {
            assert!([bred(0..cut), bred(cut..300)].concat() == whole, "{preset} {set} {cut}");
        }
    }
}

/// A population of 80 as `config` makes it, on which every operator that fits is held against itself.
struct Sample<'a> {
    context: BuildContext<'a>,
    population: Population,
    fitness: Vec<u16>,
}

impl<'a> Sample<'a> {
    const SIZE: u32 = 80;
    /// First slots, and how many: whole rows of words and parts of them, from younger siblings on too.
    const BATCHES: [(u32, usize); 5] = [(0, 64), (7, 30), (10, 1), (13, 64), (64, 16)];

    fn new(context: BuildContext<'a>) -> Self {
        let encoding = context.config.encoding.build(&context).unwrap();
        let mut population =
            Population::new(context.space.geometry(), Self::SIZE as usize).unwrap();
        let stride = context.space.geometry().stride();
        let boards = population.bytes_mut().chunks_exact_mut(stride);
        for (slot, board) in (0..).zip(boards) {
            encoding.initialise(
                board,
                &mut GenerationRng::new(5, 0).draws(StreamStage::Initialise, slot),
            );
        }
        let fitness = (0..Self::SIZE as u16).map(|slot| slot * 7 % 23).collect();
        Self { context, population, fitness }
    }

    fn seed() -> GenerationRng<'static> {
        GenerationRng::new(5, 9)
    }

    /// What `words` are computed ahead for the slots of a batch.
    fn ahead((first, count): (u32, usize), words: WordBudget) -> Box<BlockCache> {
        let mut ahead = Box::new(BlockCache::none());
        ahead.compute(&Self::seed(), &[words], first, count);
        ahead
    }

    fn check_selection(&self, mut selection: Box<dyn SelectionOperator>) {
        selection.begin_generation(&self.fitness, &Self::seed());
        for (first, count) in Self::BATCHES {
            let ahead = Self::ahead(
                (first, count),
                WordBudget::each(StreamStage::Select, selection.words()),
            );
            let mut parents = vec![[0; 2]; count.min((Self::SIZE - first) as usize)];
            let seed = Self::seed().with_cache(&ahead);
            selection.select_batch((first, 1), &self.fitness, &seed, &mut parents);
            selection.to_slots(&mut parents);
            for (slot, parents) in (first..).zip(parents) {
                let expected = selection.parents(slot, &self.fitness, &Self::seed());
                assert_eq!(parents, expected, "{} of {slot}", selection.name());
            }
        }
    }

    /// Parents of slots, of which a few are twins.
    fn parents(slots: u32) -> Vec<[u32; 2]> {
        (0..slots).map(|slot| [slot * 31 % 77, slot * slot % 79]).collect()
    }

    fn check_crossover(&self, crossover: &dyn CrossoverOperator) {
        let children_per_couple = crossover.children_per_couple();
        let drawn = WordBudget {
            stage: StreamStage::Cross,
            words: crossover.words(),
            sharing: children_per_couple,
        };
        self.check(drawn, &|batch, children| {
            crossover.cross_batch(batch, children);
            for (at, (slot, expected)) in batch.slots(&mut children.to_vec()).enumerate() {
                let family = first_sibling(slot, children_per_couple);
                let mut draws = Self::seed().draws(StreamStage::Cross, family);
                crossover.cross(batch.couple(at), expected, &mut draws);
                let child = &children[at * batch.stride..][..batch.stride];
                assert_eq!(child, expected, "{} of {slot}", crossover.name());
            }
        });
    }

    fn check_mutation(&self, mutation: &dyn MutationOperator) {
        let drawn = WordBudget::each(StreamStage::Mutate, mutation.words());
        self.check(drawn, &|batch, children| {
            let mut expected = children.to_vec();
            mutation.mutate_batch(batch, children);
            for (slot, child) in batch.slots(&mut expected) {
                mutation.mutate(child, &mut Self::seed().draws(StreamStage::Mutate, slot));
            }
            assert_eq!(children, expected, "{}", mutation.name());
        });
    }

    /// Has batches checked with their words ahead and without; children begin as members of the population.
    fn check(&self, words: WordBudget, of: &dyn Fn(OffspringBatch<'_>, &mut [u8])) {
        for (first, count) in Self::BATCHES {
            let ahead = Self::ahead((first, count), words);
            for seed in [Self::seed(), Self::seed().with_cache(&ahead)] {
                let parents = Self::parents(count as u32);
                let stride = self.context.space.geometry().stride();
                let mut children = self.population.bytes()[..count * stride].to_vec();
                let (boards, parents, seed) = (self.population.bytes(), &parents[..], &seed);
                of(OffspringBatch { boards, stride, parents, first, seed }, &mut children);
            }
        }
    }
}

#[test]
fn what_is_bred_side_by_side_is_what_is_bred_one_by_one() {
    let given = |name, how| presolve(&shipped::puzzle(name), how).unwrap();
    let blank = |shape: &str| SearchSpace::blank(shape.parse().unwrap());
    let spaces = [
        given("ai-escargot", Presolve::None),
        given("ai-escargot", Presolve::Singles),
        given("003-6x6", Presolve::None),
        blank("2x2"),
        blank("4x4"),
        blank("5x5"),
    ];
    let (mut selections, mut crossovers, mut mutations) = (0, 0, 0);
    for space in &spaces {
        for (encoding, mutation_rate, tournament) in
            Encoding::ALL.iter().flat_map(|encoding| [(*encoding, 1.0, 5), (*encoding, 0.4, 12)])
        {
            let own = Config::of(Preset::RowsTournament, space);
            let population = Sample::SIZE;
            let config = Config { encoding, mutation_rate, tournament, population, ..own };
            let groups = encoding.groups(space);
            let sample = Sample::new(BuildContext::new(space, &config, &groups));
            for selection in Selection::ALL {
                let Ok(selection) = selection.build(&sample.context) else { continue };
                sample.check_selection(selection);
                selections += 1;
            }
            for crossover in Crossover::ALL {
                let Ok(crossover) = crossover.build(&sample.context) else { continue };
                sample.check_crossover(&*crossover);
                crossovers += 1;
            }
            for mutation in Mutation::ALL {
                let Ok(mutation) = mutation.build(&sample.context) else { continue };
                sample.check_mutation(&*mutation);
                mutations += 1;
            }
        }
    }
    assert!(selections > 60 && crossovers > 60 && mutations > 60, "most fit somewhere");
}

#[test]
fn tasks_are_neither_too_small_nor_too_few() {
    let space = SearchSpace::blank(Geometry::new(3, 3).unwrap());
    let two = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let task_len = |preset: Preset, children: usize| {
        let config = Config::of(preset, &space);
        let breeder = Breeder::new(&space, &config, CustomOperators::none()).unwrap();
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

/// The fewest and the most words that children draw for a stage in `act`.
fn drawn(stage: StreamStage, mut act: impl FnMut(usize, &mut Draws)) -> [u32; 2] {
    let seed = GenerationRng::new(3, 1);
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
            let context = BuildContext::new(&space, &config, &groups);
            let initialise = encoding.build(&context).unwrap();
            let board = |slot| {
                let mut board = vec![0; space.geometry().stride()];
                let seed = GenerationRng::new(3, 0);
                initialise.initialise(&mut board, &mut seed.draws(StreamStage::Initialise, slot));
                board
            };
            let boards: Vec<Vec<u8>> = (0..207).map(board).collect();
            let mut child = boards[0].clone();
            for crossover in Crossover::ALL {
                let Ok(operator) = crossover.build(&context) else { continue };
                let found = drawn(StreamStage::Cross, |slot, draws| {
                    operator.cross([&boards[slot], &boards[slot + 7]], &mut child, draws);
                });
                check(crossover, operator.words(), found);
            }
            // How many a reset draws depends on its rate.
            for mutation in Mutation::ALL.iter().filter(|mutation| **mutation != Mutation::Reset) {
                let Ok(operator) = mutation.build(&context) else { continue };
                let found = drawn(StreamStage::Mutate, |slot, draws| {
                    operator.mutate(&mut boards[slot].clone(), draws);
                });
                check(mutation, operator.words(), found);
            }
        }
    }
}
