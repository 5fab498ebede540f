// The first step of ranking the old population: each thread counts the fitnesses in a run of
// slots. All four steps on the CPU: src/core/ga/selection/ranking.rs

#choose task
#choose threads
#choose block
#include "selection/ranking/runs.wgsl"

@compute @workgroup_size(COUNTERS)
fn rank_count(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    take_task(group.z);
    let run = (group.x + group.y * workgroups.x) * COUNTERS + thread;
    if (run >= runs()) {
        return;
    }
    for (var fitness = 0u; fitness < BINS; fitness++) {
        set_planned(run_count(fitness, run), 0u);
    }
    // No other thread counts this run, so that no two threads write one count.
    for (var k = 0u; k < RUN; k++) {
        let slot = run * RUN + k;
        if (slot >= task.population) {
            break;
        }
        let count = run_count(old_fitness(slot), run);
        set_planned(count, planned(count) + 1u);
    }
}
