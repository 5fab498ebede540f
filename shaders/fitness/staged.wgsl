// The fitness of a chunk of packed boards, one board a thread, staged through workgroup memory.
// On the CPU: src/core/fitness/reference.rs
//
// fitness = 3 * SIDE * SIDE - (distinct values 1..=SIDE, summed over rows, columns and boxes)
//
// A blank, or a byte above SIDE, is no value. Scores lie in a buffer that was filled with ones
// beforehand, by which a score that was never written is recognised.

#choose shape
#choose chunk
#choose fitness

// The workgroup's boards, and their scores.
var<workgroup> tile: array<u32, WORKGROUP * TILE_WORDS>;
var<workgroup> scored: array<u32, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn score(
    @builtin(local_invocation_index) thread: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    // More workgroups than fit one dimension continue in the second.
    let first = (group.x + group.y * workgroups.x) * WORKGROUP;
    // Neighbouring threads read neighbouring words.
    for (var turn = 0u; turn < BOARD_WORDS; turn++) {
        let word = turn * WORKGROUP + thread;
        tile[word / BOARD_WORDS * TILE_WORDS + word % BOARD_WORDS] =
            boards[first * BOARD_WORDS + word];
    }
    workgroupBarrier();
    let score = fitness(thread * TILE_WORDS);
    scored[thread] = select(UNWRITTEN, score, first + thread < chunk.count);
    workgroupBarrier();
    // Half of the threads write two scores each.
    let pair = first / 2u + thread;
    if (thread < WORKGROUP / 2u && 2u * pair < chunk.count) {
        scores[pair] = scored[2u * thread] | (scored[2u * thread + 1u] << 16u);
    }
}
