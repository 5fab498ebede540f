// The first step of ranking the old population: each thread counts the fitnesses in a run of
// slots. All four steps on the CPU: src/core/ga/selection/ranking.rs

#choose task
#choose threads
#choose block
#include "selection/ranking/runs.wgsl"

@compute @workgroup_size(COUNTERS)
fn rank_count(
    @builtin(global_invocation_id) thread: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    take_task(thread.z);
    let run = thread.x + thread.y * workgroups.x * COUNTERS;
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
