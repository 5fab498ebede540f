//! Scoring rates of the CPU evaluators, by shape, in cache and from memory.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use evodoku::board::{Geometry, Population};
use evodoku::complete_board;
use evodoku::fitness::{CpuEvaluator, Evaluator, fitness};
use evodoku::random::{GenerationRng, StreamStage};

const BOARDS: usize = 10_000;
/// Bytes that no core's own cache holds.
const MEMORY: usize = 80 << 20;

/// Complete boards with every tenth value or so replaced, repeated from a while on.
fn boards(geometry: Geometry, count: usize) -> Population {
    let mut population = Population::new(geometry, count).expect("a hundred megabytes at most");
    let (stride, made) = (geometry.stride(), count.min(BOARDS));
    let (first, rest) = population.bytes_mut().split_at_mut(made * stride);
    for (slot, board) in first.chunks_exact_mut(stride).enumerate() {
        let mut draws = GenerationRng::new(1, 0).draws(StreamStage::Initialise, slot as u32);
        complete_board(geometry, board, &mut draws);
        for _ in 0..geometry.cells() / 10 {
            let cell = draws.below(geometry.cells() as u32) as usize;
            board[cell] = 1 + draws.below(geometry.side() as u32) as u8;
        }
    }
    for again in rest.chunks_mut(first.len()) {
        again.copy_from_slice(&first[..again.len()]);
    }
    population
}

fn scoring(criterion: &mut Criterion) {
    for shape in ["2x2", "2x3", "3x3", "4x4", "5x5", "6x6"] {
        let geometry: Geometry = shape.parse().expect("a shape");
        let population = boards(geometry, BOARDS);
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
        let many = MEMORY / geometry.stride();
        let population = boards(geometry, many);
        group.throughput(Throughput::Elements(many as u64));
        group.sample_size(20);
        group.bench_function("from memory", |bencher| {
            let mut evaluator = CpuEvaluator::new(geometry, None);
            let mut scores = vec![0; many];
            bencher.iter(|| evaluator.score(population.bytes(), &mut scores));
        });
        group.finish();
    }
}

criterion_group!(benches, scoring);
criterion_main!(benches);
