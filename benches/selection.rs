//! What selection costs at a population of a million: ranking, and the parents of every slot.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use evodoku::board::{Geometry, Presolve, Puzzle, presolve};
use evodoku::ga::BuildContext;
use evodoku::ga::selection::{Pairing, Selection};
use evodoku::ga::{Config, Preset};
use evodoku::random::{GenerationRng, StreamStage};

const POPULATION: u32 = 1_000_000;

fn selection(criterion: &mut Criterion) {
    let geometry = Geometry::new(3, 3).expect("a shape");
    let space = presolve(&Puzzle::blank(geometry), Presolve::None).expect("no givens");
    // Fitness as it is after a few generations: 30 or so different values.
    let mut draws = GenerationRng::new(1, 0).draws(StreamStage::Initialise, 0);
    let fitness: Vec<u16> = (0..POPULATION)
        .map(|_| (10 + (0..5).map(|_| draws.below(8)).sum::<u32>()) as u16)
        .collect();
    let mut group = criterion.benchmark_group("selection of 1,000,000 children's parents");
    group.throughput(Throughput::Elements(POPULATION.into())).sample_size(10);
    for selection in Selection::ALL {
        let config = Config {
            population: POPULATION,
            selection: *selection,
            pairing: Pairing::Couples,
            ..Config::of(Preset::Boxes, &space)
        };
        let setting = BuildContext::new(&space, &config, &[]);
        let mut operator = selection.build(&setting).expect("fits");
        group.bench_function(selection.name(), |bencher| {
            let mut generation = 0;
            bencher.iter(|| {
                generation += 1;
                let seed = GenerationRng::new(1, generation);
                operator.begin_generation(&fitness, &seed);
                (0..POPULATION)
                    .map(|slot| operator.parents(slot, &fitness, &seed))
                    .fold([0u32; 2], |[a, b], [c, d]| [a ^ c, b ^ d])
            });
        });
    }
    group.finish();
}

criterion_group!(benches, selection);
criterion_main!(benches);
