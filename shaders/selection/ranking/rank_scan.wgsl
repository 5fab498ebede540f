// The second step of ranking: a workgroup for each fitness replaces the count of each run by the
// number of individuals of that fitness in the runs before, and writes the number of all. A thread
// adds up SCANNED runs that lie side by side, so that there are few sums over threads.

#choose task
#choose threads
#include "selection/ranking/runs.wgsl"
#include "selection/ranking/sums.wgsl"

@compute @workgroup_size(COUNTERS)
fn rank_scan(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    take_task(group.z);
    let fitness = group.x;
    let last = runs();
    var before = 0u;
    for (var part = 0u; part < RUN_PARTS; part++) {
        let first = (part * COUNTERS + thread) * SCANNED;
        var count = 0u;
        for (var k = 0u; k < SCANNED; k++) {
            if (first + k < last) {
                count += planned(run_count(fitness, first + k));
            }
        }
        var sum = before + sums_up_to(thread, vec2<u32>(count, 0u)).x - count;
        for (var k = 0u; k < SCANNED; k++) {
            if (first + k < last) {
                let at = run_count(fitness, first + k);
                let own = planned(at);
                set_planned(at, sum);
                sum += own;
            }
        }
        before += sums[COUNTERS - 1u].x;
    }
    if (thread == 0u) {
        set_planned(STARTS + fitness, before);
    }
}
