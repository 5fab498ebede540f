// The histogram of fitness, the best individual and the first that was not written.
// On the CPU: src/core/ga/cpu_engine.rs
//
// The best has the lowest `fitness * population + slot`. Sums that begin at zero are kept as their
// complements' maximum.

#choose task
#choose threads
#choose block
#choose bins

var<workgroup> group_best: atomic<u32>;
var<workgroup> group_unwritten: atomic<u32>;

@compute @workgroup_size(COUNTERS)
fn statistics(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    take_task(group.z);
    if (thread == 0u) {
        atomicStore(&group_best, 0u);
        atomicStore(&group_unwritten, 0u);
    }
    clear_bins(thread);
    workgroupBarrier();
    let first = (group.x + group.y * workgroups.x) * COUNTERS * COUNTER_SLOTS;
    var best = 0u;
    var unwritten = 0u;
    for (var k = 0u; k < COUNTER_SLOTS; k++) {
        let slot = first + k * COUNTERS + thread;
        if (slot < task.population) {
            let fitness = new_fitness(slot);
            if (fitness < BINS) {
                add_to_bin(fitness);
                best = max(best, ~(fitness * task.population + slot));
            } else {
                unwritten = max(unwritten, ~slot);
            }
        }
    }
    atomicMax(&group_best, best);
    atomicMax(&group_unwritten, unwritten);
    workgroupBarrier();
    tell_bins(thread);
    if (thread == 0u) {
        atomicMax(&block[block_at(BEST)], atomicLoad(&group_best));
        atomicMax(&block[block_at(UNWRITTEN)], atomicLoad(&group_unwritten));
    }
}
