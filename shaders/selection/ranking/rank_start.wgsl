// The third step of ranking: the first rank of each fitness, and the position where its sectors
// begin on a wheel. A workgroup does it, a fitness a thread and turn.

#choose task
#choose plan
#choose block
#choose threads
#include "selection/ranking/sums.wgsl"

@compute @workgroup_size(COUNTERS)
fn rank_start(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    take_task(group.z);
    // The individuals and the sectors of all fitnesses before.
    var before = vec2<u32>(0u, 0u);
    for (var part = 0u; part < COUNTER_BINS; part++) {
        let fitness = part * COUNTERS + thread;
        var own = vec2<u32>(0u, 0u);
        if (fitness < BINS) {
            let count = planned(STARTS + fitness);
            own = vec2<u32>(count, count * (BINS - 1u - fitness));
        }
        let start = before + sums_up_to(thread, own) - own;
        if (fitness < BINS) {
            set_planned(STARTS + fitness, start.x);
            set_planned(SUMS + fitness, start.y);
        }
        before += sums[COUNTERS - 1u];
    }
    if (thread == 0u) {
        set_planned(STARTS + BINS, before.x);
        set_planned(SUMS + BINS, before.y);
    }
}
