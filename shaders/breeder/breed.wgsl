// The children of a range of slots, one thread each. On the CPU: src/core/ga/breeder.rs
//
// Parents are read from the old population, the child is put together, changed and improved, and the next population
// gets it or the individual before it.

#include "random/draws.wgsl"
#include "board/child.wgsl"
#choose select
#include "crossover/crossing.wgsl"
#choose mutate
#choose improve
#choose replace

@compute @workgroup_size(WORKGROUP)
fn breed(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    take_children(group, workgroups, local);
    begin_effort();
    let slot = child_slot();
    var couple = vec2<u32>(0u, 0u);
    if (has_child()) {
        couple = parents(slot);
    }
    read_parents(couple);
    var fitness = 0u;
    if (has_child()) {
        cross_at_rate(slot);
        mutate(slot);
        fitness = improve(slot);
        if (!survives(slot, fitness)) {
            take_old(slot);
            fitness = old_fitness(slot);
        }
    }
    write_child(fitness);
    end_effort();
}
