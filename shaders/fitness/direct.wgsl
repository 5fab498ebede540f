// The fitness of a chunk of packed boards, two boards a thread. On the CPU: src/core/fitness/reference.rs
//
// fitness = 3 * SIDE * SIDE - (distinct values 1..=SIDE, summed over rows, columns and boxes)
//
// A blank, or a byte above SIDE, is no value. Scores lie in a buffer that was filled with ones
// beforehand, by which a score that was never written is recognised.

#choose shape
#choose chunk
#choose fitness

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
