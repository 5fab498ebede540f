// The moves and steps of a workgroup, added to those of the generation. On the CPU: the sum of `Effort`

#choose task
#choose block
#include "board/lane.wgsl"

// Those of this thread.
var<private> moves: u32;
var<private> steps: u32;
var<workgroup> group_moves: atomic<u32>;
var<workgroup> group_steps: atomic<u32>;

fn begin_effort() {
    if (lane == 0u) {
        atomicStore(&group_moves, 0u);
        atomicStore(&group_steps, 0u);
    }
    workgroupBarrier();
}

fn end_effort() {
    atomicAdd(&group_moves, moves);
    atomicAdd(&group_steps, steps);
    workgroupBarrier();
    if (lane == 0u) {
        add_wide(MOVES, atomicLoad(&group_moves));
        add_wide(STEPS, atomicLoad(&group_steps));
    }
}

// Adds to a sum of two words, the low one first. The thread that makes the low word wrap carries. All workgroups
// share the sum, and would wait for each other: where nothing was done, none adds.
fn add_wide(at: u32, more: u32) {
    if (more == 0u) {
        return;
    }
    let before = atomicAdd(&block[block_at(at)], more);
    if (before + more < before) {
        atomicAdd(&block[block_at(at + 1u)], 1u);
    }
}
