// Which boards are near to which, as bits: each workgroup compares some children of a tile with as many others
// as it has threads. Others are the individual in each place, and the children of the tile.
// On the CPU: `KeepDistance::compare` in src/core/ga/replacement/keep_distance.rs

#choose task
#choose threads
#choose tables
#include "replacement/keep_distance/waiting.wgsl"

// Two words for each of the children: a bit for each thread.
var<workgroup> rows: array<atomic<u32>, COUNTERS>;

// Whether a child of the tile is near to another, which comes before it if it is of the tile too.
fn is_near(child: u32, other: u32) -> bool {
    let board = waiting(task.first + child) + 1u;
    // The board of the other in the waiting list, if it is a child.
    var there = 0u;
    var slot = 0u;
    if (other >= PLACES) {
        if (other - PLACES >= child) {
            return false;
        }
        there = waiting(task.first + other - PLACES) + 1u;
    } else {
        if (other >= task.population) {
            return false;
        }
        // No child has a place before the first tile.
        if (task.first > 0u && planned(TAKERS + other) > 0u) {
            there = waiting(planned(TAKERS + other) - 1u) + 1u;
        }
        slot = planned(ORDER + other);
    }
    var cells = 0u;
    for (var word = 0u; word < BOARD_WORDS; word++) {
        var differing = planned(board + word);
        if (there > 0u) {
            differing ^= planned(there + word);
        } else {
            differing ^= old_word(slot, word);
        }
        // Values are below 128, so that no byte carries into the next.
        cells += countOneBits((differing + 0x7F7F7F7Fu) & 0x80808080u);
        if (cells >= table(DISTANCE)) {
            return false;
        }
    }
    return cells < table(DISTANCE);
}

@compute @workgroup_size(COUNTERS)
fn compare(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    take_task(group.z);
    let at = group.x + group.y * workgroups.x;
    let block = at % ROW_BLOCKS;
    let first = at / ROW_BLOCKS * COMPARED;
    atomicStore(&rows[thread], 0u);
    workgroupBarrier();
    for (var number = 0u; number < COMPARED; number++) {
        // After the last insertion nothing is compared.
        if (first + number >= task.count || (task.first > 0u && planned(IS_OVER) > 0u)) {
            break;
        }
        if (is_near(first + number, block * COUNTERS + thread)) {
            atomicOr(&rows[BLOCK_WORDS * number + thread / 32u], 1u << (thread % 32u));
        }
    }
    workgroupBarrier();
    let child = first + thread / BLOCK_WORDS;
    if (child < task.count) {
        let word = NEAR + child * ROW_WORDS + block * BLOCK_WORDS + thread % BLOCK_WORDS;
        set_planned(word, atomicLoad(&rows[thread]));
    }
}
