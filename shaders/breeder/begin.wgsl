// The children of a range of slots before they are searched, one thread each.
// On the CPU: src/core/ga/breeder.rs
//
// A search starts from the child, and what it leaves becomes one again: boards are written when it is
// over.

#choose task
#choose threads
#include "random/draws.wgsl"
#include "board/child.wgsl"
#choose select
#include "crossover/crossing.wgsl"
#choose mutate
#choose begin_search

@compute @workgroup_size(WORKGROUP)
fn begin(
    @builtin(global_invocation_id) thread: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    take_task(thread.z);
    lane = local;
    // More workgroups than fit one dimension continue in the second.
    let searcher = thread.x + thread.y * workgroups.x * WORKGROUP;
    if (searcher < task.count) {
        let slot = task.first + searcher;
        cross_or_copy(parents(slot), slot);
        mutate(slot);
        begin_search(searcher);
    }
}
