// What becomes of the children of a range of slots after their tabu search, one thread each.
// Twin: src/evolve/breeder.rs

#choose task
#choose threads
#include "board/child.wgsl"
#choose fitness
#include "improvement/tabu/state.wgsl"
#include "improvement/tabu/board.wgsl"
#choose replace

@compute @workgroup_size(WORKGROUP)
fn settle(
    @builtin(global_invocation_id) thread: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    take_task(thread.z);
    lane = local;
    searcher = thread.x + thread.y * workgroups.x * WORKGROUP;
    if (searcher >= task.count) {
        return;
    }
    let slot = task.first + searcher;
    if (state(IS_UNWRITTEN) == 1u) {
        write_board(slot);
    }
    for (var at = 0u; at < BOARD_WORDS; at++) {
        set_child_word(at, new_word(slot, at));
    }
    let fitness = fitness();
    if (survives(slot, fitness)) {
        set_new_fitness(slot, fitness);
    } else {
        copy_parent(slot);
        write_child(slot, old_fitness(slot));
    }
}
