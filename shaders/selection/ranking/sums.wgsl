// Sums over the threads of a workgroup.

#choose threads

var<workgroup> sums: array<vec2<u32>, COUNTERS>;

// The sums of two numbers over all threads up to this one. The last thread's are those of the workgroup.
fn sums_up_to(thread: u32, numbers: vec2<u32>) -> vec2<u32> {
    var sum = numbers;
    // No thread may write before all have read what was summed before.
    workgroupBarrier();
    sums[thread] = sum;
    workgroupBarrier();
    // Each doubling adds the sum twice as far back.
    for (var doubling = 0u; doubling < DOUBLINGS; doubling++) {
        let back = 1u << doubling;
        var more = vec2<u32>(0u, 0u);
        if (thread >= back) {
            more = sums[thread - back];
        }
        workgroupBarrier();
        sum += more;
        sums[thread] = sum;
        workgroupBarrier();
    }
    return sum;
}
