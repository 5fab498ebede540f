// The third step of ranking: where each fitness begins among the ranks, and where its sectors
// begin on a wheel. There are few fitnesses, so that one thread does it.

#choose task
#choose plan
#choose block

@compute @workgroup_size(1)
fn rank_start() {
    var start = 0u;
    var sum = 0u;
    for (var fitness = 0u; fitness < BINS; fitness++) {
        let count = plan[STARTS + fitness];
        plan[STARTS + fitness] = start;
        plan[SUMS + fitness] = sum;
        start += count;
        sum += count * (BINS - 1u - fitness);
    }
    plan[STARTS + BINS] = start;
    plan[SUMS + BINS] = sum;
}
