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
var<workgroup> tile: array<vec4<u32>, WORKGROUP * TILE_WORDS / 4u>;
var<workgroup> scored: array<u32, WORKGROUP>;

// Copies sixteen cells to the tile, those of quad `quad` of the boards from number `first` on.
fn copy(first: u32, quad: u32) {
    let cells = boards[first / 4u * BOARD_WORDS + quad];
    let above = above_side(cells.x) | above_side(cells.y) | above_side(cells.z) | above_side(cells.w);
    // Boards that are not whole quads follow each other without a gap.
    let at = quad + 4u * quad / BOARD_WORDS * (TILE_WORDS - BOARD_WORDS) / 4u;
    if ((above & TOP_BITS) == 0u) {
        tile[at] = cells;
    } else {
        tile[at] = vec4<u32>(cleaned(cells.x), cleaned(cells.y), cleaned(cells.z), cleaned(cells.w));
    }
}

@compute @workgroup_size(WORKGROUP)
fn score(
    @builtin(local_invocation_index) thread: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    // More workgroups than fit one dimension continue in the second.
    let first = (group.x + group.y * workgroups.x) * WORKGROUP;
#repeat turn COPY_TURNS
    let quad = turn * WORKGROUP + thread;
    if (4u * (turn + 1u) <= BOARD_WORDS || 4u * quad < WORKGROUP * BOARD_WORDS) {
        copy(first, quad);
    }
#end
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
