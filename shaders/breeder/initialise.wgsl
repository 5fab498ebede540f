// New boards for a range of slots, one thread each. On the CPU: src/core/ga/encoding

#choose task
#choose threads
#choose tables
#include "random/draws.wgsl"
#include "board/child.wgsl"
#choose fitness
#choose encode

@compute @workgroup_size(WORKGROUP)
fn initialise(
    @builtin(global_invocation_id) thread: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    take_task(thread.z);
    lane = local;
    // More workgroups than fit one dimension continue in the second.
    let at = thread.x + thread.y * workgroups.x * WORKGROUP;
    if (at >= task.count) {
        return;
    }
    let slot = task.first + at;
    for (var word = 0u; word < BOARD_WORDS; word++) {
        set_child_word(word, table(FIXED + word));
    }
    draws(INITIALISE, slot);
    draw_board();
    write_child(slot, fitness());
}
