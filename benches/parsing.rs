//! How fast lists of puzzles are read: a puzzle a line, and values separated by blanks.

use std::fmt::Write;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use evodoku::board::Geometry;
use evodoku::complete_board;
use evodoku::format::{Options, line, open};
use evodoku::random::{GenerationRng, StreamStage};

const PUZZLES: u32 = 10_000;

/// Puzzles with about a third of a complete board's cells given.
fn list(geometry: Geometry) -> String {
    let mut text = String::new();
    for number in 0..PUZZLES {
        let mut draws = GenerationRng::new(1, 0).draws(StreamStage::Initialise, number);
        let mut board = vec![0; geometry.cells()];
        complete_board(geometry, &mut board, &mut draws);
        for cell in &mut board {
            if draws.below(3) > 0 {
                *cell = 0;
            }
        }
        writeln!(text, "{}", line(geometry, &board)).expect("into a string");
    }
    text
}

fn parsing(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut group = criterion.benchmark_group("parsing");
    group.throughput(Throughput::Elements(PUZZLES.into())).sample_size(20);
    for shape in ["3x3", "4x4"] {
        let geometry: Geometry = shape.parse().expect("a shape");
        let path = folder.path().join(format!("{shape}.txt"));
        std::fs::write(&path, list(geometry)).expect("a few megabytes");
        let path = path.into_os_string().into_string().expect("a plain name");
        let options = Options { shape: Some(geometry), ..Options::default() };
        group.bench_function(format!("lists of {shape}"), |bencher| {
            bencher.iter(|| {
                let readings = open(&path, &options).expect("a list");
                let puzzles = readings.filter(|reading| reading.is_ok()).count();
                assert_eq!(puzzles, PUZZLES as usize);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, parsing);
criterion_main!(benches);
