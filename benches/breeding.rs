//! What a child costs: crossover, mutation and improvement of each preset, on one thread.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use evodoku::board::{Geometry, Population, Presolve, presolve, unsolvable};
use evodoku::evolve::breeder::Breeder;
use evodoku::evolve::{Config, Individuals, Operators, Preset, Source};
use evodoku::random::Seed;
use evodoku::score::{CpuEvaluator, Evaluator};

const POPULATION: u32 = 10_000;

fn breeding(criterion: &mut Criterion) {
    let geometry = Geometry::new(3, 3).expect("a shape");
    let space = presolve(&unsolvable(geometry), Presolve::None).expect("no givens repeat");
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let mut group = criterion.benchmark_group("children of 9x9");
    group.sample_size(10);
    for preset in Preset::ALL {
        let own = Config::of(*preset, &space);
        let config = Config { population: POPULATION, presolve: Presolve::None, ..own };
        let mut breeder = Breeder::new(&space, &config, Operators::none()).expect("fits");
        let count = POPULATION as usize;
        let offspring = breeder.offspring_count(Source::Parents);
        group.throughput(Throughput::Elements(offspring as u64));
        let mut parents = Individuals::new(geometry, count).expect("a megabyte");
        let mut children = Population::new(geometry, count).expect("a megabyte");
        let mut breed = |source, seed: &Seed, parents: &Individuals, children: &mut Population| {
            breeder.plan(parents, source, seed);
            let slots = 0..breeder.offspring_count(source);
            let boards = &mut children.bytes_mut()[..slots.end * geometry.stride()];
            breeder.breed(parents, source, seed, slots, boards, &|| false)
        };
        let first = Seed::new(1, 0);
        breed(Source::Initialiser, &first, &parents, &mut children);
        std::mem::swap(&mut parents.boards, &mut children);
        let scored =
            CpuEvaluator::new(geometry, None).score(parents.boards.bytes(), &mut parents.fitness);
        scored.expect("the CPU scores");
        group.bench_function(preset.name(), |bencher| {
            let mut generation = 0;
            one.install(|| {
                bencher.iter(|| {
                    generation += 1;
                    let seed = Seed::new(1, generation);
                    breed(Source::Parents, &seed, &parents, &mut children)
                });
            });
        });
    }
    group.finish();
}

criterion_group!(benches, breeding);
criterion_main!(benches);
