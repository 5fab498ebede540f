// The third step of ranking: the first rank of each fitness, and the position where its sectors
// begin on a wheel. There are few values of fitness, so that one thread does it.

#choose task
#choose plan
#choose block

@compute @workgroup_size(1)
fn rank_start(@builtin(workgroup_id) group: vec3<u32>) {
    take_task(group.z);
    var start = 0u;
    var sum = 0u;
    for (var fitness = 0u; fitness < BINS; fitness++) {
        let count = planned(STARTS + fitness);
        set_planned(STARTS + fitness, start);
        set_planned(SUMS + fitness, sum);
        start += count;
        sum += count * (BINS - 1u - fitness);
    }
    set_planned(STARTS + BINS, start);
    set_planned(SUMS + BINS, sum);
}
