// More bins than a workgroup's memory holds: all count in the block itself.

#choose task
#choose block

fn clear_bins(thread: u32) {}

fn add_to_bin(fitness: u32) {
    atomicAdd(&block[block_at(HISTOGRAM + fitness)], 1u);
}

fn tell_bins(thread: u32) {}
