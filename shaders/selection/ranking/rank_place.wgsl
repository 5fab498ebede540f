// The last step of ranking: each thread writes the slots of its run to their ranks. Ties go to the
// lower slot, because runs and the slots of a run are taken in order.

#choose task
#choose threads
#include "selection/ranking/runs.wgsl"

@compute @workgroup_size(COUNTERS)
fn rank_place(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    take_task(group.z);
    let run = (group.x + group.y * workgroups.x) * COUNTERS + thread;
    if (run >= runs()) {
        return;
    }
    for (var k = 0u; k < RUN; k++) {
        let slot = run * RUN + k;
        if (slot >= task.population) {
            break;
        }
        let fitness = old_fitness(slot);
        let before = run_count(fitness, run);
        set_planned(ORDER + planned(STARTS + fitness) + planned(before), slot);
        // The count of earlier ones becomes the offset of the next of this fitness.
        set_planned(before, planned(before) + 1u);
    }
}
