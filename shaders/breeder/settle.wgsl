// The replacement of the children of a range of slots after they were searched, one thread each.
// On the CPU: src/core/ga/breeder.rs

#include "board/child.wgsl"
#choose fitness
#choose take_best
#choose replace

@compute @workgroup_size(WORKGROUP)
fn settle(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    take_children(group, workgroups, local);
    let slot = child_slot();
    var settled = 0u;
    if (has_child()) {
        take_best(first_child + lane);
        settled = fitness();
        if (!survives(slot, settled)) {
            take_old(slot);
            settled = old_fitness(slot);
        }
    }
    write_child(settled);
}
