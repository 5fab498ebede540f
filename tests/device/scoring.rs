//! Every evaluator against the scalar truth, and the faults of a device.

use std::fmt::Display;
use std::time::Duration;

use evodoku::board::{Geometry, Population};
use evodoku::fitness::IN_FLIGHT;
use evodoku::fitness::{
    CpuEvaluator, Evaluator, EvaluatorError, GpuEvaluator, Pipeline, SimdLevel, fitness,
};
use evodoku::gpu_engine::{Adapter, AdapterKind, Device, Features};
use evodoku::internals::{BoardReading, ScoreShader, ShaderDefines, ShaderForm, philox_choices};
use evodoku::random::philox::philox;
use libtest_mimic::Trial;
use pollster::block_on;
use rayon::prelude::*;

use crate::adapter::{Outcome, trial};
use crate::kernel::run_kernel;

/// Shapes with their sides: all kinds of box, one and two words a set, both shader forms.
const SHAPES: [(usize, usize); 15] = [
    (2, 2),
    (2, 3),
    (3, 2),
    (2, 4),
    (3, 3),
    (2, 6),
    (4, 4),
    (2, 8),
    (8, 2),
    (5, 5),
    (4, 8),
    (3, 11),
    (6, 6),
    (7, 8),
    (8, 8),
];
/// Numbers of boards around those of a workgroup.
const COUNTS: [usize; 10] = [1, 3, 63, 64, 65, 127, 128, 129, 257, 1000];

/// The tests of this file.
pub fn trials(adapter: &Result<Adapter, String>) -> Vec<Trial> {
    let device = adapter.clone().and_then(|adapter| {
        let device = Device::open(&adapter).map_err(|error| error.to_string())?;
        Ok((adapter, device))
    });
    let mut trials = Vec::new();
    for level in SimdLevel::ALL.iter().copied() {
        let name = format!("cpu_{level}_equals_the_truth");
        let ignored = !level.is_available();
        let test = Trial::test(name, move || {
            every_shape(|geometry, chunk| CpuEvaluator::with_level(geometry, chunk, level))
        });
        trials.push(test.with_ignored_flag(ignored));
    }
    type Test = fn(&(Adapter, Device)) -> Outcome;
    let gpu_tests: [(&str, Test); 14] = [
        ("gpu_direct_equals_the_truth", |(_, device)| {
            every_shape_read(device, BoardReading::Direct)
        }),
        ("gpu_staged_equals_the_truth", |(adapter, _)| {
            every_shape_read(&Device::open(&card(adapter))?, BoardReading::Staged)
        }),
        ("gpu_both_forms_equal_the_truth", both_forms),
        ("gpu_scores_two_million_boards", two_million),
        ("gpu_continues_in_the_second_dimension", second_dimension),
        ("gpu_chunks_fit_a_small_binding", small_binding),
        ("gpu_wrong_shaders_are_found_out", wrong_shaders),
        ("gpu_misuse_is_an_error", misuse),
        ("gpu_lost_device_is_an_error", lost_device),
        ("gpu_lost_in_mid_population_goes_on", lost_in_mid_population),
        ("gpu_philox_known_answers", philox_answers),
        ("gpu_ring_uploads_every_byte", ring_uploads),
        ("gpu_times_are_measured", measured_times),
        ("gpu_scores_without_being_waited_for", unwaited),
    ];
    trials.extend(gpu_tests.map(|(name, test)| trial(name, &device, test)));
    trials
}

/// Packed boards of random bytes: any byte on even boards, few that are no value on odd ones.
fn random_boards(geometry: Geometry, count: usize, seed: u32) -> Vec<u8> {
    let stride = geometry.stride();
    let mut boards = vec![0; stride * count];
    boards.par_chunks_mut(stride).enumerate().for_each(|(number, board)| {
        let bound = if number % 2 == 0 { 256 } else { geometry.side() as u32 + 2 };
        for (block, cells) in board[..geometry.cells()].chunks_mut(8).enumerate() {
            let words = philox([number as u32, block as u32, 0, 0], [seed, 0]);
            for (k, cell) in cells.iter_mut().enumerate() {
                let part = words[k / 2] >> (k % 2 * 16) & 0xFFFF;
                *cell = ((part * bound) >> 16) as u8;
            }
        }
    });
    boards
}

/// Scores `boards` and compares every one.
fn compare(evaluator: &mut impl Evaluator, boards: &[u8]) -> Outcome {
    let geometry = evaluator.geometry();
    let mut scores = vec![0; boards.len() / geometry.stride()];
    evaluator.score(boards, &mut scores)?;
    let chunks = boards.par_chunks_exact(geometry.stride());
    let wrong = chunks.zip(&scores).position_first(|(board, got)| fitness(geometry, board) != *got);
    match wrong {
        Some(number) => Err(format!("{geometry} board {number} of {}", scores.len()).into()),
        None => Ok(()),
    }
}

fn every_shape<E: Evaluator, F: Display>(
    make: impl Fn(Geometry, Option<usize>) -> Result<E, F>,
) -> Outcome {
    for (number, (rows, cols)) in SHAPES.into_iter().enumerate() {
        let geometry = Geometry::new(rows, cols)?;
        let mut chunks = vec![None];
        // Compiling costs more than scoring: the forced chunks take turns.
        chunks.push(Some([7, 64, 777][number % 3]));
        for chunk in chunks {
            let mut evaluator = make(geometry, chunk)?;
            for (seed, count) in COUNTS.into_iter().enumerate() {
                compare(&mut evaluator, &random_boards(geometry, count, seed as u32))?;
            }
        }
    }
    Ok(())
}

fn every_shape_read(device: &Device, reading: BoardReading) -> Outcome {
    every_shape(|geometry, chunk| {
        let shader = ScoreShader::new(geometry, reading)?;
        block_on(GpuEvaluator::with_shader(device, geometry, chunk, &shader))
    })
}

fn both_forms((_, device): &(Adapter, Device)) -> Outcome {
    for (rows, cols) in [(2, 2), (2, 3), (3, 3), (4, 4), (6, 6)] {
        let geometry = Geometry::new(rows, cols)?;
        for (form, reading) in ShaderForm::ALL.iter().zip(BoardReading::ALL.iter().rev()) {
            let shader = ScoreShader::with_form(geometry, *reading, *form)?;
            let evaluator = GpuEvaluator::with_shader(device, geometry, None, &shader);
            let mut evaluator = block_on(evaluator)?;
            compare(&mut evaluator, &random_boards(geometry, 257, 1))?;
        }
    }
    Ok(())
}

/// The adapter as if it were a card, whose boards are copied to memory of its own.
fn card(adapter: &Adapter) -> Adapter {
    let mut card = adapter.clone();
    card.info.kind = AdapterKind::Discrete;
    card
}

/// On the adapter as it is, and as a card.
fn two_million((adapter, _): &(Adapter, Device)) -> Outcome {
    let geometry = Geometry::new(3, 3)?;
    let boards = random_boards(geometry, 2_000_000, 2);
    for adapter in [adapter.clone(), card(adapter)] {
        let mut evaluator = GpuEvaluator::on(&Device::open(&adapter)?, geometry, None)?;
        assert!(evaluator.chunk_len() <= 1_000_000, "not even two chunks");
        compare(&mut evaluator, &boards)?;
    }
    Ok(())
}

fn second_dimension((adapter, _): &(Adapter, Device)) -> Outcome {
    let mut small = adapter.clone();
    small.info.limits.max_compute_workgroups_per_dimension = 3;
    let geometry = Geometry::new(3, 3)?;
    let mut evaluator = GpuEvaluator::on(&Device::open(&small)?, geometry, None)?;
    for count in [192, 193, 1000, 1001] {
        compare(&mut evaluator, &random_boards(geometry, count, 3))?;
    }
    Ok(())
}

fn small_binding((adapter, _): &(Adapter, Device)) -> Outcome {
    let mut small = adapter.clone();
    small.info.limits.max_storage_buffer_binding_size = 1 << 14;
    let geometry = Geometry::new(3, 3)?;
    let mut evaluator = GpuEvaluator::on(&Device::open(&small)?, geometry, Some(1_000_000))?;
    assert!(evaluator.chunk_len() * geometry.stride() <= 1 << 14);
    compare(&mut evaluator, &random_boards(geometry, 1000, 4))
}

fn wrong_shaders((_, device): &(Adapter, Device)) -> Outcome {
    let geometry = Geometry::new(3, 3)?;
    for reading in BoardReading::ALL {
        let shader = ScoreShader::new(geometry, *reading)?;
        let build = |from: &str, to: &str| {
            assert!(shader.source.contains(from), "{from}");
            let source = shader.source.replacen(from, to, 1);
            let shader = ScoreShader { source, ..shader.clone() };
            let made = block_on(GpuEvaluator::with_shader(device, geometry, None, &shader));
            made.map(|_| ()).unwrap_err()
        };
        let wrong = build("field_bit(0x1u, word_0 >> 8u)", "field_bit(0x1u, word_0 >> 16u)");
        assert!(matches!(wrong, EvaluatorError::WrongAnswer { .. }), "{wrong}");
        let perfect = build("let score = fitness(", "let score = 0u * fitness(");
        assert!(matches!(perfect, EvaluatorError::WrongAnswer { got: 0, .. }), "{perfect}");
        let silent = build("let pair = ", "let pair = 99999999u + ");
        assert_eq!(silent, EvaluatorError::Unwritten { slot: 0 });
        let broken = build("fn score(", "fn score)");
        assert!(matches!(broken, EvaluatorError::Driver(_)), "{broken}");
        let (from, to) = match reading {
            BoardReading::Direct => ("chunk.count - 1u", "chunk.count - 2u"),
            BoardReading::Staged => ("thread < chunk.count)", "thread < chunk.count - 1u)"),
        };
        assert_eq!(build(from, to), EvaluatorError::Unwritten { slot: 196 });
    }
    // The device has taken no harm.
    compare(&mut GpuEvaluator::on(device, geometry, None)?, &random_boards(geometry, 99, 5))
}

fn misuse((_, device): &(Adapter, Device)) -> Outcome {
    let geometry = Geometry::new(2, 2)?;
    let mut evaluator = GpuEvaluator::on(device, geometry, Some(8))?;
    let boards = random_boards(geometry, 9, 6);
    assert_eq!(evaluator.collect().map(|_| ()), Err(EvaluatorError::Nothing));
    assert!(evaluator.submit(0..9, &boards).is_err(), "more than a chunk");
    assert!(evaluator.submit(0..8, &boards).is_err(), "bytes that do not fit the range");
    assert!(evaluator.score(&[], &mut []).is_ok());
    evaluator.submit(5..5, &[])?;
    evaluator.submit(100..108, &boards[..8 * geometry.stride()])?;
    for slot in 2..IN_FLIGHT {
        evaluator.submit(slot..slot + 1, &boards[..geometry.stride()])?;
    }
    assert!(evaluator.submit(0..1, &boards[..geometry.stride()]).is_err(), "a chunk too many");
    let empty = evaluator.collect()?;
    assert_eq!((empty.range, empty.scores), (5..5, &[][..]));
    let full = evaluator.collect()?;
    assert_eq!((full.range, full.scores.len()), (100..108, 8));
    assert_ne!(full.times.upload, Duration::ZERO);
    for slot in 2..IN_FLIGHT {
        assert_eq!(evaluator.collect()?.range, slot..slot + 1);
    }
    assert_eq!(evaluator.collect().map(|_| ()), Err(EvaluatorError::Nothing));
    compare(&mut evaluator, &boards)
}

fn lost_device((adapter, _): &(Adapter, Device)) -> Outcome {
    let geometry = Geometry::new(3, 3)?;
    let boards = random_boards(geometry, 10, 7);
    for out in 0..=IN_FLIGHT {
        let device = Device::open(adapter)?;
        let mut evaluator = GpuEvaluator::on(&device, geometry, None)?;
        for _ in 0..out {
            evaluator.submit(0..10, &boards)?;
        }
        device.handle().destroy();
        // What was submitted before may still come back.
        let mut error = None;
        for _ in 0..5 {
            error = error.or(evaluator.collect().map(|_| ()).err());
            error = error.or(evaluator.submit(0..10, &boards).err());
        }
        let error = error.ok_or("a destroyed device went on working")?;
        assert_ne!(error, EvaluatorError::TimedOut(evodoku::internals::TIMEOUT));
        assert!(evaluator.score(&boards, &mut [0; 10]).is_err());
        assert!(GpuEvaluator::on(&device, geometry, None).is_err());
        // The adapter is still there: the evaluator opens it again.
        evaluator.recover(8)?;
        assert!(evaluator.chunk_len() <= 8);
        compare(&mut evaluator, &boards)?;
    }
    Ok(())
}

fn lost_in_mid_population((adapter, _): &(Adapter, Device)) -> Outcome {
    let geometry = Geometry::new(3, 3)?;
    let (stride, source) = (geometry.stride(), random_boards(geometry, 1000, 10));
    let device = Device::open(adapter)?;
    let mut pipeline = Pipeline::new(Box::new(GpuEvaluator::on(&device, geometry, Some(100))?));
    let mut boards = Population::new(geometry, 1000)?;
    let mut scores = vec![0; 1000];
    let filled = pipeline.fill(&mut boards, &mut scores, |range, bytes| {
        bytes.copy_from_slice(&source[range.start * stride..range.end * stride]);
        if range.contains(&500) {
            device.handle().destroy();
        }
        true
    })?;
    assert!(filled.is_some());
    assert!(source.chunks_exact(stride).map(|board| fitness(geometry, board)).eq(scores));
    assert!(pipeline.fault().is_some(), "the device went on working");
    assert_eq!(pipeline.given_up(), None, "it is opened again");
    Ok(())
}

fn ring_uploads((_, device): &(Adapter, Device)) -> Outcome {
    use wgpu::BufferUsages as Use;
    // More than all buffers of the ring hold, and not a whole number of them.
    let geometry = Geometry::new(3, 3)?;
    let data = random_boards(geometry, 400_000, 8);
    let buffer = |usage| {
        let (label, size, mapped_at_creation) = (None, data.len() as u64, false);
        let descriptor = wgpu::BufferDescriptor { label, size, usage, mapped_at_creation };
        device.guarded(|gpu| gpu.create_buffer(&descriptor))
    };
    let target = buffer(Use::COPY_DST | Use::COPY_SRC)?;
    let back = buffer(Use::COPY_DST | Use::MAP_READ)?;
    let mut ring = evodoku::internals::UploadRing::new(device)?;
    block_on(ring.upload(&vec![1; data.len()], &target, 0))?;
    block_on(ring.upload(&data, &target, 0))?;
    let mut encoder = device.handle().create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(&target, 0, &back, 0, back.size());
    let submission = device.queue().submit([encoder.finish()]);
    back.slice(..).map_async(wgpu::MapMode::Read, |_| ());
    device.finish(submission)?;
    assert!(*back.slice(..).get_mapped_range()? == data[..]);
    assert!(block_on(ring.upload(&[1, 2, 3], &target, 0)).is_err(), "no whole word");
    Ok(())
}

fn measured_times((_, device): &(Adapter, Device)) -> Outcome {
    let data = vec![1; 1 << 20];
    let mut pass = evodoku::internals::upload_pass(device, &data)?;
    for _ in 0..3 {
        assert!(pass()? > Duration::ZERO);
    }
    let part = evodoku::internals::upload_pass(device, &data[1..]).and_then(|mut pass| pass());
    assert!(part.is_err(), "no whole word");
    let times = evodoku::internals::staging_times(device, &data, 3)?;
    assert!(times.iter().all(|time| (Duration::ZERO..Duration::MAX).contains(time)), "{times:?}");
    let times = evodoku::internals::copy_times(device, 1 << 20, 4)?;
    assert_eq!(times.len(), 4);
    assert!(times.iter().all(|time| *time > Duration::ZERO), "{times:?}");
    assert!(evodoku::internals::copy_times(device, u64::MAX - 3, 1).is_err());

    let geometry = Geometry::new(3, 3)?;
    let boards = random_boards(geometry, 5_000, 9);
    let mut scores = vec![0; 5_000];
    let mut evaluator = GpuEvaluator::on(device, geometry, Some(777))?;
    let times = block_on(evaluator.kernel_times(&boards, &mut scores, 2))?;
    assert_eq!(times.len(), 2);
    assert!(times.iter().all(|time| *time > Duration::ZERO), "{times:?}");
    let truth = boards.chunks_exact(geometry.stride()).map(|board| fitness(geometry, board));
    assert!(truth.eq(scores));
    compare(&mut evaluator, &boards)
}

/// On a device that is not waited for.
fn unwaited((adapter, _): &(Adapter, Device)) -> Outcome {
    let device = block_on(Device::open_with(adapter, false))?;
    let geometry = Geometry::new(3, 3)?;
    let boards = random_boards(geometry, 20_000, 10);
    let truth = boards.chunks_exact(geometry.stride()).map(|board| fitness(geometry, board));
    let truth: Vec<u16> = truth.collect();
    let mut evaluator = block_on(GpuEvaluator::on_async(&device, geometry, Some(1_234)))?;
    let mut scores = vec![0; 20_000];
    block_on(evaluator.score_async(&boards, &mut scores))?;
    assert!(scores == truth);
    scores.fill(0);
    assert_eq!(block_on(evaluator.kernel_times(&boards, &mut scores, 3))?.len(), 3);
    assert!(scores == truth);
    let few = block_on(evaluator.score_async(&boards[1..], &mut scores)).unwrap_err();
    assert!(matches!(few, EvaluatorError::TooFewBytes { .. }), "{few}");
    // A device that is gone is an error, then and later.
    device.handle().destroy();
    let gone = block_on(evaluator.score_async(&boards, &mut scores)).unwrap_err();
    assert_eq!(block_on(evaluator.score_async(&boards, &mut scores)), Err(gone));
    Ok(())
}

/// Answers of the reference implementation (Random123, `kat_vectors`): counter, key, words.
const PUBLISHED: [([u32; 4], [u32; 2], [u32; 4]); 3] = [
    ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
    ([u32::MAX; 4], [u32::MAX; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
    (
        [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
        [0xa409_3822, 0x299f_31d0],
        [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
    ),
];

/// Runs the WGSL generator on the counters and keys of the known answers.
fn philox_answers((_, device): &(Adapter, Device)) -> Outcome {
    const KERNEL: &str = "
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<vec4<u32>>;

#include \"random/philox.wgsl\"

@compute @workgroup_size(1)
fn answers(@builtin(global_invocation_id) thread: vec3<u32>) {
    let at = thread.x * 6u;
    let counter = vec4<u32>(input[at], input[at + 1u], input[at + 2u], input[at + 3u]);
    output[thread.x] = philox(counter, vec2<u32>(input[at + 4u], input[at + 5u]));
}
";
    // The published answers, and many more that the host knows.
    let mut cases = PUBLISHED.to_vec();
    for number in 0..500 {
        let words = philox([number; 4], [number, !number]);
        let key = [words[0] ^ 0x5555_5555, words[1]];
        cases.push((words, key, philox(words, key)));
    }
    let input: Vec<u32> = cases.iter().flat_map(|(c, k, _)| [&c[..], &k[..]].concat()).collect();
    let expected: Vec<u32> = cases.iter().flat_map(|(_, _, words)| *words).collect();
    // With integers of 64 bits, if the device has them, and without.
    for features in [device.adapter().features, Features::empty()] {
        let source =
            philox_choices(ShaderDefines::default(), features).assemble("answers", KERNEL)?;
        assert_eq!(run_kernel(device, &source, &input, expected.len())?, expected);
    }
    Ok(())
}
