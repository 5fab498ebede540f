// The fitness of a chunk of packed boards, two boards a thread. Twin: src/score/scalar.rs
//
// fitness = 3 * SIDE * SIDE - (distinct values 1..=SIDE, summed over rows, columns and boxes)
//
// A blank, or a byte above SIDE, is no value. Scores lie in a buffer that was filled with ones
// beforehand, so that the host tells a score that was never written.

struct Chunk {
    // Boards in the chunk; threads past the last one have nothing to do.
    count: u32,
}

// One byte a cell in row-major order, the first cell in the lowest byte of the first word.
@group(0) @binding(0) var<storage, read> boards: array<vec4<u32>>;
// Two scores a word, the first in the low half.
@group(0) @binding(1) var<storage, read_write> scores: array<u32>;
@group(0) @binding(2) var<uniform> chunk: Chunk;

const UNWRITTEN = 0xFFFFu;

// include sets.wgsl

// include fitness.wgsl

@compute @workgroup_size(WORKGROUP)
fn score(
    @builtin(global_invocation_id) thread: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    // More workgroups than fit one dimension continue in the second.
    let pair = thread.x + thread.y * workgroups.x * WORKGROUP;
    if (2u * pair >= chunk.count) {
        return;
    }
    var word = 0u;
    for (var half = 0u; half < 2u; half++) {
        // The last board of an odd number is scored twice.
        let board = min(2u * pair + half, chunk.count - 1u);
        let score = fitness(board * BOARD_WORDS);
        word |= select(UNWRITTEN, score, board == 2u * pair + half) << (16u * half);
    }
    scores[pair] = word;
}
