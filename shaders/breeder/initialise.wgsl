// New boards for a range of slots, one thread each. On the CPU: src/core/ga/encoding

#choose tables
#include "random/draws.wgsl"
#include "board/child.wgsl"
#choose fitness
#choose encode

@compute @workgroup_size(WORKGROUP)
fn initialise(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    take_children(group, workgroups, local);
    var drawn = 0u;
    if (has_child()) {
        for (var at = 0u; at < BOARD_WORDS; at++) {
            set_child_word(at, table(FIXED + at));
        }
        draws(INITIALISE, child_slot());
        draw_board();
        drawn = fitness();
    }
    write_child(drawn);
}
