// The board of the best individual, copied to the block.

#choose task
#choose shape
#choose threads
#choose block

@compute @workgroup_size(COUNTERS)
fn best(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    take_task(group.z);
    let slot = ~atomicLoad(&block[block_at(BEST)]) % task.population;
    for (var k = 0u; k < COUNTER_WORDS; k++) {
        let at = k * COUNTERS + thread;
        if (at < BOARD_WORDS) {
            atomicStore(&block[block_at(BEST_BOARD + at)], new_word(slot, at));
        }
    }
}
