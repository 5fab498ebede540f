// The replacement of the children of a range of slots after they were searched, one thread each.
// On the CPU: src/core/ga/breeder.rs

#choose task
#choose threads
#include "board/child.wgsl"
#choose fitness
#choose take_best
#choose replace

@compute @workgroup_size(WORKGROUP)
fn settle(
    @builtin(global_invocation_id) thread: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    take_task(thread.z);
    lane = local;
    let searcher = thread.x + thread.y * workgroups.x * WORKGROUP;
    if (searcher < task.count) {
        let slot = task.first + searcher;
        take_best(searcher);
        let fitness = fitness();
        if (survives(slot, fitness)) {
            write_child(slot, fitness);
        } else {
            copy_parent(slot);
            write_child(slot, old_fitness(slot));
        }
    }
}
