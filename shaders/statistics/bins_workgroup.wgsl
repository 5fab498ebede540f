// A workgroup counts in its own memory, and adds to the block at the end.

#choose task
#choose threads
#choose block

var<workgroup> bins: array<atomic<u32>, BINS>;

fn clear_bins(thread: u32) {
    for (var k = 0u; k < COUNTER_BINS; k++) {
        if (k * COUNTERS + thread < BINS) {
            atomicStore(&bins[k * COUNTERS + thread], 0u);
        }
    }
}

fn add_to_bin(fitness: u32) {
    atomicAdd(&bins[fitness], 1u);
}

fn tell_bins(thread: u32) {
    for (var k = 0u; k < COUNTER_BINS; k++) {
        let bin = k * COUNTERS + thread;
        if (bin < BINS) {
            let count = atomicLoad(&bins[bin]);
            if (count > 0u) {
                atomicAdd(&block[block_at(HISTOGRAM + bin)], count);
            }
        }
    }
}
