// The children of a range of slots, one thread each. On the CPU: src/core/ga/breeder.rs
//
// Parents are read from the old population, the child is put together, changed and improved in the
// thread's own memory, and the next population gets it or the individual before it.

#choose task
#choose threads
#include "random/draws.wgsl"
#include "board/child.wgsl"
#include "local_search/effort.wgsl"
#choose select
#include "crossover/crossing.wgsl"
#choose mutate
#choose improve
#choose replace

@compute @workgroup_size(WORKGROUP)
fn breed(
    @builtin(global_invocation_id) thread: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    take_task(thread.z);
    lane = local;
    begin_effort();
    // More workgroups than fit one dimension continue in the second.
    let at = thread.x + thread.y * workgroups.x * WORKGROUP;
    if (at < task.count) {
        let slot = task.first + at;
        cross_or_copy(parents(slot), slot);
        mutate(slot);
        let fitness = improve(slot);
        if (survives(slot, fitness)) {
            write_child(slot, fitness);
        } else {
            copy_parent(slot);
            write_child(slot, old_fitness(slot));
        }
    }
    end_effort();
}
