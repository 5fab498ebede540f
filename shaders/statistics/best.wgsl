// The board of the best individual, copied to where the host reads it.

#choose task
#choose shape
#choose threads
#choose block

@compute @workgroup_size(COUNTERS)
fn best(@builtin(local_invocation_index) thread: u32) {
    let slot = ~atomicLoad(&block[block_at(BEST)]) % task.population;
    for (var k = 0u; k < COUNTER_WORDS; k++) {
        let at = k * COUNTERS + thread;
        if (at < BOARD_WORDS) {
            atomicStore(&block[block_at(BEST_BOARD + at)], new_word(slot, at));
        }
    }
}
