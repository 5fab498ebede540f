//! Scoring rates of the CPU evaluators, by shape.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use evodoku::board::{Geometry, Population, complete_board};
use evodoku::random::{Seed, Stage};
use evodoku::score::{CpuEvaluator, Evaluator, fitness};

const BOARDS: usize = 10_000;

/// Complete boards with every tenth value or so replaced.
fn boards(geometry: Geometry) -> Population {
    let mut population = Population::new(geometry, BOARDS).expect("a few megabytes");
    for (slot, board) in population.bytes_mut().chunks_exact_mut(geometry.stride()).enumerate() {
        let mut draws = Seed::new(1, 0).draws(Stage::Initialise, slot as u32);
        complete_board(geometry, board, &mut draws);
        for _ in 0..geometry.cells() / 10 {
            let cell = draws.below(geometry.cells() as u32) as usize;
            board[cell] = 1 + draws.below(geometry.side() as u32) as u8;
        }
    }
    population
}

fn scoring(criterion: &mut Criterion) {
    for shape in ["2x2", "2x3", "3x3", "4x4", "5x5", "6x6"] {
        let geometry: Geometry = shape.parse().expect("a shape");
        let population = boards(geometry);
        let mut group = criterion.benchmark_group(format!("score {shape}"));
        group.throughput(Throughput::Elements(BOARDS as u64));
        group.bench_function("scalar", |bencher| {
            let boards = population.bytes().chunks_exact(geometry.stride());
            bencher.iter(|| {
                boards.clone().map(|board| u64::from(fitness(geometry, board))).sum::<u64>()
            });
        });
        group.bench_function("cpu evaluator", |bencher| {
            let mut evaluator = CpuEvaluator::new(geometry, None);
            let mut scores = vec![0; BOARDS];
            bencher.iter(|| evaluator.score(population.bytes(), &mut scores));
        });
        group.finish();
    }
}

criterion_group!(benches, scoring);
criterion_main!(benches);
