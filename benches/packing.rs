//! What it takes to fill a population: boards of one byte a cell copied to where they belong, and
//! complete boards drawn in place.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use evodoku::board::{Geometry, Population};
use evodoku::complete_board;
use evodoku::random::{GenerationRng, StreamStage};

const BOARDS: usize = 10_000;

fn packing(criterion: &mut Criterion) {
    for shape in ["3x3", "5x5"] {
        let geometry: Geometry = shape.parse().expect("a shape");
        let (cells, stride) = (geometry.cells(), geometry.stride());
        let mut population = Population::new(geometry, BOARDS).expect("a few megabytes");
        let loose: Vec<u8> =
            (0..BOARDS * cells).map(|cell| 1 + (cell % geometry.side()) as u8).collect();
        let mut group = criterion.benchmark_group(format!("packing {shape}"));
        group.throughput(Throughput::Elements(BOARDS as u64));
        group.bench_function("copied", |bencher| {
            bencher.iter(|| {
                let boards = population.bytes_mut().chunks_exact_mut(stride);
                for (board, values) in boards.zip(loose.chunks_exact(cells)) {
                    let (place, padding) = board.split_at_mut(cells);
                    place.copy_from_slice(values);
                    padding.fill(0);
                }
                population.words().len()
            });
        });
        group.bench_function("complete boards drawn", |bencher| {
            bencher.iter(|| {
                let boards = population.bytes_mut().chunks_exact_mut(stride);
                for (slot, board) in boards.enumerate() {
                    let mut draws =
                        GenerationRng::new(1, 0).draws(StreamStage::Initialise, slot as u32);
                    complete_board(geometry, board, &mut draws);
                }
            });
        });
        group.finish();
    }
}

criterion_group!(benches, packing);
criterion_main!(benches);
