// The second step of ranking: a workgroup for each fitness replaces the count of each run by the
// number of individuals of that fitness in the runs before, and writes the number of all.

#choose task
#choose threads
#include "selection/ranking/runs.wgsl"

var<workgroup> sums: array<u32, COUNTERS>;

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
        let run = part * COUNTERS + thread;
        var count = 0u;
        if (run < last) {
            count = planned(run_count(fitness, run));
        }
        var sum = count;
        sums[thread] = sum;
        workgroupBarrier();
        // Each doubling adds the sum twice as far back: after the last one every thread has the
        // sum of all up to it.
        for (var doubling = 0u; doubling < DOUBLINGS; doubling++) {
            let back = 1u << doubling;
            var more = 0u;
            if (thread >= back) {
                more = sums[thread - back];
            }
            workgroupBarrier();
            sum += more;
            sums[thread] = sum;
            workgroupBarrier();
        }
        if (run < last) {
            set_planned(run_count(fitness, run), before + sum - count);
        }
        // The last thread has the sum of this part; no thread may write before all have read.
        before += sums[COUNTERS - 1u];
        workgroupBarrier();
    }
    if (thread == 0u) {
        set_planned(STARTS + fitness, before);
    }
}
