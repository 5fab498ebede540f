// The children of a range of slots before they are searched, one thread each.
// On the CPU: src/core/ga/breeder.rs
//
// A search starts from the child, and what it leaves becomes one again: boards are written when it is
// over.

#include "random/draws.wgsl"
#include "board/child.wgsl"
#choose select
#include "crossover/crossing.wgsl"
#choose mutate
#choose begin_search

@compute @workgroup_size(WORKGROUP)
fn begin(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    take_children(group, workgroups, local);
    let slot = child_slot();
    var couple = vec2<u32>(0u, 0u);
    if (has_child()) {
        couple = parents(slot);
    }
    read_parents(couple);
    if (has_child()) {
        cross_at_rate(slot);
        mutate(slot);
        begin_search(first_child + lane);
    }
}
